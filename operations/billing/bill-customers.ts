/** The one billing operation: bills everything due of some customers in one transaction. */
import assert from 'node:assert';
import type { IsoDate } from '../../domain/model.ts';
import { loadDueOrders } from '../../db/queries/billing/load.ts';
import { clear } from '../../db/queries/billing/notes.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { amountTexts, amountsOf } from './amounts.ts';
import { ratingBasis } from './basis.ts';
import { addBatches, nothingBilled, type BilledBatch } from './batch.ts';
import { hold, holdCustomers } from './customers.ts';
import { holdCodeOf, isBug } from './faults.ts';
import { inHalves, retried } from './halves.ts';
import { noteCustomers, type Note } from './notes.ts';
import { rateBatch } from './rate-batch.ts';
import { prepareBilling, writePrepared } from './store.ts';
import { taxingOf } from './taxing.ts';
import { wakePace } from '../outbox/wake-pace.ts';
import { tellLatePayers } from './pay-today.ts';
import { lockCustomers } from '../context/locks.ts';
import { inOperation, tenantInfo, type Dependencies } from '../context/context.ts';
import { since } from '../context/work-log.ts';

/** A batch ends at this many customers, or at the charges of one transaction. */
export const BATCH_CUSTOMERS_MAX = 200;
const BATCH_STATEMENT_TIMEOUT_MS = 30_000;
/** The time limit for a batch whose every part fails; it is retried later. */
const HALVING_LIMIT_MS = 240_000;

export interface BillOptions {
  /** Whether to wait for locked customers, or to skip them. */
  readonly wait: boolean;
  /** This process bills only suspects, and clears those that it bills. */
  readonly isApart?: boolean;
}

/**
 * Bills everything due of these customers up to the tenant's today: updates the statuses and terms
 * of their orders, rates the due charges, groups them into invoices by the grouping rules, and
 * numbers the invoices last. A second call finds nothing due. A customer with more than one
 * transaction bills stays due, and the next call continues.
 */
export async function billCustomers(
  dependencies: Dependencies,
  tenantId: number,
  customerIds: readonly number[],
  options: BillOptions,
): Promise<BilledBatch> {
  assert(customerIds.length <= BATCH_CUSTOMERS_MAX, 'more customers than a batch holds');
  if (customerIds.length === 0) return nothingBilled;
  const began = performance.now();
  // Written while the locks are taken, and awaited before anything is read and rated.
  const noted = options.isApart
    ? Promise.resolve(noNote)
    : noteCustomers(dependencies.db, tenantId, customerIds);
  noted.catch(() => undefined);
  try {
    const tried = { dependencies, tenantId, options, noted };
    const billed = await billHalving(tried, customerIds);
    const batch = { ...billed, suspects: [...(await noted).suspects] };
    await tellBatch(dependencies, tenantId, batch, since(began));
    return batch;
  } finally {
    noted.then((note) => note.done()).catch(() => undefined);
  }
}

/** Logs one line for the batch; holds have lines of their own. */
export async function tellBatch(
  dependencies: Dependencies,
  tenantId: number,
  batch: BilledBatch,
  milliseconds: number,
): Promise<void> {
  if (!dependencies.onWork) return;
  const { label: tenant } = await tenantInfo(dependencies, tenantId);
  const { customers, orders, invoices } = batch;
  dependencies.onWork({
    work: 'billing batch',
    tenant,
    customers,
    orders,
    invoices,
    amounts: amountTexts(batch.amounts),
    held: batch.held.length,
    skipped: batch.skipped.length,
    suspects: batch.suspects.length,
    milliseconds,
  });
}

const noNote: Note = { suspects: new Set(), done: () => undefined };

interface Batch {
  readonly dependencies: Dependencies;
  readonly tenantId: number;
  readonly options: BillOptions;
  readonly noted: Promise<Note>;
}

