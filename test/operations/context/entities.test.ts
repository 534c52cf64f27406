/**
 * Every table has an entity, and they match: columns, types, nullability, defaults and keys, as in
 * PostgreSQL's catalogue. Otherwise a difference would be noticed only when a statement fails.
 */
import {
  defineConfig,
  defineEntity,
  MikroORM,
  p,
  type EntityMetadata,
  type EntitySchema,
} from '@mikro-orm/postgresql';
import test from 'ava';
import * as described from '../../../db/entities/index.ts';
import { sharedDatabase } from '../support/books.ts';

const db = await sharedDatabase();

/** The table in which MikroORM notes migrations has no entity of ours. */
const ofTheOrm = 'migration';

/** Tables of an aggregate that the ORM does not write, each with its reason. */
const writtenAsSql: Readonly<Record<string, string>> = {
  billing_suspect: 'written for many customers at once, before they are processed',
  contact: 'saved with its customer, many at once by an import',
  customer_balance: 'the sum of the ledger, raised by the statement that writes the entries',
  debit_notice: 'an announcement is never changed',
  dunning: 'opened and moved for many customers at once',
  order_agent: 'copied by the statement of a change order, with what is due of it',
  party: 'noted for the documents that are made, of many customers at once',
  password_reset: 'asked for by anybody, and made when its mail is',
  payment_method: 'sent in one packet with its payment',
  rehearsal_outlier: 'stored for many customers at once, when a rehearsal has ended',
  self_service_session: 'opened by a call and moved by clicks, which write no customer',
  tax_answer: 'stored for many customers at once, after a provider has answered',
  tax_wait: 'written for many customers at once by the billing run',
  usage_window: 'opened by uploads and closed by billing, many at once',
};

/**
 * Foreign keys that are not a relation of the entity: they refer to another aggregate by its id.
 */
const otherAggregates: readonly string[] = [
  'customer (tenant_id) to tenant',
  'order_line (tenant_id, charge_id) to plan_charge',
  'payment_plan (tenant_id) to tenant',
  'payment_plan (tenant_id, customer_id) to customer',
  // Null for all orders of a customer, which a relation of two columns cannot express.
  'service_pause (tenant_id, order_id) to subscription_order, cascades',
  'subscription_order (tenant_id) to tenant',
  'subscription_order (tenant_id, customer_id) to customer',
  'subscription_order (tenant_id, plan_id) to plan',
  'subscription_order (tenant_id, coupon_id) to coupon',
  'subscription_order (tenant_id, previous_order_id) to subscription_order',
];

/** As PostgreSQL writes them. */
const catalogueTypes: Readonly<Record<string, string>> = {
  int: 'integer',
  timestamptz: 'timestamp with time zone',
};

type Metadata = Pick<EntityMetadata, 'tableName' | 'props' | 'primaryKeys' | 'uniques'>;

function metadataOf(orm: Pick<MikroORM, 'getMetadata'>): readonly Metadata[] {
  return [...orm.getMetadata().getAll().values()];
}

interface Line {
  readonly table: string;
  readonly text: string;
  readonly default: string | null;
}

/** Without casts, and without the brackets of an expression. */
const defaultOf = (expression: string | null): string =>
  expression === null
    ? ''
    : ` default ${expression.replaceAll(/::[a-z0-9 ]+(\[\])?/g, '').replace(/^\((.*)\)$/, '$1')}`;

/** The entities of all tables, as the ORM would know them. */
const all = new MikroORM(
  defineConfig({
    dbName: 'none',
    entities: Object.values(described),
    discovery: { checkDuplicateTableNames: true },
  }),
);
const written = new Set<string>(metadataOf(db.app.orm).map(({ tableName }) => tableName));

