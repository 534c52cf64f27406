/** Entry of `npm run migrate`: brings the database to the newest schema, and lets the service's login in. */

import './node-version.ts';
import { runCommand, withCode } from './run-command.ts';
import { ConfigError, loadConfig } from '../config.ts';
import { LoginError } from '../db/connection/logins.ts';
import { prepareDatabase } from '../db/connection/prepare.ts';

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
  if (migrateUrl === undefined && databaseUrl === undefined) {
    throw new ConfigError(['MIGRATE_URL must be set: the address for the owner of the schema']);
  }
  const prepared = await prepareDatabase({ databaseUrl, migrateUrl });
  if (prepared === undefined) {
    throw new LoginError(
      'The login of DATABASE_URL does not own the schema: set MIGRATE_URL to the address for its owner.',
    );
  }
  const { schema, login } = prepared;
  const { version, servesFrom } = schema;
  process.stdout.write(`The schema is ${version}; it serves releases that know ${servesFrom}\n`);
  if (login !== undefined) process.stdout.write(`The login ${login} may use it\n`);
}

await runCommand(main, withCode(/^(ECONN|28|3D)/));
