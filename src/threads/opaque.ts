import type { OtherTypes, ValueType } from "../codec/index.ts";

/** An instance of a class that is not known here: what it was stored as, to be stored again. */
class Opaque {
  readonly type: ValueType;
  readonly fields: unknown;
  constructor(type: ValueType, fields: unknown) {
    this.type = type;
    this.fields = fields;
  }
}

/** For where values only pass through: instances of any class come back as what was stored of them. */
export const opaqueTypes: OtherTypes = {
  of: (value) => (value instanceof Opaque ? value.type : undefined),
  named(name) {
    const type: ValueType<Opaque> = {
      name,
      is: (value): value is Opaque => value instanceof Opaque,
      encode: ({ fields }) => fields,
      decode: (fields) => new Opaque(type, fields),
    };
    return type;
  },
};
