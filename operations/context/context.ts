/** The arguments of every operation: the database, the tenant, and the time. */
import type { EventType } from '../../domain/events/events.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { dateIn } from '../../domain/calendar/zone.ts';
import type { Database } from '../../db/connection/database.ts';
import { type Tx, type TxOptions, inTenant } from '../../db/connection/tenancy.ts';
import type { Nudge } from './nudge.ts';
import type { TaxProvider } from '../../providers/tax/tax-provider.ts';
import { readTenant, type TenantInfo } from './tenant.ts';
import { remembered } from './remembered.ts';
import type { TellWork, WorkLine } from './work-log.ts';

export type { TenantInfo, TenantSettings } from './tenant.ts';

export interface Dependencies {
  readonly db: Database;
  /** Real time, in milliseconds since 1970. */
  readonly realNow: () => number;
  /** Receives errors that only a bug can cause; the operation continues without their object. */
  readonly onBug?: (error: Error) => void;
  /** Receives messages that need a person's attention; they are also stored for the audit. */
  readonly onAlert?: (text: string) => void;
  /** Receives a line for the log about each piece of work. */
  readonly onWork?: TellWork;
  /**
   * Keeps the documents of the raised events before the commit. Reads objects of subjects that come
   * after the context, so the entry points provide it.
   */
  readonly keepDocuments?: KeepDocuments;
  /** Opens the tax providers of tenants; the entry points provide it. */
  readonly taxProviderOf?: TaxProviderOfTenant;
}

/** Null for a tenant whose taxes are not of a provider. Throws TaxProviderError if it cannot be opened. */
export type TaxProviderOfTenant = (tenantId: number) => Promise<TaxProvider | null>;

export type KeepDocuments = (
  dependencies: Dependencies,
  context: OperationContext,
) => Promise<void>;

/** The tenant's present time; a tenant with a test clock lives on that clock. */
export interface TenantTime {
  readonly now: Date;
  readonly today: IsoDate;
}

/** The tenant's settings, as its newest file has them. Throws if there is no such tenant. */
export const tenantInfo = remembered(({ db }, tenantId) =>
  inTenant(db, tenantId, readTenant, { readOnly: true, single: true }),
);

/** The id of the tenant with a label, the first of its host name; null if there is none. */
export async function tenantIdOf(db: Database, label: string): Promise<number | null> {
  return (await tenantIdsOf(db, [label])).get(label) ?? null;
}

/** The same for many labels: the ids of those that have a tenant. */
export async function tenantIdsOf(
  db: Database,
  labels: readonly string[],
  lane?: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.ask<{ label: string; id: string | null }>(
    {
      name: 'tenants-by-host',
      text: 'select label, tenant_by_host(label) as id from unnest($1::text[]) label',
      values: [labels],
    },
    lane,
  );
  return new Map(rows.flatMap(({ label, id }) => (id === null ? [] : [[label, Number(id)]])));
}

/**
 * The tenant's present time, constant until this transaction ends: a writer locks the clock row
 * shared, so the clock does not move meanwhile. It is the first lock of every writing transaction.
 */
export async function tenantTimeOf(
  dependencies: Dependencies,
  tenant: TenantInfo,
  tx: Tx,
  lock: 'share' | 'none' = 'share',
): Promise<TenantTime> {
  if (!tenant.hasTestClock) return tenantTimeAt(tenant, new Date(dependencies.realNow()));
  const [clock] = await tx.query<{ now: Date }>(
    `select now from test_clock where tenant_id = $1 ${lock === 'share' ? 'for share' : ''}`,
    [tx.tenantId],
  );
  if (!clock) throw new Error(`tenant ${tenant.label} has lost its test clock`);
  return tenantTimeAt(tenant, clock.now);
}

/** One writing transaction of a tenant, with the arguments of every operation. */
export interface OperationContext {
  readonly tenant: TenantInfo;
  readonly db: Database;
  readonly tx: Tx;
  readonly time: TenantTime;
  /** In real time, also on a test clock: links, their limits, what they wait for. */
  readonly realNow: Date;
  /** The last read, which may be sent with the commit. */
  readonly finalQuery: Pick<Tx, 'query'>;
  /** The enqueued nudges, which this process delivers right after the commit. */
  readonly nudges: Nudge[];
  /** Lines for the log, which are written after the commit. */
  readonly lines: WorkLine[];
  /** The raised events whose documents may have to be kept. */
  readonly raised: Promise<readonly RaisedRow[]>[];
}

export interface RaisedRow {
  readonly id: number;
  readonly type: EventType;
  readonly objectId: number;
}

/** Runs `operation` in a transaction of the tenant with a constant time. */
export async function inOperation<Result>(
  dependencies: Dependencies,
  tenantId: number,
  operation: (context: OperationContext) => Promise<Result>,
  options: TxOptions = {},
): Promise<Result> {
  const tenant = await tenantInfo(dependencies, tenantId);
  let lines: readonly WorkLine[] = [];
  const result = await inTenant(
    dependencies.db,
    tenantId,
    async (tx) => {
      const context = await operationContextOf(dependencies, tenant, tx);
      ({ lines } = context);
      const made = await operation(context);
      await keepDocuments(dependencies, context);
      return made;
    },
    options,
  );
  for (const line of lines) dependencies.onWork?.(line);
  return result;
}

/** @param clock 'none' for an operation that locks the clock itself */
export async function operationContextOf(
  dependencies: Dependencies,
  tenant: TenantInfo,
  tx: Tx,
  clock: 'share' | 'none' = 'share',
): Promise<OperationContext> {
  const time = await tenantTimeOf(dependencies, tenant, tx, clock);
  const realNow = new Date(dependencies.realNow());
  const its = { tenant, db: dependencies.db, tx, time, realNow, finalQuery: tx };
  return { ...its, nudges: [], lines: [], raised: [] };
}

/** The last step of a transaction, whose last statement it may not be. */
export async function keepDocuments(
  dependencies: Dependencies,
  context: OperationContext,
): Promise<void> {
  if (context.raised.length > 0) await dependencies.keepDocuments?.(dependencies, context);
}

export function tenantTimeAt(tenant: TenantInfo, now: Date): TenantTime {
  return { now, today: dateIn(tenant.timezone, now.getTime()) };
}
