/**
 * Takes up a database that was restored from an older backup: it gives no id, number or event again
 * that it may have given before, and says what is lost. It may be killed at any moment and run again.
 */
import { OperatorError } from '../../operator-error.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import type { Database } from '../../db/connection/database.ts';
import { allTenantIds } from '../../db/queries/outbox/missing-workflows.ts';
import {
  keepPlan,
  lastId,
  lastNumbers,
  lastWritten,
  loseNumbers,
  noteRestoration,
  processesHere,
  raiseAuditHead,
  raiseCounter,
  raiseIds,
  readCounters,
  readPlan,
  type Lost,
  type RestorationPlan,
} from '../../db/queries/processes/restoration.ts';
import { keepEngineState, readEngineState } from '../../db/queries/processes/supervision.ts';
import { GatewayError, type Gateways } from '../../providers/gateway/gateway.ts';
import type { FileStorage } from '../../providers/storage/storage.ts';
import { writeCommand } from '../access/audit-log.ts';
import {
  inOperation,
  tenantInfo,
  type Dependencies,
  type OperationContext,
  type TenantInfo,
} from '../context/context.ts';
import { noteUnknownCall } from '../gateway-calls/findings.ts';
import type { Engine } from '../outbox/engine.ts';
import {
  knownByEngine,
  knownByGateways,
  knownByStorage,
  type Known,
  type OrphanWorkflow,
  type UnknownCall,
} from './evidence.ts';
import { standingOf } from './older-database.ts';
import { seriesOf, type GivenNumbers, type Series } from './restored-numbers.ts';
import { LEASE_SECONDS } from './supervision.ts';

/**
 * More ids than an installation gives in a second. What was given since the backup is known only in
 * part, so ids go on after all that can have been given in the time that is lost.
 */
const IDS_PER_SECOND_MAX = 10_000;
const IDS_LEAP_MIN = 1_000_000;
const MS_PER_SECOND = 1_000;
/** The clocks of the database, of Temporal and of gateways may differ by as much. */
const CLOCKS_DIFFER_MS_MAX = 3_600_000;

/** A mistake of the operator's, or something that only the operator knows. */
export class RestorationError extends OperatorError {
  override readonly name = 'RestorationError';
}

export interface RestorationOptions {
  readonly dependencies: Dependencies;
  /** A connection with the role sundial_relay, which sees all tenants. */
  readonly relayDb: Database;
  readonly engine: Engine;
  readonly storage: FileStorage;
  readonly gateways: Gateways;
  readonly operator: string;
  readonly given: GivenByOperator;
  readonly isDryRun?: boolean;
}

/** What the operator knows, and asks for. */
export interface GivenByOperator extends GivenNumbers {
  /** Since when the database may have been another one, if it does not know itself. */
  readonly since?: Date | undefined;
  /** The highest id that is known to have been given. */
  readonly ids?: number | undefined;
  /** Tenants whose gateways cannot be asked any more. */
  readonly withoutGateways?: readonly string[];
  /** Although Temporal knows no more than the database: it was lost, too. */
  readonly always?: boolean;
}

export interface LostOfTenant {
  readonly tenant: string;
  readonly lost: readonly Lost[];
}

export interface RestorationReport {
  /** False if the database is not older than Temporal: nothing was done. */
  readonly isNeeded: boolean;
  readonly isDone: boolean;
  readonly epoch: number;
  readonly lostFrom: string;
  readonly ids: { readonly before: number; readonly upTo: number };
  readonly numbers: readonly LostOfTenant[];
  readonly unknownCalls: readonly UnknownCall[];
  readonly workflows: readonly OrphanWorkflow[];
  readonly files: readonly string[];
  /** Tenants whose gateways were not asked. */
  readonly notAsked: readonly string[];
}

/** Throws RestorationError, before anything is changed. */
export async function restore(options: RestorationOptions): Promise<RestorationReport> {
  const { dependencies, relayDb, engine, given, isDryRun = false } = options;
  const { pool } = dependencies.db;
  const { mark, known, isUnderWay } = await standingOf(dependencies.db, engine);
  if (mark <= known && !isUnderWay && given.always !== true) return notNeeded(await lastId(pool));
  if (!isDryRun) await refuseBeside(dependencies.db);
  const before = await planBefore(options);
  const tenants: TenantInfo[] = [];
  for (const id of await allTenantIds(relayDb.pool))
    tenants.push(await tenantInfo(dependencies, id));
  const seen = await look(options, tenants, before);
  const plan = await planOf(options, before, seen.highestId);
  const series = await allSeries(options, tenants, before, seen.orderNumbers);
  const report = { ...seen.report, isNeeded: true, epoch: plan.epoch, lostFrom: plan.lostFrom };
  const ids = { before: plan.idsBefore, upTo: plan.idsUpTo };
  if (isDryRun) {
    const numbers = await Promise.all(tenants.map((own) => numbersOf(options, own, plan, series)));
    return { ...report, ids, numbers, isDone: false };
  }
  // From here on everything is written at least once, and the service refuses until the end.
  await keepPlan(pool, plan);
  await raiseIds(pool, plan.idsUpTo);
  const numbers: LostOfTenant[] = [];
  for (const tenant of tenants) {
    numbers.push(
      await restoreTenant(options, tenant, { plan, series, calls: report.unknownCalls }),
    );
  }
  await finish(dependencies.db, plan, mark);
  return { ...report, ids, numbers, isDone: true };
}

