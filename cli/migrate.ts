/** Entry of `npm run migrate`: brings the database to the newest schema, and lets the service's login in. */

import './node-version.ts';
import { OperatorError } from '../operator-error.ts';
import { ConfigError, loadConfig } from '../config.ts';
import { grantLogin, LoginError, mayMigrate } from '../db/connection/logins.ts';
import { migrate } from '../db/connection/migrate.ts';

const HELP = `npm run migrate

Brings the database to the newest schema, as the schema's owner, whose address is MIGRATE_URL. Then
it makes the login of DATABASE_URL, if there is none, and grants it what API, workers and commands
need. Without MIGRATE_URL it migrates as the login of DATABASE_URL, for a machine of one's own. It
prints which schema the database has then, and which releases run on it: docs/upgrade.md.
`;

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(HELP);
    return;
  }
  const { databaseUrl, migrateUrl } = loadConfig();
  const ownerUrl = migrateUrl ?? databaseUrl;
  if (ownerUrl === undefined) {
    throw new ConfigError(['MIGRATE_URL must be set: the address for the owner of the schema']);
  }
  if (migrateUrl === undefined && !(await mayMigrate(ownerUrl))) {
    throw new LoginError(
      'The login of DATABASE_URL does not own the schema: set MIGRATE_URL to the address for its owner.',
    );
  }
  const { version, servesFrom } = await migrate(ownerUrl);
  process.stdout.write(`The schema is ${version}; it serves releases that know ${servesFrom}\n`);
  if (migrateUrl === undefined || databaseUrl === undefined) return;
  const login = await grantLogin(migrateUrl, { databaseUrl });
  if (login !== undefined) process.stdout.write(`The login ${login} may use it\n`);
}

try {
  await main();
} catch (error) {
  const { code } = error as { readonly code?: unknown };
  const isExpected = error instanceof OperatorError || /^(ECONN|28|3D)/.test(String(code));
  const { message, stack } = error as Error;
  process.stderr.write(`${isExpected ? message || String(code) : (stack ?? message)}\n`);
  process.exitCode = 1;
}
