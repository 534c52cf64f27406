/** The documentation of the format says what the schema says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { z } from 'zod';
import { formatDocument } from '../../../operations/tenants/document.ts';
import { tenantFile } from '../../../operations/tenants/schema.ts';
import { root } from './support.ts';

test('docs/tenant-file.md is what npm run tenant -- format prints', (t) => {
  t.is(readFileSync(join(root, 'docs/tenant-file.md'), 'utf8'), formatDocument());
});

test('every key of the format is documented in the table of its object', (t) => {
  const document = formatDocument();
  // Read from the JSON Schema, a way that the documentation does not take.
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
