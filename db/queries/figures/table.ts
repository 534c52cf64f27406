/**
 * What is waiting, due or held in an installation: one row for each figure, with the statement that
 * reads it for one tenant. The operator's pages, the metrics and their documentation read this table.
 *
 * A statement reads what is open, by an index that has the open rows alone, and ends at a number of
 * rows. So it costs the same whatever a tenant's history is, and no more than that for any backlog.
 */
import { isOpen } from '../tax-records/records.ts';
import { agendaBranches } from '../due/agenda.ts';

export interface FigureRow {
  /** What it counts, as a whole sentence; the help of its metric. */
  readonly help: string;
  /** What its kinds are called; absent if it has none. */
  readonly kinds?: 'kind' | 'state' | 'status' | 'code' | 'trouble';
  /** What its age is counted from, and by which clock; absent if it has no age. */
  readonly age?: { readonly since: string; readonly clock: 'tenant' | 'real' };
  /**
   * Selects (kind, counted, since) of the tenant $1: `kind` is null if there are none, and `since` an
   * instant, or null. `own` has the tenant's timezone, and its `today`.
   */
  readonly statement: string;
}

/** A count ends here, so that a backlog costs a look no more than this. */
export const COUNTED_MAX = 10_000;
/** The orders of a large tenant's day; their index alone is read. */
export const ORDERS_COUNTED_MAX = 100_000;

const today = '(select today from own)';

/** The 00:00 of a day, in the tenant's zone. */
const midnightOf = (day: string): string =>
  `${day}::timestamp at time zone (select timezone from own)`;

/** The rows of an open state, in the order of the index that has them. */
const countedOf = (rows: string): string =>
  `select null::text as kind, count(*) as counted, min(since) as since from (${rows} limit ${COUNTED_MAX}) o`;

const countedByKind = (rows: string): string =>
  `select kind, count(*) as counted, min(since) as since from (${rows} limit ${COUNTED_MAX}) o group by kind`;

/** What a branch of the agenda has for the tenant's day. */
const dueIn = (branch: keyof typeof agendaBranches): string =>
  countedOf(`select ${midnightOf('a.due_on')} as since from (
    ${agendaBranches[branch].replaceAll(/\$2\b/g, today)}) a order by a.due_on`);

const held = `select h.id from customer h where h.tenant_id = $1 and h.billing_held_at is not null`;

