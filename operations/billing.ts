/** The one billing operation: bills everything that is due of some customers, in one transaction. */
import assert from 'node:assert';
import type { IsoDate, Plan } from '../domain/model.ts';
import { RATED_CHARGES_MAX } from '../domain/order-limits.ts';
import { loadDueOrders, type DueOrders } from '../db/queries/billing-load.ts';
import { clear } from '../db/queries/billing-notes.ts';
import { takeIds, writeBilling, type InvoiceInsert } from '../db/queries/billing-write.ts';
import type { Tx } from '../db/tenancy.ts';
import { addBatches, nothingBilled, type BilledBatch } from './billing/batch.ts';
import { hold, holdCustomers, lockCustomers, retried } from './billing/customers.ts';
import type { HeldCustomer } from './billing/customers.ts';
import { holdCodeOf, isBug } from './billing/faults.ts';
import { noteCustomers, type Note } from './billing/notes.ts';
import { settle, type BilledCustomer, type Settlement } from './billing/settle.ts';
import { balanceKey, balancesOf } from './billing/balances.ts';
import { billingRows, idsNeeded } from './billing/rows.ts';
import { followPace } from './follow-pace.ts';
import { meetUnapplied } from './payments/apply.ts';
import { tellLatePayers } from './payments/pay-today.ts';
import { planVersions } from './plans.ts';
import { working, type Services, type Work } from './services.ts';

/** A batch ends at so many customers, or at the charges of one transaction. */
export const BATCH_CUSTOMERS_MAX = 200;
const BATCH_STATEMENT_TIMEOUT_MS = 30_000;
/** Nobody waits longer for a batch of which every part fails: it comes again. */
const HALVING_LIMIT_MS = 240_000;

export interface BillOptions {
  /** Whether to wait for customers that others have locked, or to skip them. */
  readonly wait: boolean;
  /** This process is there for suspects alone: whoever it bills is none any more. */
  readonly isApart?: boolean;
}

/**
 * Bills these customers: statuses and terms of their orders, what is due up to the tenant's today,
 * invoices by the grouping rules, numbered last. Who comes second finds nothing due. A customer
 * with more than one transaction bills stays due, and is billed on by the next call.
 */
export async function billCustomers(
  services: Services,
  tenantId: number,
  customerIds: readonly number[],
  options: BillOptions,
): Promise<BilledBatch> {
  assert(customerIds.length <= BATCH_CUSTOMERS_MAX, 'more customers than a batch holds');
  if (customerIds.length === 0) return nothingBilled;
  const giveUpAt = performance.now() + HALVING_LIMIT_MS;
  // Beside the locks: awaited before anything is read and rated.
  const noted = options.isApart
    ? Promise.resolve(noNote)
    : noteCustomers(services.db, tenantId, customerIds);
  noted.catch(() => undefined);
  try {
    const batch = { services, tenantId, options, giveUpAt, noted };
    const billed = await billHalving(batch, customerIds);
    return { ...billed, suspects: [...(await noted).suspects] };
  } finally {
    noted.then((note) => note.done()).catch(() => undefined);
  }
}

const noNote: Note = { suspects: new Set(), done: () => undefined };

interface Batch {
  readonly services: Services;
  readonly tenantId: number;
  readonly options: BillOptions;
  readonly giveUpAt: number;
  readonly noted: Promise<Note>;
}

/** What fails is halved down to the one at fault, who is held; the others are billed. */
async function billHalving(batch: Batch, customerIds: readonly number[]): Promise<BilledBatch> {
  const bill = () => retried(() => billBatch(batch, customerIds));
  try {
    return await bill();
  } catch (error) {
    if (holdCodeOf(error) === null || performance.now() > batch.giveUpAt) throw error;
    const [only = 0, ...others] = customerIds;
    if (others.length === 0)
      return await bill().catch((again: unknown) => holdOne(batch, only, again));
    const middle = Math.ceil(customerIds.length / 2);
    const first = await billHalving(batch, customerIds.slice(0, middle));
    const rest = await billHalving(batch, customerIds.slice(middle));
    return addBatches(first, rest);
  }
}

/** Alone, and tried twice: what happens does not pass. */
async function holdOne(
  { services, tenantId }: Batch,
  customerId: number,
  error: unknown,
): Promise<BilledBatch> {
  const code = holdCodeOf(error);
  if (code === null) throw error;
  if (isBug(error)) services.onBug?.(new Error(`customer ${customerId} is held`, { cause: error }));
  const held = [{ customerId, code }];
  await holdCustomers(services, tenantId, held);
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
    `select c.id from customer c
     where c.id > $2 and c.billing_held_at is null and c.id in (
       select o.customer_id from subscription_order o
       where o.next_action_on <= $1 and o.customer_id > $2)
     order by c.id limit $3`,
    [today, after, limit],
    'due-customers',
  );
  return rows.map((row) => row.id);
}

