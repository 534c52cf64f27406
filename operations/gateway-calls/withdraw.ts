/**
 * Records what a gateway withdrew from a payment: like a cancellation, for the part not refunded.
 */
import { compare, formatAmount, type Decimal } from '../../domain/money/money.ts';
import type { PaymentState } from '../../domain/payments/happened.ts';
import { paymentAfter } from '../../domain/payments/state.ts';
import { withdraw } from '../../domain/payments/withdrawals.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { stateColumns } from '../../db/queries/payments/payments.ts';
import { insertResult, markHardDeclined } from '../../db/queries/payments/write.ts';
import type { GatewayName, Withdrawal } from '../../providers/gateway/gateway.ts';
import { carryOut } from '../collection/carry-out.ts';
import type { OperationContext } from '../context/context.ts';
import { noteWithdrawnExcess } from './findings.ts';
import type { Payment } from '../../db/entities/payments.ts';
import type { RowOf } from '../../db/entities/rows.ts';
import { insertingOne } from '../../db/queries/context/insertion.ts';
import { PaymentWithdrawal } from '../../db/entities/gateways.ts';
import { waiting } from '../../domain/payments/transitions.ts';
import {
  insertPayments,
  newPayment,
  type PaymentInsert,
} from '../../db/queries/payments/new-payments.ts';

interface ChargedRow
  extends
    PaymentState,
    RowOf<typeof Payment, 'id' | 'customerId' | 'currency' | 'balance' | 'paymentMethodId'> {
  readonly withdrawnBefore: Decimal;
  readonly coveredBefore: Decimal;
  readonly gateway: GatewayName;
  readonly gatewayKey: string;
}

/**
 * Records one withdrawal once, and its reinstatement once. Returns the message to report. This
 * transaction must have locked the customer.
 */
export async function recordWithdrawal(
  context: OperationContext,
  paymentId: number,
  withdrawal: Withdrawal,
): Promise<string | undefined> {
  const { tx } = context;
  const [before] = await tx.query<KnownWithdrawal>(
    `select id, covered, reinstated_payment_id is not null as is_reinstated
     from payment_withdrawal where payment_id = $1 and gateway_ref = $2`,
    [paymentId, withdrawal.ref],
    'known-withdrawal',
  );
  const { known, raised } = before
    ? { known: before, raised: undefined }
    : await enterWithdrawal(context, await chargedRow(context, paymentId), withdrawal);
  if (withdrawal.isReinstated && !known.isReinstated && compare(known.covered, '0') > 0) {
    await reinstate(context, { paymentId, withdrawal, known });
  }
  return raised;
}

async function chargedRow({ tx }: OperationContext, paymentId: number): Promise<ChargedRow> {
  const [row] = await tx.query<ChargedRow & Record<string, unknown>>(
    `select p.id, p.customer_id, p.currency, p.balance, p.gateway, p.gateway_key,
            p.payment_method_id, ${stateColumns('p')},
            coalesce(sum(w.amount), 0) as withdrawn_before,
            coalesce(sum(w.covered), 0) as covered_before
     from payment p left join payment_withdrawal w
       on w.tenant_id = p.tenant_id and w.payment_id = p.id
     where p.id = $1 group by p.tenant_id, p.id`,
    [paymentId],
    'payment-withdrawn-from',
  );
  if (!row) throw new Error(`there is no payment ${paymentId}`);
  return row;
}

interface Entered {
  readonly known: KnownWithdrawal;
  readonly raised: string | undefined;
}

/** No retry begins. */
const insertWithdrawal = insertingOne('insert-withdrawal', {
  into: PaymentWithdrawal,
  columns: [
    'id',
    'paymentId',
    'kind',
    'gatewayRef',
    'reason',
    'amount',
    'covered',
    'excess',
    'entered',
    'withdrawnOn',
    'recordedAt',
  ],
});

