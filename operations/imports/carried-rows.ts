/** What a BatchInit does to the books of some customers, with a few statements for all of them. */
import type { Tx } from '../../db/connection/tenancy.ts';
import { endRetriesOfCarried } from '../../db/queries/collection/attempts.ts';
import { reviewDebts } from '../ageing/dunning.ts';
import { setAsideOf } from '../allocation/allocate.ts';
import type { OperationContext } from '../context/context.ts';

export const carriedKinds = ['carriedInvoices', 'carriedCredits', 'carriedDebits'] as const;
export type CarriedKind = (typeof carriedKinds)[number];

export type CarriedCounts = Readonly<Record<CarriedKind, number>>;

interface Taking {
  readonly id: number;
  readonly kinds: readonly CarriedKind[];
  /** Only what is older is taken. */
  readonly takesBelow: number;
  readonly isZeroing: boolean;
}

/** What is taken of each kind: the table, the condition over `o`, and its open amount. */
const taken = {
  carriedInvoices: {
    table: 'invoice',
    open: 'outstanding_balance',
    condition: `o.status <> 'CarriedOver'`,
    // Nothing pays it by itself any more.
    ends: ', autopay_on = null',
  },
  carriedCredits: {
    table: 'payment',
    open: 'balance',
    condition: `o.payment_type = 'Credit' and o.balance > 0`,
    ends: '',
  },
  carriedDebits: {
    table: 'payment',
    open: 'balance',
    condition: `o.payment_type = 'Credit' and o.balance < 0`,
    ends: '',
  },
} as const satisfies Readonly<Record<CarriedKind, object>>;

/**
 * Carries the books of the customers over, and returns how much of each kind. What they owed that
 * was overdue is no longer, so they are Active at once. This transaction must have locked them.
 */
export async function carryCustomers(
  context: OperationContext,
  job: Taking,
  customerIds: readonly number[],
): Promise<CarriedCounts> {
  const { tx, time } = context;
  const counts = await countsOf(job, (kind) => {
    const { table, open, condition, ends } = taken[kind];
    return tx.query<{ count: number }>(
      `with carried as (
         update ${table} o set status = 'CarriedOver', carried_over_from = o.status,
           carried_open = o.${open}, ${open} = 0, version = o.version + 1, updated_at = $4${ends}
         where o.tenant_id = $1 and o.customer_id = any($2) and o.id < $3 and ${condition}
         returning o.id)
       select count(*)::int as count from carried`,
      [tx.tenantId, customerIds, job.takesBelow, time.now],
      `carry-${kind}`,
    );
  });
  if (job.kinds.includes('carriedInvoices')) endRetriesOfCarried(tx, customerIds, time);
  if (job.isZeroing) zeroOut(context, job, customerIds);
  await reviewDebts(context, customerIds);
  return counts;
}

/** How much of each kind the customer has that the job would take. */
export function countCarriable(tx: Tx, job: Taking, customerId: number): Promise<CarriedCounts> {
  return countsOf(job, (kind) => {
    const { table, condition } = taken[kind];
    return tx.query<{ count: number }>(
      `select count(*)::int as count from ${table} o
       where o.tenant_id = $1 and o.customer_id = $2 and o.id < $3 and ${condition}`,
      [tx.tenantId, customerId, job.takesBelow],
      `count-${kind}`,
    );
  });
}

async function countsOf(
  { kinds }: Taking,
  count: (kind: CarriedKind) => Promise<readonly { readonly count: number }[]>,
): Promise<CarriedCounts> {
  const counts = { carriedInvoices: 0, carriedCredits: 0, carriedDebits: 0 };
  await Promise.all(
    kinds.map(async (kind) => {
      const [row] = await count(kind);
      counts[kind] = row?.count ?? 0;
    }),
  );
  return counts;
}

/**
 * Closes the unapplied payments, and brings each balance to what is still open: nothing, unless the
 * customer has something that was made since the job began, or money that a refund under way has
 * reserved, which goes back or stays unapplied as if the job had come before.
 */
function zeroOut(
  { tx, time }: OperationContext,
  job: Taking,
  customerIds: readonly number[],
): void {
  tx.send(
    `update payment p set balance = p.balance - c.closed,
       carried_open = coalesce(p.carried_open, 0) + c.closed, version = p.version + 1,
       updated_at = $4
     from (
       select p.id, p.balance - ${setAsideOf('p')} as closed from payment p
       where p.tenant_id = $1 and p.customer_id = any($2) and p.id < $3
         and p.payment_type = 'Payment' and p.balance > 0) c
     where p.tenant_id = $1 and p.id = c.id and c.closed > 0`,
    [tx.tenantId, customerIds, job.takesBelow, time.now],
    'close-unapplied',
  );
  tx.send(
    `with remaining as (
       select customer_id, currency, sum(open) as open from (
         select customer_id, currency, outstanding_balance as open from invoice
         where tenant_id = $1 and customer_id = any($2) and status = 'Outstanding'
         union all
         select customer_id, currency, -balance from payment
         where tenant_id = $1 and customer_id = any($2) and balance <> 0) each
       group by 1, 2),
     zeroed as (
       update customer_balance b set balance = z.after
       from (
         select b.customer_id, b.currency, b.balance as before, coalesce(r.open, 0) as after
         from customer_balance b
         left join remaining r on r.customer_id = b.customer_id and r.currency = b.currency
         where b.tenant_id = $1 and b.customer_id = any($2)) z
       where b.tenant_id = $1 and b.customer_id = z.customer_id and b.currency = z.currency
         and z.before <> z.after
       returning b.customer_id, b.currency, z.after - z.before as amount)
     insert into ledger_entry
       (tenant_id, customer_id, currency, kind, amount, batch_id, entered_on, entered_at)
     select $1, customer_id, currency, 'zeroOut', amount, $3, $4, $5 from zeroed
     order by customer_id, currency`,
    [tx.tenantId, customerIds, job.id, time.today, time.now],
    'zero-out',
  );
}
