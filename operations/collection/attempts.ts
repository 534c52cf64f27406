/** Collection attempts: their rows, and how they are concluded. */
import {
  attemptChange,
  type AttemptChange,
  type ConcludedOutcome,
} from '../../domain/payments/attempts.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { changeAttempts, changedAttempts } from '../../db/queries/collection/attempts.ts';
import type { PaymentInsert } from '../../db/queries/payments/new-payments.ts';
import type { GatewayName } from '../../providers/gateway/gateway.ts';
import type { OperationContext } from '../context/context.ts';

/** An attempt whose day has come. */
export interface Candidate {
  readonly id: number;
  readonly customerId: number;
}

/** A claimed attempt, before its payment is inserted under its id. */
export interface PayableAttempt {
  readonly attemptId: number;
  readonly row: (id: number) => PaymentInsert;
  readonly gateway: GatewayName;
}

export const customersOf = (
  those: readonly { readonly customerId: number }[],
): readonly number[] => [...new Set(those.map((each) => each.customerId))];

/** An attempt as it was when it was concluded. */
export interface AttemptRow {
  readonly id: number;
  readonly customerId: number;
  readonly invoiceId: number | null;
  readonly paymentPlanId: number | null;
  readonly installment: number | null;
  readonly attempt: number;
  readonly declinedOn: IsoDate | null;
}

/** What a consequence needs of an attempt must be there. */
export interface CarriedAttempt
  extends
    Pick<AttemptRow, 'customerId' | 'invoiceId' | 'paymentPlanId'>,
    Partial<Omit<AttemptRow, 'customerId' | 'invoiceId' | 'paymentPlanId'>> {
  /** The day of an installment that is counted by its claim. */
  readonly countedOn?: IsoDate | null;
}

/** Attempts that are written, and what became of each of them. */
export interface CarriedAttempts {
  readonly attempts: readonly CarriedAttempt[];
  readonly change: AttemptChange;
}

/** Attempts that were claimed. */
export interface ClaimedAttempts {
  readonly payables: readonly PayableAttempt[];
  /** All of them, also those that get no payment. */
  readonly attempts: readonly CarriedAttempt[];
}

export const inClaim = { isInClaim: true } as const;

/** Concludes attempts that were claimed; what follows is to be carried out. */
export async function concludeAttempts(
  context: OperationContext,
  ids: readonly number[],
  outcome: ConcludedOutcome,
  { isInClaim = false }: { readonly isInClaim?: boolean } = {},
): Promise<CarriedAttempts> {
  const { tx, time } = context;
  const happened = { happened: 'concluded', outcome, isInClaim } as const;
  const change = attemptChange(happened, time.today);
  if (ids.length === 0) return { attempts: [], change };
  const choice = {
    name: 'conclude-attempts',
    where: 'a.id = any($8)',
    values: [ids],
    returning: `a.id, a.customer_id, a.invoice_id, a.payment_plan_id, a.installment, a.attempt,
      a.declined_on`,
  };
  return { attempts: await changedAttempts<AttemptRow>(tx, happened, choice, time), change };
}

/** Ends the retries of a customer's invoices that have not had their turn: a payment plan begins. */
export function endRetries({ tx, time }: OperationContext, customerId: number): void {
  const choice = {
    name: 'end-retries',
    where: `a.customer_id = $8 and a.kind = 'retry'`,
    values: [customerId],
  };
  changeAttempts(tx, { happened: 'ended', outcome: 'planEnabled' }, choice, time);
}
