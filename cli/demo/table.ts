/** Prints a customer's invoices for people: numbers, dates, lines and sums. */
import { all, text, type Xml } from '../rest.ts';
import { sum } from './books.ts';
import { isSubTotal } from './usage.ts';
import { faint, say, strong } from './words.ts';

const widths = { what: 26, period: 24, quantity: 9, price: 10, amount: 12 };
const wide = Object.values(widths).reduce((total, width) => total + width, 0);

export function sayInvoice(invoice: Xml): void {
  const currency = text(invoice, 'currency', '@id');
  const status = text(invoice, 'status');
  say('', strong(`Invoice ${text(invoice, 'invoiceNumber')}`) + datesOf(invoice) + status);
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
