/**
 * Writes openapi.json anew: the calls that the double of Stripe has, out of Stripe's published
 * description of its interface, as its mock server brings it:
 *
 *     node test/support/stripe/cut-openapi.ts $(go env GOMODCACHE)/github.com/stripe/stripe-mock@v0.203.0/embedded/openapi/spec3.json
 *
 * Descriptions are left out, and parameters that are as long as a call: sending one of them is then
 * refused, and its name is to be kept here.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const OPENAPI_FILE = join(import.meta.dirname, 'openapi.json');

const calls: readonly (readonly ['get' | 'post', string])[] = [
  ['post', '/v1/payment_intents'],
  ['get', '/v1/payment_intents'],
  ['get', '/v1/payment_intents/search'],
  ['get', '/v1/payment_intents/{intent}'],
  ['post', '/v1/payment_intents/{intent}'],
  ['post', '/v1/payment_intents/{intent}/cancel'],
  ['post', '/v1/payment_intents/{intent}/confirm'],
  ['post', '/v1/setup_intents'],
  ['get', '/v1/setup_intents/{intent}'],
  ['post', '/v1/setup_intents/{intent}/cancel'],
  ['post', '/v1/setup_intents/{intent}/confirm'],
  ['get', '/v1/confirmation_tokens/{confirmation_token}'],
  ['post', '/v1/payment_methods'],
  ['get', '/v1/payment_methods/{payment_method}'],
  ['post', '/v1/payment_methods/{payment_method}/attach'],
  ['post', '/v1/payment_methods/{payment_method}/detach'],
  ['post', '/v1/customers'],
  ['get', '/v1/mandates/{mandate}'],
  ['post', '/v1/refunds'],
  ['get', '/v1/refunds'],
  ['get', '/v1/refunds/{refund}'],
  ['get', '/v1/disputes'],
];

const SCHEMA_LENGTH_MAX = 1_500;

interface Description {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: unknown;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}

interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

const FORM = 'application/x-www-form-urlencoded';

function cut({ info, paths }: Description) {
  const entries = calls.map(([method, path]) => {
    const { parameters = [], requestBody } = paths[path]?.[method] ?? {};
    const own = parameters.filter((parameter) => parameter.in === 'query');
    const { properties = {}, required = [] } =
      method === 'get'
        ? {
            properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
            required: own.flatMap(({ name, required: isRequired }) => (isRequired ? [name] : [])),
          }
        : (requestBody?.content[FORM]?.schema ?? {});
    const kept = Object.entries(properties)
      .map(
        ([name, schema]) => [name, bare(name === OPTIONS ? sentOptions(schema) : schema)] as const,
      )
      .filter(([, schema]) => JSON.stringify(schema).length <= SCHEMA_LENGTH_MAX || isCard(schema));
    return [`${method} ${path}`, { properties: Object.fromEntries(kept), required }];
  });
  return { version: info.version, calls: Object.fromEntries(entries) as object };
}

const OPTIONS = 'payment_method_options';

/** Of the options of all methods the one that the calls send. */
function sentOptions(schema: unknown): Schema {
  const account = forms(schema).flatMap(({ properties }) => properties?.['us_bank_account'] ?? []);
  const [method] = account
    .flatMap(forms)
    .flatMap(({ properties }) => properties?.['verification_method'] ?? []);
  if (method === undefined) throw new Error('Stripe no longer describes verification_method');
  const kept: Schema = { type: 'object', properties: { verification_method: method } };
  return { type: 'object', properties: { us_bank_account: kept } };
}

/** What a parameter may be. */
function forms(schema: unknown): readonly Schema[] {
  const { anyOf } = schema as Schema;
  return anyOf ?? [schema as Schema];
}

/** The container of a card or an account, which the calls send. */
const isCard = (schema: unknown): boolean => JSON.stringify(schema).includes('"exp_month"');

const words = new Set(['description', 'title', 'x-stripeBypassValidation', 'x-stripeParam']);

function bare(schema: unknown, isOfNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((each) => bare(each));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => isOfNames || !words.has(key))
      .map(([key, value]) => [key, bare(value, key === 'properties')]),
  );
}

if (process.argv[1] === import.meta.filename) {
  const [, , source = ''] = process.argv;
  const described = JSON.parse(readFileSync(source, 'utf8')) as Description;
  writeFileSync(OPENAPI_FILE, `${JSON.stringify(cut(described), null, 1)}\n`);
}
