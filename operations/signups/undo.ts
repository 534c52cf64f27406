/** Reverses what a sign-up made: invoices and order; their numbers stay used, the customer stays. */
import type { SignupHappened } from '../../domain/signups/state.ts';
import { signupAfter } from '../../domain/signups/state.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import { updateContact } from '../customers/contact-write.ts';
import { cancelInvoice } from '../invoices/cancel.ts';
import { cancelOrdersAlone } from '../invoices/orders-of-invoice.ts';
import { readSignupInvoices } from './invoices.ts';
import { findLoginOwner } from './match.ts';
import type { SignupRow } from './signup-row.ts';
import { stateOf, writeTransition, type TryResult } from './write.ts';

/** What ends a sign-up, or may do so. */
export type Ending = Extract<
  SignupHappened,
  { readonly happened: 'declined' | 'refused' | 'deadline' | 'cancelled' }
>;

/**
 * Writes what happened, and if the sign-up has failed by it, reverses what it made. This transaction
 * must have locked the signup and its customer.
 */
export async function endSignup(
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
