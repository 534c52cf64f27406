/** The arguments of every operation: the database, the tenant, and the time. */
import type { EventType } from '../../domain/events/events.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { dateIn } from '../../domain/calendar/zone.ts';
import type { Database } from '../../db/connection/database.ts';
import { type Tx, type TxOptions, inTenant } from '../../db/connection/tenancy.ts';
import { emptyAgain } from '../../db/queries/customers/personal.ts';
import type { Nudge } from './nudge.ts';
import type { TaxProvider } from '../../providers/tax/tax-provider.ts';
import { remembered } from './timed-cache.ts';
import type { TellWork, WorkLine } from './work-log.ts';
import {
  type Numbering,
  type WrittenSeries,
  numberingOf,
} from '../../domain/invoices/number-series.ts';
import type { AutopayOn } from '../../domain/invoices/transitions.ts';
import { type Retention, retentionOf } from '../../domain/events/retention.ts';
import type { Terms } from '../../domain/calendar/terms.ts';
import { type RetryDays, defaultRetryDays } from '../../domain/payments/attempts.ts';
import {
  type TaxedAddress,
  type WrittenAddress,
  taxedAddress,
} from '../../domain/tax/documents.ts';
import { type GivenRate, type TaxRate, rateOf } from '../../domain/tax/rates.ts';
import {
  type GatewaySettings,
  type GivenGatewaySettings,
  gatewaySettingsOf,
} from '../../domain/payments/gateway-settings.ts';
import type { GatewayName } from '../../providers/gateway/gateway.ts';

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
    `test-clock-${lock}`,
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
      await emptyErased(tx);
      await keepDocuments(dependencies, context);
      return made;
    },
    options,
  );
  for (const line of lines) dependencies.onWork?.(line);
  return result;
}

