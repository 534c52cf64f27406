/** `npm run migrate` makes the schema, and applies no tenant. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { Client } from 'pg';
import { childEnvironment } from '../../config.ts';
import { testDatabase } from '../support/database.ts';
import { administer } from '../support/template.ts';

const root = join(import.meta.dirname, '../..');

test('an empty database has the schema afterwards, and no tenant', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  await administer(ownerUrl, 'drop schema public cascade', 'create schema public');
  const env = childEnvironment({ DATABASE_URL: ownerUrl });
  await promisify(execFile)(process.execPath, ['cli/migrate.ts'], { cwd: root, env });
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  t.teardown(() => client.end());
  t.deepEqual((await client.query('select label from tenant')).rows, []);
});
