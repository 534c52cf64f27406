/** The steps of a sign-up that follow from its rows alone, or from what has refused a try. */
import type { DomainError } from '../../domain/errors.ts';
import { verdictOn } from '../../domain/signups/refusals.ts';
import { type SignupHappened, signupAfter } from '../../domain/signups/state.ts';
import type { SignupFacts, SignupStep } from '../../domain/signups/step.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';
import { noteDecline } from '../hosted-pages/declines.ts';
import { askAgain } from './ask-to-confirm.ts';
import { payInvoices } from './pay.ts';
import {
  PriceMoved,
  type SignupInvoice,
  openSum,
  refuseHigher,
  stateOfInvoices,
} from '../../domain/signups/price-moved.ts';
import { type SignupRow, type TryResult, stateOf, writeTransition } from './signup-row.ts';
import { takeSaving } from '../../db/queries/payments/payments.ts';
import { fileMethod } from '../payment-methods/methods.ts';
import { updateContact } from '../customers/contact-write.ts';
import { cancelInvoice } from '../invoices/cancel.ts';
import { cancelOrdersAlone } from '../invoices/orders-of-invoice.ts';
import { findLoginOwner } from './match.ts';
import { queueMailsOfSignup } from '../../db/queries/mail/queue.ts';
import { mailNudge } from '../context/nudge.ts';
import { enqueue } from '../outbox/enqueue.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Decimal } from '../../domain/money/money.ts';
import type { PaymentStatus } from '../../domain/payments/allocation.ts';
import { isAbandoned } from './take.ts';

type Settling = Exclude<
  SignupStep,
  { readonly do: 'end' } | { readonly do: 'wait' } | { readonly do: 'make' | 'pay' }
>;

export async function settle(
  dependencies: Dependencies,
  context: OperationContext,
  row: SignupRow,
  { step, now }: { readonly step: Settling; readonly now: SignupNow },
): Promise<string> {
  switch (step.do) {
    case 'finish':
      if (now.payment === 'Pending') await saveAccepted(context, row);
      await finishSignup(context, row, { isOtherwise: now.payment === 'Canceled' });
      return 'PROCESSED';
    case 'decline':
      return decline(dependencies, context, row, now.declineCode ?? 'declined');
    case 'return':
      return returned(context, row, { code: step.code, field: null });
    case 'fail':
      return endSignup(dependencies, context, row, { happened: 'refused', code: step.code });
    case 'expire':
      return endSignup(dependencies, context, row, { happened: 'deadline' });
    case 'cancel':
      return endSignup(dependencies, context, row, { happened: 'cancelled' });
  }
}

/** A further payment of what was made before, by another card. */
export async function payAgain(
  dependencies: Dependencies,
  context: OperationContext,
  row: SignupRow,
): Promise<string> {
  const invoices = await readSignupInvoices(context.tx, row.invoiceIds);
  refuseHigher(row, invoices);
  const saves = row.savePaymentMethod && row.isNewCustomer === true;
  await payItselfIf(context, row, saves);
  const paymentId = await payInvoices(dependencies, context, row, { invoices, saves });
  writeTransition(context, row, signupAfter(stateOf(row), { happened: 'charging' }), { paymentId });
  return `payment ${paymentId}`;
}

/** The order pays itself by the card that is saved, which a later form may decide anew. */
async function payItselfIf(
  context: OperationContext,
  { orderId: objectId, customerId }: SignupRow,
  saves: boolean,
): Promise<void> {
  const { tx, time } = context;
  const changed = await tx.query(
    `update subscription_order set is_auto_pay = $3, version = version + 1, updated_at = $4
     where tenant_id = $1 and id = $2 and is_auto_pay <> $3 returning id`,
    [tx.tenantId, objectId, saves, time.now],
    'signup-order-pays-itself',
  );
  if (changed.length === 0 || objectId === null) return;
  raise(context, [{ type: 'order.updated', customerId, objectId }]);
}

