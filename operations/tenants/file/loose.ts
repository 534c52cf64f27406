/** Reads the valid parts of a faulty file, so that all mistakes are found together. */
import { z } from 'zod';

/** The same value, but any part of it may be missing. */
export type Loose<Value> = Value extends readonly (infer Item)[]
  ? readonly (Loose<Item> | undefined)[]
  : Value extends object
    ? { readonly [Key in keyof Value]?: Loose<Value[Key]> | undefined }
    : Value;

/** Reads each part by itself: a part that the schema refuses is undefined, the rest stays. */
export function readLoosely<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
): Loose<z.output<Schema>> | undefined {
  return loose(schema, raw) as Loose<z.output<Schema>> | undefined;
}

/** Whether the file gives a key at all, be its value right or wrong. */
export function isGiven<Value extends object>(value: Value, key: keyof Value): boolean {
  return Object.hasOwn(value, key);
}

function loose(schema: unknown, raw: unknown): unknown {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    return raw === undefined ? schema.safeParse(undefined).data : loose(schema.unwrap(), raw);
  }
  if (schema instanceof z.ZodObject) {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined;
    const given = new Map(Object.entries(raw));
    // A key that is there and undefined was given, but wrong; one that is not there was left out.
    return Object.fromEntries(
      Object.entries(schema.shape)
        .map(([key, part]) => [key, loose(part, given.get(key))] as const)
        .filter(([key, value]) => value !== undefined || given.has(key)),
    );
  }
  if (schema instanceof z.ZodArray) {
    return Array.isArray(raw) ? raw.map((item) => loose(schema.element, item)) : undefined;
  }
  return schema instanceof z.ZodType ? schema.safeParse(raw).data : undefined;
}
