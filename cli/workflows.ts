/**
 * Entry of `npm run workflows`: which workflows rows need, and which run; restarts what is missing. And
 * which build of the workflows has the work.
 */

import './node-version.ts';
import { runCommand } from './run-command.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import { inTenant } from '../db/connection/tenancy.ts';
import { allTenantIds } from '../db/queries/outbox/missing-workflows.ts';
import { readSupervision } from '../db/queries/processes/supervision.ts';
import { holdsCardNumber } from '../domain/payments/card-masking.ts';
import { writeCommand } from '../operations/access/audit-log.ts';
import { tenantInfo } from '../operations/context/context.ts';
import { DomainError } from '../domain/errors.ts';
import { firstLookAt } from '../operations/due/first-looks.ts';
import { type Installation, withInstallation } from './installation.ts';
import { namedBy } from '../operations/outbox/enqueue.ts';
import {
  comparedOf,
  missingOf,
  restart,
  type Missing,
  type NamedRun,
  type Place,
} from '../operations/outbox/reconcile.ts';
import { restartByHand } from '../operations/outbox/restart-by-hand.ts';
import { buildsOf, makeCurrent, type Build } from '../operations/processes/builds.ts';
import {
  endAgain,
  nudgeUnneeded,
  stillRunning,
  unneededOf,
} from '../operations/processes/unneeded.ts';
import { buildIdOf } from '../release.ts';
import { withRunningSystem } from '../providers/embedded/running-system.ts';
import { tenantNamed, UsageError } from './tenant/database.ts';

const HELP = `npm run workflows -- COMMAND

  list          lists workflows that rows need and that do not run, and running ones that no row needs
  restart ID    ends the workflow of this id, if it runs, and starts it again from its rows; the
                Temporal Web UI shows ids: order/demo/17, billing/demo
  reconcile     starts what list finds missing, and ends what no row needs
  builds        lists the builds of the workflows: which one has the work, how many workers of each
                live, and how many workflows only they end
  promote [BUILD]  gives the work to the workers of BUILD, by default the one of this release;
                   none: to workers of a release that has no builds (docs/upgrade.md)

  --tenant LABEL  list and reconcile: this tenant only
  --reason TEXT   restart: why; the Temporal Web UI shows it
  --json          prints the result of list or reconcile as JSON
  --help          prints this

A worker does the same by itself: within a minute for what somebody has ended, and each hour for all.
What restart and reconcile do is in the audit log of the tenant, with the name in OPERATOR or that of
the machine's user. The command uses the system that npm start runs in DATA_DIR (.data), or
DATABASE_URL, as the login that API and workers have, and TEMPORAL_ADDRESS. It exits with 0 only on
success.
`;

async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  const [command, ...rest] = positionals;
  if (values.help) return print(HELP);
  const { tenant, reason = '', json: isJson = false } = values;
  switch (command) {
    case 'list':
    case 'reconcile': {
      if (rest.length > 0) throw new UsageError(`${command} takes no ${rest[0]}.`);
      const surveys = await withEngine((its) => survey(its, tenant, command));
      return print(isJson ? `${JSON.stringify(surveys)}\n` : textOf(surveys));
    }
    case 'restart': {
      const [id, ...more] = rest;
      if (id === undefined || more.length > 0) throw new UsageError('restart takes one ID.');
      return print(await withEngine((its) => restartOne(its, id, reason)));
    }
    case 'builds': {
      if (rest.length > 0) throw new UsageError(`builds takes no ${rest[0]}.`);
      return print(await withEngine(async (its) => buildsText(await builds(its))));
    }
    case 'promote': {
      const [build = buildIdOf(), ...more] = rest;
      if (more.length > 0) throw new UsageError('promote takes one BUILD.');
      return print(await withEngine((its) => promote(its, build)));
    }
    default:
      throw new UsageError(command === undefined ? HELP : `Unknown command ${command}. ${HELP}`);
  }
}

