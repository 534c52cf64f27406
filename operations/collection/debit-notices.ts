/** Announces SEPA debits: on a day so many days later the invoice is debited, at most that amount. */
import { DEBIT_NOTICE_DAYS_MIN, debitDay } from '../../domain/payments/debits.ts';
import type { InvoiceState } from '../../domain/invoices/happened.ts';
import { compare, type Decimal } from '../../domain/money/money.ts';
import { amountToPay } from '../../db/queries/collection/attempts.ts';
import {
  announce,
  announcedDebits,
  invoicesToAnnounce,
} from '../../db/queries/collection/debit-notices.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { invoiceStateColumns } from '../../db/queries/invoices/invoices.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { changeInvoices } from '../allocation/change-invoices.ts';
import type { OperationContext } from '../context/context.ts';
import { mailNudge } from '../context/nudge.ts';
import { enqueue } from '../outbox/enqueue.ts';
import {
  firstMethods,
  methodsById,
  type StoredMethod,
} from '../payment-methods/methods-on-file.ts';

/** An invoice that pays itself. */
export interface InvoiceToAnnounce extends InvoiceState {
  readonly id: number;
  readonly customerId: number;
  /** The order whose workflow pays it. */
  readonly orderId: number | null;
  /** What would be debited now. */
  readonly amount: Decimal;
}

export interface DebitToAnnounce {
  readonly invoice: InvoiceToAnnounce;
  readonly method: StoredMethod;
}

/** Whether autopay announces a debit by this method before it charges. */
export const isAnnouncedFirst = ({ debit }: StoredMethod): boolean => debit === 'sepa';

/** What was announced for the autopay day of these invoices, by invoice. */
export async function readAnnounced(
  tx: Tx,
  invoices: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, { readonly amount: Decimal; readonly method: StoredMethod }>> {
  if (invoices.length === 0) return new Map();
  const debits = await announcedDebits(
    tx,
    invoices.map(({ id }) => id),
  );
  const methods = await methodsById(
    tx,
    [...debits.values()].map(({ methodId }) => methodId),
  );
  const entries = [...debits].flatMap(([invoiceId, { amount, methodId }]) => {
    const method = methods.get(methodId);
    return method === undefined ? [] : [[invoiceId, { amount, method }] as const];
  });
  return new Map(entries);
}

/**
 * Each invoice pays itself on the announced day, which its order's workflow waits for, and the payer is
 * told in the same transaction. The customers are locked.
 */
export async function announceDebits(
  context: OperationContext,
  debits: readonly DebitToAnnounce[],
): Promise<void> {
  if (debits.length === 0) return;
  const { tx, time, tenant } = context;
  const { today } = time;
  const noticeDays = Math.max(tenant.gatewaySettings.debitNoticeDays, DEBIT_NOTICE_DAYS_MIN);
  const dayOf = ({ autopayOn }: InvoiceState): string =>
    debitDay({ autopayOn: autopayOn ?? today, today, noticeDays });
  changeInvoices(
    context,
    debits.map(({ invoice }) => invoice),
    (invoice) => ({ happened: 'announced', debitOn: dayOf(invoice) }),
  );
  const ids = await takeIds(tx, debits.length);
  const rows = debits.map(({ invoice, method }, index) => {
    const { id: invoiceId, customerId, amount } = invoice;
    const debitOn = dayOf(invoice);
    return {
      id: ids[index] ?? 0,
      customerId,
      invoiceId,
      paymentMethodId: method.id,
      amount,
      debitOn,
    };
  });
  const mails = await announce(tx, rows, time);
  enqueue(context, [
    ...debits.flatMap(({ invoice: { orderId: objectId } }) =>
      objectId === null ? [] : [{ kind: 'order', objectId } as const],
    ),
    ...(mails > 0 ? [mailNudge] : []),
  ]);
}

/**
 * Announces what these customers, whom this transaction has locked, pay by SEPA debits in the days that
 * come: before its autopay day, or anew if another account has come on file.
 */
export async function announceAhead(
  context: OperationContext,
  customerIds: readonly number[],
): Promise<void> {
  const { tx, time } = context;
  const ids = await invoicesToAnnounce(tx, customerIds, time.today);
  if (ids.length === 0) return;
  const [invoices, methods] = await Promise.all([
    tx.query<InvoiceToAnnounce & Record<string, unknown>>(
      `select i.id, i.customer_id, i.autopay_order_id as order_id, ${invoiceStateColumns('i')},
         ${amountToPay('i')} as amount
       from invoice i where i.tenant_id = $1 and i.id = any($2) order by i.id`,
      [tx.tenantId, ids],
      'invoices-announced-ahead',
    ),
    firstMethods(tx, customerIds),
  ]);
  const debits = invoices.flatMap((invoice) => {
    const method = methods.get(invoice.customerId);
    const isDebited = method !== undefined && compare(invoice.amount, '0') > 0;
    return isDebited && isAnnouncedFirst(method) ? [{ invoice, method }] : [];
  });
  await announceDebits(context, debits);
}
