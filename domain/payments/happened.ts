/** The state of a payment, credit or refund, what may happen to it, and what comes of that. */
import type { EventType } from '../events/events.ts';
import type { IsoDate } from '../calendar/calendar.ts';
import type { Decimal } from '../money/money.ts';
import type { PaymentStatus, PaymentType } from './allocation.ts';
import type { ConcludedOutcome } from './attempts.ts';
import type { Uncharged } from './turn.ts';

/**
 * Of a Pending one: it waits for its turn, the gateway has or may have been called, or the gateway
 * has accepted the call and needs days for its outcome.
 */
export type PaymentPhase = 'Waiting' | 'Charging' | 'Processing';

export interface PaymentState {
  readonly type: PaymentType;
  readonly status: PaymentStatus;
  readonly phase: PaymentPhase | null;
  /** The surcharge included; of a refund the negative of what goes back, of a debit negative. */
  readonly amount: Decimal;
  readonly surcharge: Decimal;
  /** The amount that refunds have returned, or have reserved while they are under way. */
  readonly refunded: Decimal;
  /** The number of pending refunds that take from it. */
  readonly refundsUnderWay: number;
  readonly withdrawn: Decimal;
  /** The gateway's own id. */
  readonly transactionId: string | null;
  readonly chargedOn: IsoDate | null;
  /**
   * The day on which the gateway is asked for news. While the payment waits for an absent payer, it
   * is over at 00:00 of that day.
   */
  readonly newsOn: IsoDate | null;
  /** The instant until which it waits for a payer who is present. */
  readonly actionEndsAt: Date | null;
  /** The day on which a person resolved a call of which the gateway has not said how it ended. */
  readonly resolvedOn: IsoDate | null;
}

/** The gateway's data about a charge. */
export interface Charged {
  readonly transactionId: string | null;
  /** The day on which the gateway will have more to say. */
  readonly newsOn?: IsoDate | null;
}

/** How long a payment waits for its payer: present, in real time; absent, on the tenant's clock. */
export type WaitsUntil =
  | { readonly payer: 'present'; readonly at: Date }
  | { readonly payer: 'absent'; readonly on: IsoDate };

/** Why a payment no longer waits for its payer, which nobody has declined. */
export type WaitEnd =
  /** A caller does not want it any more. */
  | 'deleted'
  | 'nothingOpen'
  | 'planEnabled'
  /** Another payment is about to charge for an invoice that it names. */
  | 'superseded';

export type Happened =
  /** It has its turn with the customer, for the amount of now. */
  | { readonly happened: 'turn'; readonly amount: Decimal }
  /** In its turn it charges nobody. */
  | { readonly happened: 'uncharged'; readonly why: Uncharged }
  /** The payments from which a refund was to take have too little left. */
  | { readonly happened: 'tooLate' }
  /** The gateway has accepted the call, and says in some days how it ended. */
  | ({ readonly happened: 'accepted' } & Charged)
  /** The gateway asks for the payer; the id is of what waits there. */
  | {
      readonly happened: 'payerAsked';
      readonly transactionId: string | null;
      readonly until: WaitsUntil;
    }
  /** It waits for its payer no longer, and the gateway has ended it without a charge. */
  | { readonly happened: 'waitEnded'; readonly why: WaitEnd }
  /** With `amount`: the payer has agreed to less, of what waited for him. */
  | ({
      readonly happened: 'approved';
      readonly today: IsoDate;
      readonly amount?: Decimal | null;
    } & Charged)
  /** By the gateway; the last one of its cascade if no other method is tried. */
  | { readonly happened: 'declined'; readonly isLast: boolean }
  /** Money came by hand; or, with `charged`, a gateway gave back what it had withdrawn. */
  | { readonly happened: 'received'; readonly charged: Charged | null; readonly today: IsoDate }
  /** The last share of a refund has its outcome: so much went back, maybe nothing. */
  | { readonly happened: 'returned'; readonly amount: Decimal }
  /** A refund that takes so much from the payment is under way. */
  | { readonly happened: 'reserved'; readonly amount: Decimal }
  | { readonly happened: 'shareReturned'; readonly amount: Decimal; readonly isVoid: boolean }
  | { readonly happened: 'shareKept'; readonly amount: Decimal }
  | { readonly happened: 'canceled' }
  | {
      readonly happened: 'withdrawn';
      readonly amount: Decimal;
      readonly by: 'return' | 'dispute';
      readonly withdrawalId: number;
    }
  /** A person has said how its call ended. */
  | { readonly happened: 'resolved'; readonly today: IsoDate }
  /** The gateway has said how a resolved call ended: `charged` if it approved the charge. */
  | { readonly happened: 'resolutionAnswered'; readonly charged: Charged | null }
  | { readonly happened: 'resolutionUnanswered'; readonly today: IsoDate }
  /** The gateway was asked for the news of its day. */
  | { readonly happened: 'asked'; readonly today: IsoDate };

/** A change of what the customer owes; the balance of the customer is the sum of them. */
export interface Entry {
  readonly kind:
    | 'payment'
    | 'paymentCanceled'
    | 'surcharge'
    | 'surchargePaid'
    | 'credit'
    | 'debit'
    | 'refund'
    | 'paymentReturned'
    | 'paymentDisputed';
  readonly amount: Decimal;
  /** The withdrawal that the entry records. */
  readonly withdrawalId?: number;
}

export interface Transition {
  readonly state: PaymentState;
  readonly entries: readonly Entry[];
  /** By how much its unapplied balance changes; applications are reversed before that. */
  readonly unapplied: Decimal;
  /** What callers can see of the change: another version, another updatedAt, or nothing. */
  readonly shows: 'version' | 'time' | 'nothing';
  /** Its method is kept on file, if the payer wants that. */
  readonly keepsMethod: boolean;
  readonly raises: RaisedByPayment | null;
  /** The customer's unapplied money is allocated afterwards. */
  readonly allocates: boolean;
  /** Autopay ends for the invoices that were made for it, or pays them as any others. */
  readonly madeInvoices: 'paid' | 'givenUp' | null;
  /** How its collection attempt ends. */
  readonly attempt: ConcludedOutcome | null;
  /** The invoice that autopay had claimed for it pays itself later. */
  readonly claimed: ClaimedInvoice | null;
  /** Invoices that were set aside for it pay themselves again. */
  readonly releases: boolean;
  /** The next payment of the customer may have its turn. */
  readonly freesTurn: boolean;
  /** The hosted page that made it is told that it has ended, or takes days; its last decline counts. */
  readonly notifiesPage: 'ended' | 'declined' | null;
}

export interface RaisedByPayment {
  readonly type: EventType;
  /** Of a failure: whether it is the last one, and what withdrew the money. */
  readonly detail?:
    | { readonly final: boolean; readonly by?: 'return' | 'dispute' }
    /** Of one that waits for its payer. */
    | { readonly payer: 'present' | 'absent' };
}

/** Once the payment that sets it aside is final, or once the payment plan has ended. */
export type ClaimedInvoice =
  | { readonly until: 'setAside'; readonly cascadeId: number }
  | { readonly until: 'planEnded' };
