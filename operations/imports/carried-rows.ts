/** What a BatchInit does to the books of some customers, with a few statements for all of them. */
import assert from 'node:assert';
import type { Tx } from '../../db/connection/tenancy.ts';
import {
  carriableCredit,
  carryCredits,
  closeUnapplied,
  insertCarryOvers,
  type CarriedFrom,
} from '../../db/queries/payments/carry-over.ts';
import { carryOut } from '../collection/carry-out.ts';
import type { CarriedInvoice } from '../collection/invoice-consequences.ts';
import { changeChosen } from '../collection/made-invoices.ts';
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

/** The table of each kind, and what of it is taken. */
const carriable = {
  carriedInvoices: { table: 'invoice', condition: `o.status <> 'CarriedOver'` },
  carriedCredits: { table: 'payment', condition: carriableCredit.carriedCredits },
  carriedDebits: { table: 'payment', condition: carriableCredit.carriedDebits },
} as const;

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
  const from = { batchId: job.id, customerIds, takesBelow: job.takesBelow };
  const hasInvoices = job.kinds.includes('carriedInvoices');
  const invoices = hasInvoices ? await carryInvoices(context, from) : [];
  const counts = await countsOf(job, async (kind) =>
    kind === 'carriedInvoices' ? invoices.length : carryCredits(tx, kind, from, time),
  );
  if (job.isZeroing) {
    closeUnapplied(tx, from, time);
    zeroOut(context, job, customerIds);
  }
  if (hasInvoices) await carryOut(context, { invoices, customerIds });
  return counts;
}

/** Nothing pays them by itself any more. */
async function carryInvoices(
  context: OperationContext,
  { batchId, customerIds, takesBelow }: CarriedFrom,
): Promise<readonly CarriedInvoice[]> {
  const invoices = await changeChosen(
    context,
    { happened: 'carriedOver' },
    {
      name: 'invoices-to-carry',
      where: `i.customer_id = any($1) and i.id < $2 and i.status <> 'CarriedOver'`,
      values: [customerIds, takesBelow],
    },
  );
  const rows = invoices.map(({ invoice: { id: invoiceId }, transition: { state } }) => {
    const { carriedOpen: amount } = state;
    assert(amount !== null, 'what is carried over knows what was open of it');
    return { batchId, invoiceId, amount };
  });
  insertCarryOvers(context.tx, rows, context.time);
  return invoices;
}

/** How much of each kind the customer has that the job would take. */
export function countCarriable(tx: Tx, job: Taking, customerId: number): Promise<CarriedCounts> {
  return countsOf(job, async (kind) => {
    const { table, condition } = carriable[kind];
    const [row] = await tx.query<{ count: number }>(
      `select count(*)::int as count from ${table} o
       where o.tenant_id = $1 and o.customer_id = $2 and o.id < $3 and ${condition}`,
      [tx.tenantId, customerId, job.takesBelow],
      `count-${kind}`,
    );
    return row?.count ?? 0;
  });
}

async function countsOf(
  { kinds }: Taking,
  count: (kind: CarriedKind) => Promise<number>,
): Promise<CarriedCounts> {
  const counts = { carriedInvoices: 0, carriedCredits: 0, carriedDebits: 0 };
  await Promise.all(
    kinds.map(async (kind) => {
      counts[kind] = await count(kind);
    }),
  );
  return counts;
}

/**
 * Brings each balance to what is still open: nothing, unless the customer has something that was
 * made since the job began, or money that a refund under way has reserved, which goes back or stays
 * unapplied.
 */
function zeroOut(
  { tx, time }: OperationContext,
  job: Taking,
  customerIds: readonly number[],
): void {
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
