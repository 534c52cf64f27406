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
import { shownCharge } from '../../domain/billing/shown.ts';
import type { DraftCharge } from '../../domain/billing/total.ts';
import type { IsoDate } from '../../domain/model.ts';
import { add, compare, sum } from '../../domain/money/money.ts';
import { dueDate } from '../../domain/calendar/terms.ts';
import { takeIds, writeBilling } from '../../db/queries/billing/write.ts';
import { balanceKey, balancesOf, noBalance, type Balance } from '../billing/balances.ts';
import {
  autopayOf,
  balanceRow,
  chargeRow,
  invoiceRow,
  ledgerRow,
} from '../billing/invoice-rows.ts';
import { raiseInvoiceEvents } from '../billing/invoice-events.ts';
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
    each.map((charge) => chargeRow(draftOf(charge, time.today), lineIds[index] ?? 0)),
  );
  for (const { position, line_amount_total: total } of lines) {
    assertFits(total, `invoiceLineItems/invoiceLineItem[${position}]`);
  }
  const amount = sum(lines.map((line) => line.line_amount_total));
  const balance = await balanceOf(context, customer.id, currency);
  for (const total of [amount, add(balance.balance, amount)]) assertFits(total, 'invoiceLineItems');
  const made = {
    customerId: customer.id,
    currency,
    status: compare(amount, '0') <= 0 ? 'Paid' : 'Outstanding',
    invoiceDate: time.today,
    dueDate: due,
    billingStartDate: null,
    billingEndDate: null,
    billingPeriod: null,
    currentAmountDue: amount,
  } as const;
  // It has no order: autopay claims it when it is made, or in the billing run of its due date.
  const autopay = autopayOf(made, {
    isAutoPay: input.isAutoPay ?? false,
    autopayOn: context.tenant.settings.autopayOn,
    orderId: null,
    afterPaymentId: null,
  });
  const own = { id: invoiceId, before: balance, autopay, notes: input.notes ?? null };
  const invoice = invoiceRow(made, own);
  raiseInvoiceEvents(context, [invoice]);
  const [ledger, balances] = [[ledgerRow(invoice)], [balanceRow(invoice)]];
  const billing = { lines, charges, ledger, balances, invoices: [invoice] };
  writeBilling(tx, { periods: [], orders: [], pointers: [], ...billing }, time);
  await allocateToNewInvoices(context, [invoice], () => balance.hasUnapplied);
  if (invoice.autopay_on === time.today) await claimAutopay(context, { invoiceId });
  return invoiceId;
}

function draftOf({ position, ...own }: ManualCharge, chargeDate: IsoDate): DraftCharge {
  const charge = { ...own, kind: 'manual' } as const;
  return { ...shownCharge(charge), charge, position, chargeDate };
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
  customerId: number,
  currency: string,
): Promise<Balance> {
  const balances = await balancesOf(tx, [customerId]);
  return balances.get(balanceKey(customerId, currency)) ?? noBalance;
}
