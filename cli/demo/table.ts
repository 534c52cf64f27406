/** Prints a customer's invoices for people: numbers, dates, lines and sums. */
import { type Xml, all, text } from '../rest.ts';
import { sum } from './books.ts';
import { isSubTotal } from './usage.ts';
import { explain, faint, say, strong, table } from './words.ts';

const widths = { what: 26, period: 24, quantity: 9, price: 10, amount: 12 };
const wide = Object.values(widths).reduce((total, width) => total + width, 0);

export function sayInvoice(invoice: Xml): void {
  const currency = text(invoice, 'currency', '@id');
  const status = text(invoice, 'status');
  const what = text(invoice, 'creditNoteOf', '@id') === '' ? 'Invoice' : 'Credit note';
  say('', strong(`${what} ${text(invoice, 'invoiceNumber')}`) + datesOf(invoice) + status);
  for (const line of all(invoice, 'invoiceLineItems', 'invoiceLineItem')) {
    say(`  ${text(line, 'invoiceText')} (order ${text(line, 'orderNumber')})`);
    for (const charge of all(line, 'invoiceLineItemCharges', 'invoiceLineItemCharge')) {
      say(chargeRow(charge));
    }
  }
  const before = sum([text(invoice, 'previousBalance'), text(invoice, 'paymentsAndAdjustments')]);
  say(
    faint('─'.repeat(wide)),
    sumRow(`this invoice, ${currency}`, text(invoice, 'currentAmountDue')),
    sumRow('balance before it', before),
    strong(sumRow('balance after it', text(invoice, 'totalDue'))),
  );
}

function datesOf(invoice: Xml): string {
  return `   dated ${text(invoice, 'invoiceDate')}   due ${text(invoice, 'dueDate')}   `;
}

/** A charge with its period, quantity, price and amount. */
export function chargeRow(charge: Xml): string {
  const [start, end] = [text(charge, 'billingStartDate'), text(charge, 'billingEndDate')];
  return [
    `    ${text(charge, 'invoiceText')}${isSubTotal(charge) ? ', subtotal' : ''}`.padEnd(
      widths.what,
    ),
    (start === end ? start : `${start}–${end}`).padEnd(widths.period),
    trim(text(charge, 'quantity')).padStart(widths.quantity),
    priceOf(charge).padStart(widths.price),
    text(charge, 'amount').padStart(widths.amount),
  ].join('');
}

function priceOf(charge: Xml): string {
  const price = text(charge, 'unitPrice');
  // A subtotal has none.
  if (price === '') return '';
  return text(charge, 'isPercent') === 'true' ? `${trim(price)} %` : trim(price, 2);
}

function sumRow(label: string, amount: string): string {
  return label.padStart(wide - widths.amount) + amount.padStart(widths.amount);
}

/** Without trailing zeros, but with at least `digits` decimals. */
function trim(decimal: string, digits = 0): string {
  const [whole = '', fraction = ''] = decimal.split('.');
  const kept = fraction.replace(/0+$/, '').padEnd(digits, '0');
  return kept === '' ? whole : `${whole}.${kept}`;
}

/* Prints payments, credits and refunds, with the invoices that each was applied to. */

/** What the table needs besides the payments themselves. */
export interface PaymentTableNames {
  /** Names of customers, by their id. */
  readonly customers: ReadonlyMap<string, string>;
  /** Numbers of invoices, by their id. */
  readonly invoices: ReadonlyMap<string, string>;
}

const columns = [
  { title: 'Date' },
  { title: 'Customer' },
  { title: 'Type' },
  { title: 'Method' },
  { title: 'Amount', isFigure: true },
  { title: 'Status' },
];

export function sayPayments(payments: readonly Xml[], names: PaymentTableNames): void {
  const rows = payments.map((payment) => [
    text(payment, 'effectiveDate'),
    names.customers.get(text(payment, 'customer', '@id')) ?? '',
    text(payment, 'paymentType'),
    text(payment, 'paymentMethodContext'),
    text(payment, 'amount'),
    text(payment, 'status'),
  ]);
  const [head = '', rule = '', ...lines] = table(columns, rows);
  say(head, rule);
  for (const [index, payment] of payments.entries()) {
    say(lines[index] ?? '');
    const outcome = outcomeOf(payment, names);
    if (outcome !== '') explain(outcome, ' '.repeat('2027-01-01  '.length));
  }
}

function outcomeOf(payment: Xml, { invoices }: PaymentTableNames): string {
  if (text(payment, 'status') === 'Declined') {
    const result = text(payment, 'processorResult', 'errorMessage');
    return `declined: ${result || text(payment, 'processorResult', 'errorCode')}`;
  }
  const applied = all(payment, 'invoicePayments', 'invoicePayment').map((each) => {
    const invoice = text(each, 'invoice', '@id');
    return `${text(each, 'amountApplied')} to ${invoices.get(invoice) ?? `invoice ${invoice}`}`;
  });
  return applied.length === 0 ? '' : `applied: ${applied.join(', ')}`;
}