/** Holds the customers at fault; the others are billed. */
async function billHalving(batch: Batch, customerIds: readonly number[]): Promise<BilledBatch> {
  const { dependencies, tenantId } = batch;
  const { label: tenant } = await tenantInfo(dependencies, tenantId);
  const giveUpAt = performance.now() + HALVING_LIMIT_MS;
  const bill = (ids: readonly number[]) =>
    retried(
      () => billBatch(batch, ids),
      (attempt, code) => {
        const retry = { work: 'retry', of: 'billing batch', tenant } as const;
        dependencies.onWork?.({ ...retry, customers: ids.length, attempt, code });
      },
    );
  const billed = await inHalves(customerIds, {
    work: bill,
    alone: (id) => bill([id]).catch((again: unknown) => holdOne(batch, id, again)),
    mayHalve: () => performance.now() <= giveUpAt,
  });
  return billed.reduce(addBatches);
}

/** Bills one customer alone, twice, and holds it if both attempts fail. */
async function holdOne(
  { dependencies, tenantId }: Batch,
  customerId: number,
  error: unknown,
): Promise<BilledBatch> {
  const code = holdCodeOf(error);
  if (code === null) throw error;
  if (isBug(error))
    dependencies.onBug?.(new Error(`customer ${customerId} is held`, { cause: error }));
  const held = [{ customerId, code }];
  await holdCustomers(dependencies, tenantId, held);
  return { ...nothingBilled, held };
}

/** Customers that have an order to act on by that day and are not held, ascending, after an id. */
export async function dueCustomers(
  tx: Tx,
  today: IsoDate,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    // Materialized: for the order of ids the planner might look at every customer there ever was.
    `with due as materialized (
       select distinct customer_id as id from subscription_order
       where next_action_on <= $1 and customer_id > $2)
     select c.id from due join customer c on c.id = due.id
     where c.billing_held_at is null
     order by c.id limit $3`,
    [today, after, limit],
    'due-customers',
  );
  return rows.map((row) => row.id);
}

async function billBatch(
  { dependencies, tenantId, options: { wait, isApart = false }, noted }: Batch,
  customerIds: readonly number[],
): Promise<BilledBatch> {
  const pace = await wakePace(dependencies, tenantId);
  return inOperation(
    dependencies,
    tenantId,
    async (context) => {
      const locked = await lockCustomers(context.tx, customerIds, { wait });
      const { suspects } = await noted;
      const billable = locked.filter(({ id, isHeld }) => !isHeld && !suspects.has(id));
      // A separate statement after the locks, which sees what their previous owners committed.
      const billableIds = billable.map((customer) => customer.id);
      const choice = { customerIds: billableIds, by: context.time.today, atOnce: false };
      const { tx, tenant } = context;
      const [due, taxing] = await Promise.all([
        loadDueOrders(tx, choice),
        taxingOf(tx, tenant, billableIds, context.time.today),
      ]);
      const basis = await ratingBasis(dependencies, tx, { rows: due.rows, taxingOf: taxing });
      const result = rateBatch(context, billable, due, basis);
      for (const bug of result.bugs) dependencies.onBug?.(bug);
      const prepared = await prepareBilling(context, result.billings, null);
      tellLatePayers(context, await writePrepared(context, prepared), pace);
      await hold(context, result.held);
      if (isApart) {
        const wasBilled = result.billings.some(({ orders }) => orders.length > 0);
        for (const { id } of billable) clear(context.tx, id, { wasBilled });
      }
      const lockedIds = new Set(locked.map((customer) => customer.id));
      return {
        customers: result.billings.length,
        orders: result.billings.reduce((count, each) => count + each.orders.length, 0),
        invoices: result.billings.reduce((count, each) => count + each.invoices.length, 0),
        amounts: amountsOf(result.billings.flatMap((each) => each.invoices)),
        skipped: [...customerIds.filter((id) => !lockedIds.has(id)), ...result.left],
        suspects: [],
        held: result.held,
      };
    },
    { statementTimeoutMs: BATCH_STATEMENT_TIMEOUT_MS },
  );
}
