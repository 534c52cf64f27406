/** The one billing operation: bills everything due of some customers in one transaction. */
import assert from 'node:assert';
import { clear } from '../../db/queries/billing/notes.ts';
import { awaitAnswers, endWaits, putOff } from '../../db/queries/billing/tax-waits.ts';
import { amountTexts, amountsOf } from '../../domain/money/amounts.ts';
import { type Failures, ROUNDS_MAX, askAhead, nothingFailed } from './asking.ts';
import { type BilledBatch, addBatches, inHalves, nothingBilled, retried } from './batch.ts';
import { hold, holdCustomers } from './customers.ts';
import { holdCodeOf, isBug } from './faults.ts';
import { type Note, noteCustomers } from './notes.ts';
import { type SortedBillings, byAnswers } from '../../domain/billing/rate/by-answers.ts';
import { documentHash } from './tax-answers.ts';
import { rateDue } from './rate-batch.ts';
import { prepareBilling, writePrepared } from './store.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { wakePace } from '../outbox/wake-pace.ts';
import { wakeLatePayers } from './invoice-events.ts';
import { lockCustomers } from '../context/locks.ts';
import {
  type Dependencies,
  type OperationContext,
  inOperation,
  tenantInfo,
} from '../context/context.ts';
import { since } from '../context/work-log.ts';

/** A batch ends at this many customers, or at the charges of one transaction. */
export const BATCH_CUSTOMERS_MAX = 200;
const BATCH_STATEMENT_TIMEOUT_MS = 30_000;
/** The time limit for a batch whose every part fails; it is retried later. */
const HALVING_LIMIT_MS = 240_000;

export interface BillOptions {
  /** Whether to wait for locked customers, or to skip them; and for turns of a tax provider. */
  readonly wait: boolean;
  /** This process bills only suspects, and clears those that it bills. */
  readonly isApart?: boolean;
  /**
   * False: a tax provider is not asked; customers that lack an answer of it are left to the billing
   * run. True by default.
   */
  readonly asks?: boolean;
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
    const billed = await billTaxed(tried, customerIds);
    const batch = { ...billed, suspects: [...(await noted).suspects] };
    await logBatch(dependencies, tenantId, batch, since(began));
    return batch;
  } finally {
    noted.then((note) => note.done()).catch(() => undefined);
  }
}

/** Logs one line for the batch; holds have lines of their own. */
export async function logBatch(
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
    ...(batch.waiting.length === 0 ? {} : { waiting: batch.waiting.length }),
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

/**
 * Asks the tenant's tax provider, if it has one, and bills. Customers whose invoices have changed
 * meanwhile go around once more, and then wait.
 */
async function billTaxed(batch: Batch, customerIds: readonly number[]): Promise<BilledBatch> {
  const { dependencies, tenantId, options, noted } = batch;
  const tenant = await tenantInfo(dependencies, tenantId);
  if (tenant.taxProvider === null || options.asks === false) {
    return billHalving({ ...batch, failures: nothingFailed, isLast: false }, customerIds);
  }
  const { suspects } = await noted;
  let billed = nothingBilled;
  let rest = customerIds;
  for (let round = 1; rest.length > 0 && round <= ROUNDS_MAX; round += 1) {
    const asked = rest.filter((id) => !suspects.has(id));
    const failures = await askAhead(dependencies, tenant, asked);
    const isLast = round === ROUNDS_MAX;
    const { unasked, ...other } = await billHalving({ ...batch, failures, isLast }, rest);
    billed = addBatches(billed, { ...other, unasked: [] });
    rest = unasked;
  }
  return billed;
}

interface AskedBatch extends Batch {
  readonly failures: Failures;
  /** Customers that would go around once more wait instead. */
  readonly isLast: boolean;
}

/** Holds the customers at fault; the others are billed. */
async function billHalving(
  batch: AskedBatch,
  customerIds: readonly number[],
): Promise<BilledBatch> {
  const { dependencies, tenantId } = batch;
  const { label: tenant } = await tenantInfo(dependencies, tenantId);
  const giveUpAt = performance.now() + HALVING_LIMIT_MS;
  const bill = (ids: readonly number[]) =>
    retried(() => billBatch(batch, ids), {
      onRetry(attempt, code) {
        const retry = { work: 'retry', of: 'billing batch', tenant } as const;
        dependencies.onWork?.({ ...retry, customers: ids.length, attempt, code });
      },
    });
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

async function billBatch(batch: AskedBatch, customerIds: readonly number[]): Promise<BilledBatch> {
  const { dependencies, tenantId, options, noted } = batch;
  const { wait, isApart = false } = options;
  const pace = await wakePace(dependencies, tenantId);
  return inOperation(
    dependencies,
    tenantId,
    async (context) => {
      const locked = await lockCustomers(context.tx, customerIds, { wait });
      const { suspects } = await noted;
      const billable = locked.filter(({ id, isHeld }) => !isHeld && !suspects.has(id));
      // A separate statement after the locks, which sees what their previous owners committed.
      const result = await rateDue(dependencies, context, billable, { locks: true });
      for (const bug of result.bugs) dependencies.onBug?.(bug);
      const sorted = byAnswers(result.billings, (document) =>
        batch.failures.get(documentHash(document)),
      );
      const { billings, refused, late, unasked } = sorted;
      const prepared = await prepareBilling(context, billings);
      wakeLatePayers(context, await writePrepared(context, prepared), pace);
      const held = [...result.held, ...refused];
      await hold(context, held);
      const waiting = letWait(context, batch, sorted);
      if (isApart) {
        const wasBilled = billings.some(({ orders }) => orders.length > 0);
        for (const { id } of billable) clear(context.tx, id, { wasBilled });
      }
      const lockedIds = new Set(locked.map((customer) => customer.id));
      return {
        customers: billings.length,
        orders: billings.reduce((count, each) => count + each.orders.length, 0),
        invoices: billings.reduce((count, each) => count + each.invoices.length, 0),
        amounts: amountsOf(billings.flatMap((each) => each.invoices)),
        skipped: [
          ...customerIds.filter((id) => !lockedIds.has(id)),
          ...result.left,
          ...(wait ? [] : late.map(({ customerId }) => customerId)),
        ],
        suspects: [],
        held,
        waiting,
        unasked: batch.isLast ? [] : unasked,
      };
    },
    { statementTimeoutMs: BATCH_STATEMENT_TIMEOUT_MS },
  );
}

/** Writes who waits for the tax provider from now on, and who no longer does; returns the former. */
function letWait(
  context: OperationContext,
  { dependencies, options, isLast }: AskedBatch,
  { billings, silent, late, unasked }: SortedBillings,
): readonly number[] {
  const { tx, tenant } = context;
  if (tenant.taxProvider === null) return [];
  const now = new Date(dependencies.realNow());
  endWaits(
    tx,
    billings.map(({ customerId }) => customerId),
  );
  if (options.asks === false) {
    if (unasked.length === 0) return [];
    awaitAnswers(tx, unasked, now);
    enqueue(context, [{ kind: 'billing', objectId: null }]);
    return unasked;
  }
  const changing = isLast ? unasked.map((customerId) => ({ customerId, code: 'changing' })) : [];
  // The next pass asks about those whose turn did not come, as long as passes get on.
  const waiting = [...silent, ...(options.wait ? late : []), ...changing];
  putOff(tx, waiting, now);
  return waiting.map(({ customerId }) => customerId);
}
