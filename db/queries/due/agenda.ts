/**
 * The agenda: what is due for a tenant, and on which day. Everything happens at 00:00 of its day,
 * so a day identifies the instant. Each kind of due thing that has a day (operations/due/due.ts)
 * is one branch.
 */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { newlyOverdue, withoutDunning, notHeld } from '../ageing/due.ts';
import { paysItself } from '../collection/attempts.ts';
import { debitNoticesDue } from '../collection/debit-notices.ts';
import { noticesDue } from './notices.ts';

/** Branches select (object_id, due_on) of the tenant $1: what is due by the day $2. */
export const agendaBranches = {
  /** Payments of which a gateway has something to say. */
  settlement: `
    select p.id as object_id, p.gateway_news_on as due_on
    from payment p
    where p.tenant_id = $1 and p.gateway_news_on <= $2`,
  /** Pauses that end by themselves. */
  pause: `
    select p.id as object_id, p.until as due_on
    from service_pause p
    where p.tenant_id = $1 and p.until <= $2`,
  /** Versions of plans whose prices running orders take: the next run dates these. */
  prices: `
    select p.id as object_id, p.moves_dated_on as due_on
    from plan p
    where p.tenant_id = $1 and p.moves_dated_on <= $2`,
  /** Activations, renewals, ends and billing of orders, except those of held customers. */
  order: `
    select o.id as object_id, o.next_action_on as due_on
    from subscription_order o
    join customer c on c.tenant_id = o.tenant_id and c.id = o.customer_id
    where o.tenant_id = $1 and o.next_action_on <= $2 and c.billing_held_at is null`,
  autopay: `
    select i.id as object_id, i.autopay_on as due_on
    from invoice i
    where i.tenant_id = $1 and i.autopay_on <= $2 and ${paysItself('i')}`,
  /** Customers that owe something overdue and have no dunning yet. */
  debt: `
    select i.customer_id as object_id, i.due_date + 1 as due_on
    from invoice i
    where i.tenant_id = $1 and ${newlyOverdue('i')} and ${withoutDunning('i')}`,
  /** Customers whose status changes by age. */
  ageing: `
    select d.customer_id as object_id, d.next_step_on as due_on
    from dunning d
    where d.tenant_id = $1 and d.next_step_on <= $2`,
  /** Declined automatic payments that are tried again, unless somebody holds the dunning. */
  retry: `${attemptsDue('retry')} and ${notHeld('a')}`,
  /** Installments of payment plans, and their retries. */
  installment: attemptsDue('installment'),
  /** Date-based commissions of links. */
  commission: `
    select d.order_agent_id as object_id, d.next_due_on as due_on
    from commission_due d
    where d.tenant_id = $1 and d.next_due_on <= $2`,
  /** Ends of trials to announce. */
  trialEnding: noticesDue('trialEnding'),
  /** Renewals to announce. */
  renewalNotice: noticesDue('renewalNotice'),
  /** New prices to announce. */
  priceChange: noticesDue('priceChange'),
  /** Cards whose end is to be announced. */
  cardExpiring: noticesDue('cardExpiring'),
  /** SEPA debits to announce. */
  debitNotice: debitNoticesDue,
} as const;

function attemptsDue(kind: string): string {
  return `
    select a.id as object_id, a.due_on
    from collection_attempt a
    where a.tenant_id = $1 and a.kind = '${kind}' and a.state = 'due' and a.due_on <= $2`;
}

export type AgendaBranch = keyof typeof agendaBranches;

/** The first of each branch, which an index finds without reading all that is due. */
const firsts = Object.entries(agendaBranches)
  .map(
    ([name, branch]) => `(${branch} order by ${name === 'debt' ? 'i.due_date' : 'due_on'} limit 1)`,
  )
  .join(' union all ');

/** The first day, up to `until`, on which something is due; null if nothing is. */
export async function nextOnAgenda(tx: Tx, until: IsoDate): Promise<IsoDate | null> {
  const [row] = await tx.query<{ dueOn: IsoDate }>(
    `select due_on from (${firsts}) as agenda order by due_on limit 1`,
    [tx.tenantId, until],
    'nextOnAgenda',
  );
  return row?.dueOn ?? null;
}

/** Whether anything in a branch is due by that day. */
export async function isOnAgenda(tx: Tx, branch: AgendaBranch, by: IsoDate): Promise<boolean> {
  const [row] = await tx.query<{ due: boolean }>(
    `select exists (${agendaBranches[branch]}) as due`,
    [tx.tenantId, by],
    `is-on-agenda-${branch}`,
  );
  return row?.due ?? false;
}

/** Everything in a branch that is due by that day, by id: for the audit. */
export async function allOnAgenda(tx: Tx, branch: AgendaBranch, by: IsoDate): Promise<number[]> {
  const rows = await tx.query<{ objectId: number }>(
    agendaBranches[branch],
    [tx.tenantId, by],
    `all-on-agenda-${branch}`,
  );
  return rows.map((row) => row.objectId);
}