// Ids come from one sequence for all tables, which entities do not repeat.
const columnsAndKeys = `
  select c.relname as table, 'column ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
         || case when a.attnotnull then ' not null' else '' end
         || case a.attgenerated when 's' then ' generated' else '' end as text,
         case when a.attname <> 'id' and a.attgenerated = ''
              then pg_get_expr(d.adbin, d.adrelid) end as default
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0
    and not a.attisdropped
  union all
  select k.conrelid::regclass::text, case k.contype when 'p' then 'primary key ' else 'unique ' end
         || '(' || (select string_agg(a.attname, ', ' order by place)
                    from unnest(k.conkey) with ordinality at (number, place)
                    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = number) || ')',
         null
  from pg_constraint k
  where k.connamespace = 'public'::regnamespace and k.contype in ('p', 'u')`;

const foreignKeys = `
  select k.conrelid::regclass::text as table, k.confrelid::regclass::text as parent,
         k.confdeltype = 'c' as cascades,
         (select string_agg(a.attname, ', ' order by place)
          from unnest(k.conkey) with ordinality at (number, place)
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = number) as columns
  from pg_constraint k where k.connamespace = 'public'::regnamespace and k.contype = 'f'`;

interface ForeignKey {
  readonly table: string;
  readonly parent: string;
  readonly cascades: boolean;
  readonly columns: string;
}

const textOf = ({ table, columns, parent, cascades }: ForeignKey): string =>
  `${table} (${columns}) to ${parent}${cascades ? ', cascades' : ''}`;

/** The entity's description of its table, in the words of the catalogue. */
function saidBy(meta: Metadata): string[] {
  const columnsOf = (name: string): readonly string[] => {
    const property = meta.props.find((each) => each.name === name);
    return property?.ownColumns ?? property?.fieldNames ?? [name];
  };
  const keyOf = (properties: readonly string[]) => `(${properties.flatMap(columnsOf).join(', ')})`;
  const columns = meta.props.flatMap((property) =>
    (property.fieldNames ?? []).flatMap((column, index) => {
      // A relation omits the column that it shares with the rest of the row.
      if (property.ownColumns && !property.ownColumns.includes(column)) return [];
      const type = property.columnTypes[index] ?? '';
      const nullability = property.nullable ? '' : ' not null';
      const generated = property.generated ? ' generated' : '';
      const withoutDefault = `column ${column} ${catalogueTypes[type] ?? type}${nullability}`;
      return [`${withoutDefault}${generated}${defaultOf(property.defaultRaw ?? null)}`];
    }),
  );
  return [
    ...columns,
    `primary key ${keyOf(meta.primaryKeys)}`,
    ...meta.uniques.map(({ properties }) => `unique ${keyOf([properties ?? []].flat())}`),
  ];
}

function relationsOf(meta: Metadata): string[] {
  return meta.props
    .filter(({ kind }) => kind === 'm:1')
    .map(({ fieldNames, targetMeta, deleteRule }) =>
      textOf({
        table: meta.tableName,
        columns: fieldNames.join(', '),
        parent: targetMeta?.tableName ?? '',
        cascades: deleteRule === 'cascade',
      }),
    );
}

/** A line for each difference, with its name. */
async function differences(entities: readonly Metadata[]): Promise<string[]> {
  const stored = Map.groupBy(
    (await db.app.pool.query<Line>(columnsAndKeys)).rows,
    ({ table }) => table,
  );
  const { rows: keys } = await db.app.pool.query<ForeignKey>(foreignKeys);
  return entities.flatMap((meta) => {
    const { tableName } = meta;
    const inTable = (stored.get(tableName) ?? []).map(
      (line) => `${line.text}${defaultOf(line.default)}`,
    );
    // Elsewhere rows refer to each other by their ids.
    const references = written.has(tableName)
      ? keys.filter(({ table }) => table === tableName).map(textOf)
      : [];
    const said = [...saidBy(meta).map((text) => `${tableName}: ${text}`), ...relationsOf(meta)];
    const found = [...inTable.map((text) => `${tableName}: ${text}`), ...references].filter(
      (text) => !otherAggregates.includes(text),
    );
    return [
      ...said.filter((text) => !found.includes(text)).map((text) => `only the entity: ${text}`),
      ...found.filter((text) => !said.includes(text)).map((text) => `only the table: ${text}`),
    ];
  });
}

