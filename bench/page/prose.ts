import type { Random } from "./random.ts";

const nouns = `harbour kitchen ledger garden winter engine teacher village budget river library camera bridge
  contract orchard schedule neighbour lantern market compiler valley recipe passport museum battery theatre
  island keyboard committee bicycle forest microscope deadline window festival warehouse sentence cathedral
  sensor mountain apprentice pipeline violin blanket station proposal telescope harvest customer staircase
  novel hospital satellite pottery meadow interview envelope glacier workshop tenant umbrella database
  cargo painter treaty bakery thermostat lecture ferry courtyard printer horizon survey fountain mechanic
  refund translation chimney laboratory calendar sculpture railway parcel dictionary greenhouse policy
  notebook tournament archive lighthouse carpenter spreadsheet marathon vineyard reservoir password`.split(/\s+/);

const adjectives = `quiet narrow brittle generous northern unfinished modest reliable sudden ancient crowded
  fragrant clumsy transparent seasonal stubborn elegant damp ordinary distant cheerful expensive hollow
  patient temporary vivid awkward familiar coastal precise gloomy spacious tangled honest remote fragile
  curious urgent rusty gentle unusual crooked steady colourful private sensible heavy local early second
  wooden public bitter shallow frozen competent loose radical warm overlooked practical`.split(/\s+/);

const verbs = `repairs measures carries forgets describes replaces protects questions improves borrows collects
  delays explains decorates inspects remembers exchanges compares translates supports abandons rebuilds
  outlasts signals balances prepares surrounds divides records ignores follows attracts reveals simplifies
  interrupts shelters invites resembles finances documents postpones examines completes recommends`.split(/\s+/);

const adverbs = `slowly carefully rarely almost gladly often quietly eventually suddenly twice barely already
  usually together deliberately hardly soon perhaps always later nearly seldom`.split(/\s+/);

const places = `Lisbon Oslo Nairobi Kyoto Valparaiso Edinburgh Montreal Ljubljana Hanoi Wellington Zagreb
  Marrakesh Tallinn Quito Cardiff Jaipur Antwerp Bergen Salvador Busan`.split(/\s+/);

const openings = `However,|In practice,|To begin with,|As far as I can tell,|On the other hand,|For that reason,|In the
  meantime,|If I remember correctly,|After a closer look,|Strictly speaking,|More importantly,|Even so,|Last spring,|At
  first glance,|Between us,|According to the report,`
  .split("|")
  .map((opening) => opening.replace(/\s+/g, " "));

type Template = (random: Random) => string;

const noun: Template = (random) => random.pick(nouns);
const adjective: Template = (random) => random.pick(adjectives);
const article: Template = (random) => random.pick(["the", "the", "every", "our", "their", "this", "another", "my"]);
const thing: Template = (random) =>
  random.next() < 0.55 ? `${article(random)} ${adjective(random)} ${noun(random)}` : `${article(random)} ${noun(random)}`;
const clause: Template = (random) =>
  `${thing(random)} ${random.next() < 0.3 ? `${random.pick(adverbs)} ` : ""}${random.pick(verbs)} ${thing(random)}`;

const templates: readonly Template[] = [
  (random) => `${clause(random)}.`,
  (random) => `${clause(random)}, and ${clause(random)}.`,
  (random) => `${random.pick(openings)} ${clause(random)}.`,
  (random) => `what happens when ${clause(random)}?`,
  (random) => `can you tell me why ${clause(random)}?`,
  (random) => `it took ${random.between(2, 96)} days before ${clause(random)} near ${random.pick(places)}.`,
  (random) => `about ${random.between(3, 98)}% of it is ${adjective(random)}, so ${clause(random)}.`,
  (random) => `${clause(random)}; that is ${random.pick(adverbs)} ${adjective(random)}.`,
  (random) => `"${clause(random)}," she wrote from ${random.pick(places)} in ${random.between(1890, 2024)}.`,
  (random) => `because ${clause(random)}, I would rather keep ${thing(random)}.`,
  (random) => `neither ${thing(random)} nor ${thing(random)} ${random.pick(verbs)} ${thing(random)}.`,
  (random) => `first ${clause(random)}, then ${clause(random)}, until ${clause(random)}.`,
  (random) => `the ${noun(random)} of ${random.pick(places)} is more ${adjective(random)} than ${thing(random)}.`,
  (random) => `we paid ${random.between(12, 4800)} for ${thing(random)} and ${thing(random)}.`,
];

const capital = (sentence: string): string =>
  sentence.replace(/[a-z]/i, (letter) => letter.toUpperCase());

/** Varied English of about `length` characters: whole sentences, now and then a paragraph break. */
export function prose(random: Random, length: number): string {
  const wanted = length * (0.6 + 0.8 * random.next());
  let text = "";
  while (text.length < wanted - 35) {
    const separator = text === "" ? "" : random.next() < 0.1 ? "\n\n" : " ";
    text += separator + capital(random.pick(templates)(random));
  }
  return text;
}
