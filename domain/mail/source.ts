/** The source data of a mail, as rows give it. */
import type { InvoiceSource, NamedInvoice } from '../invoices/page.ts';
import type { IsoDate } from '../calendar/calendar.ts';
import type { CustomerStatus } from '../customers/status.ts';
import type { Decimal } from '../money/money.ts';

export interface MailInvoice {
  readonly invoiceNumber: string;
  readonly invoiceDate: IsoDate;
  readonly dueDate: IsoDate;
  readonly currency: string;
  readonly currentAmountDue: Decimal;
  readonly outstandingBalance: Decimal;
  /** Of the page that pays it; null if nothing is open, or the tenant has no hosted pages. */
  readonly payAddress: string | null;
}

export interface MailPayment {
  readonly amount: Decimal;
  readonly currency: string;
  readonly effectiveDate: IsoDate;
  /** `Visa - *****1111`, or the type of a method without details; null if nobody knows. */
  readonly method: string | null;
  /** The invoices that it paid. */
  readonly invoices: readonly {
    readonly invoiceNumber: string;
    readonly amount: Decimal;
  }[];
  /** Of the page that pays the first due one of the invoices that it was for; null as of an invoice. */
  readonly payAddress: string | null;
}

/** A payment that waits for its payer. */
export interface MailAction {
  readonly amount: Decimal;
  readonly currency: string;
  readonly method: string | null;
  readonly waitsUntil: Date;
  /** Of the tenant, by which the instant is shown. */
  readonly timezone: string;
  /** Of the page on which he confirms it; whoever has it can. */
  readonly actionAddress: string;
}

/** A date of an order that lies ahead, and what it brings. */
export interface MailNotice {
  readonly orderNumber: string;
  readonly planName: string;
  readonly date: IsoDate;
  /** The order's first invoice from then on; null if nobody can say it yet. */
  readonly nextInvoice: {
    readonly invoiceDate: IsoDate;
    readonly amount: Decimal;
    readonly currency: string;
  } | null;
  /** Whether invoices of the order pay themselves. */
  readonly isAutoPay: boolean;
  /** What they are charged to: `Visa - *****1111`; null without a method on file. */
  readonly method: string | null;
}

/** What the first period from a date on costs, before taxes. */
export interface MailPrices {
  readonly before: Decimal;
  readonly after: Decimal;
  readonly currency: string;
}

/** A card on file. */
export interface MailCard {
  /** `Visa - *****1111` */
  readonly method: string;
  /** Until which it is good. */
  readonly lastDay: IsoDate;
}

/** A SEPA debit that lies ahead. */
export interface MailDebit {
  /** At most so much is debited. */
  readonly amount: Decimal;
  readonly currency: string;
  readonly debitDate: IsoDate;
  /** `SEPA - DE**...3000` */
  readonly method: string;
  /** The reference of the mandate; null if nobody knows. */
  readonly mandate: string | null;
  readonly invoiceNumber: string;
}

/** What a mail speaks of, by its kind. */
export type MailSubject =
  | {
      readonly kind: 'newInvoice' | 'newCreditNote';
      readonly invoice: MailInvoice & {
        /** The day on which autopay charges it; null if nothing pays it automatically. */
        readonly autopayOn: IsoDate | null;
        /** The customer's payment plan collects it instead. */
        readonly isPaidByPlan: boolean;
        /** What is left of a credit note's amount; null for an invoice. */
        readonly creditLeft: Decimal | null;
        /** The invoice that a cancellation cancels; absent of any other document. */
        readonly cancels?: NamedInvoice | undefined;
      };
    }
  | {
      readonly kind: 'newOrder';
      readonly order: {
        readonly orderNumber: string;
        readonly planName: string;
        readonly startDate: IsoDate;
        readonly endDate: IsoDate | null;
        readonly nextBillableDate: IsoDate | null;
      };
    }
  | { readonly kind: 'paymentReceived' | 'paymentFailed'; readonly payment: MailPayment }
  | { readonly kind: 'paymentAction'; readonly action: MailAction }
  | {
      readonly kind: 'customerOverdue';
      readonly status: CustomerStatus;
      /** The overdue ones, the oldest due first. */
      readonly invoices: readonly MailInvoice[];
    }
  | { readonly kind: 'trialEnding' | 'renewalNotice'; readonly notice: MailNotice }
  | {
      readonly kind: 'priceChange';
      readonly notice: MailNotice;
      readonly prices: MailPrices | null;
    }
  | {
      readonly kind: 'cardExpiring';
      readonly card: MailCard;
    }
  | {
      readonly kind: 'debitNotice';
      readonly debit: MailDebit;
    }
  | {
      readonly kind: 'passwordReset';
      readonly username: string;
      /** Of the page that takes the new password; whoever has it can set one. */
      readonly resetAddress: string;
    }
  /** It says nothing of whom it is about: whoever typed the old address may not own it. */
  | { readonly kind: 'contactChanged' }
  | {
      readonly kind: 'signupConfirm';
      /** Of the page whose button makes the order. */
      readonly confirmAddress: string;
    };

export interface MailSource {
  readonly customer: Omit<InvoiceSource['customer'], 'taxId'>;
  readonly sender: Omit<InvoiceSource['sender'], 'contact' | 'bankAccount'>;
  readonly subject: MailSubject;
}
