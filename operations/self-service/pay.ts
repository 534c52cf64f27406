/** Makes the payment of a page's form: once, and of exactly what its page showed. */
import { type Decimal, formatAmount, sum } from '../../domain/money/money.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import { lockCustomer } from '../context/locks.ts';
import { useForm } from '../hosted-pages/forms.ts';
import type { MethodChoice } from '../payment-methods/choice.ts';
import { createPayment } from '../payments/create.ts';
import { type CardPayer, PayRefused, refuseCards } from './card-limits.ts';
import { type NamedOpen, pendingNaming, readNamedOpen } from './payable.ts';
import { insertingOne } from '../../db/queries/context/insertion.ts';
import { SelfServicePayment } from '../../db/entities/hosted-pages.ts';

/** What a page showed, and whoever sent its form has agreed to. */
export interface ShownInvoices {
  readonly ids: readonly number[];
  /** Whether these are the invoices and amounts that the page showed. */
  readonly isShown: (invoices: readonly NamedOpen[]) => boolean;
}

/** Who pays which invoices of whom. */
export interface ToCharge extends ShownInvoices {
  readonly payer: CardPayer;
  /** The customer of the invoices. */
  readonly ownerId: number;
}

export interface PageCharge extends ToCharge {
  /** The id of the form: a repeat makes nothing. */
  readonly formKey: string;
  readonly method: MethodChoice;
  /** Sealed: the page of the payment, to which its payer comes back. */
  readonly returnSealed: (paymentId: number) => string | null;
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
  const { ownerId, payer } = charge;
  // Whoever changes an invoice, a payment or a method of the customer has this lock.
  await lockCustomer(tx, { id: ownerId });
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
      customer: { id: ownerId },
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
  notePagePayment(context, { paymentId, ...madeBy(payer), formKey, shownAmount: amount });
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
  { ids, isShown, payer, ownerId }: ToCharge,
): Promise<ToPay> {
  const { tx } = context;
  await refuseCards(context, payer);
  const payingId = await pendingNaming(tx, ownerId, ids);
  if (payingId !== undefined) throw new PayRefused('underWay', payingId);
  return payableOf(tx, ownerId, { ids, isShown });
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

/* The payments that pages made: which session or pay link did, by which form, for what. */

interface PagePayment {
  /** The first of its cascade. */
  readonly paymentId: number;
  readonly sessionId: number | null;
  /** Whose pay link it was. */
  readonly invoiceId: number | null;
  readonly formKey: string;
  readonly network: string;
  /** No more is charged. */
  readonly shownAmount: Decimal;
}

const madeBy = (payer: CardPayer): Pick<PagePayment, 'sessionId' | 'invoiceId' | 'network'> =>
  'sessionId' in payer
    ? { sessionId: payer.sessionId, invoiceId: null, network: payer.network }
    : { sessionId: null, invoiceId: payer.invoiceId, network: payer.network };

const insertPagePayment = insertingOne('note-page-payment', {
  into: SelfServicePayment,
  columns: [
    'paymentId',
    'sessionId',
    'invoiceId',
    'formKey',
    'network',
    'shownAmount',
    'createdAt',
  ],
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
  { sessionId, paymentId }: { readonly sessionId: number; readonly paymentId: number },
): Promise<boolean> {
  const made = await tx.query(
    `select from self_service_payment where tenant_id = $1 and payment_id = $2 and session_id = $3`,
    [tx.tenantId, paymentId, sessionId],
    'page-payment-of-session',
  );
  return made.length > 0;
}
