/**
 * Computes which open invoices the payments in processing would pay if they were paid now. Autopay
 * and other payments leave these amounts alone; ageing will read them too.
 */
import assert from 'node:assert';
import type { Decimal } from '../../domain/money/money.ts';
import { setAside } from '../../domain/payments/allocation.ts';
import { readInvoices } from '../../db/queries/invoices/invoices.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { OperationContext } from '../context/context.ts';
import { changeInvoices } from './change-invoices.ts';
import { debitsOf, invoiceClaim, openInvoices, ownerKey } from './allocate.ts';
import type { Payment } from '../../db/entities/payments.ts';
import type { RowOf } from '../../db/entities/rows.ts';

/** The part of one invoice that is set aside. */
export interface InvoiceSetAside {
  readonly amount: Decimal;
  /** The open amount of the invoice, including that part. */
  readonly open: Decimal;
  /** The cascade of the payment that is to pay it. */
  readonly cascadeId: number;
}

interface ProcessingRow extends RowOf<
  typeof Payment,
  'id' | 'cascadeId' | 'customerId' | 'currency' | 'effectiveDate' | 'namedInvoiceIds'
> {
  /** Negative for a debit: its open amount. */
  readonly balance: Decimal;
}

/** By invoice id; empty if no payment of these customers is in processing. */
export async function setAsideByProcessing(
  tx: Pick<Tx, 'query'>,
  customerIds: readonly number[],
): Promise<ReadonlyMap<number, InvoiceSetAside>> {
  const result = new Map<number, InvoiceSetAside>();
  const rows = await processingMoney(tx, customerIds);
  if (rows.length === 0) return result;
  const owners = [...new Set(rows.map((row) => row.customerId))];
  const [debits, invoices] = await Promise.all([openDebits(tx, owners), openInvoices(tx, owners)]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const openOf = new Map(invoices.map(({ id, open }) => [id, open]));
  for (const [key, processing] of Map.groupBy(rows, ownerKey)) {
    const claims = [
      ...debitsOf(debits.filter((debit) => ownerKey(debit) === key)),
      ...invoices.filter((invoice) => ownerKey(invoice) === key).map(invoiceClaim),
    ];
    const moneys = processing.map(({ id, balance, effectiveDate, namedInvoiceIds }) => ({
      id,
      balance,
      effectiveDate,
      namedInvoiceIds,
    }));
    for (const { kind, claimId, amount, paymentId } of setAside(moneys, claims)) {
      const payment = byId.get(paymentId);
      const open = openOf.get(claimId);
      assert(payment, 'the payment of a set-aside amount is in the list');
      if (kind === 'invoice' && open !== undefined) {
        result.set(claimId, { amount, open, cascadeId: payment.cascadeId });
      }
    }
  }
  return result;
}

function processingMoney(
  tx: Pick<Tx, 'query'>,
  customerIds: readonly number[],
): Promise<ProcessingRow[]> {
  return tx.query<ProcessingRow>(
    `select id, cascade_id, customer_id, currency, amount - surcharge as balance, effective_date,
            named_invoice_ids
     from payment
     where customer_id = any($1) and phase = 'Processing' and payment_type = 'Payment'`,
    [customerIds],
    'processing-money',
  );
}

function openDebits(tx: Pick<Tx, 'query'>, customerIds: readonly number[]) {
  return tx.query<Omit<ProcessingRow, 'cascadeId' | 'namedInvoiceIds'>>(
    `select id, customer_id, currency, balance, effective_date
     from payment where customer_id = any($1) and balance < 0`,
    [customerIds],
    'open-debits',
  );
}

/** An invoice, and the cascade of the payment that it waits for. */
export interface InvoiceAside {
  readonly invoiceId: number;
  readonly cascadeId: number;
}

/**
 * Autopay pays open invoices that a payment in processing would pay in full only if that payment
 * fails.
 */
export async function payBySelfAfter(
  context: OperationContext,
  aside: readonly InvoiceAside[],
): Promise<void> {
  if (aside.length === 0) return;
  const cascadeOf = new Map(aside.map(({ invoiceId, cascadeId }) => [invoiceId, cascadeId]));
  const invoices = await readInvoices(context.tx, {
    name: 'invoices-to-set-aside',
    where: `i.id = any($1) and i.status = 'Outstanding'`,
    values: [[...cascadeOf.keys()]],
  });
  const { today } = context.time;
  changeInvoices(context, invoices, ({ id }) => {
    const cascadeId = cascadeOf.get(id);
    return cascadeId === undefined ? undefined : { happened: 'setAside', cascadeId, today };
  });
}
