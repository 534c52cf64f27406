/** A separate database for a test or a test file, cloned from the migrated template. */

import { randomBytes } from 'node:crypto';
import { type ExecutionContext, registerCompletionHandler } from 'ava';
import './prepared.ts';
import { testServers } from './servers.ts';
import { administer, databaseUrl } from './template.ts';

export interface TestDatabase {
  readonly name: string;
  readonly ownerUrl: string;
  /** The value of DATABASE_URL, for openDatabase and for child processes. */
  readonly loginUrl: string;
}

/**
 * For openDatabase: a machine that stands still for some seconds is not a fault of an operation, nor
 * is a process whose other tests compute.
 */
export const patientSession = {
  statementTimeoutMs: 30_000,
  lockTimeoutMs: 30_000,
  idleInTransactionMs: 120_000,
  connectMs: 60_000,
  waitMs: 120_000,
} as const;

/**
 * PostgreSQL refuses to copy a template while another session copies it, so copies take this lock.
 * Its number is arbitrary.
 */
const CLONE_LOCK = 7_301;

/**
 * With a test's `t` the database is dropped after that test. In hooks (`test.before`) call it
 * without `t`: the database is dropped after the file.
 */
export async function testDatabase(t?: Pick<ExecutionContext, 'teardown'>): Promise<TestDatabase> {
  const { adminUrl, template, loginUrl } = await testServers('postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(
    adminUrl,
    `select pg_advisory_lock(${CLONE_LOCK})`,
    `create database ${name} template ${template}`,
  );
  const drop = () => administer(adminUrl, `drop database if exists ${name} with (force)`);
  if (t) t.teardown(drop);
  // A server that runs for this file only may have stopped, and its databases with it.
  else registerCompletionHandler(() => void drop().catch(() => {}));
  return { name, ownerUrl: databaseUrl(adminUrl, name), loginUrl: databaseUrl(loginUrl, name) };
}

/**
 * Keeps the relay from delivering new rows for longer than any test takes. So the relay delivers
 * when a test calls `overdue`, and not because the machine is slow.
 */
export async function holdRelay(ownerUrl: string): Promise<void> {
  await administer(
    ownerUrl,
    `alter table outbox alter column deliver_after set default now() + interval '1 day'`,
  );
}

export const overdue = `update outbox set deliver_after = now() - interval '1 second'`;
