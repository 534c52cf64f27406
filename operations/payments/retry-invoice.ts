/** Retries an invoice at once, because a call asks for it. */
import { DomainError } from '../../domain/errors.ts';
import type { Decimal } from '../../domain/money/money.ts';
import type { InvoiceStatus } from '../../domain/invoices/happened.ts';
import { waiting } from '../../domain/payments/transitions.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { insertPayments, newPayment } from '../../db/queries/payments/new-payments.ts';
import type { OperationContext } from '../context/context.ts';
import { type InvoiceAddress, lockInvoice } from '../context/locks.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { columnsOfStored, methodOnFile } from '../payment-methods/methods-on-file.ts';
import type { Payer } from './input.ts';

/**
 * Makes a payment of what is open of the invoice, by the methods on file that may be tried, and returns
 * its id. The schedule of retries stays as it is. Throws invoice.unknown, payment.invoice and
 * paymentMethod.unknown.
 */
export async function retryInvoice(
  context: OperationContext,
  address: InvoiceAddress,
  payer: Payer,
): Promise<number> {
  const { tx, time } = context;
  const { id: invoiceId, customer } = await lockInvoice(tx, address);
  const [[invoice], method, [id = 0]] = await Promise.all([
    tx.query<OpenInvoice & Record<string, unknown>>(
      'select status, currency, outstanding_balance as open from invoice where id = $1',
      [invoiceId],
      'invoice-to-retry',
    ),
    methodOnFile(tx, customer.id, 1, 'retry'),
    takeIds(tx, 1),
  ]);
  if (invoice === undefined) throw new Error(`there is no invoice ${invoiceId}`);
  const { status, currency, open } = invoice;
  if (status !== 'Outstanding') {
    const text = `only an Outstanding invoice is retried, this one is ${status}`;
    throw new DomainError('payment.invoice', text, { path: 'invoice', value: status });
  }
  if (method === undefined) {
    const text = 'no payment method on file may be tried, add or replace one first';
    throw new DomainError('paymentMethod.unknown', text, { path: 'invoice' });
  }
  const row = newPayment(waiting('Payment', { amount: open, surcharge: '0' }), {
    ...columnsOfStored(method),
    id,
    customerId: customer.id,
    currency,
    effectiveDate: time.today,
    isCascading: true,
    namedInvoiceIds: [invoiceId],
    isRetry: true,
    baseUserId: payer.userId,
  });
  insertPayments(tx, [row], time.now);
  enqueue(context, [{ kind: 'payment', objectId: id }]);
  return id;
}

interface OpenInvoice {
  readonly status: InvoiceStatus;
  readonly currency: string;
  readonly open: Decimal;
}
