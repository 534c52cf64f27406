/** Entry of `npm run restored`: takes up a database that was restored from an older backup. */

import './node-version.ts';
import { runCommand } from './run-command.ts';
import { parseArgs } from 'node:util';
import { loadConfig, reachable } from '../config.ts';
import { openGateways } from '../operations/gateway-calls/gateways.ts';
import {
  restore,
  type GivenByOperator,
  type RestorationReport,
} from '../operations/processes/restoration.ts';
import { withRunningSystem } from '../providers/embedded/running-system.ts';
import { gatewayAdapters } from '../providers/gateway/adapters.ts';
import { openStorage } from '../providers/storage/open-storage.ts';
import { StorageError } from '../providers/storage/storage.ts';
import { withInstallation } from './installation.ts';
import { UsageError, vaultOf } from './tenant/database.ts';

const HELP = `npm run restored -- [--dry-run] [--leap N] [--number SERIES=LAST]...

To be run once after PostgreSQL was restored from a backup or to a point in time, while no API and no
worker runs; they refuse to start before. It
  - raises ids, numbers of documents, events and the audit log past all that may have been given out
  - gives callbacks a new epoch, which their webhook-id has, so that no receiver takes a new event for an
    old one
  - asks the gateways for charges and refunds that no payment has: each is a finding of the audit, and its
    customer is charged automatically by nobody before a person has closed it
  - lists workflows and files of objects that are lost, and says which numbers are lost
It may be killed and run again.

  --dry-run                looks, prints the same, and changes nothing
  --number SERIES=LAST     the last number that a document of a series has, as far as people know:
                           demo/order=1207, demo/invoice=5310, 'demo/invoice/INV-{YYYY}-@2027=412'
  --leap N                 all other series go on N numbers after the highest that is known
  --ids N                  the highest id that is known to have been given, by a caller's records
  --since INSTANT          the database has nothing of later: 2027-03-31T12:00:00Z; by default the last
                           sign of a worker in it
  --without-gateway LABEL  does not ask the gateway of this tenant
  --always                 also if Temporal knows no more than the database, because it was lost as well
  --json                   prints the report as JSON
  --help                   prints this

The command uses the servers that npm start runs in DATA_DIR (.data), or DATABASE_URL and
TEMPORAL_ADDRESS; it needs SECRET_KEY, and STORAGE_URL if the service has it. docs/recovery.md has all
steps. It exits with 0 only on success.
`;

async function main(): Promise<void> {
  const { values, given } = readArguments();
  if (values.help === true) return print(HELP);
  const report = await run(given, { isDryRun: values['dry-run'] === true });
  print(values.json === true ? `${JSON.stringify(report, null, 2)}\n` : textOf(report));
}

function readArguments() {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = {
    'dry-run': flag,
    number: { type: 'string', multiple: true },
    leap: text,
    ids: text,
    since: text,
    'without-gateway': { type: 'string', multiple: true },
    always: flag,
    json: flag,
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    const { values } = parseArgs({ options });
    const given: GivenByOperator = {
      numbers: new Map((values.number ?? []).map(numberOf)),
      leap: wholeOf('leap', values.leap),
      ids: wholeOf('ids', values.ids),
      since: instantOf(values.since),
      withoutGateways: values['without-gateway'] ?? [],
      always: values.always ?? false,
    };
    return { values, given };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${(error as Error).message}\n\n${HELP}`);
  }
}

const NUMBER_MAX = 10 ** 15;

function wholeOf(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,15}$/.test(value) || Number(value) >= NUMBER_MAX) {
    throw new UsageError(`--${option} takes a whole number.`);
  }
  return Number(value);
}

function numberOf(text: string): readonly [string, number] {
  const [, series, last] = /^(.+)=(\d+)$/.exec(text) ?? [];
  const number = wholeOf('number SERIES=LAST', last);
  if (series === undefined || number === undefined) {
    throw new UsageError(`--number takes SERIES=LAST, such as demo/order=1207, and not ${text}.`);
  }
  return [series, number];
}

function instantOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const instant = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d.*Z$/.test(text) || Number.isNaN(instant.getTime())) {
    throw new UsageError('--since takes an instant: 2027-03-31T12:00:00Z.');
  }
  return instant;
}

async function run(
  given: GivenByOperator,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<RestorationReport> {
  const config = reachable(withRunningSystem(loadConfig()), 'the API');
  const { secretKeys, stripeApiUrl } = config;
  return withInstallation(config, { command: 'restored' }, async (its) => {
    const { dependencies } = its;
    // Gateways are asked with secrets of the tenants.
    await vaultOf(config, dependencies.db, { isDryRun: true });
    const adapters = gatewayAdapters(dependencies, { secretKeys, stripeApiUrl });
    return restore({
      ...its,
      storage: await openStorage(config, { secretKeys, realNow: Date.now }),
      gateways: openGateways(dependencies, adapters),
      given,
      isDryRun,
    });
  });
}

/* The report for people. */

function textOf(report: RestorationReport): string {
  const { isNeeded, isDone, epoch, ids, lostFrom } = report;
  if (!isNeeded) {
    return (
      'The database knows all that Temporal knows: nothing is to be done. If Temporal was lost as ' +
      'well, give --always.\n'
    );
  }
  const lines = [
    `Restoration ${epoch}: what happened since ${lostFrom} is lost.`,
    `Ids go on after ${ids.upTo}; those from ${ids.before + 1} on are lost.`,
    ...report.numbers.flatMap(numberLines),
    ...report.unknownCalls.flatMap(({ tenant, customerId, gatewayKey, detail }) => [
      `${tenant}: ${detail}, ${customerId === null ? 'customer unknown' : `customer ${customerId}`}`,
      `  npm run tenant -- payment close ${tenant} ${gatewayKey.split('/')[1]} REASON`,
    ]),
    ...report.workflows.map(
      ({ workflow, isRunning }) =>
        `lost object: workflow ${workflow}${isRunning ? ', which a worker will end' : ''}`,
    ),
    ...report.files.map((file) => `lost job: file ${file}`),
    ...report.notAsked.map((tenant) => `${tenant}: its gateway was not asked`),
    `${report.unknownCalls.length} calls of gateways, ${report.workflows.length} workflows and ` +
      `${report.files.length} files have no row.`,
    isDone ? 'Done: start the service.' : 'Nothing was changed (--dry-run).',
  ];
  return `${lines.join('\n')}\n`;
}

const kinds = {
  event: 'numbers of events',
  auditLog: 'numbers of the audit log',
  order: 'numbers of orders',
  invoice: 'numbers of documents',
} as const;

function numberLines({ tenant, lost }: RestorationReport['numbers'][number]): string[] {
  return lost.map(({ kind, prefix, year, after, upTo }) => {
    const series = `${prefix === '' ? '' : ` ${prefix}`}${year === 0 ? '' : ` of ${year}`}`;
    return `${tenant}: ${kinds[kind]}${series}: ${after + 1} to ${upTo} are lost`;
  });
}

function print(text: string): void {
  process.stdout.write(text);
}

await runCommand(main, (error) => error instanceof StorageError);