function notNeeded(last: number): RestorationReport {
  return {
    isNeeded: false,
    isDone: false,
    epoch: 0,
    lostFrom: '',
    ids: { before: last, upTo: last },
    numbers: [],
    unknownCalls: [],
    workflows: [],
    files: [],
    notAsked: [],
  };
}

async function refuseBeside({ pool }: Database): Promise<void> {
  const others = await processesHere(pool);
  if (others.length === 0) return;
  throw new RestorationError(
    `Stop the service first. Connected to this database: ${others.join(', ')}.`,
  );
}

/* What is decided for the whole installation. */

type Beginning = Pick<RestorationPlan, 'epoch' | 'idsBefore' | 'lostFrom'> & {
  readonly idsUpTo: number | null;
  readonly now: Date;
};

/** A try that was killed has decided, and may have raised the ids already. */
async function planBefore({ dependencies, given }: RestorationOptions): Promise<Beginning> {
  const { pool } = dependencies.db;
  const last = await readPlan(pool);
  const { until, now } = await lastWritten(pool, LEASE_SECONDS);
  if (last !== undefined && last.finishedAt === null) return { ...last, now };
  const lostFrom = given.since ?? until;
  if (lostFrom === null) {
    throw new RestorationError(
      'No worker has written to this database, so it does not know of when it is: give --since.',
    );
  }
  if (lostFrom > now) throw new RestorationError('--since is in the future.');
  return {
    epoch: (last?.epoch ?? 0) + 1,
    idsBefore: await lastId(pool),
    idsUpTo: null,
    lostFrom: lostFrom.toISOString(),
    now,
  };
}

async function planOf(
  { given }: RestorationOptions,
  { now, ...before }: Beginning,
  highestKnown: number,
): Promise<RestorationPlan> {
  const seconds = (now.getTime() - new Date(before.lostFrom).getTime()) / MS_PER_SECOND;
  const leap = Math.max(IDS_LEAP_MIN, Math.ceil(seconds * IDS_PER_SECOND_MAX));
  const highest = Math.max(before.idsBefore, highestKnown, given.ids ?? 0);
  // Another try decides the same, unless more is known now.
  const isEnough = before.idsUpTo !== null && highest < before.idsUpTo;
  const idsUpTo = isEnough && before.idsUpTo !== null ? before.idsUpTo : highest + leap;
  if (!Number.isSafeInteger(idsUpTo)) throw new RestorationError('--since is too long ago.');
  return { ...before, idsUpTo, finishedAt: null };
}

interface Seen {
  readonly report: Pick<RestorationReport, 'unknownCalls' | 'workflows' | 'files' | 'notAsked'>;
  readonly highestId: number;
  readonly orderNumbers: ReadonlyMap<string, number>;
}

async function look(
  options: RestorationOptions,
  tenants: readonly TenantInfo[],
  { idsBefore, lostFrom }: Beginning,
): Promise<Seen> {
  const { dependencies, engine, storage, gateways, given } = options;
  const known: Known = {
    labels: new Set(tenants.map(({ label }) => label)),
    tenantIds: new Set(tenants.map(({ id }) => id)),
    lastId: idsBefore,
  };
  const since = new Date(new Date(lostFrom).getTime() - CLOCKS_DIFFER_MS_MAX);
  const byEngine = await knownByEngine(engine, since, known);
  const byStorage = await knownByStorage(storage, known);
  const unknownCalls: UnknownCall[] = [];
  const notAsked: string[] = [];
  let highestId = Math.max(byEngine.highestId, byStorage.highestId);
  for (const tenant of tenants) {
    if (given.withoutGateways?.includes(tenant.label) === true) {
      notAsked.push(tenant.label);
      continue;
    }
    try {
      const asked = await knownByGateways(dependencies, gateways, tenant, since);
      unknownCalls.push(...asked.calls);
      highestId = Math.max(highestId, asked.highestId);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      throw new RestorationError(
        `The gateway of ${tenant.label} did not list what it has charged (${error.code}). Nothing was ` +
          `changed. Try again, or give --without-gateway ${tenant.label}: then nobody looks for its ` +
          'charges that no payment has.',
        { cause: error },
      );
    }
  }
  const { orphans: workflows, orderNumbers } = byEngine;
  const report = { unknownCalls, workflows, files: byStorage.orphans, notAsked };
  return { report, highestId, orderNumbers };
}