export function decline(
  dependencies: Dependencies,
  context: OperationContext,
  row: SignupRow,
  code: string,
): Promise<string> {
  const { lastTry } = row;
  if (lastTry !== null) noteDecline(context, { network: lastTry.network, customerId: null });
  return endSignup(dependencies, context, row, { happened: 'declined', code });
}

interface Fault {
  readonly code: string;
  readonly field: string | null;
}

export function returned(context: OperationContext, row: SignupRow, fault: Fault): Promise<string> {
  writeTransition(context, row, signupAfter(stateOf(row), { happened: 'returned' }), fault);
  return Promise.resolve(`the form is shown again (${fault.code})`);
}

export function refused(
  dependencies: Dependencies,
  context: OperationContext,
  row: SignupRow,
  error: DomainError | PriceMoved,
): Promise<string> {
  const fault = faultOf(error, row);
  if (fault !== null) {
    // Whoever has pressed the button of the mailed page sees that page again.
    const isMailed = row.lastTry?.confirmedAt != null && fault.field === null;
    if (!isMailed) return returned(context, row, fault);
    askAgain(context, row);
    return Promise.resolve(`the mailed page is shown again (${fault.code})`);
  }
  const { code } = error as DomainError;
  return endSignup(dependencies, context, row, { happened: 'refused', code });
}

/** Null if nothing that the visitor enters would help. */
function faultOf(error: DomainError | PriceMoved, row: SignupRow): Fault | null {
  if (error instanceof PriceMoved) return { code: 'price.moved', field: null };
  const { code, path } = error;
  if (code === 'quote.moved') return { code: 'price.moved', field: null };
  const verdict = verdictOn({ code, path }, { ...row, isMade: row.orderId !== null });
  return verdict.is === 'returned' ? { code, field: verdict.field } : null;
}

/* Reverses what a sign-up made: invoices and order; their numbers stay used, the customer stays. */

/** What ends a sign-up, or may do so. */
type Ending = Extract<
  SignupHappened,
  { readonly happened: 'declined' | 'refused' | 'deadline' | 'cancelled' }
>;

/**
 * Writes what happened, and if the sign-up has failed by it, reverses what it made. This transaction
 * must have locked the signup and its customer.
 */
async function endSignup(
  dependencies: Dependencies,
  context: OperationContext,
  row: SignupRow,
  ending: Ending & TryResult,
): Promise<string> {
  const { happened, code, ...result } = ending;
  const what = happened === 'refused' ? { happened, code } : { happened };
  const transition = signupAfter(stateOf(row), what);
  writeTransition(context, row, transition, { ...result, code: code ?? null });
  if (transition.undoes) await undo(dependencies, context, row);
  const { status } = transition.state;
  return status === 'DRAFT' ? 'declined' : `${status} (${transition.failureCode})`;
}

const noFlags = { suspendOrders: false, cancelOrders: false, rollbackBillingPeriod: false };

/** What somebody has cancelled or carried over already stays as it is. */
async function undo(
  dependencies: Dependencies,
  context: OperationContext,
  row: SignupRow,
): Promise<void> {
  const { orderId, invoiceIds } = row;
  const invoices = await readSignupInvoices(context.tx, invoiceIds);
  for (const { id, status } of invoices) {
    if (status !== 'Outstanding' && status !== 'Paid') continue;
    await cancelInvoice(dependencies, context, { id }, { ...noFlags, alsoPaid: true });
  }
  if (orderId !== null) await cancelOrdersAlone(dependencies, context, [orderId]);
  await removeLogin(context, row);
}

/** The customer stays, and a later sign-up may find it by its address: nobody else may log in. */
async function removeLogin(
  context: OperationContext,
  { customerId, isNewCustomer, login }: SignupRow,
): Promise<void> {
  if (customerId === null || isNewCustomer !== true || login === null) return;
  if ((await findLoginOwner(context.tx, login)) !== customerId) return;
  const none = { username: null, passwordHash: null };
  await updateContact(context, { id: customerId }, 'billing', none);
}