async function enterWithdrawal(
  context: OperationContext,
  payment: ChargedRow,
  withdrawal: Withdrawal,
): Promise<Entered> {
  const { tx, time } = context;
  const isSameCurrency = withdrawal.currency === payment.currency;
  // An amount in another currency cannot be compared, so a person has to handle it.
  const { covered, excess, entered } = isSameCurrency
    ? withdraw(
        {
          ...payment,
          withdrawnBefore: payment.withdrawnBefore,
          coveredBefore: payment.coveredBefore,
          isPaid: payment.status === 'Paid',
        },
        withdrawal.amount,
      )
    : { covered: '0', excess: withdrawal.amount, entered: '0' };
  const [id = 0] = await takeIds(tx, 1);
  const { kind, ref: gatewayRef, reason, amount } = withdrawal;
  insertWithdrawal(tx, {
    id,
    paymentId: payment.id,
    kind,
    gatewayRef,
    reason,
    amount,
    covered,
    excess,
    entered,
    withdrawnOn: time.today,
    recordedAt: time.now,
  });
  if (compare(entered, '0') > 0) await takeFromBooks(context, payment, { id, entered, withdrawal });
  const { paymentMethodId: methodId } = payment;
  if (withdrawal.isHardDecline && methodId !== null) markHardDeclined(tx, methodId, time.now);
  const raised =
    compare(excess, '0') > 0
      ? await noteWithdrawnExcess(context, payment, { ...withdrawal, amount: excess })
      : undefined;
  return { known: { id, covered, isReinstated: false }, raised };
}

interface TakenFromBooks {
  readonly id: number;
  readonly entered: Decimal;
  readonly withdrawal: Withdrawal;
}

async function takeFromBooks(
  context: OperationContext,
  payment: ChargedRow,
  { id: withdrawalId, entered, withdrawal }: TakenFromBooks,
): Promise<void> {
  const { tx, time } = context;
  const { id: paymentId, currency, gateway } = payment;
  const { kind: by } = withdrawal;
  const withdrawn = { happened: 'withdrawn', amount: entered, by, withdrawalId } as const;
  const transition = paymentAfter(payment, withdrawn);
  insertResult(tx, {
    paymentId,
    processor: gateway,
    processorRequestType: 'charge',
    transactionId: withdrawal.ref,
    isSuccess: false,
    isError: false,
    errorCode: withdrawal.reason,
    errorMessage: texts[withdrawal.kind],
    isHardDecline: withdrawal.isHardDecline,
    statusCode: withdrawal.kind,
    statusMessage: null,
    amount: formatAmount(currency, withdrawal.amount),
    secondaryAmount: '0',
    currency,
    avsCode: null,
    cvvCode: null,
    approvalCode: null,
    responseTimeMs: null,
    createdAt: time.now,
  });
  await carryOut(context, { payments: [{ payment, transition }] });
}

const texts = {
  return: 'The bank returned the debit.',
  dispute: 'The payer disputed the charge, and the gateway withdrew it.',
} as const;

/* Records the reinstatement of a withdrawal, after a dispute was won. */

/** The withdrawal as it is stored. */
interface KnownWithdrawal {
  readonly id: number;
  readonly covered: Decimal;
  readonly isReinstated: boolean;
}

interface Reinstated {
  readonly paymentId: number;
  readonly withdrawal: Withdrawal;
  readonly known: KnownWithdrawal;
}

/** The reinstated money is a payment of its own, so that it can be refunded. */
async function reinstate(
  context: OperationContext,
  { paymentId, withdrawal, known }: Reinstated,
): Promise<void> {
  const { tx, time } = context;
  const [id = 0] = await takeIds(tx, 1);
  const [kept] = await tx.query<PaidBy>(
    `select customer_id, currency, gateway, transaction_id, payment_method_id,
            payment_method_type, payment_method_context
     from payment where id = $1`,
    [paymentId],
    'reinstated-by',
  );
  if (!kept) throw new Error(`there is no payment ${paymentId}`);
  const { transactionId, ...paidBy } = kept;
  const row = newPayment(waiting('Payment', { amount: known.covered, surcharge: '0' }), {
    ...paidBy,
    id,
    effectiveDate: time.today,
    isSystemPayment: true,
    notes: `Dispute ${withdrawal.ref} over payment ${paymentId} was won`,
  });
  insertPayments(tx, [row], time.now);
  tx.send(
    'update payment_withdrawal set reinstated_payment_id = $2 where id = $1',
    [known.id, id],
    'note-reinstated',
  );
  const received = { happened: 'received', charged: { transactionId }, today: time.today } as const;
  const transition = paymentAfter(row, received);
  await carryOut(context, { payments: [{ payment: row, transition }] });
}

type PaidBy = Pick<
  PaymentInsert,
  | 'customerId'
  | 'currency'
  | 'gateway'
  | 'paymentMethodId'
  | 'paymentMethodType'
  | 'paymentMethodContext'
> & { readonly transactionId: string | null };
