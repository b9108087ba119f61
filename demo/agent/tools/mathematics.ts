import { all, create, type Unit } from "mathjs";

const math = create({ ...all });
const calculator = math.evaluate.bind(math);

const refused = (name: string) => () => {
  throw new Error(`${name} is not allowed in an expression.`);
};

// An expression comes from a model: take away what could reach beyond arithmetic.
math.import(
  Object.fromEntries(["import", "createUnit", "evaluate", "parse", "simplify", "derivative"].map((name) => [name, refused(name)])),
  { override: true },
);

export const evaluate = (expression: string): unknown => calculator(expression) as unknown;

export const format = (value: unknown): string => math.format(value, { precision: 10, lowerExp: -6, upperExp: 15 });

const NAMES: Readonly<Record<string, string>> = { c: "degC", "°c": "degC", f: "degF", "°f": "degF", k: "kelvin", pound: "lb", pounds: "lb", kmh: "km/h", kph: "km/h", mph: "mi/h" };

function unitNamed(name: string): string {
  const plain = name.trim().replace(/(met|lit)re(s?)$/i, "$1er$2");
  return NAMES[plain.toLowerCase()] ?? plain;
}

export function convert(value: number, from: string, to: string): string {
  const converted: Unit = math.unit(value, unitNamed(from)).to(unitNamed(to));
  return format(converted.toNumber(unitNamed(to)));
}
