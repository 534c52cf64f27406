/**
 * Carries out what follows from transitions of payments, attempts and invoices, whoever brings them
 * about: each consequence is carried out here, and nowhere else.
 */
import assert from 'node:assert';
import { compare, negate, sum, type Decimal } from '../../domain/money/money.ts';
import { attemptChange, type ConcludedOutcome } from '../../domain/payments/attempts.ts';
import type { PaymentState, Transition } from '../../domain/payments/happened.ts';
import type { PaymentMethodColumns } from '../../db/queries/payments/new-payments.ts';
import { enterTransitions, writePayments } from '../../db/queries/payments/payments.ts';
import { applyUnapplied } from '../allocation/allocate.ts';
import { reverseApplied, type ReversalChoice } from '../allocation/reverse.ts';
import { payBySelfAfter } from '../allocation/set-aside.ts';
import type { OperationContext } from '../context/context.ts';
import { fileMethod } from '../payment-methods/methods.ts';
import { raise } from '../events/raise.ts';
import { notifyPage, type PageOfPayment } from '../hosted-pages/notify-page.ts';
import { concludeAttempts, type CarriedAttempts } from './attempts.ts';
import { attemptConsequences, carryOutForAttempts } from './attempt-consequences.ts';
import {
  carryOutForInvoices,
  invoiceConsequences,
  type CarriedInvoices,
} from './invoice-consequences.ts';
import { payBySelfAfterPlan } from './installments.ts';
import { endAutopay, releaseMade, releaseSetAside } from './made-invoices.ts';
import { enqueue } from '../outbox/enqueue.ts';

/** An inserted or read payment; what a consequence needs of it must be there. */
export interface CarriedPayment extends PaymentState {
  readonly id: number;
  readonly customerId: number;
  readonly currency: string;
  /** Of what is applied to nothing, if money of it may be taken back. */
  readonly balance?: Decimal;
  readonly cascadeId?: number;
  readonly paymentMethodId?: number | null;
  readonly saveAsPreference?: number | null;
  readonly autopayInvoiceId?: number | null;
  readonly collectionAttemptId?: number | null;
  readonly page?: PageOfPayment | null;
}

/** A payment, and what became of it. */
export interface CarriedChange {
  readonly payment: CarriedPayment;
  readonly transition: Transition;
  /** If it is charged by another method than before. */
  readonly method?: PaymentMethodColumns | null;
}

export type Carried =
  | {
      readonly payments: readonly CarriedChange[];
      /** They were inserted in their final state, and only their entries are written. */
      readonly isInserted?: boolean;
    }
  /** Attempts and invoices whose states are written. */
  | CarriedAttempts
  | CarriedInvoices;

/** What of a transition of a payment is written with it; the rest follows. */
type Written = 'state' | 'entries' | 'unapplied' | 'shows';

export type PaymentConsequence = Exclude<keyof Transition, Written>;

/** In the order in which they are carried out; a test holds each of them. */
export const paymentConsequences: readonly PaymentConsequence[] = [
  'raises',
  'allocates',
  // After the money has closed what it pays: the method is tried for what is open still.
  'keepsMethod',
  'madeInvoices',
  'attempt',
  'claimed',
  'releases',
  'freesTurn',
  'notifiesPage',
];

/**
 * Writes what became of payments, after applied money of theirs was taken back, and carries out what
 * follows from it, or from what became of attempts or invoices. The customers are locked.
 */
export async function carryOut(context: OperationContext, carried: Carried): Promise<void> {
  if ('attempts' in carried) {
    for (const consequence of attemptConsequences) {
      await carryOutForAttempts(context, carried, consequence);
    }
    return;
  }
  if ('invoices' in carried) {
    for (const consequence of invoiceConsequences) {
      const allocating = await carryOutForInvoices(context, carried, consequence);
      if (allocating.length > 0) await allocateUnapplied(context, allocating);
    }
    return;
  }
  const { payments, isInserted = false } = carried;
  const { tx, time } = context;
  if (isInserted) enterTransitions(tx, payments, time);
  else {
    for (const change of payments) await takeBackApplied(context, change);
    writePayments(tx, payments, time);
  }
  for (const change of payments) {
    for (const consequence of paymentConsequences) {
      await carryOutForPayment(context, change, consequence);
    }
  }
}

/**
 * Allocates the unapplied money of customers to what is open.
 *
 * @param isMovedIn the invoices that it meets are being imported, of which no event tells
 */
export async function allocateUnapplied(
  context: OperationContext,
  customerIds: readonly number[],
  options: { readonly isMovedIn?: boolean } = {},
): Promise<void> {
  await carryOut(context, await applyUnapplied(context, customerIds, options));
}

