/** Claims collection attempts whose day has come: each gets a payment, once. */
import { takeIds } from '../../db/queries/billing/write.ts';
import {
  amountToPay,
  changedAttempts,
  isClaimable,
  payAttempts,
} from '../../db/queries/collection/attempts.ts';
import { insertPayments, type PaymentInsert } from '../../db/queries/payments/new-payments.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { compare, type Decimal } from '../../domain/money/money.ts';
import { attemptChange } from '../../domain/payments/attempts.ts';
import type { OperationContext } from '../context/context.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { firstMethods, type StoredMethod } from '../payment-methods/methods-on-file.ts';
import {
  concludeAttempts,
  customersOf,
  inClaim,
  type Candidate,
  type CarriedAttempt,
  type ClaimedAttempts,
  type PayableAttempt,
} from './attempts.ts';
import {
  autopayRow,
  nextAttempt,
  type ClaimRow,
  type ClaimedAutopay,
  type ClaimedPayment,
} from './autopay.ts';
import { carryOut } from './carry-out.ts';
import { owedBy } from './installments.ts';
import type { PlanMark } from './mark-plans.ts';

export type AttemptKind = 'retry' | 'installment';

export type AttemptChoice =
  /** The retries of a customer; with `isEarly` also those of a later day. */
  | { readonly kind: 'retry'; readonly customerId: number; readonly isEarly?: boolean }
  /** The installments of a plan, and their retries. */
  | { readonly kind: 'installment'; readonly planId: number }
  /** At most this many of the tenant's, the oldest first. */
  | { readonly kind: AttemptKind; readonly limit: number };

const CLAIMED_AT_ONCE_MAX = 1_000;
const LAST_DAY: IsoDate = '9999-12-31';

/**
 * Claims attempts that are due. A retry charges what is open at the time, with the first method on
 * file that no gateway has declined for ever. Without one it is concluded without a payment, and
 * the invoice is retried on the next retry day; with nothing open it is the last one. A held
 * dunning has no retries. Locks the customers.
 */
export async function claimAttempts(
  context: OperationContext,
  choice: AttemptChoice,
): Promise<ClaimedAutopay> {
  const { payments, more, attempts } = await claim(context, choice);
  const change = attemptChange({ happened: 'claimed' }, context.time.today);
  await carryOut(context, { attempts, change });
  return { payments, more };
}

/** The same for a plan that a person changes: the caller marks the plan. */
export async function claimOfPlan(
  context: OperationContext,
  planId: number,
): Promise<readonly PlanMark[]> {
  const { attempts } = await claim(context, { kind: 'installment', planId });
  return attempts.map(({ countedOn = null }) => ({ planId, countedOn }));
}

async function claim(context: OperationContext, choice: AttemptChoice): Promise<Claimed> {
  const { tx, time } = context;
  const limit = 'limit' in choice ? choice.limit : CLAIMED_AT_ONCE_MAX;
  const isEarly = 'isEarly' in choice && choice.isEarly === true;
  const upTo = isEarly ? LAST_DAY : time.today;
  const { text, value } = conditionOf(choice);
  const candidates = await tx.query<Candidate & Record<string, unknown>>(
    `select a.id, a.customer_id from collection_attempt a
     where a.kind = $1 and ${isClaimable('a', '$2')} and ${text}
     order by a.due_on, a.id limit $4`,
    [choice.kind, upTo, value, limit],
    `attempts-due-${text}`,
  );
  if (candidates.length === 0) return { payments: [], more: false, attempts: [] };
  await tx.query(
    'select id from customer where id = any($1) order by id for no key update',
    [customersOf(candidates)],
    'lock-payers',
  );
  const claimed =
    choice.kind === 'retry'
      ? await claimRetries(context, candidates, upTo)
      : await claimInstallments(context, candidates, upTo);
  const { payables, attempts } = claimed;
  return { payments: await pay(context, payables), more: candidates.length === limit, attempts };
}

