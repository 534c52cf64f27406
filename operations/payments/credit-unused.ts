/** Credits what canceled orders prepaid for unused days, if the tenant's file says so. */
import assert from 'node:assert';
import type { CreditCharge } from '../../domain/billing/charges.ts';
import {
  type ChargeCredit,
  creditCharges,
  unusedCredits,
} from '../../domain/billing/credit/unused.ts';
import { type IsoDate, addDays } from '../../domain/calendar/calendar.ts';
import { invoiceAfter } from '../../domain/invoices/state.ts';
import { type Decimal, compare, sum } from '../../domain/money/money.ts';
import { readInvoices } from '../../db/queries/invoices/invoices.ts';
import { type OrderRow, loadOrders } from '../../db/queries/billing/load.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import {
  insertChargeCredits,
  invoicedWithDaysFrom,
} from '../../db/queries/payments/charge-credits.ts';
import {
  type PaymentInsert,
  insertPayments,
  newCredit,
} from '../../db/queries/payments/new-payments.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { planVersions } from '../plans/versions.ts';
import { carryOut } from '../collection/carry-out.ts';
import type { Dependencies, OperationContext, TenantInfo } from '../context/context.ts';
import { scheduleOfOrder } from '../../domain/billing/order-to-rate.ts';
import { recordCredit } from './record.ts';
import { taxReturn } from '../../domain/billing/rate/provider-tax.ts';
import { taxedAddress } from '../../domain/tax/documents.ts';
import { readTaxAddresses } from '../../db/queries/billing/tax-waits.ts';
import { insertTaxRecords, readShipFrom } from '../../db/queries/tax-records/records.ts';

/**
 * Makes one credit for each order, over its prorated charges of days from tomorrow on. It leaves
 * out charges of cancelled invoices, and charges that were credited before. This transaction must
 * have canceled the orders and locked their customers.
 */
export async function creditUnusedDays(
  dependencies: Dependencies,
  context: OperationContext,
  orderIds: readonly number[],
): Promise<void> {
  for (const each of await readUnused(dependencies, { ...context, ...context.time }, orderIds)) {
    await makeCredit(context, each);
  }
}

/** What an order that is cancelled today has prepaid for unused days. */
export interface Unused {
  readonly row: OrderRow;
  readonly credits: readonly ChargeCredit[];
  /** Those whose charges are credited. */
  readonly invoiceIds: readonly number[];
  readonly unusedFrom: IsoDate;
  /** What its tax provider is told, by the invoice of which a part goes back. */
  readonly returns: ReadonlyMap<number, readonly CreditCharge[]>;
}

export interface UnusedReader {
  readonly tx: Tx;
  readonly tenant: Pick<TenantInfo, 'settings'>;
  readonly today: IsoDate;
}

/** Reads what `creditUnusedDays` credits; none if the tenant's file does not say so. */
export async function readUnused(
  dependencies: Dependencies,
  { tx, tenant, today }: UnusedReader,
  orderIds: readonly number[],
): Promise<readonly Unused[]> {
  if (!tenant.settings.creditUnusedOnCancel || orderIds.length === 0) return [];
  const unusedFrom = addDays(today, 1);
  const [rows, invoiced] = await Promise.all([
    loadOrders(tx, orderIds),
    invoicedWithDaysFrom(
      tx,
      orderIds.map((orderId) => ({ orderId, from: unusedFrom })),
    ),
  ]);
  const plans = await planVersions(
    dependencies.db,
    tx,
    rows.map((row) => row.planId),
  );
  const linesOf = Map.groupBy(invoiced, (line) => line.orderId);
  return rows.map((row) => {
    const plan = plans.get(row.planId);
    assert(plan, `order ${row.id} has a plan`);
    const lines = linesOf.get(row.id) ?? [];
    const { pauses, currency } = row;
    const view = { unusedFrom, schedule: scheduleOfOrder(row, plan), pauses, currency };
    const credits = lines.flatMap((line) => unusedCredits(line, view));
    const told = Map.groupBy(
      lines.filter(({ isProvided }) => isProvided),
      ({ invoiceId }) => invoiceId,
    );
    const returns = new Map([...told].map(([id, of]) => [id, creditCharges(of, view)]));
    const invoiceIds = [...new Set(lines.map(({ invoiceId }) => invoiceId))];
    return { row, credits, invoiceIds, unusedFrom, returns };
  });
}

/** Agreed prices may be negative, but the end of an order never increases the debt. */
export function creditOf({ credits }: Pick<Unused, 'credits'>): Decimal {
  const amount = sum(credits.map((each) => each.amount));
  return compare(amount, '0') > 0 ? amount : '0';
}

async function makeCredit(context: OperationContext, unused: Unused): Promise<void> {
  const { tx, time } = context;
  const { row: order, credits, unusedFrom } = unused;
  const amount = creditOf(unused);
  if (compare(amount, '0') === 0) return;
  const [id = 0] = await takeIds(tx, 1);
  const credit: PaymentInsert = {
    ...newCredit(amount, {
      customerId: order.customerId,
      currency: order.currency,
      effectiveDate: time.today,
      isSystemPayment: true,
      notes: `Unused days of order ${order.orderNumber} from ${unusedFrom} on`,
    }),
    id,
    cascadeId: id,
  };
  insertPayments(tx, [credit], time.now);
  insertChargeCredits(
    tx,
    credits.map(({ chargeId, unusedTo, amount: part }) => ({
      paymentId: id,
      invoiceChargeId: chargeId,
      amount: part,
      unusedFrom,
      unusedTo,
    })),
  );
  await returnTaxes(context, credit, unused.returns);
  await recordCredit(context, credit);
  const invoices = await readInvoices(tx, {
    name: 'invoices-credited',
    where: 'i.id = any($1)',
    values: [unused.invoiceIds],
  });
  await carryOut(context, {
    invoices: invoices.map((invoice) => ({
      invoice,
      transition: invoiceAfter(invoice, { happened: 'credited' }),
    })),
    chargeIds: credits.map(({ chargeId }) => chargeId),
  });
}

/* Tells a tax provider what a credit gives back of the invoices that the provider has recorded. */

/**
 * One return for each invoice. Also of a tenant that has left its provider, which has the invoice.
 *
 * @param returned by invoice
 */
async function returnTaxes(
  { tx, time }: OperationContext,
  { id, customerId, currency }: PaymentInsert,
  returned: ReadonlyMap<number, readonly CreditCharge[]>,
): Promise<void> {
  if (returned.size === 0) return;
  const [shipFrom, addresses] = await Promise.all([
    readShipFrom(tx),
    readTaxAddresses(tx, [customerId]),
  ]);
  const parties = {
    customerId,
    invoiceDate: time.today,
    currency,
    shipFrom: taxedAddress(shipFrom),
    shipTo: taxedAddress(addresses.get(customerId) ?? {}),
  };
  insertTaxRecords(
    tx,
    [...returned].flatMap(([invoiceId, charges]) => {
      const record = taxReturn(charges, parties);
      if (record === null) return [];
      const { document, credits, total, tax } = record;
      const own = { invoiceId, paymentId: id, document: { ...document, credits } };
      return [{ ...own, expectedTotal: total, expectedTax: tax }];
    }),
  );
}
