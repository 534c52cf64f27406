/** A database of its own for a test or a test file, cloned from the migrated template. */

import { randomBytes } from 'node:crypto';
import { type ExecutionContext, registerCompletionHandler } from 'ava';
import { testServers } from './servers.ts';
import { administer, databaseUrl } from './template.ts';

export interface TestDatabase {
  readonly name: string;
  /** What DATABASE_URL would be: the owner's, for openDatabase and for children. */
  readonly ownerUrl: string;
}

/** PostgreSQL refuses to copy a template while another session copies it. Any number would do. */
const CLONE_LOCK = 7_301;

/**
 * Given a test's `t`, the database goes with that test; in hooks (`test.before`) call it without,
 * and it goes when the file is done.
 */
export async function testDatabase(t?: Pick<ExecutionContext, 'teardown'>): Promise<TestDatabase> {
  const { adminUrl, template } = await testServers('postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(
    adminUrl,
    `select pg_advisory_lock(${CLONE_LOCK})`,
    `create database ${name} template ${template}`,
  );
  const drop = () => administer(adminUrl, `drop database if exists ${name} with (force)`);
  if (t) t.teardown(drop);
  // A server that is ours alone may be gone by then, and the database with it.
  else registerCompletionHandler(() => void drop().catch(() => {}));
  return { name, ownerUrl: databaseUrl(adminUrl, name) };
}

/**
 * From now on the relay leaves alone what is written, for longer than any test takes: it comes when
 * a test says that its writer's own time is over (`overdue`), not when the machine is slow.
 */
export async function holdRelay(ownerUrl: string): Promise<void> {
  await administer(
    ownerUrl,
    `alter table outbox alter column deliver_after set default now() + interval '1 day'`,
  );
}

export const overdue = `update outbox set deliver_after = now() - interval '1 second'`;
