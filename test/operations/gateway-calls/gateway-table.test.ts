/** One table of gateways: every other list of gateways has each of them, and no others. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { gatewayTable } from '../../../providers/gateway/gateway.ts';
import { sharedDatabase } from '../support/books.ts';
import { leftOut, type KindList } from '../support/left-out.ts';

const db = await sharedDatabase();
const folder = join(import.meta.dirname, '../../../providers/gateway');

async function checkOf(table: string): Promise<string[]> {
  const { rows } = await db.app.pool.query<{ check: string }>(
    `select pg_get_constraintdef(oid) as check from pg_constraint where conname = $1`,
    [`${table}_gateway_check`],
  );
  return rows.flatMap(({ check }) =>
    [...check.matchAll(/'(\w+)'::text/g)].map(([, name = '']) => name),
  );
}

const lists: readonly KindList<object>[] = [
  {
    name: 'the folders of providers/gateway',
    entryOf: (name) => name,
    entries: readdirSync(folder, { withFileTypes: true })
      .filter((each) => each.isDirectory())
      .map(({ name }) => name),
  },
  ...(await Promise.all(
    ['payment', 'payment_method'].map(async (table) => ({
      name: `the CHECK of ${table}.gateway`,
      entryOf: (name: string) => name,
      entries: await checkOf(table),
    })),
  )),
];

test('every list of gateways has each gateway of the table, and no others', (t) => {
  t.deepEqual(leftOut<object>(gatewayTable, lists), []);
  const ids = Object.values(gatewayTable).map(({ processorId }) => processorId);
  t.is(new Set<number>(ids).size, ids.length, 'each has an id of its own in the interface');
});

test('a new gateway is reported by name for every list that lacks it', (t) => {
  const found = leftOut<object>({ ...gatewayTable, bank: {} }, lists);
  t.deepEqual(
    found,
    lists.map(({ name }) => `bank is left out of ${name} (bank)`),
  );
});
