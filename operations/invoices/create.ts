/** Makes an invoice by hand, with the lines and charges that the caller states. */
import { maxDate } from '../../domain/calendar/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import {
  add,
  compare,
  fitsBooks,
  isCurrency,
  minorDigits,
  negate,
  roundedAmount,
  sum,
} from '../../domain/money/money.ts';
import { RATED_CHARGES_MAX } from '../../domain/billing/limits.ts';
import { dueDate, firstTerms } from '../../domain/calendar/terms.ts';
import type { Decimal, IsoDate, TermUnit } from '../../domain/model.ts';
import { takeIds, writeBilling } from '../../db/queries/billing/write.ts';
import type { ChargeInsert, InvoiceInsert } from '../../db/queries/billing/write.ts';
import { balanceKey, balancesOf, noBalance, type Balance } from '../billing/balances.ts';
import { lockCustomer, type CustomerAddress, type LockedCustomer } from '../context/locks.ts';
import { allocateToNewInvoices } from '../allocation/allocate.ts';
import { claimAutopay } from '../payments/autopay.ts';
import { termsOf } from '../plans/versions.ts';
import type { OperationContext } from '../context/context.ts';

export interface ManualChargeInput {
  readonly priceCode?: string | null | undefined;
  readonly position?: number | null | undefined;
  readonly invoiceText?: string | null | undefined;
  readonly isPercent?: boolean | null | undefined;
  readonly unitPrice?: Decimal | null | undefined;
  readonly quantity?: Decimal | null | undefined;
  readonly amount?: Decimal | null | undefined;
}

export interface ManualLineInput {
  /** An order number of the customer. */
  readonly enterpriseSubscription?: string | null | undefined;
  readonly invoiceText?: string | null | undefined;
  readonly invoiceLineItemCharges?: readonly ManualChargeInput[] | null | undefined;
}

export interface ManualInvoiceInput {
  readonly dueDate?: IsoDate | null | undefined;
  readonly currency?: string | null | undefined;
  readonly isAutoPay?: boolean | null | undefined;
  readonly notes?: string | null | undefined;
  readonly invoiceLineItems?: readonly ManualLineInput[] | null | undefined;
}

