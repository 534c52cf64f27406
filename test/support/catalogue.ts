/** What a database's catalogue promises to processes, and what of it a migration has taken away. */
import type { Client } from 'pg';

export interface Catalogue {
  /** `customer`, `find_customers(bigint, text)`, `id_seq`. */
  readonly objects: ReadonlySet<string>;
  readonly columns: ReadonlyMap<string, Column>;
  /** `sundial_app may update customer`, `sundial_app may select migration.name`. */
  readonly rights: ReadonlySet<string>;
  readonly constraints: ReadonlyMap<string, Constraint>;
}

interface Column {
  readonly table: string;
  readonly type: string;
  /** Whether an insert may leave it out. */
  readonly isOptional: boolean;
  readonly isNullable: boolean;
}

/** A check, a key or a unique index. */
interface Constraint {
  readonly table: string;
  readonly columns: readonly string[];
  readonly definition: string;
}

export async function catalogueOf(client: Client): Promise<Catalogue> {
  const list = async <Row extends object>(sql: string): Promise<Row[]> =>
    (await client.query<Row>(sql)).rows;
  const objects = await list<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'S', 'p')
    union all
    select p.oid::regprocedure::text from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`);
  const columns = await list<Column & { name: string }>(`
    select c.relname || '.' || a.attname as name, c.relname as table,
      format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as "isNullable",
      not a.attnotnull or a.atthasdef or a.attidentity <> '' as "isOptional"
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm', 'p')
      and a.attnum > 0 and not a.attisdropped`);
  const rights = await list<{ name: string }>(`
    select r.rolname || ' may ' || lower(g.privilege_type) || ' ' || g.name as name
    from (select relname as name, (aclexplode(relacl)).* from pg_class
          where relnamespace = 'public'::regnamespace
          union all
          select oid::regprocedure::text, (aclexplode(proacl)).* from pg_proc
          where pronamespace = 'public'::regnamespace
          union all
          select c.relname || '.' || a.attname, (aclexplode(a.attacl)).*
          from pg_attribute a join pg_class c on c.oid = a.attrelid
          where c.relnamespace = 'public'::regnamespace and not a.attisdropped) g
    join pg_roles r on r.oid = g.grantee where r.rolname like 'sundial%'`);
  const constraints = await list<Constraint & { name: string }>(`
    select c.relname || ' ' || o.conname as name, c.relname as table,
      pg_get_constraintdef(o.oid) as definition,
      array(select a.attname::text from pg_attribute a
            where a.attrelid = o.conrelid and a.attnum = any(o.conkey)) as columns
    from pg_constraint o join pg_class c on c.oid = o.conrelid
    where c.relnamespace = 'public'::regnamespace and o.contype in ('c', 'f', 'p', 'u', 'x')
    union all
    select c.relname || ' ' || i.relname, c.relname, pg_get_indexdef(x.indexrelid),
      array(select a.attname::text from pg_attribute a
            where a.attrelid = x.indrelid and a.attnum = any(x.indkey::int2[]))
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
    where c.relnamespace = 'public'::regnamespace and x.indisunique`);
  return {
    objects: new Set(objects.map(({ name }) => name)),
    columns: new Map(columns.map(({ name, ...column }) => [name, column])),
    rights: new Set(rights.map(({ name }) => name)),
    constraints: new Map(constraints.map(({ name, ...constraint }) => [name, constraint])),
  };
}

/** What a process that was written for the first catalogue may miss, or be refused, at the second. */
export function takenAway(before: Catalogue, after: Catalogue): readonly string[] {
  return [
    ...[...before.objects]
      .filter((name) => !after.objects.has(name))
      .map((name) => `${name} is gone`),
    ...[...before.columns].flatMap(([name, column]) => columnTaken(name, column, after)),
    ...[...after.columns].flatMap(([name, column]) =>
      before.objects.has(column.table) && !before.columns.has(name) && !column.isOptional
        ? [`${name} is new, and an insert cannot leave it out`]
        : [],
    ),
    ...[...before.rights]
      .filter((right) => !after.rights.has(right))
      .map((right) => `${right} no longer`),
    ...[...after.constraints].flatMap(([name, constraint]) =>
      constraintTaken({ before, after }, name, constraint),
    ),
  ];
}

function columnTaken(name: string, column: Column, after: Catalogue): readonly string[] {
  if (!after.objects.has(column.table)) return [];
  const now = after.columns.get(name);
  if (now === undefined) return [`${name} is gone`];
  return [
    ...(now.type === column.type ? [] : [`${name} was ${column.type} and is ${now.type}`]),
    ...(column.isNullable && !now.isNullable ? [`${name} may no longer be null`] : []),
    ...(column.isOptional && !now.isOptional ? [`an insert can no longer leave out ${name}`] : []),
  ];
}

/** Words in quotes: a list of kinds that only grows refuses nothing that it took. */
const wordsIn = (text: string): readonly string[] =>
  [...text.matchAll(/'([^']*)'/g)].map(([, word = '']) => word);
const withoutWords = (text: string): string => text.replaceAll(/'[^']*'/g, "''");

/** Old processes give a value to a column that could not be null; what is about its null is about new rows. */
const mayNowBeNull = ({ before, after }: Both, table: string, definition: string): boolean =>
  [...before.columns].some(
    ([name, column]) =>
      column.table === table &&
      !column.isNullable &&
      after.columns.get(name)?.isNullable === true &&
      definition.includes(`${name.slice(table.length + 1)} IS NULL`),
  );

interface Both {
  readonly before: Catalogue;
  readonly after: Catalogue;
}

function constraintTaken(
  { before, after }: Both,
  name: string,
  { table, columns, definition }: Constraint,
): readonly string[] {
  if (!before.objects.has(table)) return [];
  const was = before.constraints.get(name);
  if (was === undefined) {
    const isOfNew = columns.some((column) => !before.columns.has(`${table}.${column}`));
    if (isOfNew || mayNowBeNull({ before, after }, table, definition)) return [];
    return [`${name} is new, of columns that were there: ${definition}`];
  }
  if (was.definition === definition) return [];
  const now = new Set(wordsIn(definition));
  const lost = wordsIn(was.definition).filter((word) => !now.has(word));
  if (lost.length > 0) return [`${name} no longer takes ${lost.join(', ')}`];
  // More words in a list change nothing else of the text.
  const same = (text: string): string => withoutWords(text).replaceAll(/''::text(, )?/g, '');
  return same(was.definition) === same(definition) ? [] : [`${name} is another one: ${definition}`];
}
