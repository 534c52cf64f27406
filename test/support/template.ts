/** The database from which every test's own database is cloned; it is migrated once. */

import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { migrate } from '../../db/connection/migrate.ts';

/** The address of another database of the same server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

export async function administer(serverUrl: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Returns its name, which is new each time, because an external server may serve two test runs at
 * once.
 */
export async function makeTemplate(serverUrl: string): Promise<string> {
  const name = `sundial_template_${randomBytes(4).toString('hex')}`;
  await administer(serverUrl, `create database ${name}`);
  await migrate(databaseUrl(serverUrl, name));
  return name;
}