function readArguments() {
  const options = {
    tenant: { type: 'string' },
    reason: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${HELP}`);
  }
}

const withEngine = <Result>(work: (its: Installation) => Promise<Result>): Promise<Result> =>
  withInstallation(withRunningSystem(loadConfig()), { command: 'workflows', firstLookAt }, work);

interface Survey {
  readonly tenant: string;
  readonly needed: number;
  readonly missing: readonly {
    readonly workflow: string;
    readonly status: string | null;
    readonly ended: string | null;
    /** Only of reconcile. */
    readonly isRestarted?: boolean;
  }[];
  readonly unneeded: readonly { readonly workflow: string; readonly isEnded?: boolean }[];
}

interface Surveys {
  readonly tenants: readonly Survey[];
  /** When a worker has compared all rows last; null if none has. */
  readonly sweptAt: string | null;
}

async function survey(
  its: Installation,
  only: string | undefined,
  command: 'list' | 'reconcile',
): Promise<Surveys> {
  const { dependencies, engine } = its;
  const tenants: Survey[] = [];
  for (const id of await tenantsOf(its, only)) {
    const place = { dependencies, engine, tenant: await tenantInfo(dependencies, id) };
    let needed = 0;
    const missing: Missing[] = [];
    for await (const compared of comparedOf(place)) {
      needed += compared.needed;
      missing.push(...compared.missing);
    }
    const unneeded = await stillRunning(place, await unneededOf(place));
    const found = { tenant: place.tenant.label, needed };
    tenants.push(
      command === 'list'
        ? { ...found, missing: missing.map(shown), unneeded: unneeded.map(named) }
        : { ...found, ...(await reconcile(its, place, { missing, unneeded })) },
    );
  }
  const { figures } = (await readSupervision(dependencies.db.pool)) ?? {};
  return { tenants, sweptAt: figures?.sweptAt ?? null };
}

async function tenantsOf(
  { dependencies, relayDb }: Installation,
  only: string | undefined,
): Promise<readonly number[]> {
  if (only === undefined) return allTenantIds(relayDb.pool);
  return [await tenantNamed(dependencies.db, only)];
}

const named = ({ workflowId }: NamedRun) => ({ workflow: workflowId });
const shown = ({ workflowId, object, ended }: Missing) => ({
  workflow: workflowId,
  status: object?.status ?? null,
  ended,
});

/** A workflow that no row needs sees it when it is nudged; what runs still is ended. */
const ENDS_WITHIN_MS = 5_000;

async function reconcile(
  { operator }: Installation,
  place: Place,
  found: { readonly missing: readonly Missing[]; readonly unneeded: readonly NamedRun[] },
): Promise<Pick<Survey, 'missing' | 'unneeded'>> {
  const { missing } = found;
  const unneeded = await nudgeUnneeded(place, found.unneeded, Infinity);
  if (missing.length + unneeded.length === 0) return { missing: [], unneeded: [] };
  const changes = [
    { field: 'restarted', after: String(missing.length) },
    { field: 'ended', after: String(unneeded.length) },
  ];
  await note(place, { operator, command: 'workflows reconcile', changes });
  const refused = await restart(place, missing, operator);
  if (unneeded.length > 0) await sleep(ENDS_WITHIN_MS);
  await endAgain(place, unneeded, `ended by ${operator}: no row needs it`);
  // A row may have come to need one meanwhile.
  await restart(place, await missingOf(place, unneeded), operator);
  return {
    missing: missing.map((each) => ({
      ...shown(each),
      isRestarted: !refused.has(each.workflowId),
    })),
    unneeded: unneeded.map((each) => ({ ...named(each), isEnded: true })),
  };
}

function note({ dependencies, tenant }: Place, command: Parameters<typeof writeCommand>[1]) {
  return inTenant(dependencies.db, tenant.id, async (tx) => writeCommand(tx, command));
}

const REASON_LENGTH_MAX = 255;

async function restartOne(
  { dependencies, engine, operator }: Installation,
  workflowId: string,
  reason: string,
): Promise<string> {
  if (reason.length > REASON_LENGTH_MAX) {
    throw new UsageError(`--reason takes at most ${REASON_LENGTH_MAX} characters.`);
  }
  if (holdsCardNumber(reason)) throw new UsageError('--reason must not contain a card number.');
  const own = namedBy(workflowId);
  if (own === null) throw new UsageError(`${workflowId} is no id of a workflow: order/demo/17.`);
  const id = await tenantNamed(dependencies.db, own.label);
  const place = { dependencies, engine, tenant: await tenantInfo(dependencies, id) };
  const command = { operator, command: `workflows restart ${workflowId}` };
  const noted = (): Promise<boolean> => note(place, command).then(() => true);
  try {
    await restartByHand(place, { workflowId, operator, reason, note: noted });
  } catch (error) {
    throw error instanceof DomainError ? new UsageError(error.message) : error;
  }
  return `${workflowId} is started again\n`;
}

const NO_BUILD = 'none';

const builds = ({ dependencies, engine }: Installation) =>
  buildsOf({ db: dependencies.db, engine });

async function promote(its: Installation, build: string): Promise<string> {
  const buildId = build === NO_BUILD ? null : build;
  const chosen = (await builds(its)).find((each) => each.buildId === buildId);
  if (chosen === undefined || chosen.workers === 0) {
    throw new UsageError(`No worker of the build ${build} runs: start one first (npm run worker).`);
  }
  await makeCurrent(its.engine, buildId);
  return buildsText(await builds(its));
}

function buildsText(all: readonly Build[]): string {
  const lines = all.map(({ buildId, isCurrent, workers, pinned }) => {
    const own = buildId === buildIdOf() ? ', this release' : '';
    return `${isCurrent ? '*' : ' '} ${buildId ?? NO_BUILD}: ${workers} workers, ${pinned} pinned workflows${own}`;
  });
  return `${lines.join('\n')}\n`;
}

function textOf({ tenants, sweptAt }: Surveys): string {
  const lines = tenants.flatMap(({ tenant, missing, unneeded }) => [
    ...(missing.length + unneeded.length > 0 ? [`${tenant}:`] : []),
    ...missing.map(missingLine),
    ...unneeded.map(
      ({ workflow, isEnded = false }) => `  unneeded: ${workflow}${isEnded ? ', ended' : ''}`,
    ),
  ]);
  const sum = (count: (each: Survey) => number) =>
    tenants.reduce((all, each) => all + count(each), 0);
  const figures = [
    `${sum(({ needed }) => needed)} workflows are needed`,
    `${sum(({ missing }) => missing.length)} do not run`,
    `${sum(({ unneeded }) => unneeded.length)} run that no row needs`,
  ];
  const swept = sweptAt === null ? 'no worker has compared them yet' : `a worker: ${sweptAt}`;
  return `${[...lines, `${figures.join(', ')} (${swept})`].join('\n')}\n`;
}

function missingLine({ workflow, status, ended, isRestarted }: Survey['missing'][number]): string {
  const of = status === null ? '' : ` (${status})`;
  const how = ended === null ? 'unknown to Temporal' : ended.toLowerCase().replace('_', ' ');
  const done =
    isRestarted === undefined ? '' : isRestarted ? ', restarted' : ', not taken by Temporal';
  return `  missing: ${workflow}${of}: ${how}${done}`;
}

function print(text: string): void {
  process.stdout.write(text);
}

await runCommand(main);
