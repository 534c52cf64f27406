/** The database from which every test's own database is cloned; it is migrated once. */

import { randomBytes } from 'node:crypto';
import { Client, type QueryResultRow } from 'pg';
import { grantLogin } from '../../db/connection/logins.ts';
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

/** A statement by the login of the address, on a connection of its own. */
export async function asked<Row extends QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

export interface Template {
  readonly template: string;
  /** Of the login that processes of the product have; it owns nothing. */
  readonly loginUrl: string;
}

/**
 * The names are new each time, because an external server may serve two test runs at once; the login
 * has the name of the template.
 */
export async function makeTemplate(serverUrl: string): Promise<Template> {
  const template = `sundial_template_${randomBytes(4).toString('hex')}`;
  await administer(serverUrl, `create database ${template}`);
  const ownerUrl = databaseUrl(serverUrl, template);
  await migrate(ownerUrl);
  const login = new URL(ownerUrl);
  login.username = template;
  login.password = randomBytes(12).toString('hex');
  await grantLogin(ownerUrl, { databaseUrl: login.href });
  return { template, loginUrl: login.href };
}
