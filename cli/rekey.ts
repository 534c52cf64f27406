/** Entry of `npm run rekey`: gives stored secrets the new SECRET_KEY, beside the running service. */

import './node-version.ts';
import { runCommand } from './run-command.ts';
import { parseArgs } from 'node:util';
import { ConfigError, loadConfig, secretKeysOf } from '../config.ts';
import type { Database } from '../db/connection/database.ts';
import { retirePayloadKey } from '../operations/processes/payload-keys.ts';
import { countValues, rekey, startAnew, type RekeyOptions } from '../operations/processes/rekey.ts';
import { holdSecretKey, tenantIdsAt } from '../operations/processes/secret-key.ts';
import { withRunningSystem } from '../providers/embedded/running-system.ts';
import { createVault } from '../providers/vault.ts';
import { open, UsageError } from './tenant/database.ts';

const HELP = `npm run rekey

Encrypts what is stored under a key of SECRET_KEYS_OTHER again, under SECRET_KEY, and says when the other
keys may be removed. It runs beside the service, some rows at a time; if it is interrupted, run it again.
"The secret key" in docs/operations.md has the steps before and after.

  --count   counts what is under which key, and changes nothing
  --lost    for an installation whose key is lost: makes SECRET_KEY its key. What the lost one encrypted
            stays unreadable
  --retire-payload-key ID
            forgets a PAYLOAD_KEY: no history in Temporal has payloads of it any more
  --help    prints this

The command uses the system that npm start runs in DATA_DIR (.data), or DATABASE_URL. It exits with 0 only
if every value is under SECRET_KEY.
`;

async function main(): Promise<void> {
  const values = readArguments();
  if (values.help) return print(HELP);
  const config = withRunningSystem(loadConfig());
  const { databaseUrl } = config;
  const secretKeys = secretKeysOf(config);
  if (secretKeys === undefined) throw new ConfigError(['SECRET_KEY must be set: the new one']);
  const db = await open(config, 'sundial_app');
  try {
    const vault = createVault(secretKeys);
    const tenantIds = await tenantIdsAt(databaseUrl ?? '');
    const options = { db, tenantIds, vault, onProgress: progress() };
    const retired = values['retire-payload-key'];
    if (retired !== undefined) return await retirePayload(db, retired);
    if (values.lost) await startAnew(options);
    else if (!values.count) await holdSecretKey(db, vault, { url: databaseUrl });
    await (values.count ? count(options) : renew(options));
  } finally {
    await db.close();
  }
}

function readArguments() {
  const options = {
    count: { type: 'boolean', default: false },
    lost: { type: 'boolean', default: false },
    'retire-payload-key': { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${HELP}`);
  }
}

async function retirePayload(db: Database, id: string): Promise<void> {
  if (!(await retirePayloadKey(db, id))) throw new UsageError(`No payload key has the id ${id}.`);
  print(`the payload key ${id} may be removed\n`);
}

async function count(options: RekeyOptions): Promise<void> {
  const { others, unreadable } = await countValues(options);
  for (const [id, values] of others) print(`${plural(values)} under the key ${id}\n`);
  tellUnreadable(unreadable);
  if (others.size + unreadable > 0) process.exitCode = 1;
  else print(`every value is under SECRET_KEY (${options.vault.ids[0]})\n`);
}

async function renew(options: RekeyOptions): Promise<void> {
  const { done, others, unreadable, retired } = await rekey(options);
  print(`${plural(done)} encrypted again under SECRET_KEY (${options.vault.ids[0]})\n`);
  for (const [id, values] of others) {
    print(`${plural(values)} left under the key ${id}, held by others: run this again\n`);
  }
  tellUnreadable(unreadable);
  if (others.size + unreadable > 0) process.exitCode = 1;
  else if (retired.length > 0) print(`the key ${retired.join(', ')} may be removed\n`);
}

function tellUnreadable(unreadable: number): void {
  if (unreadable > 0) print(`${plural(unreadable)} that no key opens\n`);
}

const plural = (values: number): string => (values === 1 ? '1 value' : `${values} values`);

/** A line now and then, for whoever waits. */
const PROGRESS_MS = 1_000;

function progress(): (done: number) => void {
  let saidAt = 0;
  let said = 0;
  return (done) => {
    if (done === said || performance.now() - saidAt < PROGRESS_MS) return;
    saidAt = performance.now();
    said = done;
    print(`${plural(done)} so far\n`);
  };
}

function print(text: string): void {
  process.stdout.write(text);
}

await runCommand(main);
