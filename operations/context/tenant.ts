/** The fields of a tenant that operations need, and the statement that reads them. */
import type { AutopayOn } from '../../domain/invoices/transitions.ts';
import type { EventType } from '../../domain/events/events.ts';
import { retentionOf, type Retention } from '../../domain/events/retention.ts';
import type { Terms } from '../../domain/calendar/terms.ts';
import { defaultRetryDays, type RetryDays } from '../../domain/payments/attempts.ts';
import {
  taxedAddress,
  type TaxedAddress,
  type WrittenAddress,
} from '../../domain/tax/documents.ts';
import { rateOf, type GivenRate, type TaxRate } from '../../domain/tax/rates.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { GatewayName } from '../../providers/gateway/gateway.ts';

/** The fields of a tenant that operations need; applying its file may change them at any time. */
export interface TenantInfo {
  readonly id: number;
  readonly label: string;
  readonly name: string;
  readonly timezone: string;
  readonly currency: string;
  readonly paymentTerms: Terms;
  readonly hasTestClock: boolean;
  readonly settings: TenantSettings;
  /** The gateway of new payment methods. */
  readonly gateway: GatewayName;
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
  /** Whether cancelling an order credits what was prepaid for the days from tomorrow. */
  readonly creditUnusedOnCancel: boolean;
  /** The days on which a declined automatic payment is tried again. */
  readonly retryDays: RetryDays;
  /** Usage is billed so many days after the end of its period. */
  readonly usageGraceDays: number;
}

export async function readTenant(tx: Tx): Promise<TenantInfo> {
  const [row] = await tx.query<{
    label: string;
    name: string;
    timezone: string;
    currency: string;
    value: number;
    units: Terms['units'];
    hasTestClock: boolean;
    window: string | null;
    grace: string | null;
    attempts: TenantSettings['crossTenantAttempts'] | null;
    autopayOn: TenantSettings['autopayOn'] | null;
    creditUnused: string | null;
    retryDays: readonly number[] | null;
    retryDaysOfMonth: readonly number[] | null;
    gateway: GatewayName | null;
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
    timezone: row.timezone,
    currency: row.currency,
    paymentTerms: { value: row.value, units: row.units },
    hasTestClock: row.hasTestClock,
    settings: {
      billingWindowSeconds: Number(row.window ?? 0),
      crossTenantAttempts: row.attempts ?? { max: 10, withinMinutes: 60 },
      autopayOn: row.autopayOn ?? 'invoiceDate',
      creditUnusedOnCancel: row.creditUnused === 'true',
      retryDays: retryDaysOf(row),
      usageGraceDays: Number(row.grace ?? 0),
    },
    gateway: row.gateway ?? 'sandbox',
    retention: retentionOf(row.retention ?? {}),
    subscribedEvents: row.subscribed ?? [],
    taxRates: (row.taxRates ?? []).map(rateOf),
    taxProvider: row.shipFrom === null ? null : { shipFrom: taxedAddress(row.shipFrom) },
    confirmsFree: row.confirmsFree,
    validatesAddresses: row.validatesAddresses ?? false,
  };
}

const statement = `select label, name, timezone, currency, payment_terms_value as value,
  payment_terms_units as units, has_test_clock,
  file->'settings'->>'billingWindowSeconds' as window,
  file->'settings'->>'usageGraceDays' as grace,
  file->'settings'->'crossTenantAttempts' as attempts,
  file->'settings'->>'autopayOn' as autopay_on,
  file->'settings'->>'creditUnusedOnCancel' as credit_unused,
  file->'dunning'->'retryDays' as retry_days,
  file->'dunning'->'retryDaysOfMonth' as retry_days_of_month,
  file->'gateway'->>'type' as gateway, file->'retention' as retention,
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

function retryDaysOf(row: {
  readonly retryDays: readonly number[] | null;
  readonly retryDaysOfMonth: readonly number[] | null;
}): RetryDays {
  if (row.retryDaysOfMonth !== null) return { daysOfMonth: row.retryDaysOfMonth };
  return row.retryDays === null ? defaultRetryDays : { days: row.retryDays };
}