interface Claimed extends ClaimedAutopay {
  readonly attempts: readonly CarriedAttempt[];
}

function conditionOf(choice: AttemptChoice): { readonly text: string; readonly value: unknown } {
  if ('customerId' in choice) return { text: 'a.customer_id = $3', value: choice.customerId };
  if ('planId' in choice) return { text: 'a.payment_plan_id = $3', value: choice.planId };
  return { text: '$3::int is null', value: null };
}

/** Inserts and enqueues the payments. */
async function pay(
  context: OperationContext,
  payable: readonly PayableAttempt[],
): Promise<ClaimedPayment[]> {
  if (payable.length === 0) return [];
  const { tx, time } = context;
  const ids = await takeIds(tx, payable.length);
  const claimed = payable.flatMap(({ row, ...attempt }, index) => {
    const id = ids[index];
    return id === undefined ? [] : [{ ...attempt, id, payment: row(id) }];
  });
  insertPayments(
    tx,
    claimed.map(({ payment }) => payment),
    time.now,
  );
  payAttempts(
    tx,
    claimed.map(({ id: paymentId, attemptId }) => ({ attemptId, paymentId })),
  );
  enqueue(
    context,
    claimed.map(({ id: objectId }) => ({ kind: 'payment', objectId })),
  );
  return claimed.map(({ id, gateway }) => ({ cascadeId: id, gateway }));
}

interface ClaimedRetry extends ClaimRow {
  readonly attemptId: number;
}

async function claimRetries(
  context: OperationContext,
  candidates: readonly Candidate[],
  upTo: IsoDate,
): Promise<ClaimedAttempts> {
  const { tx, time } = context;
  const [claimed, methods] = await Promise.all([
    retryRows(context, candidates, upTo),
    firstMethods(tx, customersOf(candidates), 'retry'),
  ]);
  const open = claimed.filter(({ amount }) => compare(amount, '0') > 0);
  const isPayable = ({ customerId: id }: ClaimedRetry): boolean => methods.has(id);
  const idsOf = (those: readonly ClaimedRetry[]): number[] => those.map((each) => each.attemptId);
  const methodless = idsOf(open.filter((each) => !isPayable(each)));
  await carryOut(context, await concludeAttempts(context, methodless, 'noMethod', inClaim));
  const closed = idsOf(claimed.filter((each) => !open.includes(each)));
  await carryOut(context, await concludeAttempts(context, closed, 'nothingOwed', inClaim));
  const attempts = claimed.map(({ id: invoiceId, customerId }) => {
    return { customerId, invoiceId, paymentPlanId: null };
  });
  const payables = open.flatMap((claim) => {
    const method = methods.get(claim.customerId);
    if (!method) return [];
    const { attemptId, ...invoice } = claim;
    const row = (id: number): PaymentInsert => ({
      ...autopayRow(invoice, method, { id, today: time.today }),
      collectionAttemptId: attemptId,
    });
    return [{ attemptId, row, gateway: method.gateway }];
  });
  return { payables, attempts };
}

/** The retries that are still unclaimed, with their invoices. */
function retryRows(
  { tx, time }: OperationContext,
  candidates: readonly Candidate[],
  upTo: IsoDate,
): Promise<ClaimedRetry[]> {
  const choice = {
    name: 'claim-retries',
    where: `a.id = any($8) and ${isClaimable('a', '$9')}`,
    values: [candidates.map((each) => each.id), upTo],
    returning: 'a.tenant_id, a.id, a.invoice_id',
    reading: `
     select a.id as attempt_id, i.id, i.customer_id, i.currency,
            case when i.status = 'Outstanding' then ${amountToPay('i')} else 0 end as amount,
            ${nextAttempt('i')} as attempt
     from changed a join invoice i on i.tenant_id = a.tenant_id and i.id = a.invoice_id
     order by i.id`,
  };
  return changedAttempts<ClaimedRetry>(tx, { happened: 'claimed' }, choice, time);
}

/* Claims the installments of payment plans. */

