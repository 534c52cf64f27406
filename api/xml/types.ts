/**
 * The vocabulary of resource schemas: zod types with their form in XML.
 *
 * `.meta()` contains everything that a document needs (names, attributes, formats, what is
 * read-only or secret) in terms of JSON Schema and OpenAPI, so decoder, encoder, XSD and OpenAPI
 * come from one source.
 */
import { z } from 'zod';

/** OpenAPI's XML object; `nodeType: 'text'` is OpenAPI 3.2's word for an element's own text. */
export interface XmlMeta {
  readonly name?: string;
  readonly attribute?: boolean;
  readonly wrapped?: boolean;
  readonly nodeType?: 'text';
}

declare module 'zod' {
  interface GlobalMeta {
    readonly xml?: XmlMeta;
    readonly format?: string;
    readonly readOnly?: boolean;
    readonly writeOnly?: boolean;
    /** Describes a valid value, for error texts. */
    readonly 'x-expected'?: string;
    /** The decoder masks card numbers in it. */
    readonly 'x-masksCards'?: boolean;
  }
}

export const TEXT_LENGTH_MAX = 255;
export const NOTES_LENGTH_MAX = 4000;
export const REFERENCE_LENGTH_MAX = 50;
export const CURRENCY_LENGTH_MAX = 3;
/** Beyond it a JavaScript number no longer represents each id exactly. */
export const ID_MAX = Number.MAX_SAFE_INTEGER;
const INTEGER_MAX = 2_147_483_647;

/** Free text of one line. */
export const text = (lengthMax = TEXT_LENGTH_MAX) => z.string().max(lengthMax);

/** Text of a certain form, which `expected` describes in error texts. */
export const formed = (pattern: RegExp, expected: string, lengthMax = TEXT_LENGTH_MAX) =>
  z.string().max(lengthMax, { abort: true }).regex(pattern).meta({ 'x-expected': expected });

/** Notes and texts printed on invoices: free text, in which people may write card numbers. */
export const longText = () => z.string().max(NOTES_LENGTH_MAX).meta({ 'x-masksCards': true });

export const integer = (min = -INTEGER_MAX, max = INTEGER_MAX) => z.int().min(min).max(max);

export const boolean = () => z.boolean();

/** A decimal as text, never a binary floating-point number; the decoder makes it canonical. */
export const decimal = () =>
  z
    .string()
    // Rules of the whole object are not asked about a value that is none.
    .regex(/^-?\d{1,12}(\.\d{1,6})?$/, { abort: true })
    .meta({ format: 'decimal' });

/** Money in answers: sums may be larger than the amounts that requests may contain. */
export const sum = () =>
  z
    .string()
    .regex(/^-?\d+(\.\d{1,6})?$/)
    .meta({ format: 'decimal' });

const DATE_FIRST = '1900-01-01';
const DATE_LAST = '9999-12-31';
/** Periods and terms extend beyond an order's dates, and the calendar ends with 9999. */
export const ORDER_DATE_LAST = '2999-12-31';

/** An instant of an answer. @see secondText */
export const dateTime = () => z.string().meta({ format: 'date-time' });

/** @example secondText(new Date('2027-01-15T12:00:00.123Z')) // '2027-01-15T12:00:00Z' */
export const secondText = (instant: Date): string =>
  instant.toISOString().replace(/\.\d{3}Z$/, 'Z');

/** A calendar date that exists; implausible years count as mistakes. */
export const date = (last = DATE_LAST) =>
  z.iso.date().refine((value) => value >= DATE_FIRST && value <= last, {
    params: { expected: `a date from ${DATE_FIRST} to ${last}` },
    abort: true,
  });

export const enumeration = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values);

/** Accepted, but never returned and never repeated in an error. */
export const secret = <T extends z.ZodType>(schema: T): T => schema.meta({ writeOnly: true });

/** Kept exactly: blanks at both ends are part of it. */
export const password = () => secret(z.string().max(TEXT_LENGTH_MAX).meta({ format: 'password' }));

export const attribute = <T extends z.ZodType>(schema: T): T =>
  schema.meta({ ...schema.meta(), xml: { attribute: true } });

export const id = () => attribute(z.int().min(1).max(ID_MAX));

/** `<customer id="1"/>`: another object, by its internal id. */
export const reference = () => z.strictObject({ id: id() });

/** `<currency id="USD"/>`: a currency is addressed by its code. */
export const currency = () =>
  z.strictObject({
    id: attribute(
      formed(/^[A-Z]{3}$/, 'a code of three capital letters, for example USD', CURRENCY_LENGTH_MAX),
    ),
  });

/** A list inside its own element: `<orderLineItems><orderLineItem/>...</orderLineItems>`. */
export const listOf = <T extends z.ZodType>(itemName: string, item: T) =>
  z.array(item.meta({ ...item.meta(), xml: { name: itemName } })).meta({ xml: { wrapped: true } });

/** A list whose items repeat in place, each under the list's own name. */
export const repeated = <T extends z.ZodType>(name: string, item: T) =>
  z.array(item.meta({ ...item.meta(), xml: { name } })).meta({ xml: { wrapped: false } });

/** Gives a schema the element name of its document. */
export const root = <T extends z.ZodType>(name: string, schema: T): T => {
  const meta = schema.meta();
  return schema.meta({ ...meta, xml: { ...meta?.xml, name } });
};

/**
 * The request form of a resource: it reads the elements of `writable` and ignores every other
 * element of the resource, so a client can change and send back what it read.
 */
export const accepting = <W extends z.ZodRawShape>(
  resource: z.ZodObject,
  writable: W,
): z.ZodObject<W, z.core.$strict> => {
  const shape: Record<string, z.core.SomeType> = { ...writable };
  for (const [key, field] of Object.entries(resource.shape)) {
    if (key in writable) continue;
    const schema = field as z.ZodType;
    shape[key] = schema.optional().meta({ ...schema.meta(), readOnly: true });
  }
  // The decoder drops read-only elements, so a decoded value has the writable ones only.
  return z.strictObject(shape) as unknown as z.ZodObject<W, z.core.$strict>;
};

/** A field of a resource: what requests give of it, and what answers say. */
export interface Field {
  readonly takes: z.ZodType;
  readonly says: z.ZodType;
}

type Fields = Readonly<Record<string, Field>>;

export const taken = <Of extends Fields>(fields: Of) =>
  mapped(fields, ({ takes }) => takes) as { readonly [Key in keyof Of]: Of[Key]['takes'] };

export const said = <Of extends Fields>(fields: Of) =>
  mapped(fields, ({ says }) => says) as { readonly [Key in keyof Of]: Of[Key]['says'] };

/** Elements that may be absent, which keeps what is stored, or empty, which clears it. */
export const optional = <Of extends Readonly<Record<string, z.ZodType>>>(shape: Of) =>
  mapped(shape, (schema) => schema.nullish()) as {
    readonly [Key in keyof Of]: z.ZodOptional<z.ZodNullable<Of[Key]>>;
  };

function mapped<From, To>(
  fields: Readonly<Record<string, From>>,
  map: (field: From) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, map(field)]));
}
