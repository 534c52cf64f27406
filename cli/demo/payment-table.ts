/** Prints payments, credits and refunds, with the invoices that each was applied to. */
import { all, text, type Xml } from '../rest.ts';
import { say, table, explain } from './words.ts';

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