export const figureTable = {
  ordersDue: {
    help: `Orders whose day of action has come and that are not billed, renewed or ended yet, without those of held customers. A billing run takes them from 00:00 of the tenant's day on. A count ends at ${ORDERS_COUNTED_MAX}.`,
    age: { since: 'the 00:00 of the first such day', clock: 'tenant' },
    // The index has the days and the customers; the held ones are few.
    statement: `select null::text as kind, count(*) as counted,
        ${midnightOf('min(o.due_on)')} as since
      from (select s.next_action_on as due_on from subscription_order s
            where s.tenant_id = $1 and s.next_action_on <= ${today}
              and s.customer_id not in (${held})
            order by s.next_action_on limit ${ORDERS_COUNTED_MAX}) o`,
  },
  billingRuns: {
    help: 'Billing runs that have begun and not finished: the newest run of each tenant is looked at.',
    age: { since: 'its begin', clock: 'real' },
    statement: `select null::text as kind, count(*) as counted, min(r.started_at) as since
      from (select started_at, finished_at from billing_run where tenant_id = $1
            order by run_on desc limit 1) r
      where r.finished_at is null`,
  },
  heldCustomers: {
    help: 'Customers that are held from billing until a person releases them, by the code of what holds them.',
    kinds: 'code',
    age: { since: 'the first hold', clock: 'tenant' },
    statement: countedByKind(
      `select billing_held_code as kind, billing_held_at as since from customer
       where tenant_id = $1 and billing_held_at is not null`,
    ),
  },
  suspects: {
    help: 'Customers that were being rated when a process died, and that wait to be billed alone.',
    age: { since: 'the first such death', clock: 'real' },
    statement: countedOf(
      `select s.since from billing_suspect s join customer c
         on c.tenant_id = s.tenant_id and c.id = s.customer_id
       where s.tenant_id = $1 and s.blamed_at is null and c.billing_held_at is null`,
    ),
  },
  invoicesToPay: {
    help: 'Invoices whose day of automatic payment has come and that nobody has begun to pay.',
    age: { since: 'the 00:00 of the first such day', clock: 'tenant' },
    statement: dueIn('autopay'),
  },
  retriesDue: {
    help: 'Declined automatic payments whose next try is due and not begun.',
    age: { since: 'the 00:00 of the first such day', clock: 'tenant' },
    statement: dueIn('retry'),
  },
  installmentsDue: {
    help: 'Installments of payment plans, and their next tries, that are due and not begun.',
    age: { since: 'the 00:00 of the first such day', clock: 'tenant' },
    statement: dueIn('installment'),
  },
  paymentsOpen: {
    help: 'Payments and refunds that are not final: Waiting for their turn, Charging at the gateway, Processing there for days, or ActionRequired of their payer.',
    kinds: 'state',
    age: { since: 'the creation of the oldest one', clock: 'tenant' },
    // Each half has its own index.
    statement: countedByKind(
      `select phase as kind, created_at as since from (
         select phase, created_at from payment where tenant_id = $1 and status = 'Pending'
         order by id limit ${COUNTED_MAX}) pending
       union all
       select 'ActionRequired', created_at from (
         select created_at from payment where tenant_id = $1 and status = 'ActionRequired'
         limit ${COUNTED_MAX}) asked`,
    ),
  },
  gatewayFindings: {
    help: 'Differences between a gateway and the books that a person has to close.',
    kinds: 'kind',
    age: { since: 'the first finding', clock: 'tenant' },
    statement: countedByKind(
      `select kind, found_at as since from gateway_finding
       where tenant_id = $1 and closed_at is null`,
    ),
  },
  gatewayEvents: {
    help: 'Events of gateways about which the gateway was not asked yet.',
    age: { since: 'the first one that came', clock: 'tenant' },
    statement: countedOf(
      `select received_at as since from gateway_event where tenant_id = $1 and asked_at is null`,
    ),
  },
  dunnings: {
    help: 'Customers with an open dunning, by their status.',
    kinds: 'status',
    statement: countedByKind(
      `select c.status as kind, null::timestamptz as since
       from (select customer_id from dunning where tenant_id = $1 and closed_on is null
             limit ${COUNTED_MAX}) d
       join customer c on c.tenant_id = $1 and c.id = d.customer_id`,
    ),
  },
  dunningsHeld: {
    help: 'Open dunnings that a person holds.',
    age: { since: 'the 00:00 of the first such day', clock: 'tenant' },
    statement: countedOf(
      `select ${midnightOf('held_on')} as since from dunning
       where tenant_id = $1 and held_on is not null and closed_on is null`,
    ),
  },
  outbox: {
    help: 'Nudges of workflows that were due and not delivered. One that Temporal refuses waits up to five minutes between its tries, and counts meanwhile.',
    age: { since: 'the write of the oldest one', clock: 'real' },
    statement: countedOf(
      `select waiting_since as since from outbox
       where tenant_id = $1 and (deliver_after <= now() or attempts > 0) order by deliver_after`,
    ),
  },
  eventsUnnumbered: {
    help: 'Committed events that the sequencer has not numbered.',
    age: { since: 'the oldest one', clock: 'real' },
    statement: countedOf(
      `select created_at as since from event where tenant_id = $1 and sequence is null order by id`,
    ),
  },
  callbacksWaiting: {
    help: 'Callbacks that an endpoint is owed and does not have, those included that were raised after it had begun to fail.',
    age: { since: 'the oldest one', clock: 'real' },
    statement: countedOf(
      `select e.created_at as since from (
         select event_id from callback_delivery where tenant_id = $1 and state = 'Waiting'
         limit ${COUNTED_MAX}) d
       join event e on e.tenant_id = $1 and e.id = d.event_id
       union all
       select v.created_at from callback_endpoint p cross join lateral (
         select id, type, created_at from event where tenant_id = $1 and sequence > p.cursor
         order by sequence limit ${COUNTED_MAX}) v
       join callback_subscription s on s.tenant_id = $1 and s.endpoint_id = p.id
         and s.event_type = v.type and v.id > s.after_event_id
         and (s.until_event_id is null or v.id < s.until_event_id)
       where p.tenant_id = $1 and p.is_on and p.failing_since is not null
         and not exists (select from callback_delivery d where d.tenant_id = $1
           and d.event_id = v.id and d.endpoint_id = p.id)`,
    ),
  },
  callbackEndpointsFailing: {
    help: 'Endpoints of callbacks that have taken nothing since their last failure.',
    age: { since: 'their first failure', clock: 'real' },
    statement: countedOf(
      `select failing_since as since from callback_endpoint
       where tenant_id = $1 and is_on and failing_since is not null`,
    ),
  },
  mailsWaiting: {
    help: 'Mails that are queued or being sent.',
    kinds: 'state',
    age: { since: 'the oldest one', clock: 'real' },
    statement: countedByKind(
      `select 'queued' as kind, created_at as since from (
         select created_at from mail where tenant_id = $1 and state = 'queued'
         order by next_attempt_at limit ${COUNTED_MAX}) queued
       union all
       select 'sending', created_at from (
         select created_at from mail where tenant_id = $1 and state = 'sending'
         limit ${COUNTED_MAX}) sending`,
    ),
  },
  taxRecordsWaiting: {
    help: 'Invoices and returns that the tax provider has yet to record or to void.',
    kinds: 'state',
    age: { since: 'the oldest one', clock: 'real' },
    statement: countedByKind(
      `select state as kind, opened_at as since from tax_record
       where tenant_id = $1 and ${isOpen} order by next_attempt_at`,
    ),
  },
  taxRecordsTroubled: {
    help: 'Tax records that the provider refuses, or about which it is silent.',
    kinds: 'trouble',
    age: { since: 'the first failure', clock: 'real' },
    statement: countedByKind(
      `select trouble as kind, failing_since as since from tax_record
       where tenant_id = $1 and trouble is not null`,
    ),
  },
  batchesOpen: {
    help: 'Jobs of imports, reports and carried books that are queued or under way.',
    kinds: 'kind',
    age: { since: 'the first job that was queued', clock: 'tenant' },
    statement: countedByKind(
      `select kind, coalesce(finalized_at, created_at) as since from batch
       where tenant_id = $1 and status = 'Queued'`,
    ),
  },
  passwordsWaiting: {
    help: 'Imported passwords that are not hashed yet.',
    statement: countedOf(
      `select null::timestamptz as since from password_to_hash where tenant_id = $1`,
    ),
  },
} as const satisfies Readonly<Record<string, FigureRow>>;

export type FigureName = keyof typeof figureTable;

export const figureNames = Object.keys(figureTable) as readonly FigureName[];
