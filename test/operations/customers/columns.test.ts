/** Each column says where it is declared what it has of a customer; the guide says what goes by itself. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import * as entities from '../../../db/entities/index.ts';
import { saidBy } from '../../../db/entities/personal.ts';
import { descriptionOf, keyOf, type Described } from '../../../db/entities/rows.ts';
import { changesOf } from '../../../domain/access/audit-log.ts';
import { belongsTo } from '../../../db/queries/customers/personal.ts';
import { sharedDatabase } from '../support/books.ts';

const byTable = new Map<string, Described>(
  Object.values(entities).map((entity) => [descriptionOf(entity).tableName, entity]),
);

/** The columns of tenants' tables in which a text may stand. */
async function textColumns(): Promise<{ readonly table: string; readonly column: string }[]> {
  const { owner } = await sharedDatabase();
  const { rows } = await owner.query<{ table: string; column: string }>(
    `select c.table_name as "table", c.column_name as "column"
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where table_schema = 'public' and t.table_type = 'BASE TABLE'
       and c.udt_name in ('text', '_text', 'varchar', 'bpchar', 'json', 'jsonb', 'bytea')
       and exists (select from information_schema.columns k
         where k.table_schema = 'public' and k.table_name = c.table_name
           and k.column_name = 'tenant_id')
     order by 1, 2`,
  );
  return rows;
}

const saidOf = (table: string, column: string) => {
  const entity = byTable.get(table);
  return entity === undefined ? undefined : saidBy(entity, keyOf(column));
};

test('each text, JSON and byte column of a tenant’s table says what it has of a customer', async (t) => {
  const columns = await textColumns();
  t.true(columns.length > 300);
  const silent = columns.filter(({ table, column }) => saidOf(table, column) === undefined);
  t.deepEqual(
    silent.map(({ table, column }) => `${table}.${column}`),
    [],
  );
});

test('what the erasure empties or deletes belongs to a customer by its keys', (t) => {
  const stray = [...byTable].filter(
    ([, entity]) =>
      belongsTo(entity, '$2') === undefined &&
      Object.keys(descriptionOf(entity).properties).some((key) =>
        ['emptied', 'blanked', 'renamed', 'deleted'].includes(saidBy(entity, key) ?? ''),
      ),
  );
  t.deepEqual(
    stray.map(([table]) => table),
    [],
  );
});

test('the guide says of each table what goes by itself', async (t) => {
  const guide = readFileSync(
    join(import.meta.dirname, '../../../docs/guides/personal-data.md'),
    'utf8',
  );
  const passing = (await textColumns()).filter(
    ({ table, column }) => saidOf(table, column) === 'passing',
  );
  t.true(passing.length > 5);
  t.deepEqual(
    passing.filter(({ table }) => !guide.includes(`\`${table}\``)),
    [],
  );
});

test('the audit log notes no value of what is personal', (t) => {
  const audited = [entities.Customer, entities.SubscriptionOrder, entities.OrderLine];
  const shown = audited.flatMap((entity) =>
    Object.keys(descriptionOf(entity).properties).filter((key) => {
      if (['none', undefined].includes(saidBy(entity, key))) return false;
      const [change] = changesOf({}, { [key]: 'marked' });
      return change?.after !== undefined;
    }),
  );
  t.deepEqual(shown, []);
});