/** Answers the invoice's id. Throws customer.unknown, or an error that names the element. */
export async function createInvoice(
  context: OperationContext,
  address: CustomerAddress,
  input: ManualInvoiceInput,
): Promise<number> {
  const { tx, time } = context;
  refuseTooManyCharges(input);
  const customer = await lockCustomer(tx, address);
  const currency = input.currency ?? customer.currency;
  if (!isCurrency(currency)) {
    throw invalid('currency/@id', 'currency/@id is not an ISO 4217 code', currency);
  }
  const items = input.invoiceLineItems ?? [];
  if (items.length === 0) {
    throw new DomainError('field.required', 'an invoice has at least one invoiceLineItem', {
      path: 'invoice/invoiceLineItems',
    });
  }
  const due = input.dueDate ?? (await dueByTerms(context, customer));
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
    each.map((charge) => ({
      ...charge,
      invoice_line_id: lineIds[index] ?? 0,
      charge_date: time.today,
    })),
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

/** No order stands behind it: it is claimed as it is made, or by the billing run of its due date. */
function autopayOf(
  { tenant, time: { today } }: OperationContext,
  isAutoPay: boolean,
  { due, amount }: { readonly due: IsoDate; readonly amount: Decimal },
) {
  const day = tenant.settings.autopayOn === 'dueDate' ? maxDate(due, today) : today;
  return {
    is_auto_pay: isAutoPay,
    autopay_on: isAutoPay && compare(amount, '0') > 0 ? day : null,
    autopay_order_id: null,
    autopay_after_payment_id: null,
  };
}

function refuseTooManyCharges({ invoiceLineItems }: ManualInvoiceInput): void {
  const items = invoiceLineItems ?? [];
  const charges = items.reduce(
    (count, { invoiceLineItemCharges: each }) => count + (each?.length ?? 0),
    0,
  );
  const count = Math.max(items.length, charges);
  if (count <= RATED_CHARGES_MAX) return;
  const message = `an invoice has at most ${RATED_CHARGES_MAX} line items, and as many charges`;
  throw invalid('invoiceLineItems', message, String(count));
}

type PricedCharge = Omit<ChargeInsert, 'invoice_line_id' | 'charge_date'>;

function pricedLine(item: ManualLineInput, line: number, currency: string): PricedCharge[] {
  const sent = item.invoiceLineItemCharges ?? [];
  const at = (index: number) =>
    `invoiceLineItems/invoiceLineItem[${line + 1}]/invoiceLineItemCharges/` +
    `invoiceLineItemCharge[${index + 1}]`;
  const amounts = sent.map((charge, index) =>
    charge.isPercent ? null : plainAmount(charge, at(index), currency),
  );
  // A percentage is of the line's other charges, not of other percentages.
  const base = sum(amounts.filter((amount) => amount !== null));
  return sent.map((charge, index) => {
    const amount = amounts[index] ?? percentAmount(charge, base, at(index), currency);
    return {
      position: charge.position ?? index + 1,
      kind: 'manual',
      order_line_id: null,
      charge_id: null,
      pricing_tier_id: null,
      billed_period_id: null,
      price_code: charge.priceCode ?? null,
      accounting_code: null,
      invoice_text: charge.invoiceText ?? null,
      is_percent: charge.isPercent ?? false,
      billing_start_date: null,
      billing_end_date: null,
      unit_price: charge.unitPrice ?? null,
      quantity: charge.quantity ?? (charge.unitPrice == null ? null : '1'),
      unit_of_measure: null,
      amount,
    };
  });
}

function plainAmount(charge: ManualChargeInput, path: string, currency: string): Decimal {
  const { unitPrice, amount } = charge;
  if (unitPrice == null) {
    if (amount == null) throw required(`${path}/amount`, 'amount, or unitPrice with quantity');
    return inMinorUnits(amount, `${path}/amount`, currency);
  }
  const price = unitPrice;
  const quantity = charge.quantity ?? '1';
  const worth = roundedAmount({ price, quantity, numerator: 1, denominator: 1, currency });
  return agreed(amount ?? null, worth, path);
}

function percentAmount(
  charge: ManualChargeInput,
  base: Decimal,
  path: string,
  currency: string,
): Decimal {
  const { unitPrice: percent } = charge;
  if (percent == null) throw required(`${path}/unitPrice`, 'the percentage');
  const share = { price: percent, quantity: base, numerator: 1, denominator: 100, currency };
  return agreed(charge.amount ?? null, roundedAmount(share), path);
}

function assertFits(amount: Decimal, path: string): void {
  if (fitsBooks(amount)) return;
  throw invalid(path, `comes to ${amount}, which is more than the books can hold`, amount);
}

function agreed(amount: Decimal | null, worth: Decimal, path: string): Decimal {
  assertFits(worth, `${path}/unitPrice`);
  if (amount !== null && compare(amount, worth) !== 0) {
    throw invalid(`${path}/amount`, `amount differs from the computed ${worth}`, amount);
  }
  return worth;
}

function inMinorUnits(amount: Decimal, path: string, currency: string): Decimal {
  const rating = { price: amount, quantity: '1', numerator: 1, denominator: 1, currency };
  const rounded = roundedAmount(rating);
  if (compare(rounded, amount) === 0) return rounded;
  const digits = minorDigits(currency);
  throw invalid(path, `an amount in ${currency} has at most ${digits} decimals`, amount);
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
    throw invalid(path, 'the customer has no order of this number', number);
  });
}

async function dueByTerms(context: OperationContext, customer: LockedCustomer): Promise<IsoDate> {
  const [terms] = await context.tx.query<{ value: number | null; units: TermUnit | null }>(
    `select payment_terms_value as value, payment_terms_units as units
     from customer where id = $1`,
    [customer.id],
  );
  const own = terms ? termsOf(terms.value, terms.units) : null;
  return dueDate(context.time.today, firstTerms(own) ?? context.tenant.paymentTerms);
}

async function balanceOf(
  { tx }: OperationContext,
  owner: { readonly customer_id: number; readonly currency: string },
): Promise<Balance> {
  const balances = await balancesOf(tx, [owner.customer_id]);
  return balances.get(balanceKey(owner.customer_id, owner.currency)) ?? noBalance;
}

function required(path: string, what: string): DomainError {
  return new DomainError('field.required', `${what} is missing`, { path: `invoice/${path}` });
}

function invalid(path: string, message: string, value: string): DomainError {
  return new DomainError('field.invalid', message, { path: `invoice/${path}`, value });
}