/** Of all tenants; throws a RestorationError that names the series whose last number nobody told. */
async function allSeries(
  { dependencies, given }: RestorationOptions,
  tenants: readonly TenantInfo[],
  { epoch }: Beginning,
  orderNumbers: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<number, readonly Series[]>> {
  const series = new Map<number, readonly Series[]>();
  for (const tenant of tenants) {
    const own = await inOperation(
      dependencies,
      tenant.id,
      async ({ tx, time }) =>
        seriesOf(await readCounters(tx, epoch), {
          tenant,
          today: time.today,
          highestOrder: orderNumbers.get(tenant.label),
          given,
        }),
      { readOnly: true },
    );
    series.set(tenant.id, own);
  }
  const untold = [...series.values()].flat().filter(({ upTo }) => upTo === null);
  if (untold.length > 0) {
    throw new RestorationError(
      'Nobody knows the last numbers of these series. Nothing was changed. Give each the last one ' +
        'that a document has, or --leap N for all others: they go on N numbers after what is known.\n' +
        untold
          .map(({ name, highest }) => `  --number '${name}=LAST'   at least ${highest}`)
          .join('\n'),
    );
  }
  const names = new Set([...series.values()].flat().map(({ name }) => name));
  const unused = [...given.numbers.keys()].filter((name) => !names.has(name));
  if (unused.length > 0) {
    throw new RestorationError(`There is no such series: ${unused.join(', ')}.`);
  }
  return series;
}

/* What becomes of a tenant. */

interface Decided {
  readonly plan: RestorationPlan;
  readonly series: ReadonlyMap<number, readonly Series[]>;
  readonly calls: readonly UnknownCall[];
}

/** Of events and of entries of the audit log there are never more than ids. */
async function lostOf(
  tx: Tx,
  { epoch, idsBefore, idsUpTo }: RestorationPlan,
  series: readonly Series[],
): Promise<readonly Lost[]> {
  const { event, auditLog } = await lastNumbers(tx, epoch);
  const taken = idsUpTo - idsBefore;
  const plain = { prefix: '', year: 0 };
  const lost: Lost[] = [
    { kind: 'event', ...plain, after: event, upTo: event + taken },
    { kind: 'auditLog', ...plain, after: auditLog, upTo: auditLog + taken },
  ];
  for (const { kind, prefix, year, last, upTo } of series) {
    if (upTo !== null && upTo > last) lost.push({ kind, prefix, year, after: last, upTo });
  }
  return lost;
}

async function numbersOf(
  { dependencies }: RestorationOptions,
  { id, label: tenant }: TenantInfo,
  plan: RestorationPlan,
  series: Decided['series'],
): Promise<LostOfTenant> {
  const lost = await inTenant(dependencies.db, id, (tx) => lostOf(tx, plan, series.get(id) ?? []), {
    readOnly: true,
  });
  return { tenant, lost };
}

function restoreTenant(
  { dependencies, operator }: RestorationOptions,
  { id, label }: TenantInfo,
  { plan, series, calls }: Decided,
): Promise<LostOfTenant> {
  return inOperation(dependencies, id, async (context) => {
    const { tx } = context;
    const { epoch, idsUpTo, lostFrom } = plan;
    const noted = { epoch, firstId: idsUpTo + 1, lostFrom: new Date(lostFrom) };
    const isFirst = await noteRestoration(tx, noted);
    const lost: Lost[] = [];
    for (const each of await lostOf(tx, plan, series.get(id) ?? [])) {
      const all = await loseNumbers(tx, epoch, each);
      lost.push(all);
      if (all.kind === 'auditLog') raiseAuditHead(tx, all);
      else if (all.kind !== 'event') raiseCounter(tx, all);
    }
    const own = calls.filter(({ tenant }) => tenant === label);
    noteCalls(context, own);
    if (isFirst) writeCommand(tx, { operator, command: 'restored', changes: changesOf(lost, own) });
    return { tenant: label, lost };
  });
}

function noteCalls(context: OperationContext, calls: readonly UnknownCall[]): void {
  for (const { gatewayKey, transactionId, customerId, detail } of calls) {
    const foundAt = context.realNow;
    noteUnknownCall(context, { gatewayKey, transactionId, customerId, detail, foundAt });
  }
}

/** `lost.invoice.INV-`: before 1007, the last one that is there, after 1107. */
function changesOf(lost: readonly Lost[], calls: readonly UnknownCall[]) {
  return [
    ...lost.map(({ kind, prefix, year, after, upTo }) => ({
      field: ['lost', kind, prefix, year === 0 ? '' : String(year)].filter(Boolean).join('.'),
      before: String(after),
      after: String(upTo),
    })),
    ...calls.map(({ gatewayKey, transactionId }) => ({
      field: 'unknownCall',
      before: gatewayKey,
      after: transactionId,
    })),
  ];
}

/** All workflows are compared at the next start, and no worker goes on with what it remembers. */
async function finish(db: Database, plan: RestorationPlan, mark: number): Promise<void> {
  const { pool } = db;
  const state = (await readEngineState(pool)) ?? { mark: 0, generation: 0 };
  const generation = state.generation + 1;
  await keepEngineState(pool, { mark: Math.max(mark, state.mark), generation });
  await keepPlan(pool, { ...plan, finishedAt: new Date().toISOString() });
}
