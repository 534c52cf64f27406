/**
 * Each column that a statement names exists in a table that it reads or writes. PostgreSQL says the
 * same once a statement is executed; this finds it where no test executes it.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import test from 'ava';
import * as entities from '../../db/entities/index.ts';
import { root, sourcesOf } from './sources.ts';

const orm = new MikroORM(defineConfig({ dbName: 'none', entities: Object.values(entities) }));
const columns = new Map(
  [...orm.getMetadata().getAll().values()].map(({ tableName, props }) => [
    tableName,
    new Set(props.flatMap(({ fieldNames }) => fieldNames)),
  ]),
);

/** The templates of a source file, also those within others; other code in them is left out. */
function templatesOf(source: string): string[] {
  const found: string[] = [];
  const open: { text: string; braces: number }[] = [];
  const token = /\/\*[^]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\\.|[`{}]|\$\{/g;
  let isText = false;
  let from = 0;
  for (let match = token.exec(source); match; match = token.exec(source)) {
    const [said] = match;
    const top = open.at(-1);
    if (isText && top && said !== '`' && said !== '${') {
      // Quotes and comments mean nothing in a template: what is in them may end it.
      if (said.length > 1) token.lastIndex = match.index + (said.startsWith('\\') ? 2 : 1);
      continue;
    }
    if (isText && top) {
      top.text += source.slice(from, match.index);
      isText = false;
      if (said === '`') found.push((open.pop() ?? top).text);
      else top.text += '?';
    } else if (said === '`') {
      open.push({ text: '', braces: 0 });
      isText = true;
    } else if (top && (said === '{' || said === '${')) top.braces += 1;
    else if (top && said === '}') {
      if (top.braces > 0) top.braces -= 1;
      else isText = true;
    }
    from = token.lastIndex;
  }
  return found;
}

/** Names that stand for a table in a statement, each with what it stands for; null: something else. */
function boundIn(statement: string): Map<string, Set<string | null>> {
  const bound = new Map<string, Set<string | null>>();
  const bind = (name: string, table: string | null): void => {
    bound.set(name, (bound.get(name) ?? new Set()).add(table));
  };
  const named =
    /\b(?:from|join|update|into|using)\s+(?:only\s+)?([a-z_]+)(?:\s+(?:as\s+)?([a-z_]+))?/gi;
  for (const [, table = '', alias] of statement.matchAll(named)) {
    const is = columns.has(table) ? table : null;
    bind(table, is);
    if (alias !== undefined) bind(alias, is);
  }
  for (const [, alias = ''] of statement.matchAll(/[)?]\s*(?:as\s+)?([a-z_]+)/gi))
    bind(alias, null);
  for (const [, alias = ''] of statement.matchAll(
    /,\s*(?:lateral\s+)?[a-z_]+(?:\([^)]*\))?\s+([a-z_]+)/gi,
  )) {
    bind(alias, null);
  }
  return bound;
}

const ofAny = new Set([...columns.values()].flatMap((own) => [...own]));

/** Of every table. */
const always = new Set(['ctid', 'xmin', 'tableoid']);

function unknownIn(template: string): string[] {
  const statement = template.replaceAll(/'[^']*'/g, "''");
  const bound = boundIn(statement);
  // A part from elsewhere may use a name for another table.
  const hasTablesOfParts = /\b(?:from|join)\s+\?/i.test(statement);
  const listed = [
    ...statement.matchAll(/\binsert\s+into\s+([a-z_]+)(?:\s+as\s+\w+)?\s*\(([^()]*)\)/gi),
  ];
  const unlisted = listed.flatMap(([, table = '', list = '']) => {
    const own = columns.get(table);
    if (own === undefined) return [];
    const names = list.split(',').map((name) => name.trim());
    // Parts from elsewhere stand for other columns.
    const plain = names.filter((name) => /^[a-z_]+$/.test(name));
    return plain.filter((name) => !own.has(name)).map((name) => `${table} (${name})`);
  });
  const references = [...statement.matchAll(/(?<![.\w])([a-z_]+)\.([a-z_]+)\b(?!\()/g)];
  const unknown = references.flatMap(([reference, name = '', column = '']) => {
    const tables = [...(bound.get(name) ?? [null])];
    const isKnown = tables.some(
      (table) => table === null || columns.get(table)?.has(column) === true,
    );
    if (hasTablesOfParts && ofAny.has(column)) return [];
    return isKnown || always.has(column) ? [] : [reference];
  });
  return [...unlisted, ...unknown];
}

test('each column that a statement names exists', (t) => {
  const unknown = sourcesOf('db/queries', 'operations', 'api', 'cli').flatMap((path) =>
    templatesOf(readFileSync(path, 'utf8'))
      .flatMap(unknownIn)
      .map((reference) => `${relative(root, path)}: ${reference}`),
  );
  t.deepEqual(unknown, []);
});

test('a column that does not exist is found, also within other templates', (t) => {
  const source =
    'const a = `select i.id, i.nothing from invoice i where ${x ? `c.id = ${y}` : ``}`;';
  t.deepEqual(templatesOf(source).flatMap(unknownIn), ['i.nothing']);
  const beside = 'f(`select c.nam from customer c join (select 1 as nam) r on r.nam = c.id`)';
  t.deepEqual(templatesOf(beside).flatMap(unknownIn), ['c.nam']);
  const inserting = 'f(`insert into customer as c (tenant_id, nam, ${x}) values ($1, $2)`)';
  t.deepEqual(templatesOf(inserting).flatMap(unknownIn), ['customer (nam)']);
});
