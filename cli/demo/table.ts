/** Prints invoices as a table that a person reads: numbers, dates, lines and sums. */
import { all, text, type Xml } from '../rest.ts';

const widths = { what: 26, period: 24, quantity: 9, price: 10, amount: 12 };
const wide = Object.values(widths).reduce((sum, width) => sum + width, 0);

/** @param names of the customers by their id */
export function invoiceTable(invoices: readonly Xml[], names: ReadonlyMap<string, string>): string {
  const out: string[] = [];
  let customer = '';
  for (const invoice of invoices) {
    const id = text(invoice, 'customer', '@id');
    if (id !== customer) {
      out.push('', names.get(id) ?? `customer ${id}`, '═'.repeat(wide));
      customer = id;
    }
    out.push(...invoiceRows(invoice), '');
  }
  const total = invoices.reduce((sum, each) => sum + cents(text(each, 'currentAmountDue')), 0n);
  out.push(`${invoices.length} invoices, ${money(total)} in all`);
  return `${out.join('\n')}\n`;
}

function invoiceRows(invoice: Xml): string[] {
  const rows = [
    `Invoice ${text(invoice, 'invoiceNumber')}   dated ${text(invoice, 'invoiceDate')}   ` +
      `due ${text(invoice, 'dueDate')}   ${text(invoice, 'status')}`,
  ];
  for (const line of all(invoice, 'invoiceLineItems', 'invoiceLineItem')) {
    rows.push(`  ${text(line, 'invoiceText')} (order ${text(line, 'orderNumber')})`);
    for (const charge of all(line, 'invoiceLineItemCharges', 'invoiceLineItemCharge')) {
      rows.push(chargeRow(charge));
    }
  }
  rows.push('─'.repeat(wide).padStart(wide));
  rows.push(sumRow('this invoice', text(invoice, 'currentAmountDue')));
  const before = add(text(invoice, 'previousBalance'), text(invoice, 'paymentsAndAdjustments'));
  rows.push(sumRow('carried over', before), sumRow('total due', text(invoice, 'totalDue')));
  return rows;
}

function chargeRow(charge: Xml): string {
  const [start, end] = [text(charge, 'billingStartDate'), text(charge, 'billingEndDate')];
  return [
    `    ${text(charge, 'invoiceText')}`.padEnd(widths.what),
    (start === end ? start : `${start}–${end}`).padEnd(widths.period),
    trim(text(charge, 'quantity')).padStart(widths.quantity),
    trim(text(charge, 'unitPrice'), 2).padStart(widths.price),
    text(charge, 'amount').padStart(widths.amount),
  ].join('');
}

function sumRow(label: string, amount: string): string {
  return label.padStart(wide - widths.amount) + amount.padStart(widths.amount);
}

/** Without the zeros that say nothing; `digits` are kept. */
function trim(decimal: string, digits = 0): string {
  const [whole = '', fraction = ''] = decimal.split('.');
  const kept = fraction.replace(/0+$/, '').padEnd(digits, '0');
  return kept === '' ? whole : `${whole}.${kept}`;
}

function add(left: string, right: string): string {
  return money(cents(left) + cents(right));
}

function cents(amount: string): bigint {
  return BigInt(amount.replace('.', '') || '0');
}

function money(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
