/**
 * Entry: writes the types of the texts, by their keys and placeholders in the English file. With
 * `--check` it only says whether they were written since that file changed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { messages } from './messages.ts';
import { isText, type Texts } from './texts.ts';

const file = join(import.meta.dirname, '../domain/text/messages.ts');

const head = [
  '/** The keys and placeholders of messages/en.yaml: `npm run format` writes this file. */',
  "import type { Text } from './fill.ts';",
  '',
];

const written = `${typesOf(messages.en).join('\n')}\n`;
if (!process.argv.includes('--check')) writeFileSync(file, written);
else if (readFileSync(file, 'utf8') !== written) {
  const name = relative(process.cwd(), file);
  process.stderr.write(`${name} is older than messages/en.yaml: npm run format writes it anew.\n`);
  process.exitCode = 1;
}

/**
 * A type for each group at the top, `PageWords` for `page`, and one for all of them. An interface
 * would have no index, by which texts are read here.
 */
function typesOf(groups: Texts): string[] {
  const nameOf = (group: string) => `${group[0]?.toUpperCase()}${group.slice(1)}Words`;
  const types = Object.entries(groups).flatMap(([group, texts]) => [
    `/** @example messages.en.${group} */`,
    `export type ${nameOf(group)} = ${typeOf(texts)};`,
    '',
  ]);
  const members = Object.keys(groups).map((group) => `  readonly ${group}: ${nameOf(group)};`);
  const all = ['/** @example messages.en */', 'export type Messages = {', ...members, '};'];
  return [...head, ...types, ...all];
}

function typeOf(value: Texts[string], indent = ''): string {
  if (typeof value === 'string') return 'string';
  if (isText(value)) return `Text<${value.names.map((name) => `'${name}'`).join(' | ')}>`;
  const members = Object.entries(value).map(([key, each]) => {
    const name = /^\w+$/.test(key) ? key : `'${key}'`;
    return `${indent}  readonly ${name}: ${typeOf(each, `${indent}  `)};\n`;
  });
  return `{\n${members.join('')}${indent}}`;
}
