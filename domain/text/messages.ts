/** The keys and placeholders of messages/en.yaml: `npm run format` writes this file. */
import type { Text } from './fill.ts';

/** @example messages.en.invoice */
export type InvoiceWords = {
  readonly invoice: string;
  readonly billTo: string;
  readonly invoiceNumber: string;
  readonly invoiceDate: string;
  readonly dueDate: string;
  readonly period: string;
  readonly customerReference: string;
  readonly order: string;
  readonly description: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly amount: string;
  readonly subtotal: string;
  readonly tierUpTo: Text<'to'>;
  readonly tierAbove: Text<'from'>;
  readonly tierBetween: Text<'from' | 'to'>;
  readonly percentOf: Text<'percent'>;
  readonly percentOfBase: Text<'percent' | 'base'>;
  readonly discount: Text<'code'>;
  readonly percentOff: Text<'percent'>;
  readonly charges: string;
  readonly summary: string;
  readonly taxes: string;
  readonly tax: string;
  readonly taxRate: string;
  readonly taxBase: string;
  readonly taxAmount: string;
  readonly previousBalance: string;
  readonly paymentsAndAdjustments: string;
  readonly thisInvoice: string;
  readonly totalDue: string;
  readonly stillDue: string;
  readonly paymentOn: Text<'date'>;
  readonly creditOn: Text<'date'>;
  readonly earlierSettlements: string;
  readonly creditedTo: Text<'number' | 'date'>;
  readonly creditLeft: string;
  readonly cash: string;
  readonly check: string;
  readonly notes: string;
  readonly paid: string;
  readonly cancelled: string;
  readonly carriedOver: string;
  readonly creditNote: string;
  readonly creditTo: string;
  readonly creditNoteNumber: string;
  readonly creditNoteDate: string;
  readonly thisCreditNote: string;
  readonly credited: string;
  readonly taxId: Text<'taxId'>;
  readonly contact: string;
  readonly bankAccount: string;
  readonly paymentTerms: string;
  readonly dueOnReceipt: string;
  readonly dueWithinOneDay: string;
  readonly dueWithinDays: Text<'days'>;
  readonly page: Text<'page' | 'pages'>;
};

/** @example messages.en.receipt */
export type ReceiptWords = {
  readonly receipt: Text<'number'>;
  readonly receivedFrom: string;
  readonly number: string;
  readonly date: string;
  readonly method: string;
  readonly amount: string;
  readonly ach: string;
  readonly token: string;
  readonly card: string;
  readonly usedFor: string;
  readonly invoice: Text<'number' | 'date'>;
  readonly furtherInvoices: string;
  readonly otherDebts: string;
  readonly surcharge: string;
  readonly unapplied: string;
  readonly goneBack: string;
  readonly total: string;
};

/** @example messages.en.mail */
export type MailWords = {
  readonly greeting: Text<'name'>;
  readonly closing: string;
  readonly plan: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly nextBillDate: string;
  readonly paymentDate: string;
  readonly paymentMethod: string;
  readonly openAmount: string;
  readonly newInvoice: {
    readonly subject: Text<'number' | 'sender'>;
    readonly lead: Text<'number' | 'date'>;
  };
  readonly creditNote: {
    readonly subject: Text<'number' | 'sender'>;
    readonly lead: Text<'number' | 'date'>;
  };
  readonly payBy: Text<'amount' | 'dueDate'>;
  readonly paidByUs: Text<'amount' | 'day'>;
  readonly paidByPlan: Text<'amount'>;
  readonly nothingToPay: string;
  readonly newOrder: {
    readonly subject: Text<'number'>;
    readonly lead: Text<'number' | 'plan'>;
  };
  readonly paymentReceived: {
    readonly subject: Text<'amount'>;
    readonly lead: Text<'amount'>;
  };
  readonly appliedTo: string;
  readonly paymentFailed: {
    readonly subject: Text<'amount'>;
    readonly lead: Text<'amount'>;
  };
  readonly checkMethod: string;
  readonly customerOverdue: {
    readonly subject: Text<'amount'>;
    readonly lead: string;
  };
  readonly suspended: string;
  readonly inactive: string;
  readonly crossed: string;
  readonly passwordReset: {
    readonly subject: Text<'sender'>;
    readonly lead: Text<'sender'>;
  };
  readonly resetHow: string;
  readonly username: string;
  readonly resetAddress: string;
  readonly resetIgnored: string;
  readonly greetingOfNobody: string;
  readonly contactChanged: {
    readonly subject: Text<'sender'>;
    readonly lead: Text<'sender'>;
  };
  readonly changedNow: string;
  readonly changedByOther: string;
  readonly signupConfirm: {
    readonly subject: Text<'sender'>;
    readonly lead: Text<'sender'>;
  };
  readonly confirmHow: string;
  readonly confirmIgnored: string;
};

/** @example messages.en */
export type Messages = {
  readonly invoice: InvoiceWords;
  readonly receipt: ReceiptWords;
  readonly mail: MailWords;
};
