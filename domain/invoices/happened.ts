/** The state of an invoice, what may happen to it, and what comes of that. */
import type { IsoDate } from '../calendar/calendar.ts';
import type { EventType } from '../events/events.ts';
import type { Decimal } from '../money/money.ts';

export interface InvoiceState {
  readonly status: InvoiceStatus;
  /** What is left to pay; 0 unless it is Outstanding. */
  readonly open: Decimal;
  /** Of a CarriedOver one: its status before. */
  readonly carriedFrom: InvoiceStatus | null;
  /** Of a CarriedOver one: what was open, and what was taken back since. */
  readonly carriedOpen: Decimal | null;
  /** The day from which it pays itself; null if it does not, or a payment has claimed it. */
  readonly autopayOn: IsoDate | null;
  /** The cascade of the payment whose outcome its autopay waits for. */
  readonly awaits: number | null;
  /** That payment is in processing and would pay it in full; otherwise it made the invoice. */
  readonly isSetAside: boolean;
}

/** What its autopay does: nothing, it has a day, or it waits for one of two payments. */
export type AutopayPlace = 'none' | 'day' | 'awaits' | 'aside';

export type InvoiceHappened =
  /** Money is applied to it, to a part or to all of it. */
  | {
      readonly happened: 'paid';
      readonly amount: Decimal;
      /** An import moves the invoice in, and no event tells that it is paid. */
      readonly isMovedIn?: boolean;
    }
  /** Money that was applied to it is taken back. */
  | { readonly happened: 'reopened'; readonly amount: Decimal }
  /** A credit takes the place of as much money that was applied to it. */
  | { readonly happened: 'replaced' }
  /** What was applied to it has been taken back. */
  | {
      readonly happened: 'cancelled';
      /** Unused days or corrected records of it were credited. */
      readonly isCredited: boolean;
      /** Also what was Paid: a sign-up that failed. */
      readonly alsoPaid: boolean;
    }
  /** Unused days of its charges were credited. */
  | { readonly happened: 'credited' }
  /** A BatchInit takes it. */
  | { readonly happened: 'carriedOver' }
  /** Autopay makes a payment for it, or ends as there is no method. */
  | { readonly happened: 'claimed'; readonly today: IsoDate }
  /** The debit that pays it was announced for that day. */
  | { readonly happened: 'announced'; readonly debitOn: IsoDate }
  /** A payment in processing would pay it in full, so autopay waits for that one. */
  | { readonly happened: 'setAside'; readonly cascadeId: number; readonly today: IsoDate }
  /** The payment that had claimed it charges nobody, since a payment plan is enabled. */
  | { readonly happened: 'leftToPlan'; readonly today: IsoDate }
  /** The payment plan ended, and it pays itself from this day on. */
  | { readonly happened: 'planEnded'; readonly from: IsoDate; readonly today: IsoDate }
  /** The payment that made it was paid; the customer pays the rest by other means. */
  | { readonly happened: 'itsPaymentPaid' }
  /** The payment that it waits for is final, or failed. */
  | { readonly happened: 'released' };

export interface InvoiceTransition {
  readonly state: InvoiceState;
  /** Whether callers can see the change, as another version. */
  readonly shows: 'version' | 'nothing';
  /** In this order. */
  readonly raises: readonly EventType[];
  /** It leaves a credit of so much. */
  readonly credit: Decimal | null;
  /** Its retries end before their turn. */
  readonly endsRetries: boolean;
  /** What its agents earn: it is paid in full or no longer, or charges of it were credited. */
  readonly commissions: 'settled' | 'credited' | null;
  /** The record at the tax provider is voided. */
  readonly voidsTaxRecord: boolean;
  /** The customer's unapplied money is allocated afterwards. */
  readonly allocates: boolean;
  /** It pays itself again: today, or its order's workflow on its day. */
  readonly paysItself: boolean;
  /** The debts of its customer have changed; a dunning of an invoice that moves in begins later. */
  readonly debts: 'changed' | 'movedIn' | null;
  /** Its cancellation takes a number, of a tenant that gives out documents of cancellations. */
  readonly isNumbered: boolean;
}

/** The statuses of invoices. */
export const invoiceStatuses = ['Outstanding', 'Paid', 'Cancelled', 'CarriedOver'] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];