test('every table has an entity', async (t) => {
  const { rows } = await db.app.pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> $1`,
    [ofTheOrm],
  );
  t.deepEqual(
    metadataOf(all)
      .map(({ tableName }) => tableName)
      .toSorted(),
    rows.map(({ name }) => name).toSorted(),
  );
});

test('the entities match their tables', async (t) => {
  t.deepEqual(await differences(metadataOf(all)), []);
});

test('the ORM writes each table of an aggregate, or there is a reason why not', async (t) => {
  const { rows } = await db.app.pool.query<ForeignKey>(foreignKeys);
  const owned = rows.filter(({ parent, cascades }) => cascades && written.has(parent));
  const without = owned.map(({ table }) => table).filter((table) => !written.has(table));
  t.deepEqual([...new Set(without)].toSorted(), Object.keys(writtenAsSql));
  const references = rows.map(textOf);
  t.deepEqual(
    otherAggregates.filter((text) => !references.includes(text)),
    [],
    'still in the catalogue',
  );
});

const spoiled = (properties: Parameters<typeof defineEntity>[0]['properties']): Metadata[] => {
  const Spoiled: EntitySchema = defineEntity({
    name: 'Spoiled',
    tableName: 'customer_transition',
    properties,
  });
  const orm = new MikroORM(defineConfig({ dbName: 'none', entities: [Spoiled] }));
  return [...metadataOf(orm)];
};

const whole = {
  tenantId: p.bigint('number').primary(),
  id: p.bigint('number').primary(),
  customerId: p.bigint('number'),
  previousStatus: p.text(),
  newStatus: p.text(),
  transitionedOn: p.date(),
  transitionedAt: p.datetime(),
  cause: p.text().default('hand'),
};
const relation = 'customer_transition (tenant_id, customer_id) to customer, cascades';

const spoils: readonly [name: string, properties: object, differs: readonly string[]][] = [
  ['a missing relation', whole, [`only the table: ${relation}`]],
  [
    'a missing column',
    { ...whole, newStatus: undefined },
    ['only the table: customer_transition: column new_status text not null'],
  ],
  [
    'an additional column',
    { ...whole, reason: p.text() },
    ['only the entity: customer_transition: column reason text not null'],
  ],
  [
    'another type',
    { ...whole, transitionedOn: p.datetime() },
    [
      'only the entity: customer_transition: column transitioned_on timestamp with time zone not null',
      'only the table: customer_transition: column transitioned_on date not null',
    ],
  ],
  [
    'another nullability',
    { ...whole, newStatus: p.text().nullable() },
    [
      'only the entity: customer_transition: column new_status text',
      'only the table: customer_transition: column new_status text not null',
    ],
  ],
  [
    'another default',
    { ...whole, cause: p.text() },
    [
      'only the entity: customer_transition: column cause text not null',
      "only the table: customer_transition: column cause text not null default 'hand'",
    ],
  ],
  [
    'another key',
    { ...whole, tenantId: p.bigint('number') },
    [
      'only the entity: customer_transition: primary key (id)',
      'only the table: customer_transition: primary key (tenant_id, id)',
    ],
  ],
];

for (const [name, properties, differs] of spoils) {
  test(`an entity with ${name} is reported by name`, async (t) => {
    const kept = Object.fromEntries(
      Object.entries(properties).filter(([, property]) => property !== undefined),
    );
    const missing = `only the table: ${relation}`;
    const wanted = new Set([missing, ...differs]);
    t.deepEqual((await differences(spoiled(kept))).toSorted(), [...wanted].toSorted());
  });
}
