/** The one billing operation: bills everything that is due of some customers, in one transaction. */
import assert from 'node:assert';
import { DomainError } from '../domain/errors.ts';
import type { CustomerStatus, IsoDate, Plan, TermUnit } from '../domain/model.ts';
import { RATED_CHARGES_MAX } from '../domain/order-limits.ts';
import { loadDueOrders, type DueOrders } from '../db/queries/billing-load.ts';
import { takeIds, writeBilling, type InvoiceInsert } from '../db/queries/billing-write.ts';
import type { Tx } from '../db/tenancy.ts';
import { settle, type BilledCustomer, type Settlement } from './billing/settle.ts';
import { balanceKey, balancesOf, billingRows, idsNeeded } from './billing/rows.ts';
import { followPace } from './follow-pace.ts';
import { meetUnapplied } from './payments/apply.ts';
import { tellLatePayers } from './payments/pay-today.ts';
import { planVersions, termsOf } from './plans.ts';
import { working, type Services, type Work } from './services.ts';

/** A batch ends at so many customers, or at the charges of one transaction. */
export const BATCH_CUSTOMERS_MAX = 200;
const BATCH_STATEMENT_TIMEOUT_MS = 30_000;
const ATTEMPTS_MAX = 5;

export interface BilledBatch {
  readonly customers: number;
  readonly orders: number;
  readonly invoices: number;
  /** Still due: locked by others (without `wait`), or more than one transaction bills. */
  readonly skipped: readonly number[];
  /** Taken out of billing, each with the reason; the others were billed. */
  readonly held: readonly HeldCustomer[];
}

export interface HeldCustomer {
  readonly customerId: number;
  readonly code: string;
}

const nothing: BilledBatch = { customers: 0, orders: 0, invoices: 0, skipped: [], held: [] };

/**
 * Bills these customers: statuses and terms of their orders, what is due up to the tenant's today,
 * invoices by the grouping rules, numbered last. Who comes second finds nothing due. A customer
 * with more than one transaction bills stays due, and is billed on by the next call.
 *
 * @param options.wait whether to wait for customers that others have locked, or to skip them
 */
export async function billCustomers(
  services: Services,
  tenantId: number,
  customerIds: readonly number[],
  options: { readonly wait: boolean },
): Promise<BilledBatch> {
  assert(customerIds.length <= BATCH_CUSTOMERS_MAX, 'more customers than a batch holds');
  if (customerIds.length === 0) return nothing;
  try {
    return await retried(() => billBatch(services, tenantId, customerIds, options.wait));
  } catch (error) {
    const code = dataFaultOf(error);
    if (code === null) throw error;
    if (customerIds.length === 1) return holdOne(services, tenantId, customerIds, code);
    // Halved down to the one at fault; the others are billed.
    const middle = Math.ceil(customerIds.length / 2);
    const first = await billCustomers(services, tenantId, customerIds.slice(0, middle), options);
    const rest = await billCustomers(services, tenantId, customerIds.slice(middle), options);
    return addBatches(first, rest);
  }
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
  services: Services,
  tenantId: number,
  customerIds: readonly number[],
  wait: boolean,
): Promise<BilledBatch> {
  const pace = await followPace(services, tenantId);
  return working(
    services,
    tenantId,
    async (work) => {
      const locked = await lockCustomers(work.tx, customerIds, wait);
      const billable = locked.filter((customer) => !customer.held);
      // A statement of its own, after the locks: it sees what their last holders committed.
      const due = await loadDueOrders(work.tx, {
        customerIds: billable.map((customer) => customer.id),
        by: work.moment.today,
        atOnce: false,
        linesMax: RATED_CHARGES_MAX,
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
      const lockedIds = new Set(locked.map((customer) => customer.id));
      return {
        customers: result.settlements.length,
        orders: result.settlements.reduce((count, each) => count + each.orders.length, 0),
        invoices: result.settlements.reduce((count, each) => count + each.invoices.length, 0),
        skipped: [...customerIds.filter((id) => !lockedIds.has(id)), ...result.left],
        held: result.held,
      };
    },
    { statementTimeoutMs: BATCH_STATEMENT_TIMEOUT_MS },
  );
}

export interface LockedCustomer extends BilledCustomer {
  readonly held: boolean;
}

export async function lockCustomers(
  tx: Tx,
  ids: readonly number[],
  wait: boolean,
): Promise<LockedCustomer[]> {
  const rows = await tx.query<{
    id: number;
    status: CustomerStatus;
    value: number | null;
    units: TermUnit | null;
    held: boolean;
  }>(
    // Not `for update`: that would wait for the key-share lock of every child's insert.
    `select id, status, payment_terms_value as value, payment_terms_units as units,
            billing_held_at is not null as held
     from customer where id = any($1) order by id for no key update ${wait ? '' : 'skip locked'}`,
    [ids],
    wait ? 'lock-customers' : 'lock-customers-skip',
  );
  return rows.map(({ id, status, value, units, held }) => ({
    id,
    status,
    paymentTerms: termsOf(value, units),
    held,
  }));
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
      const isBug = !(error instanceof DomainError);
      batch.held.push({ customerId: customer.id, code: isBug ? 'service.fault' : error.code });
      if (isBug) batch.bugs.push(new Error(`customer ${customer.id} is held`, { cause: error }));
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

async function hold(work: Work, held: readonly HeldCustomer[]): Promise<void> {
  if (held.length === 0) return;
  await work.tx.query(
    `update customer c set billing_held_at = $2, billing_held_code = r.code,
            version = c.version + 1
     from json_to_recordset($1) as r("customerId" bigint, code text)
     where c.id = r."customerId"`,
    [JSON.stringify(held), work.moment.now],
  );
}

async function holdOne(
  services: Services,
  tenantId: number,
  customerIds: readonly number[],
  code: string,
): Promise<BilledBatch> {
  const held = customerIds.map((customerId) => ({ customerId, code }));
  await working(services, tenantId, async (work) => {
    await lockCustomers(work.tx, customerIds, true);
    await hold(work, held);
  });
  return { ...nothing, held };
}

function addBatches(left: BilledBatch, right: BilledBatch): BilledBatch {
  return {
    customers: left.customers + right.customers,
    orders: left.orders + right.orders,
    invoices: left.invoices + right.invoices,
    skipped: [...left.skipped, ...right.skipped],
    held: [...left.held, ...right.held],
  };
}

function sqlStateOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

// Deadlock, lock time-out and serialisation failures pass; a retry bills what is still due.
const passing = new Set(['40P01', '40001', '55P03']);

async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !passing.has(sqlStateOf(error) ?? '')) throw error;
    }
  }
}

/** A fault of the rows themselves (data exception, broken constraint), not of the machine. */
function dataFaultOf(error: unknown): string | null {
  const state = sqlStateOf(error);
  return state !== null && /^2[23]/.test(state) ? `database.${state}` : null;
}
