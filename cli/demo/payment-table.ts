/** Prints payments, credits and refunds as a table that a person reads. */
import { all, text, type Xml } from '../rest.ts';

const widths = { date: 12, customer: 22, type: 9, method: 24, amount: 10, status: 11 };

/** What the table needs beside the payments themselves. */
export interface PaymentTableNames {
  /** Of customers, by their id. */
  readonly customers: ReadonlyMap<string, string>;
  /** Numbers of invoices, by their id. */
  readonly invoices: ReadonlyMap<string, string>;
}

export function paymentTable(payments: readonly Xml[], names: PaymentTableNames): string {
  const out = ['', 'Payments, credits and refunds', '═'.repeat(widthOf() + 24)];
  for (const payment of payments) out.push(row(payment, names));
  return `${out.join('\n')}\n`;
}

function widthOf(): number {
  return Object.values(widths).reduce((sum, width) => sum + width, 0);
}

function row(payment: Xml, { customers, invoices }: PaymentTableNames): string {
  const id = text(payment, 'customer', '@id');
  const result = text(payment, 'processorResult', 'errorCode');
  const applied = all(payment, 'invoicePayments', 'invoicePayment').map((each) => {
    const invoice = text(each, 'invoice', '@id');
    return `${text(each, 'amountApplied')} on ${invoices.get(invoice) ?? `invoice ${invoice}`}`;
  });
  const status = text(payment, 'status');
  return [
    text(payment, 'effectiveDate').padEnd(widths.date),
    (customers.get(id) ?? `customer ${id}`).padEnd(widths.customer),
    text(payment, 'paymentType').padEnd(widths.type),
    text(payment, 'paymentMethodContext').padEnd(widths.method),
    text(payment, 'amount').padStart(widths.amount),
    `  ${status}`.padEnd(widths.status),
    status === 'Declined' ? result : applied.join(', '),
  ]
    .join('')
    .trimEnd();
}