/* Ends a sign-up well: what it made stands, and its mails and its event follow. */

/**
 * Nothing is left to pay. This transaction must have locked the signup and its customer.
 *
 * @param isOtherwise the payment of the try was canceled in its turn, because others had paid
 */
export async function finishSignup(
  context: OperationContext,
  row: SignupRow,
  { isOtherwise = false }: { readonly isOtherwise?: boolean } = {},
): Promise<void> {
  const transition = signupAfter(stateOf(row), { happened: 'paid', isOtherwise });
  writeTransition(context, row, transition, isOtherwise ? { code: 'payment.canceled' } : {});
  const queued = await queueMailsOfSignup(context.tx, row.id);
  if (queued > 0) enqueue(context, [mailNudge]);
}

/**
 * A debit takes days, and its account is on file from now on. Once it is paid, the payment puts nothing
 * on file any more: the customer may have changed it meanwhile.
 */
async function saveAccepted(
  context: OperationContext,
  { lastTry, customerId }: SignupRow,
): Promise<void> {
  if (customerId === null || lastTry?.paymentId == null) return;
  const saved = await takeSaving(context.tx, lastTry.paymentId);
  if (saved !== undefined) await fileMethod(context, { ...saved, customerId });
}

/* Reads what decides about the next step of a sign-up. */

export interface SignupNow extends SignupFacts {
  /** Why the gateway has declined the payment of the newest try. */
  readonly declineCode: string | null;
  readonly orderNumber: number | null;
}

export async function factsOf(context: OperationContext, row: SignupRow): Promise<SignupNow> {
  const { tx, realNow } = context;
  const [invoices, [found]] = await Promise.all([
    readSignupInvoices(tx, row.invoiceIds),
    tx.query<{
      payment: PaymentStatus | null;
      isAccepted: boolean | null;
      declineCode: string | null;
      orderNumber: number | null;
    }>(
      `select (select status from payment where tenant_id = $1 and id = $2) as payment,
              (select coalesce(phase = 'Processing', false) from payment
               where tenant_id = $1 and id = $2) as is_accepted,
              (select error_code from processor_result where tenant_id = $1 and payment_id = $2
               order by id desc limit 1) as decline_code,
              (select order_number from subscription_order where tenant_id = $1 and id = $3)
                as order_number`,
      [tx.tenantId, row.lastTry?.paymentId ?? null, row.orderId],
      'facts-of-signup',
    ),
  ]);
  return {
    ...stateOf(row),
    isOver: realNow >= row.expiresAt,
    isCancelled: row.cancelReason !== null,
    isAbandoned: isAbandoned(context, row),
    isConfirmOver: row.lastTry?.confirmUntil != null && realNow >= row.lastTry.confirmUntil,
    payment: found?.payment ?? null,
    isAccepted: found?.isAccepted ?? false,
    declineCode: found?.declineCode ?? null,
    orderNumber: found?.orderNumber ?? null,
    invoices: stateOfInvoices(invoices),
  };
}

/* Reads the invoices of a sign-up. */

/** In the order of their numbers. */
export async function readSignupInvoices(
  tx: Pick<Tx, 'tenantId' | 'query'>,
  ids: readonly number[],
): Promise<SignupInvoice[]> {
  if (ids.length === 0) return [];
  return tx.query<SignupInvoice & Record<string, unknown>>(
    `select id, status, outstanding_balance as open, current_amount_due as due from invoice
     where tenant_id = $1 and id = any($2) order by id`,
    [tx.tenantId, ids],
    'invoices-of-signup',
  );
}

/** What is open of them in all. */
export async function openOf(tx: Tx, ids: readonly number[]): Promise<Decimal> {
  return openSum(await readSignupInvoices(tx, ids));
}
