/** Claims the installments of payment plans. */
import { compare } from '../../domain/money/money.ts';
import type { IsoDate } from '../../domain/calendar/date.ts';
import type { Decimal } from '../../domain/money/decimal.ts';
import { changedAttempts } from '../../db/queries/collection/attempts.ts';
import { isClaimable } from '../../db/queries/collection/claimable.ts';
import type { PaymentInsert } from '../../db/queries/payments/new-payments.ts';
import type { OperationContext } from '../context/context.ts';
import {
  concludeAttempts,
  customersOf,
  inClaim,
  type Candidate,
  type ClaimedAttempts,
  type PayableAttempt,
} from './attempts.ts';
import { autopayRow } from './autopay.ts';
import { carryOut } from './carry-out.ts';
import { owedBy } from './installments.ts';
import { firstMethods, type StoredMethod } from '../payment-methods/methods-on-file.ts';

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
export async function claimInstallments(
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
