/** Checks requests against Stripe's published description of its interface. */
import { readFileSync } from 'node:fs';
import { OPENAPI_FILE } from './cut-openapi.ts';

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly maxLength?: number;
}

interface Described {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

const { calls } = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')) as {
  readonly calls: Readonly<Record<string, Described>>;
};

/** Parameters as their brackets nest them: a text, a list, or a map. */
export type Parameter = string | { readonly [key: string]: Parameter };

/** @example nested(new URLSearchParams('a[b]=1&e[0]=x')) // { a: { b: '1' }, e: { 0: 'x' } } */
export function nested(parameters: URLSearchParams): Readonly<Record<string, Parameter>> {
  const root: Record<string, unknown> = {};
  for (const [name, value] of parameters) {
    const keys = name.match(/[^[\]]+/g) ?? [];
    const last = keys.pop() ?? '';
    let place = root;
    for (const key of keys) place = (place[key] ??= {}) as Record<string, unknown>;
    place[last] = value;
  }
  return root as Readonly<Record<string, Parameter>>;
}

/** The call that a request is, and the ids in its path. */
export function callOf(method: string, path: string) {
  for (const [call, described] of Object.entries(calls)) {
    const [verb = '', pattern = ''] = call.split(' ');
    if (verb !== method.toLowerCase()) continue;
    const form = pattern.replaceAll(/\{\w+\}/g, String.raw`([\w]+)`);
    const found = new RegExp(`^${form}$`).exec(path);
    // `search` is no id.
    if (found && (calls[`${verb} ${path}`] ?? described) === described) {
      return { call, described, ids: found.slice(1) };
    }
  }
  return undefined;
}

/** What Stripe does not take: the names of parameters, and why. */
export function faultsOf(
  { properties, required }: Described,
  parameters: Readonly<Record<string, Parameter>>,
): string[] {
  return faultsIn({ type: 'object', properties, required }, parameters, '');
}

function faultsIn(schema: Schema, value: Parameter, at: string): string[] {
  if (schema.anyOf !== undefined) {
    const each = schema.anyOf.map((choice) => faultsIn(choice, value, at));
    return each.some((faults) => faults.length === 0) ? [] : (each[0] ?? []);
  }
  const isText = typeof value === 'string';
  switch (schema.type) {
    case 'object':
      return isText ? [`${at}: is no map`] : faultsOfMap(schema, value, at);
    case 'array':
      return isText
        ? [`${at}: is no list`]
        : Object.entries(value).flatMap(([key, item]) =>
            /^\d*$/.test(key) ? faultsIn(schema.items ?? {}, item, at) : [`${at}: is no list`],
          );
    case 'integer':
      return isText && /^-?\d+$/.test(value) ? [] : [`${at}: is no whole number`];
    case 'number':
      return isText && /^-?\d+(\.\d+)?$/.test(value) ? [] : [`${at}: is no number`];
    case 'boolean':
      return value === 'true' || value === 'false' ? [] : [`${at}: is not true or false`];
    default:
      return isText ? faultsOfText(schema, value, at) : [`${at}: is no text`];
  }
}

function faultsOfText(schema: Schema, value: string, at: string): string[] {
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [`${at}: no such choice`];
  return value.length > (schema.maxLength ?? Infinity) ? [`${at}: is too long`] : [];
}

function faultsOfMap(
  { properties, additionalProperties, required = [] }: Schema,
  value: Readonly<Record<string, Parameter>>,
  at: string,
): string[] {
  const named = (key: string): string => (at === '' ? key : `${at}[${key}]`);
  const missing = required.filter((key) => !Object.hasOwn(value, key));
  return [
    ...missing.map((key) => `${named(key)}: is missing`),
    ...Object.entries(value).flatMap(([key, inner]) => {
      const schema =
        properties?.[key] ??
        (typeof additionalProperties === 'object' ? additionalProperties : undefined);
      return schema === undefined
        ? [`${named(key)}: is unknown`]
        : faultsIn(schema, inner, named(key));
    }),
  ];
}