interface ClaimedInstallment {
  readonly id: number;
  readonly customerId: number;
  readonly planId: number;
  readonly installment: number;
  /** 1 for the installment itself; its retries count from 2. */
  readonly attempt: number;
  readonly dueOn: IsoDate;
  readonly currency: string;
  readonly chargeAmount: Decimal;
  readonly onlyIfOwed: boolean;
  readonly owed: Decimal;
}

/**
 * An installment counts once its day has come, whether it is charged or not. It charges the lesser
 * of its amount and what the customer owes, or its amount regardless, as the plan says. A retry is
 * not made with a method that a gateway has declined for ever. The caller marks the plans.
 */
async function claimInstallments(
  context: OperationContext,
  candidates: readonly Candidate[],
  upTo: IsoDate,
): Promise<ClaimedAttempts> {
  const { tx } = context;
  const customerIds = customersOf(candidates);
  const [claimed, first, usable] = await Promise.all([
    installmentRows(context, candidates, upTo),
    firstMethods(tx, customerIds),
    firstMethods(tx, customerIds, 'retry'),
  ]);
  const methodOf = ({ attempt, customerId: id }: ClaimedInstallment): StoredMethod | undefined =>
    (attempt === 1 ? first : usable).get(id);
  const owing = claimed.filter(({ owed, onlyIfOwed }) => !onlyIfOwed || compare(owed, '0') > 0);
  const unowed = claimed.filter((each) => !owing.includes(each));
  const methodless = owing.filter((each) => methodOf(each) === undefined);
  await carryOut(context, await concludeAttempts(context, idsOf(unowed), 'nothingOwed', inClaim));
  await carryOut(context, await concludeAttempts(context, idsOf(methodless), 'noMethod', inClaim));
  const attempts = claimed.map(({ customerId, planId, attempt, dueOn }) => ({
    customerId,
    invoiceId: null,
    paymentPlanId: planId,
    countedOn: attempt === 1 ? dueOn : null,
  }));
  const payables = owing.flatMap((claim) => {
    const method = methodOf(claim);
    return method ? [payable(context, claim, method)] : [];
  });
  return { payables, attempts };
}

const idsOf = (those: readonly ClaimedInstallment[]): number[] => those.map(({ id }) => id);

function payable(
  { time }: OperationContext,
  claim: ClaimedInstallment,
  method: StoredMethod,
): PayableAttempt {
  const { id: attemptId, customerId, currency, owed, chargeAmount: whole } = claim;
  const amount = claim.onlyIfOwed && compare(owed, whole) < 0 ? owed : whole;
  const invoice = { id: 0, customerId, currency, amount, attempt: 1 };
  const row = (id: number): PaymentInsert => ({
    ...autopayRow(invoice, method, { id, today: time.today }),
    namedInvoiceIds: [],
    autopayInvoiceId: null,
    collectionAttemptId: attemptId,
  });
  return { attemptId, row, gateway: method.gateway };
}

/** The attempts of enabled plans that are still unclaimed; each keeps the terms of its day. */
function installmentRows(
  { tx, time }: OperationContext,
  candidates: readonly Candidate[],
  upTo: IsoDate,
): Promise<ClaimedInstallment[]> {
  const choice = {
    name: 'claim-installments',
    from: 'payment_plan p',
    where: `a.id = any($8) and ${isClaimable('a', '$9')}
      and p.tenant_id = a.tenant_id and p.id = a.payment_plan_id and p.is_enabled`,
    values: [candidates.map((each) => each.id), upTo],
    terms: 'amount = p.charge_amount, only_if_owed = p.charge_only_if_balance_owed',
    returning: `a.id, a.customer_id, p.id as plan_id, a.installment, a.attempt, a.due_on,
      p.currency, p.charge_amount, p.charge_only_if_balance_owed as only_if_owed,
      ${owedBy('a.customer_id', 'p.currency', 'a.tenant_id')} as owed`,
  };
  return changedAttempts<ClaimedInstallment>(tx, { happened: 'claimed' }, choice, time);
}
