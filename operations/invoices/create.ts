/** Creates an invoice by hand, with the caller's lines and charges. */
import {
  assertFits,
  invalid,
  pricedLine,
  refuseDueBeforeInvoice,
  refuseNoContent,
  refuseTooManyCharges,
} from '../../domain/invoices/by-hand.ts';
import type {
  ManualCharge,
  ManualInvoiceInput,
  ManualLineInput,
} from '../../domain/invoices/by-hand.ts';
import { add, compare, negate, sum } from '../../domain/money/money.ts';
import { dueDate } from '../../domain/calendar/terms.ts';
import type { Decimal, IsoDate } from '../../domain/model.ts';
import { takeIds, writeBilling } from '../../db/queries/billing/write.ts';
import type { ChargeInsert, InvoiceInsert } from '../../db/queries/billing/write.ts';
import { balanceKey, balancesOf, noBalance, type Balance } from '../billing/balances.ts';
import { autopayDay } from '../billing/invoice-rows.ts';
import { raiseInvoices } from '../billing/raise-invoices.ts';
import { lockCustomer, type CustomerAddress, type LockedCustomer } from '../context/locks.ts';
import { allocateToNewInvoices } from '../allocation/allocate.ts';
import { claimAutopay } from '../collection/autopay.ts';
import type { OperationContext } from '../context/context.ts';

/** Returns the invoice's id. Throws customer.unknown, or an error that names the element. */
export async function createInvoice(
  context: OperationContext,
  address: CustomerAddress,
  input: ManualInvoiceInput,
): Promise<number> {
  const { tx, time } = context;
  refuseTooManyCharges(input);
  const customer = await lockCustomer(tx, address);
  const currency = input.currency ?? customer.currency;
  refuseNoContent(input, currency);
  const items = input.invoiceLineItems ?? [];
  const terms = customer.paymentTerms ?? context.tenant.paymentTerms;
  const due = input.dueDate ?? dueDate(time.today, terms);
  refuseDueBeforeInvoice(due, time.today);
  const priced = items.map((item, index) => pricedLine(item, index, currency));
  const orders = await ordersNamed(context, customer, items);
  const [invoiceId = 0, ...lineIds] = await takeIds(tx, 1 + items.length);
  const lines = items.map((item, index) => ({
    id: lineIds[index] ?? 0,
    invoice_id: invoiceId,
    position: index + 1,
    order_id: orders[index]?.id ?? null,
    contract_code: orders[index]?.contract_code ?? null,
    invoice_text: item.invoiceText ?? null,
    billing_start_date: null,
    billing_end_date: null,
    line_amount_total: sum((priced[index] ?? []).map((charge) => charge.amount)),
  }));
  const charges = priced.flatMap((each, index) =>
    each.map((charge) => chargeRow(charge, lineIds[index] ?? 0, time.today)),
  );
  for (const { position, line_amount_total: total } of lines) {
    assertFits(total, `invoiceLineItems/invoiceLineItem[${position}]`);
  }
  const amount = sum(lines.map((line) => line.line_amount_total));
  const owner = { customer_id: customer.id, currency };
  const balance = await balanceOf(context, owner);
  for (const total of [amount, add(balance.balance, amount)]) assertFits(total, 'invoiceLineItems');
  const invoice: InvoiceInsert = {
    ...owner,
    ...sumsOf(balance, amount),
    ...autopayOf(context, input.isAutoPay ?? false, { due, amount }),
    id: invoiceId,
    invoice_date: time.today,
    due_date: due,
    billing_start_date: null,
    billing_end_date: null,
    billing_period: null,
    notes: input.notes ?? null,
  };
  raiseInvoices(context, [invoice]);
  writeBilling(
    tx,
    {
      periods: [],
      orders: [],
      pointers: [],
      lines,
      charges,
      ledger: [{ ...owner, kind: 'invoice', amount, invoice_id: invoiceId }],
      balances: [{ ...owner, balance: invoice.total_due, last_total_due: invoice.total_due }],
      invoices: [invoice],
    },
    time,
  );
  await allocateToNewInvoices(context, [invoice], () => balance.hasUnapplied);
  if (invoice.autopay_on === time.today) await claimAutopay(context, { invoiceId });
  return invoiceId;
}

function chargeRow(charge: ManualCharge, lineId: number, today: IsoDate): ChargeInsert {
  return {
    invoice_line_id: lineId,
    charge_date: today,
    position: charge.position,
    kind: 'manual',
    order_line_id: null,
    charge_id: null,
    pricing_tier_id: null,
    billed_period_id: null,
    price_code: charge.priceCode,
    accounting_code: null,
    invoice_text: charge.invoiceText,
    is_percent: charge.isPercent,
    billing_start_date: null,
    billing_end_date: null,
    unit_price: charge.unitPrice,
    quantity: charge.quantity,
    unit_of_measure: null,
    amount: charge.amount,
  };
}

function sumsOf({ balance, lastTotalDue }: Balance, amount: Decimal) {
  const isPaid = compare(amount, '0') <= 0;
  return {
    status: isPaid ? 'Paid' : 'Outstanding',
    previous_balance: lastTotalDue,
    payments_and_adjustments: add(balance, negate(lastTotalDue)),
    current_amount_due: amount,
    total_due: add(balance, amount),
    outstanding_balance: isPaid ? '0' : amount,
  } as const;
}

/** It has no order: autopay claims it when it is made, or in the billing run of its due date. */
function autopayOf(
  { tenant, time: { today } }: OperationContext,
  isAutoPay: boolean,
  { due, amount }: { readonly due: IsoDate; readonly amount: Decimal },
) {
  const { autopayOn } = tenant.settings;
  const day = autopayDay(autopayOn, { invoiceDate: today, dueDate: due });
  return {
    is_auto_pay: isAutoPay,
    autopay_on: isAutoPay && compare(amount, '0') > 0 ? day : null,
    autopay_order_id: null,
    autopay_after_payment_id: null,
  };
}

interface NamedOrder {
  readonly id: number;
  readonly contract_code: string;
}

async function ordersNamed(
  { tx }: OperationContext,
  customer: LockedCustomer,
  items: readonly ManualLineInput[],
): Promise<(NamedOrder | null)[]> {
  const found = await tx.query<NamedOrder & { number: string }>(
    `select o.id, o.order_number::text as number, p.contract_code
     from subscription_order o join plan p on p.tenant_id = o.tenant_id and p.id = o.plan_id
     where o.customer_id = $1 and o.order_number::text = any($2)`,
    [customer.id, items.map((item) => item.enterpriseSubscription ?? '')],
  );
  return items.map(({ enterpriseSubscription: number }, index) => {
    if (!number) return null;
    const order = found.find((candidate) => candidate.number === number);
    if (order) return order;
    const path = `invoiceLineItems/invoiceLineItem[${index + 1}]/enterpriseSubscription`;
    throw invalid(path, 'the customer has no order with this number', number);
  });
}

async function balanceOf(
  { tx }: OperationContext,
  owner: { readonly customer_id: number; readonly currency: string },
): Promise<Balance> {
  const balances = await balancesOf(tx, [owner.customer_id]);
  return balances.get(balanceKey(owner.customer_id, owner.currency)) ?? noBalance;
}
