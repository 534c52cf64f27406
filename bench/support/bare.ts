/** The baseline: the rows of a renewal, prepared and written by set-based SQL and nothing else. */
import { takeIds, writeBilling, type BillingWrite } from '../../db/queries/billing/write.ts';
import type { Database } from '../../db/connection/database.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { inLanes } from '../../operations/context/lanes.ts';

const BATCH_ORDERS = 200;
const CONNECTIONS = 2;

interface Source {
  readonly orderId: number;
  readonly customerId: number;
  readonly lineId: number;
  readonly chargeId: number;
  readonly tierId: number;
}

/** Seconds to write one invoice for each order of the tenant. */
export async function bareWrite(db: Database, tenantId: number, day: string): Promise<number> {
  const batches = await prepared(db, tenantId, day);
  const at = { now: new Date(`${day}T05:00:00Z`), today: day };
  const began = performance.now();
  const writeOne = (write: BillingWrite) =>
    inTenant(db, tenantId, async (tx) => {
      tx.send(raiseCreated, [tenantId, JSON.stringify(write.invoices), at.now], 'bare-events');
      writeBilling(tx, write, at);
    });
  await inLanes(batches, writeOne, { lanes: CONNECTIONS });
  return (performance.now() - began) / 1000;
}

const raiseCreated = `
  insert into event (tenant_id, type, customer_id, object_id, object_version, occurred_at)
  select $1, 'invoice.created', r.customer_id, r.id, 1, $3
  from json_to_recordset($2) as r(id bigint, customer_id bigint)`;

async function prepared(db: Database, tenantId: number, day: string): Promise<BillingWrite[]> {
  return inTenant(db, tenantId, async (tx) => {
    const sources = await tx.query<Source>(
      `select o.id as order_id, o.customer_id, l.id as line_id, l.charge_id, t.id as tier_id
       from subscription_order o join order_line l on l.order_id = o.id
       join pricing_tier t on t.charge_id = l.charge_id order by o.customer_id`,
    );
    const ids = await takeIds(tx, sources.length * 3);
    const batches: BillingWrite[] = [];
    for (let from = 0; from < sources.length; from += BATCH_ORDERS) {
      const part = sources.slice(from, from + BATCH_ORDERS);
      batches.push(rowsOf(part, ids.slice(from * 3, (from + part.length) * 3), day));
    }
    return batches;
  });
}

interface Renewal extends Source {
  readonly invoice: number;
  readonly line: number;
  readonly period: number;
}

const amount = '29.95';

function rowsOf(sources: readonly Source[], ids: readonly number[], day: string): BillingWrite {
  const dates = { billingStartDate: day, billingEndDate: day };
  const each = sources.map((source, index): Renewal => ({
    ...source,
    invoice: ids[index * 3] ?? 0,
    line: ids[index * 3 + 1] ?? 0,
    period: ids[index * 3 + 2] ?? 0,
  }));
  return {
    periods: each.map((it) => ({
      id: it.period,
      orderLineId: it.lineId,
      chargeId: it.chargeId,
      periodIndex: 0,
      segment: 0,
      billedFrom: day,
      billedTo: day,
      invoiceId: it.invoice,
    })),
    lines: each.map((it) => ({
      id: it.line,
      invoiceId: it.invoice,
      position: 1,
      orderId: it.orderId,
      contractCode: 'GOLD',
      invoiceText: 'Gold internet',
      ...dates,
      lineAmountTotal: amount,
    })),
    charges: each.map((it) => chargeOf(it, day)),
    credits: [],
    taxRecords: [],
    ledger: each.map((it) => ({
      customerId: it.customerId,
      currency: 'USD',
      kind: 'invoice',
      amount,
      invoiceId: it.invoice,
    })),
    balances: each.map((it) => ({
      customerId: it.customerId,
      currency: 'USD',
      balance: amount,
      lastTotalDue: amount,
    })),
    pointers: each.map((it) => ({ id: it.lineId, nextPeriodIndex: 1 })),
    orders: each.map((it) => ({
      id: it.orderId,
      status: 'Active',
      endDate: null,
      nextBillableDate: day,
      billOn: day,
      transitionOn: null,
    })),
    invoices: each.map((it) => invoiceOf(it, day)),
  };
}

function chargeOf(it: Renewal, day: string): BillingWrite['charges'][number] {
  return {
    invoiceLineId: it.line,
    position: 1,
    kind: 'period',
    orderLineId: it.lineId,
    chargeId: it.chargeId,
    basePositions: null,
    usageWindowId: null,
    couponId: null,
    taxCode: null,
    taxCategory: null,
    taxReason: null,
    pricingTierId: it.tierId,
    billedPeriodId: it.period,
    priceCode: 'GOLD-FEE',
    accountingCode: null,
    invoiceText: 'Gold monthly fee',
    isPercent: false,
    billingStartDate: day,
    billingEndDate: day,
    chargeDate: day,
    unitPrice: amount,
    quantity: '1',
    unitOfMeasure: null,
    amount,
  };
}

function invoiceOf(it: Renewal, day: string): BillingWrite['invoices'][number] {
  return {
    id: it.invoice,
    status: 'Outstanding',
    customerId: it.customerId,
    currency: 'USD',
    invoiceDate: day,
    dueDate: day,
    billingStartDate: day,
    billingEndDate: day,
    billingPeriod: 'Monthly',
    previousBalance: '0',
    paymentsAndAdjustments: '0',
    currentAmountDue: amount,
    totalDue: amount,
    outstandingBalance: amount,
    isAutoPay: false,
    autopayOn: null,
    autopayOrderId: null,
    autopayAfterPaymentId: null,
    notes: null,
  };
}
