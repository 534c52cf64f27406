/** Makes the payment of a form of self-service: once, and of exactly what its page showed. */
import { type Decimal, formatAmount, sum } from '../../domain/money/money.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import { lockCustomer } from '../context/locks.ts';
import { useForm } from '../hosted-pages/forms.ts';
import type { MethodChoice } from '../payment-methods/choice.ts';
import { createPayment } from '../payments/create.ts';
import { type CardSession, PayRefused, refuseCards } from './card-limits.ts';
import { type NamedOpen, pendingNaming, readNamedOpen } from './payable.ts';
import { insertingOne } from '../../db/queries/context/insertion.ts';
import { SelfServicePayment } from '../../db/entities/hosted-pages.ts';

/** What a page showed, and whoever sent its form has agreed to. */
export interface ShownInvoices {
  readonly ids: readonly number[];
  /** Whether these are the invoices and amounts that the page showed. */
  readonly isShown: (invoices: readonly NamedOpen[]) => boolean;
}

export interface PageCharge extends CardSession, ShownInvoices {
  /** The id of the form: a repeat makes nothing. */
  readonly formKey: string;
  readonly method: MethodChoice;
  /** Sealed: the page of the payment, to which its payer comes back. */
  readonly returnSealed: (paymentId: number) => string;
}

export interface PaymentMade {
  readonly paymentId: number;
  /** The form has made it before. */
  readonly isRepeat: boolean;
}

/**
 * A Pending payment, whose workflow charges. Throws PayRefused, card.tooManyDeclines, or
 * paymentMethod.unknown, and then stores nothing.
 */
export async function payByPage(
  dependencies: Dependencies,
  context: OperationContext,
  { formKey, method, returnSealed, ...charge }: PageCharge,
): Promise<PaymentMade> {
  const { tx } = context;
  const { customerId, sessionId, network } = charge;
  // Whoever changes an invoice, a payment or a method of the customer has this lock.
  await lockCustomer(tx, { id: customerId });
  if (!(await useForm(context, formKey))) {
    const paymentId = await paymentOfForm(tx, formKey);
    if (paymentId === undefined) throw new PayRefused('moved');
    return { paymentId, isRepeat: true };
  }
  const { amount, currency, invoiceIds } = await refuseUnpayable(context, charge);
  const paymentId = await createPayment(
    dependencies,
    context,
    {
      type: 'Payment',
      root: 'pay',
      customer: { id: customerId },
      amount,
      totalSurcharge: null,
      currencyCode: currency,
      generateInvoice: false,
      effectiveDate: null,
      invoiceText: null,
      purchaseDescription: null,
      internalNotes: null,
      invoiceIds,
      method,
    },
    { userId: null, returnSealed },
  );
  notePagePayment(context, { paymentId, sessionId, formKey, network, shownAmount: amount });
  return { paymentId, isRepeat: false };
}

export interface ToPay {
  readonly amount: Decimal;
  readonly currency: string;
  readonly invoiceIds: readonly number[];
}

/**
 * What is to be paid, if it is what the page showed and nobody pays it already. Without the lock of
 * the customer it calls for another look later. Throws PayRefused, card.tooManyDeclines.
 */
export async function refuseUnpayable(
  context: Pick<OperationContext, 'tx' | 'realNow'>,
  { ids, isShown, ...user }: CardSession & ShownInvoices,
): Promise<ToPay> {
  const { tx } = context;
  await refuseCards(context, user);
  const payingId = await pendingNaming(tx, user.customerId, ids);
  if (payingId !== undefined) throw new PayRefused('underWay', payingId);
  return payableOf(tx, user.customerId, { ids, isShown });
}

async function payableOf(
  tx: Tx,
  customerId: number,
  { ids, isShown }: ShownInvoices,
): Promise<ToPay> {
  const invoices = await readNamedOpen(tx, customerId, ids);
  const [first] = invoices;
  const isWhole = invoices.length === ids.length && isShown(invoices);
  if (first === undefined || !isWhole) throw new PayRefused('moved');
  const { currency } = first;
  const amount = formatAmount(currency, sum(invoices.map(({ open }) => open)));
  return { amount, currency, invoiceIds: invoices.map(({ id }) => id) };
}

/* The payments that pages of self-service made: which session did, by which form, for what. */

interface PagePayment {
  /** The first of its cascade. */
  readonly paymentId: number;
  readonly sessionId: number;
  readonly formKey: string;
  readonly network: string;
  /** No more is charged. */
  readonly shownAmount: Decimal;
}

const insertPagePayment = insertingOne('note-page-payment', {
  into: SelfServicePayment,
  columns: ['paymentId', 'sessionId', 'formKey', 'network', 'shownAmount', 'createdAt'],
});

function notePagePayment(
  { tx, realNow }: Pick<OperationContext, 'tx' | 'realNow'>,
  payment: PagePayment,
): void {
  insertPagePayment(tx, { ...payment, createdAt: realNow });
}

/** The payment that a form has made before; undefined if it has made none. */
export async function paymentOfForm(tx: Tx, formKey: string): Promise<number | undefined> {
  const [made] = await tx.query<{ id: number }>(
    'select payment_id as id from self_service_payment where tenant_id = $1 and form_key = $2',
    [tx.tenantId, formKey],
    'page-payment-of-form',
  );
  return made?.id;
}

/** Whether the session itself made the payment, which it then shows in any case. */
export async function isOfSession(
  tx: Tx,
  { sessionId, paymentId }: Pick<PagePayment, 'sessionId' | 'paymentId'>,
): Promise<boolean> {
  const made = await tx.query(
    `select from self_service_payment where tenant_id = $1 and payment_id = $2 and session_id = $3`,
    [tx.tenantId, paymentId, sessionId],
    'page-payment-of-session',
  );
  return made.length > 0;
}