async function billBatch(
  { services, tenantId, options: { wait, isApart = false }, noted }: Batch,
  customerIds: readonly number[],
): Promise<BilledBatch> {
  const pace = await followPace(services, tenantId);
  return working(
    services,
    tenantId,
    async (work) => {
      const locked = await lockCustomers(work.tx, customerIds, wait);
      const { suspects } = await noted;
      const billable = locked.filter(({ id, held }) => !held && !suspects.has(id));
      // A statement of its own, after the locks: it sees what their last holders committed.
      const due = await loadDueOrders(work.tx, {
        customerIds: billable.map((customer) => customer.id),
        by: work.moment.today,
        atOnce: false,
      });
      const plans = await planVersions(
        services.db,
        work.tx,
        due.rows.map((row) => row.plan_id),
      );
      const result = settleBatch(work, billable, due, plans);
      for (const bug of result.bugs) services.onBug?.(bug);
      tellLatePayers(work, await store(work, result.settlements), pace);
      await hold(work, result.held);
      if (isApart) {
        const wasBilled = result.settlements.some(({ orders }) => orders.length > 0);
        for (const { id } of billable) clear(work.tx, id, { wasBilled });
      }
      const lockedIds = new Set(locked.map((customer) => customer.id));
      return {
        customers: result.settlements.length,
        orders: result.settlements.reduce((count, each) => count + each.orders.length, 0),
        invoices: result.settlements.reduce((count, each) => count + each.invoices.length, 0),
        skipped: [...customerIds.filter((id) => !lockedIds.has(id)), ...result.left],
        suspects: [],
        held: result.held,
      };
    },
    { statementTimeoutMs: BATCH_STATEMENT_TIMEOUT_MS },
  );
}

interface SettledBatch {
  readonly settlements: Settlement[];
  readonly held: HeldCustomer[];
  /** Beyond what one transaction bills, in whole or in part. */
  readonly left: number[];
  readonly bugs: Error[];
}

function settleBatch(
  work: Work,
  customers: readonly BilledCustomer[],
  { rows, cut }: DueOrders,
  plans: ReadonlyMap<number, Plan>,
): SettledBatch {
  const ordersOf = Map.groupBy(rows, (row) => row.customer_id);
  const batch: SettledBatch = { settlements: [], held: [], left: [], bugs: [] };
  const tenantTerms = work.tenant.paymentTerms;
  const { today } = work.moment;
  let charges = 0;
  for (const [index, customer] of customers.entries()) {
    const isCut = cut !== null && !cut.isWhole && customer.id === cut.customerId;
    // Another batch takes who does not fit into this one, and all that follow.
    const leave = (): void => {
      batch.left.push(...customers.slice(index).map(({ id }) => id));
    };
    if ((cut !== null && customer.id > cut.customerId) || (isCut && batch.settlements.length > 0)) {
      leave();
      break;
    }
    try {
      const orders = ordersOf.get(customer.id) ?? [];
      const restOn = isCut ? cut.restOn : null;
      const settled = settle({ customer, rows: orders, plans, tenantTerms, today, restOn });
      if (charges > 0 && charges + settled.ratedCount > RATED_CHARGES_MAX) {
        leave();
        break;
      }
      charges += settled.ratedCount;
      batch.settlements.push(settled);
      if (settled.goesOn || isCut) batch.left.push(customer.id);
    } catch (error) {
      // Rating only computes: what fails, be it a bug, fails each time, and for this customer alone.
      const code = holdCodeOf(error) ?? 'service.fault';
      batch.held.push({ customerId: customer.id, code });
      if (isBug(error))
        batch.bugs.push(new Error(`customer ${customer.id} is held`, { cause: error }));
    }
  }
  return batch;
}

export interface StoreOptions {
  /** Sends what the rows refer to, and takes the locks that come before theirs. */
  readonly before?: (() => void) | undefined;
  /** The payment that has these invoices made for it. */
  readonly forPaymentId?: number | undefined;
}

/** Writes what was settled, and applies what its customers had left over; answers the invoices. */
export async function store(
  work: Work,
  settlements: readonly Settlement[],
  { before, forPaymentId }: StoreOptions = {},
): Promise<readonly InvoiceInsert[]> {
  const { tx, moment } = work;
  const { autopayOn } = work.tenant.settings;
  const [balances, ids] = await Promise.all([
    balancesOf(
      tx,
      settlements.filter(({ invoices }) => invoices.length > 0).map((each) => each.customerId),
    ),
    takeIds(tx, idsNeeded(settlements)),
  ]);
  before?.();
  const basis = { balances, ids, autopayOn, forPaymentId: forPaymentId ?? null };
  const rows = billingRows(settlements, basis);
  writeBilling(tx, rows, moment);
  await meetUnapplied(work, rows.invoices, ({ customer_id, currency }) =>
    Boolean(balances.get(balanceKey(customer_id, currency))?.hasUnapplied),
  );
  return rows.invoices;
}