/** Takes applied money back, of a payment or of an invoice. */
export async function reverseAllocations(
  context: OperationContext,
  choice: ReversalChoice,
): Promise<void> {
  await carryOut(context, await reverseApplied(context, choice));
}

/** What leaves a payment is taken from what it is applied to, once nothing else is left of it. */
async function takeBackApplied(
  context: OperationContext,
  { payment: { id: paymentId, balance }, transition: { unapplied } }: CarriedChange,
): Promise<void> {
  if (compare(unapplied, '0') >= 0) return;
  assert(balance !== undefined, 'the balance of a payment from which money leaves is read');
  const amount = sum([unapplied, balance].map(negate));
  if (compare(amount, '0') > 0) await reverseAllocations(context, { paymentId, amount });
}

async function carryOutForPayment(
  context: OperationContext,
  { payment, transition }: CarriedChange,
  consequence: PaymentConsequence,
): Promise<void> {
  const { id: objectId, customerId, cascadeId } = payment;
  switch (consequence) {
    case 'keepsMethod': {
      const { paymentMethodId: methodId, saveAsPreference: preference } = payment;
      if (!transition.keepsMethod || methodId == null || preference == null) return;
      return fileMethod(context, { customerId, methodId, preference });
    }
    case 'raises':
      if (transition.raises === null) return;
      return raise(context, [{ ...transition.raises, customerId, objectId }]);
    case 'allocates':
      return transition.allocates ? allocateUnapplied(context, [customerId]) : undefined;
    case 'madeInvoices': {
      if (transition.madeInvoices === null) return;
      assert(cascadeId !== undefined, 'the cascade of a payment that ends is read');
      const change = transition.madeInvoices === 'paid' ? endAutopay : releaseMade;
      return carryOut(context, { invoices: await change(context, { cascadeId, customerId }) });
    }
    case 'attempt':
      if (transition.attempt === null) return;
      return concludeAttempt(context, payment, transition.attempt);
    case 'claimed':
      return claimedAgain(context, payment, transition.claimed);
    case 'releases':
      if (!transition.releases) return;
      return carryOut(context, { invoices: await releaseSetAside(context, customerId) });
    case 'freesTurn':
      return transition.freesTurn ? callNext(context, customerId) : undefined;
    case 'notifiesPage': {
      if (transition.notifiesPage === null) return;
      const { page = null } = payment;
      const told = { page, customerId };
      return notifyPage(context, told, { isDeclined: transition.notifiesPage === 'declined' });
    }
  }
}

/** The attempt that made the payment has ended as the payment did. */
async function concludeAttempt(
  context: OperationContext,
  payment: CarriedPayment,
  outcome: ConcludedOutcome,
): Promise<void> {
  const { customerId, autopayInvoiceId: invoiceId, collectionAttemptId: id } = payment;
  assert(
    invoiceId !== undefined && id !== undefined,
    'what a payment that ends was to collect is read',
  );
  if (id !== null) {
    return carryOut(context, await concludeAttempts(context, [id], outcome));
  }
  // A declined automatic payment without an attempt is the first decline of its invoice.
  if (invoiceId === null || outcome !== 'declined') return;
  const change = attemptChange({ happened: 'concluded', outcome }, context.time.today);
  const none = { paymentPlanId: null, installment: null, attempt: 0, declinedOn: null };
  return carryOut(context, { attempts: [{ ...none, customerId, invoiceId }], change });
}

async function claimedAgain(
  context: OperationContext,
  { autopayInvoiceId: invoiceId, collectionAttemptId: attemptId }: CarriedPayment,
  claimed: Transition['claimed'],
): Promise<void> {
  if (claimed === null || invoiceId == null) return;
  if (claimed.until === 'setAside') {
    return payBySelfAfter(context, [{ invoiceId, cascadeId: claimed.cascadeId }]);
  }
  // Retries end with the plan; an invoice that was not retried yet pays itself once it has ended.
  if (attemptId === null) await payBySelfAfterPlan(context, invoiceId);
}

/* The next turn of a customer's payments. */

/** Nudges what waits for a payment of the customer: its next payment, and a step by age. */
async function callNext(context: OperationContext, customerId: number): Promise<void> {
  const waiting = await context.tx.query<{ kind: 'payment' | 'dunning'; id: number }>(
    `(select 'payment' as kind, cascade_id as id from payment
      where customer_id = $1 and status = 'Pending' and phase = 'Waiting' order by id limit 1)
     union all
     select 'dunning', customer_id from dunning
     where customer_id = $1 and waits_since is not null`,
    [customerId],
    'next-in-turn',
  );
  enqueue(
    context,
    waiting.map(({ kind, id: objectId }) => ({ kind, objectId })),
  );
}
