/** Tests the harness that every other test relies on. */

import test from 'ava';
import { Client } from 'pg';
import { testDatabase } from './database.ts';

async function count(ownerUrl: string, table: string): Promise<number> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from ${table}`);
    return rows[0]?.n ?? -1;
  } finally {
    await client.end();
  }
}

async function execute(ownerUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

test('databases that are created at the same time are migrated and separate', async (t) => {
  const [one, two] = await Promise.all([testDatabase(t), testDatabase(t)]);
  t.not(one.ownerUrl, two.ownerUrl);
  await execute(one.ownerUrl, 'create table only_here ()');
  t.is(await count(one.ownerUrl, 'only_here'), 0);
  await t.throwsAsync(count(two.ownerUrl, 'only_here'), { message: /does not exist/ });
  t.true((await count(two.ownerUrl, 'migration')) > 0);
});
