/** The database that every test's own database is cloned from: migrated once. */

import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { migrate } from '../../db/connection/migrate.ts';

/** The same server's other database. */
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

/** Answers its name, which is new each time: a foreign server may serve two test runs at once. */
export async function makeTemplate(serverUrl: string): Promise<string> {
  const name = `sundial_template_${randomBytes(4).toString('hex')}`;
  await administer(serverUrl, `create database ${name}`);
  await migrate(databaseUrl(serverUrl, name));
  return name;
}