/** A gateway's words about the money of an erased customer do not stay. */
async function emptyErased(tx: Tx): Promise<void> {
  const { erased } = tx.audited;
  if (erased.size === 0) return;
  await tx.flush();
  emptyAgain(tx, erased);
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

/* The fields of a tenant that operations need, and the statement that reads them. */

/** The fields of a tenant that operations need; applying its file may change them at any time. */
export interface TenantInfo {
  readonly id: number;
  readonly label: string;
  readonly name: string;
  /** Another one with each file that is applied; null: it has no logo that pages can show. */
  readonly logoVersion: string | null;
  readonly timezone: string;
  readonly currency: string;
  readonly paymentTerms: Terms;
  readonly hasTestClock: boolean;
  readonly settings: TenantSettings;
  /** The series of the numbers of its documents. */
  readonly numbering: Numbering;
  /** The gateway of new payment methods. */
  readonly gateway: GatewayName;
  /** What its file says of that gateway. */
  readonly gatewaySettings: GatewaySettings;
  /** How long rows of what is over are kept. */
  readonly retention: Retention;
  /** The types of events that an endpoint subscribes to: their documents are kept. */
  readonly subscribedEvents: readonly EventType[];
  /** The rates of its table, with their defaults; none if its taxes are of another type. */
  readonly taxRates: readonly TaxRate[];
  /** The provider that taxes its invoices; null if there is none. */
  readonly taxProvider: TaxProviderOf | null;
  /** Which sign-ups that charge nothing are confirmed by mail; null: it cannot mail. */
  readonly confirmsFree: ConfirmsFree | null;
  /** Whether the addresses that calls send are validated, by its provider or the table's rules. */
  readonly validatesAddresses: boolean;
}

/** `unlessCard`: not those with a card that was validated. */
export type ConfirmsFree = 'always' | 'unlessCard';

/** What of a tenant every question to its tax provider says. */
export interface TaxProviderOf {
  /** The tenant's address. */
  readonly shipFrom: TaxedAddress;
}

/** The part of the tenant's file that operations read. */
export interface TenantSettings {
  /** The time over which wakes of order workflows after a run are spread; 0 by default. */
  readonly billingWindowSeconds: number;
  /** How many cross-tenant attempts, in how many minutes, suspend a user. */
  readonly crossTenantAttempts: { readonly max: number; readonly withinMinutes: number };
  /** The day on which autopay pays an invoice with isAutoPay. */
  readonly autopayOn: AutopayOn;
  /** Whether each cancellation of an invoice has a number and a document. */
  readonly numbersCancellations: boolean;
  /** Whether cancelling an order credits what was prepaid for the days from tomorrow. */
  readonly creditUnusedOnCancel: boolean;
  /** The days on which a declined automatic payment is tried again. */
  readonly retryDays: RetryDays;
  /** Whether invoices that are made by hand are taxed, where the call does not say. */
  readonly taxesOneOffInvoices: boolean;
  /** Usage is billed so many days after the end of its period. */
  readonly usageGraceDays: number;
}

export async function readTenant(tx: Tx): Promise<TenantInfo> {
  const [row] = await tx.query<{
    label: string;
    name: string;
    logoVersion: string | null;
    timezone: string;
    currency: string;
    value: number;
    units: Terms['units'];
    hasTestClock: boolean;
    numbering: Readonly<Record<string, WrittenSeries>> | null;
    window: string | null;
    grace: string | null;
    attempts: TenantSettings['crossTenantAttempts'] | null;
    autopayOn: TenantSettings['autopayOn'] | null;
    cancellation: string | null;
    creditUnused: string | null;
    taxesOneOff: string | null;
    retryDays: readonly number[] | null;
    retryDaysOfMonth: readonly number[] | null;
    gateway: GatewayName | null;
    gatewaySettings: GivenGatewaySettings | null;
    mailsActions: boolean | null;
    retention: Partial<Retention> | null;
    subscribed: readonly EventType[] | null;
    taxRates: readonly GivenRate[] | null;
    validatesAddresses: boolean | null;
    shipFrom: Partial<WrittenAddress> | null;
    confirmsFree: ConfirmsFree | null;
  }>(statement, [tx.tenantId], 'read-tenant');
  if (!row) throw new Error(`no tenant ${tx.tenantId}`);
  return {
    id: tx.tenantId,
    label: row.label,
    name: row.name,
    logoVersion: row.logoVersion,
    timezone: row.timezone,
    currency: row.currency,
    paymentTerms: { value: row.value, units: row.units },
    hasTestClock: row.hasTestClock,
    settings: {
      billingWindowSeconds: Number(row.window ?? 0),
      crossTenantAttempts: row.attempts ?? { max: 10, withinMinutes: 60 },
      autopayOn: row.autopayOn ?? 'invoiceDate',
      numbersCancellations: row.cancellation === 'document',
      creditUnusedOnCancel: row.creditUnused === 'true',
      taxesOneOffInvoices: row.taxesOneOff === 'true',
      retryDays: retryDaysOf(row),
      usageGraceDays: Number(row.grace ?? 0),
    },
    numbering: numberingOf(row.numbering ?? {}),
    gateway: row.gateway ?? 'sandbox',
    gatewaySettings: gatewaySettingsOf(row.gatewaySettings ?? {}, {
      tellsPayers: row.mailsActions === true || tellsOfActions(row.subscribed ?? []),
    }),
    retention: retentionOf(row.retention ?? {}),
    subscribedEvents: row.subscribed ?? [],
    taxRates: (row.taxRates ?? []).map(rateOf),
    taxProvider: row.shipFrom === null ? null : { shipFrom: taxedAddress(row.shipFrom) },
    confirmsFree: row.confirmsFree,
    validatesAddresses: row.validatesAddresses ?? false,
  };
}

const statement = `select label, name,
  case when file->>'logo' like 'data:%'
    then trunc(1000 * extract(epoch from updated_at))::text end as logo_version, timezone, currency, payment_terms_value as value,
  payment_terms_units as units, has_test_clock,
  file->'numbering' as numbering,
  file->'settings'->>'billingWindowSeconds' as window,
  file->'settings'->>'usageGraceDays' as grace,
  file->'settings'->'crossTenantAttempts' as attempts,
  file->'settings'->>'autopayOn' as autopay_on,
  file->'documents'->>'cancellation' as cancellation,
  file->'settings'->>'creditUnusedOnCancel' as credit_unused,
  file->'tax'->>'oneOffInvoices' as taxes_one_off,
  file->'dunning'->'retryDays' as retry_days,
  file->'dunning'->'retryDaysOfMonth' as retry_days_of_month,
  file->'gateway'->>'type' as gateway,
  (file->'gateway') - 'secretKey' - 'webhookSecret' as gateway_settings,
  file->'notifications'->'enabled' ? 'paymentAction' as mails_actions,
  file->'retention' as retention,
  (select array_agg(distinct type)
   from callback_endpoint e, unnest(e.events) type
   where e.tenant_id = tenant.id and e.is_on) as subscribed,
  case when file->'tax'->>'type' = 'table' then file->'tax'->'rates' end as tax_rates,
  file->'tax'->>'type' <> 'none'
    and (file->'tax'->>'validateAddresses')::boolean as validates_addresses,
  case when file->'notifications'->>'from' is not null
    then coalesce(file->'hostedPages'->>'confirmFree', 'always') end as confirms_free,
  case when file->'tax'->>'type' = 'avatax'
    then coalesce(file->'address', '{}') end as ship_from
  from tenant where id = $1`;

function tellsOfActions(subscribed: readonly string[]): boolean {
  return subscribed.includes('payment.actionRequired');
}

function retryDaysOf(row: {
  readonly retryDays: readonly number[] | null;
  readonly retryDaysOfMonth: readonly number[] | null;
}): RetryDays {
  if (row.retryDaysOfMonth !== null) return { daysOfMonth: row.retryDaysOfMonth };
  return row.retryDays === null ? defaultRetryDays : { days: row.retryDays };
}
