/** Entry of `npm run migrate`: brings the database at DATABASE_URL to the newest schema. */

import './node-version.ts';
import { ConfigError, loadConfig } from '../config.ts';
import { migrate, OldSchemaError } from '../db/connection/migrate.ts';
import { SchemaError } from '../db/connection/schema-version.ts';

const HELP = `npm run migrate

Brings the database at DATABASE_URL, as the schema's owner, to the newest schema, and does nothing
else. npm start and npm run tenant -- apply do the same before their work. It prints which schema the
database has then, and which releases run on it: docs/upgrade.md.
`;

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(HELP);
    return;
  }
  const { databaseUrl } = loadConfig();
  if (databaseUrl === undefined) throw new ConfigError(['DATABASE_URL must be set']);
  const { version, servesFrom } = await migrate(databaseUrl);
  process.stdout.write(`The schema is ${version}; it serves releases that know ${servesFrom}\n`);
}

try {
  await main();
} catch (error) {
  const { code } = error as { readonly code?: unknown };
  const isExpected =
    error instanceof ConfigError ||
    error instanceof OldSchemaError ||
    error instanceof SchemaError ||
    /^(ECONN|28|3D)/.test(String(code));
  const { message, stack } = error as Error;
  process.stderr.write(`${isExpected ? message || String(code) : (stack ?? message)}\n`);
  process.exitCode = 1;
}
