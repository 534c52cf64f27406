/** Reads what the workflow of a dunning shows, by keys of the customer only. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Decimal } from '../../../domain/money/money.ts';
import type { Tx } from '../../connection/tenancy.ts';
import type { Customer } from '../../entities/customers.ts';
import type { Dunning } from '../../entities/collection.ts';
import type { RowOf } from '../../entities/rows.ts';

export interface WokenDunning
  extends
    RowOf<typeof Customer, 'id' | 'status'>,
    RowOf<typeof Dunning, 'heldReason' | 'forgivenOn' | 'nextStepOn'> {
  readonly customerRef: string | null;
  readonly isByHand: boolean;
  readonly isOpen: boolean;
  readonly isHeld: boolean;
  /** The run has found its step due, and left it to wait for a payment. */
  readonly waits: boolean;
  readonly oldestDueOn: IsoDate | null;
  /** What is overdue on that day, by currency. */
  readonly owed: readonly Owed[];
  /** The first retries to come, unless somebody holds the dunning. */
  readonly retry: NextRetry | null;
  /** The payments of retries under way. */
  readonly trying: readonly number[];
  /** How many retries have been concluded so far. */
  readonly retried: number;
  /** The newest of them beyond those seen, the oldest first. */
  readonly tried: readonly Tried[];
  /** The newest transitions and notes beyond the last one seen, the oldest first. */
  readonly happened: readonly Happened[];
}

/** The retries of one day. */
export interface NextRetry {
  readonly on: IsoDate;
  readonly count: number;
  /** The number of the first invoice, and how many times it is retried then. */
  readonly invoice: string;
  readonly attempt: number;
}

export interface Tried {
  readonly on: IsoDate;
  readonly invoice: string;
  readonly attempt: number;
  readonly outcome: string;
  readonly paymentId: number | null;
}

export interface Owed {
  readonly currency: string;
  readonly amount: Decimal;
  readonly since: IsoDate;
}

export interface Happened {
  readonly id: number;
  readonly on: IsoDate;
  readonly text: string;
}

const SHOWN_MAX = 3;

/** The customer's retries in these states, with their invoices. */
const retriesOf = (...states: readonly string[]): string => `collection_attempt a
  join invoice i on i.tenant_id = a.tenant_id and i.id = a.invoice_id
  where a.tenant_id = c.tenant_id and a.customer_id = c.id
    and a.kind = 'retry' and a.state in (${states.map((state) => `'${state}'`).join(', ')})`;

export interface WakeChoice {
  readonly customerId: number;
  readonly today: IsoDate;
  /** The newest transition or note that an earlier wake saw. */
  readonly seen: number;
  /** The retries that earlier wakes saw concluded. */
  readonly seenRetries: number;
}

export async function readWokenDunning(
  tx: Tx,
  { customerId, today, seen, seenRetries }: WakeChoice,
): Promise<WokenDunning | undefined> {
  const [row] = await tx.query<WokenDunning & Record<string, unknown>>(
    `select c.id, c.ext_customer_ref as customer_ref, c.status, c.status_by_hand as is_by_hand,
            d.closed_on is null as is_open, d.held_on is not null as is_held, d.held_reason,
            d.forgiven_on, d.next_step_on, d.waits_since is not null as waits,
            (select min(i.due_date) from invoice i where i.tenant_id = c.tenant_id
               and i.customer_id = c.id and i.status = 'Outstanding') as oldest_due_on,
            (select coalesce(json_agg(o order by o.currency), '[]') from (
               select i.currency, sum(i.outstanding_balance)::text as amount,
                      min(i.due_date)::text as since
               from invoice i where i.tenant_id = c.tenant_id and i.customer_id = c.id
                 and i.status = 'Outstanding' and i.due_date < $3
               group by i.currency) o) as owed,
            (select row_to_json(r) from (
               select a.due_on as "on", count(*)::int as count,
                      (array_agg(i.invoice_number order by i.id))[1] as invoice,
                      min(a.attempt) as attempt
               from ${retriesOf('due')} and d.held_on is null
               group by a.due_on order by a.due_on limit 1) r) as retry,
            (select coalesce(json_agg(a.payment_id order by a.payment_id), '[]')
             from ${retriesOf('claimed')}) as trying,
            (select count(*)::int from ${retriesOf('done', 'ended')}) as retried,
            (select coalesce(json_agg(h order by h.concluded_at, h.id), '[]') from (
               select a.id, a.updated_at as concluded_at, a.concluded_on as "on",
                      i.invoice_number as invoice, a.attempt, a.outcome,
                      a.payment_id as "paymentId"
               from ${retriesOf('done', 'ended')}
               order by a.updated_at desc, a.id desc
               limit least(${SHOWN_MAX}, greatest(0, (select count(*) - $5::int
                 from ${retriesOf('done', 'ended')})))) h) as tried,
            (select coalesce(json_agg(h order by h.id), '[]') from (
               select id, "on", text from (
                 select t.id, t.transitioned_on as "on",
                        t.previous_status || ' to ' || t.new_status
                        || case t.cause when 'hand' then ' by hand' else '' end as text
                 from customer_transition t
                 where t.tenant_id = c.tenant_id and t.customer_id = c.id and t.id > $4
                 union all
                 select n.id, n.noted_on, n.action || ': ' || n.reason
                 from dunning_note n
                 where n.tenant_id = c.tenant_id and n.customer_id = c.id and n.id > $4) each
               order by id desc limit ${SHOWN_MAX}) h) as happened
     from customer c
     join dunning d on d.tenant_id = c.tenant_id and d.customer_id = c.id
     where c.tenant_id = $1 and c.id = $2`,
    [tx.tenantId, customerId, today, seen, seenRetries],
    'read-woken-dunning',
  );
  return row;
}
