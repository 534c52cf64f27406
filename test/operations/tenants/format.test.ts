/** The documentation of the format matches the schema. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { z } from 'zod';
import { formatDocument } from '../../../operations/tenants/document.ts';
import { notInForce, unbuiltIn } from '../../../operations/tenants/not-in-force.ts';
import { tenantFile } from '../../../operations/tenants/parts.ts';
import { root } from './support.ts';

test('docs/tenant-file.md is what npm run tenant -- format prints', (t) => {
  t.is(readFileSync(join(root, 'docs/tenant-file.md'), 'utf8'), formatDocument());
});

test('every key of the format is documented in the table of its object', (t) => {
  const document = formatDocument();
  // Read from the JSON Schema, which the documentation does not use.
  const missing = (schema: unknown, path: string): string[] => {
    const { properties, items } = schema as {
      readonly properties?: Readonly<Record<string, unknown>>;
      readonly items?: unknown;
    };
    if (items !== undefined) return missing(items, `${path}[]`);
    if (!properties) return [];
    const title = path === '' ? '## The file' : `## \`${path}\``;
    const table = document.split(`${title}\n`)[1]?.split('\n## ')[0] ?? '';
    return Object.entries(properties).flatMap(([key, part]) => [
      ...(table.includes(`| \`${key}\` |`) ? [] : [`${path}.${key}`]),
      ...missing(part, path === '' ? key : `${path}.${key}`),
    ]);
  };
  const schema = z.toJSONSchema(tenantFile, { io: 'input' });
  t.deepEqual(missing(schema, ''), []);
});

test('each part that is not in force is a key of the format, and documented as such', (t) => {
  const keys = keysOf(z.toJSONSchema(tenantFile, { io: 'input' }) as JsonSchema, '');
  for (const { key, value, missing } of notInForce) {
    const schema = keys.get(key);
    t.truthy(schema, key);
    if (value !== undefined) t.true((schema?.enum ?? []).includes(value), `${key} ${value}`);
    t.true(formatDocument().includes(`${missing}.`), key);
  }
  t.is(new Set(notInForce.map(({ key }) => key)).size, notInForce.length);
});

test('a part that asks for nothing is not named, one in many places is named once', (t) => {
  const charge = { isPenalty: 'false', chargeType: 'UsageCharge' };
  const file = {
    settings: { usageGraceDays: '0' },
    tax: { type: 'none', rates: [] },
    callbacks: [],
    hostedPages: { allowedOrigins: [] },
    plans: [{ charges: [charge] }, { charges: [{ chargeType: 'OneTimeCharge' }, charge, charge] }],
  };
  const missing = 'is not built';
  const parts = [
    { key: 'settings.usageGraceDays', missing },
    { key: 'plans[].charges[].chargeType', value: 'UsageCharge', missing },
  ];
  t.deepEqual(unbuiltIn(file), []);
  t.deepEqual(
    unbuiltIn(file, parts).map(({ path, message }) => [path, message.replace(/.*(?=\()/, '')]),
    [[['plans', 0, 'charges', 0, 'chargeType'], '(and in 2 more places)']],
  );
});

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly enum?: readonly string[];
}

/** Every key of the format, as `plans[].charges`. */
function keysOf({ properties = {}, items }: JsonSchema, path: string): Map<string, JsonSchema> {
  if (items) return keysOf(items, `${path}[]`);
  return new Map(
    Object.entries(properties).flatMap(([name, schema]) => {
      const key = path === '' ? name : `${path}.${name}`;
      return [[key, schema] as const, ...keysOf(schema, key)];
    }),
  );
}
