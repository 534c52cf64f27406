/** Writes either one object or a list, as the call's parameters ask for. */
import type { Encoder } from './codec.ts';

/** The list gives it its name; a document of its own shows one. */
export function oneOrList<One extends object, Item>(
  one: Encoder<One>,
  list: Encoder<Item[]>,
): Encoder<One | Item[]> {
  const isList = (value: One | Item[]): value is Item[] => Array.isArray(value);
  return {
    name: list.name,
    schema: list.schema,
    others: [{ name: one.name, schema: one.schema }],
    encode: (value) => (isList(value) ? list.encode(value) : one.encode(value)),
    encodeInSlices: (value) =>
      isList(value) ? list.encodeInSlices(value) : one.encodeInSlices(value),
  };
}
