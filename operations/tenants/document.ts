/** Writes the documentation of the tenant file from the schema that checks it. */
import { z } from 'zod';
import { notInForce } from './not-in-force.ts';
import { tenantFile } from './parts.ts';

const introduction = `# The tenant file

A tenant (an organization) is declared in one YAML file: its users, plans and settings. Apply it with

    npm run tenant -- apply FILE [--dry-run] [--strict]

The command checks the whole file first. If it finds mistakes, it lists all of them with path and
line, and applies nothing. Otherwise it applies the file in one transaction and prints the changes;
applying it again changes nothing. \`--dry-run\` checks and prints, and writes nothing.
When the command ends, the file is in force: every call and every billing run that begins afterwards uses
it, in every process, on test clocks too. For that it waits a second after its transaction.
\`npm run tenant -- show LABEL\` prints the settings in force, as a file. The samples
[demo.yaml](../tenants/demo.yaml) and [acme.yaml](../tenants/acme.yaml) show most of the format.

\`npm run tenant -- format\` generates this page from the schema that the checks use.

## Rules

- An unknown key is a mistake, and so is a key without a value: omit it instead.
- Every value is read as text: \`zip: 01234\` keeps its zero, quotes are optional.
- A secret is \`{ env: NAME }\`, read from the environment when the file is applied, or, for local
  use, the text itself. A variable that is not set is a mistake; for a callback it is a warning, and
  the callback keeps the secret stored earlier, or stays off (with \`--strict\` it is a mistake, too).
  Passwords are stored as hashes; other secrets are encrypted with a key derived from
  \`SECRET_KEY\`, and encrypted again when the file is applied under another one.
- A part marked **not in force yet** is checked and stored, and nothing acts on it. Applying a file
  names those that it has.
- A changed plan becomes a new version with new ids; existing orders keep their version. A plan
  removed from the file gets yesterday (on the tenant's clock) as its \`endDate\`.
- A user removed from the file is disabled, and enabled again when it is back. A user suspended for
  using other tenants' ids stays suspended.
- \`testClock\` only starts a clock: applying again never moves it. Adding or removing it later is a
  mistake; so is another \`timezone\` or \`currency\` once there are orders, and a \`numbering\` start at
  or below a number in use.
- The label (\`tenant\`) identifies the tenant: another label is another tenant.

In the tables, a key is required unless marked otherwise.
`;

export function formatDocument(): string {
  return `${introduction}\n${sections(tenantFile, '').join('\n')}`;
}

/** A table for the object, then one for each object inside it. */
function sections(schema: z.ZodObject, path: string): string[] {
  const title = path === '' ? '## The file' : `## \`${path}\``;
  const rows: string[] = [];
  const inner: string[] = [];
  for (const [key, field] of Object.entries(schema.shape)) {
    if (!(field instanceof z.ZodType)) throw new Error(`${path}.${key} is of no known kind`);
    const { schema: bare, need } = unwrapped(field);
    const object = objectIn(bare);
    const isList = bare instanceof z.ZodArray;
    const innerPath = `${path}${path === '' ? '' : '.'}${key}${isList ? '[]' : ''}`;
    if (object) inner.push(...sections(object, innerPath));
    const words = [field.description, forceOf(innerPath.replace(/\[\]$/, ''))].filter(Boolean);
    rows.push(`| \`${key}\` | ${kindOf(bare)} | ${need} | ${words.join(' ')} |`);
  }
  const table = ['| Key | Value | | |', '|---|---|---|---|', ...rows];
  return [[title, '', ...table, ''].join('\n'), ...inner];
}

function forceOf(key: string): string | undefined {
  const part = notInForce.find((it) => it.key === key);
  if (!part) return undefined;
  const what = part.value === undefined ? '' : ` (\`${part.value}\`)`;
  return `**Not in force yet**${what}: ${part.missing}.`;
}

/** Without its default, which goes into words. */
function unwrapped(field: z.ZodType): { readonly schema: z.ZodType; readonly need: string } {
  if (field instanceof z.ZodOptional) return { schema: inside(field), need: 'optional' };
  if (field instanceof z.ZodPrefault) return { schema: inside(field), need: 'optional' };
  if (!(field instanceof z.ZodDefault)) return { schema: field, need: '' };
  return { schema: inside(field), need: `default \`${inYaml(field.parse(undefined))}\`` };
}

function inside(field: z.ZodOptional | z.ZodPrefault | z.ZodDefault): z.ZodType {
  const schema = field.unwrap();
  if (schema instanceof z.ZodType) return schema;
  throw new Error('a wrapper around no known kind');
}

function objectIn(schema: z.ZodType): z.ZodObject | undefined {
  if (schema instanceof z.ZodObject) return schema;
  const full = schema.meta()?.['full'];
  if (full instanceof z.ZodObject) return full;
  return schema instanceof z.ZodArray && schema.element instanceof z.ZodObject
    ? schema.element
    : undefined;
}

function kindOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodObject) return 'see below';
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodType) {
    const { element } = schema;
    return element instanceof z.ZodObject ? 'a list, see below' : `a list of: ${kindOf(element)}`;
  }
  if (schema instanceof z.ZodEnum) {
    return schema.options.map((option) => `\`${option}\``).join(', ');
  }
  const kind = schema.meta()?.['kind'];
  if (typeof kind !== 'string') throw new Error('a value whose kind has no words');
  return kind;
}

function inYaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inYaml).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const pairs = Object.entries(value).map(([key, part]) => `${key}: ${inYaml(part)}`);
  return `{ ${pairs.join(', ')} }`;
}
