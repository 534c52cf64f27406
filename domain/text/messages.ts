/** The keys and placeholders of messages/en.yaml: `npm run format` writes this file. */
import type { Text } from './fill.ts';

/** @example messages.en.page */
export type PageWords = {
  readonly faultyTitle: Text<'title'>;
  readonly problemsTitle: string;
  readonly labelled: Text<'label' | 'text'>;
  readonly requiredNote: Text<'mark'>;
  readonly choose: string;
  readonly skip: string;
  readonly newTab: string;
  readonly pleaseWait: string;
  readonly times: Text<'quantity'>;
  readonly subtotal: string;
  readonly total: string;
  readonly dueToday: string;
  readonly untaxed: string;
  readonly charge: string;
  readonly amount: string;
  readonly per: {
    readonly Daily: Text<'amount'>;
    readonly Weekly: Text<'amount'>;
    readonly Monthly: Text<'amount'>;
    readonly Quarterly: Text<'amount'>;
    readonly SemiAnnual: Text<'amount'>;
    readonly Yearly: Text<'amount'>;
  };
  readonly plan: {
    readonly free: string;
    readonly byUsage: string;
    readonly usage: string;
    readonly once: Text<'amount'>;
    readonly trial: Text<'date'>;
    readonly trialThen: Text<'date' | 'price'>;
    readonly couponUntil: Text<'code' | 'date' | 'price'>;
    readonly couponOnce: Text<'code' | 'price'>;
    readonly couponAlways: Text<'code' | 'price'>;
  };
  readonly lasting: {
    readonly trial: Text<'date' | 'from'>;
    readonly regular: Text<'price'>;
    readonly couponOnce: Text<'code'>;
    readonly couponUntil: Text<'code' | 'date'>;
    readonly couponAlways: Text<'code'>;
    readonly renews: string;
    readonly renewsAfter: Text<'date'>;
    readonly ends: Text<'date'>;
    readonly cancelHere: string;
    readonly cancel: Text<'sender'>;
  };
  readonly card: {
    readonly title: string;
    readonly month: string;
    readonly year: string;
  };
  readonly gateway: {
    readonly loading: string;
    readonly incomplete: string;
    readonly failed: string;
    readonly needsScript: string;
    readonly challenge: string;
    readonly challengeText: string;
    readonly challengeLink: string;
  };
  readonly method: {
    readonly title: string;
    readonly kinds: {
      readonly card: string;
      readonly sepa: string;
      readonly usBankAccount: string;
    };
    readonly mandate: {
      readonly sepa: Text<'creditor'>;
      readonly usBankAccount: Text<'creditor'>;
      readonly accept: string;
    };
  };
  readonly problem: {
    readonly required: string;
    readonly choose: string;
    readonly invalid: string;
    readonly tooLong: string;
    readonly webAddress: string;
    readonly email: string;
    readonly phone: string;
    readonly country: string;
    readonly state: string;
    readonly address: string;
    readonly 'login.tooShort': string;
    readonly 'login.needsPassword': string;
    readonly 'login.refused': string;
    readonly 'password.guarded': string;
    readonly 'password.wrong': string;
    readonly 'profile.changed': string;
    readonly 'passwd.weak': string;
    readonly 'passwd.needsLogin': string;
    readonly 'plan.unknown': string;
    readonly 'plan.retired': string;
    readonly 'quantity.form': string;
    readonly 'quantity.outOfRange': string;
    readonly 'coupon.unknown': string;
    readonly 'coupon.notValid': string;
    readonly 'coupon.plan': string;
    readonly 'coupon.currency': string;
    readonly 'coupon.usedUp': string;
    readonly 'coupon.usedByCustomer': string;
    readonly 'change.upgrade': string;
    readonly 'change.downgrade': string;
    readonly 'date.form': string;
    readonly 'date.order': string;
    readonly 'card.number': string;
    readonly 'card.length': string;
    readonly 'card.refused': string;
    readonly 'expiry.past': string;
    readonly gatewayToken: string;
    readonly 'newMethod.none': string;
    readonly 'iban.invalid': string;
    readonly 'account.routing': string;
    readonly 'account.number': string;
    readonly 'mandate.required': string;
    readonly 'cvv.length': string;
    readonly 'tos.required': string;
    readonly 'price.moved': string;
    readonly declined: string;
    readonly 'declined.last': string;
    readonly tryAgain: string;
    readonly formExpired: string;
    readonly tooMany: string;
    readonly 'methods.moved': string;
    readonly 'invoices.moved': string;
    readonly 'invoices.none': string;
    readonly 'invoices.chosen': string;
    readonly 'invoices.underWay': string;
    readonly 'action.moved': string;
    readonly 'method.gone': string;
    readonly 'declines.session': string;
    readonly 'declines.invoice': string;
  };
  readonly notice: {
    readonly mailed: {
      readonly title: string;
      readonly text: string;
      readonly link: string;
    };
    readonly unknown: {
      readonly title: string;
      readonly text: string;
      readonly link: string;
    };
    readonly gone: {
      readonly title: string;
      readonly text: string;
      readonly link: string;
    };
    readonly payLinkOver: {
      readonly title: string;
      readonly text: string;
      readonly link: string;
    };
    readonly actionOver: {
      readonly title: string;
      readonly text: string;
      readonly link: string;
    };
    readonly formExpired: {
      readonly title: string;
      readonly text: string;
      readonly link: string;
    };
    readonly foreign: {
      readonly title: string;
      readonly text: string;
      readonly link: string;
    };
    readonly forbidden: {
      readonly title: string;
      readonly text: string;
      readonly link: string;
    };
    readonly tooLong: {
      readonly title: string;
      readonly text: string;
      readonly link: string;
    };
    readonly wrongType: {
      readonly title: string;
      readonly text: string;
      readonly link: string;
    };
    readonly tooMany: {
      readonly title: string;
      readonly text: string;
      readonly link: string;
    };
    readonly notAllowed: {
      readonly title: string;
      readonly text: string;
      readonly link: string;
    };
    readonly unavailable: {
      readonly title: string;
      readonly text: string;
      readonly link: string;
    };
    readonly failed: {
      readonly title: string;
      readonly text: string;
      readonly link: string;
    };
  };
};

/** @example messages.en.field */
export type FieldWords = {
  readonly contactGroup: string;
  readonly addressGroup: string;
  readonly companyName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  readonly country: string;
  readonly street: string;
  readonly street1: string;
  readonly street2: string;
  readonly city: string;
  readonly state: string;
  readonly region: string;
  readonly zip: string;
  readonly login: string;
  readonly loginHint: string;
  readonly username: string;
  readonly usernameOrEmail: string;
  readonly password: string;
  readonly passwordHint: string;
  readonly oldPassword: string;
  readonly newPassword: string;
  readonly newPasswordHint: string;
  readonly contractCode: string;
  readonly contractChoice: string;
  readonly quantity: string;
  readonly couponCode: string;
  readonly coupon: string;
  readonly cancelReason: string;
  readonly cardNumber: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
  readonly cvv: string;
  readonly cvvHint: string;
  readonly cardholderName: string;
  readonly methodType: string;
  readonly iban: string;
  readonly abaRoutingNumber: string;
  readonly accountNumber: string;
  readonly accountHolder: string;
  readonly preference: string;
  readonly from: string;
  readonly to: string;
};

/** @example messages.en.signup */
export type SignupWords = {
  readonly step: Text<'step' | 'steps'>;
  readonly details: string;
  readonly planAndDetails: string;
  readonly plan: string;
  readonly pricesNote: string;
  readonly loginGroup: string;
  readonly loginNote: string;
  readonly orderGroup: string;
  readonly continue: string;
  readonly review: string;
  readonly reviewFree: string;
  readonly confirm: string;
  readonly startDate: string;
  readonly billingPeriod: string;
  readonly periods: {
    readonly Daily: string;
    readonly Weekly: string;
    readonly Monthly: string;
    readonly Quarterly: string;
    readonly SemiAnnual: string;
    readonly Yearly: string;
  };
  readonly change: string;
  readonly initialCharges: string;
  readonly recurringCharges: string;
  readonly nothingDue: string;
  readonly cardForTrial: Text<'date'>;
  readonly cardCharged: string;
  readonly savePaymentMethod: string;
  readonly saveThisMethod: string;
  readonly saveCard: string;
  readonly saveAnyMethod: string;
  readonly tosAccepted: Text<'link'>;
  readonly tos: string;
  readonly triesLeft: Text<'count'>;
  readonly oneTryLeft: string;
  readonly orderAndPay: string;
  readonly order: string;
  readonly working: string;
  readonly workingText: string;
  readonly workingLink: string;
};

/** @example messages.en.account */
export type AccountWords = {
  readonly title: string;
  readonly menu: string;
  readonly openMenu: string;
  readonly logOut: string;
  readonly idle: string;
  readonly stay: string;
  readonly part: {
    readonly home: string;
    readonly statements: string;
    readonly invoices: string;
    readonly payments: string;
    readonly pay: string;
    readonly card: string;
    readonly orders: string;
    readonly profile: string;
  };
  readonly more: string;
  readonly about: {
    readonly home: string;
    readonly statements: string;
    readonly invoices: string;
    readonly payments: string;
    readonly pay: string;
    readonly card: string;
    readonly orders: string;
    readonly profile: string;
  };
  readonly noOrders: string;
  readonly allOrders: string;
  readonly nextBill: string;
  readonly billOn: string;
  readonly billAmount: string;
  readonly nextUsage: string;
  readonly paidBy: string;
  readonly paidByYou: string;
  readonly paidByItself: string;
  readonly addCard: string;
  readonly changeCard: string;
  readonly balance: string;
  readonly balanceIn: Text<'currency'>;
  readonly open: string;
  readonly overdue: string;
  readonly unapplied: string;
  readonly payNow: string;
  readonly invoices: string;
  readonly invoice: string;
  readonly openAmount: string;
  readonly invoiceTitle: Text<'number' | 'date'>;
  readonly due: Text<'date'>;
  readonly nothingOpen: string;
};

/** @example messages.en.login */
export type LoginWords = {
  readonly login: string;
  readonly submitLogin: string;
  readonly forgotten: string;
  readonly wasReset: string;
  readonly ask: string;
  readonly askLead: string;
  readonly submitAsk: string;
  readonly askedTitle: string;
  readonly asked: string;
  readonly askedAgain: string;
  readonly guarded: string;
  readonly back: string;
  readonly choose: string;
  readonly chooseFor: Text<'username'>;
  readonly chooseNote: string;
  readonly submitChoose: string;
};

/** @example messages.en.profile */
export type ProfileWords = {
  readonly title: string;
  readonly passwordGroup: string;
  readonly passwordNote: string;
  readonly save: string;
  readonly saved: string;
  readonly unchanged: string;
};

/** @example messages.en.pay */
export type PayWords = {
  readonly payTitle: string;
  readonly openIn: Text<'currency'>;
  readonly others: string;
  readonly choice: string;
  readonly chooseInvoice: Text<'number'>;
  readonly chooseAll: string;
  readonly chooseNone: string;
  readonly invoice: string;
  readonly invoiceTitle: Text<'number' | 'date'>;
  readonly due: string;
  readonly open: string;
  readonly overdue: string;
  readonly underWay: string;
  readonly waiting: string;
  readonly update: string;
  readonly cut: Text<'count'>;
  readonly nothingOpen: string;
  readonly chosen: string;
  readonly total: string;
  readonly method: string;
  readonly newCard: string;
  readonly newMethod: string;
  readonly masked: Text<'name' | 'end'>;
  readonly mandate: Text<'reference'>;
  readonly gatewayUpdated: Text<'date'>;
  readonly expires: Text<'date'>;
  readonly expired: Text<'date'>;
  readonly save: string;
  readonly saveReplacing: Text<'method'>;
  readonly saveMethod: string;
  readonly saveMethodReplacing: Text<'method'>;
  readonly pay: Text<'amount'>;
  readonly cardTitle: string;
  readonly filed: string;
  readonly noneFiled: string;
  readonly order: string;
  readonly used: {
    readonly 1: string;
    readonly 2: string;
    readonly 3: string;
  };
  readonly saved: string;
  readonly addCard: string;
  readonly addMethod: string;
  readonly addNote: string;
  readonly places: {
    readonly 1: string;
    readonly 2: string;
    readonly 3: string;
  };
  readonly placeTaken: Text<'place' | 'method'>;
  readonly saveCard: string;
  readonly saveNewMethod: string;
  readonly change: string;
  readonly useFirst: string;
  readonly remove: string;
  readonly changeOf: Text<'action' | 'method'>;
  readonly removed: string;
  readonly reordered: string;
  readonly unpaid: Text<'orders'>;
};

/** @example messages.en.payLink */
export type PayLinkWords = {
  readonly waiting: string;
  readonly title: Text<'number'>;
  readonly open: string;
  readonly note: string;
  readonly noteOfMethod: string;
  readonly paid: string;
  readonly nothing: string;
  readonly days: string;
  readonly closed: string;
  readonly login: string;
};

/** @example messages.en.payerAction */
export type PayerActionWords = {
  readonly title: string;
  readonly note: string;
  readonly until: string;
  readonly invoices: string;
  readonly confirm: Text<'amount'>;
  readonly other: string;
};

/** @example messages.en.sandbox */
export type SandboxWords = {
  readonly title: string;
  readonly note: string;
  readonly amount: string;
  readonly saving: string;
  readonly confirm: string;
  readonly refuse: string;
  readonly over: string;
  readonly back: string;
};

/** @example messages.en.order */
export type OrderWords = {
  readonly title: string;
  readonly none: string;
  readonly order: string;
  readonly ended: string;
  readonly more: string;
  readonly number: string;
  readonly status: {
    readonly Draft: string;
    readonly Provisioning: string;
    readonly Active: string;
    readonly Suspended: string;
    readonly Complete: string;
    readonly Superseded: string;
    readonly Canceled: string;
  };
  readonly subscription: string;
  readonly starts: string;
  readonly since: string;
  readonly renews: string;
  readonly ends: string;
  readonly days: string;
  readonly state: string;
  readonly nextBill: string;
  readonly change: string;
  readonly changesTo: Text<'plan' | 'date'>;
  readonly replaces: Text<'number'>;
  readonly cancel: {
    readonly link: string;
    readonly title: string;
    readonly ends: Text<'date'>;
    readonly never: string;
    readonly pending: Text<'number'>;
    readonly changed: Text<'plan'>;
    readonly credit: string;
    readonly noCredit: string;
    readonly later: string;
    readonly submit: string;
    readonly keep: string;
    readonly done: string;
    readonly endsLater: Text<'date'>;
    readonly when: string;
    readonly termEnd: Text<'date'>;
    readonly periodEnd: Text<'date'>;
    readonly now: string;
    readonly doneLater: string;
  };
  readonly keep: {
    readonly link: string;
    readonly title: string;
    readonly about: Text<'date'>;
    readonly none: string;
    readonly submit: string;
    readonly done: string;
  };
  readonly upgrade: {
    readonly link: string;
    readonly title: string;
    readonly about: Text<'date'>;
    readonly none: string;
    readonly submit: string;
    readonly done: string;
  };
  readonly downgrade: {
    readonly link: string;
    readonly title: string;
    readonly about: Text<'date'>;
    readonly none: string;
    readonly submit: string;
    readonly done: string;
  };
  readonly new: {
    readonly title: string;
    readonly about: string;
    readonly none: string;
    readonly submit: string;
    readonly done: string;
  };
  readonly now: string;
  readonly before: string;
  readonly after: string;
  readonly another: string;
  readonly preview: string;
  readonly reviewTitle: string;
  readonly invoice: string;
  readonly billed: string;
  readonly invoiceOn: Text<'date'>;
  readonly initial: string;
  readonly recurring: string;
  readonly periodNote: string;
  readonly runningNote: string;
  readonly credited: string;
  readonly isAutoPay: string;
  readonly autoPay: string;
  readonly automatic: string;
  readonly changeChoice: string;
  readonly back: string;
  readonly sorry: string;
  readonly refusal: {
    readonly changePending: string;
    readonly notChangeable: string;
    readonly ended: string;
    readonly endsBefore: string;
    readonly elsewhere: string;
    readonly customer: string;
    readonly later: string;
    readonly address: string;
    readonly other: string;
  };
};

/** @example messages.en.record */
export type RecordWords = {
  readonly statement: {
    readonly title: string;
    readonly period: Text<'from' | 'to'>;
    readonly in: Text<'currency'>;
    readonly show: string;
    readonly date: string;
    readonly what: string;
    readonly amount: string;
    readonly balance: string;
    readonly opening: string;
    readonly broughtForward: string;
    readonly carriedForward: string;
    readonly closing: string;
    readonly none: string;
    readonly onlyNewest: Text<'count'>;
    readonly older: string;
  };
  readonly entry: {
    readonly invoice: Text<'number'>;
    readonly creditNote: Text<'number'>;
    readonly invoiceCancelled: Text<'number'>;
    readonly creditNoteCancelled: Text<'number'>;
    readonly cancellation: Text<'number' | 'invoice'>;
    readonly payment: string;
    readonly paymentBy: Text<'method'>;
    readonly paymentCanceled: string;
    readonly surcharge: string;
    readonly surchargePaid: string;
    readonly credit: string;
    readonly debit: string;
    readonly refund: string;
    readonly paymentReturned: string;
    readonly paymentDisputed: string;
    readonly openingBalance: string;
    readonly import: Text<'number'>;
    readonly zeroOut: string;
  };
  readonly invoices: {
    readonly title: string;
    readonly number: string;
    readonly date: string;
    readonly due: string;
    readonly amount: string;
    readonly open: string;
    readonly status: string;
    readonly none: string;
    readonly pdf: string;
    readonly pay: string;
    readonly all: string;
  };
  readonly invoiceStatus: {
    readonly Outstanding: string;
    readonly overdue: string;
    readonly Paid: string;
    readonly credited: string;
    readonly Cancelled: string;
    readonly CarriedOver: string;
  };
  readonly payments: {
    readonly title: string;
    readonly payment: string;
    readonly paymentOn: Text<'date'>;
    readonly refundOn: Text<'date'>;
    readonly method: string;
    readonly amount: string;
    readonly status: string;
    readonly none: string;
    readonly receipt: string;
    readonly all: string;
  };
  readonly paymentStatus: {
    readonly Pending: string;
    readonly ActionRequired: string;
    readonly Paid: string;
    readonly Declined: string;
    readonly Canceled: string;
    readonly Voided: string;
    readonly Refunded: string;
    readonly CarriedOver: string;
  };
  readonly refundStatus: {
    readonly Pending: string;
    readonly ActionRequired: string;
    readonly Paid: string;
    readonly Declined: string;
    readonly Canceled: string;
    readonly Voided: string;
    readonly Refunded: string;
    readonly CarriedOver: string;
  };
  readonly payment: {
    readonly pending: string;
    readonly pendingNote: string;
    readonly processingNote: string;
    readonly checkNow: string;
    readonly declined: string;
    readonly declinedNote: string;
    readonly payAgainNote: string;
    readonly payAgain: string;
    readonly paid: string;
  };
  readonly newest: string;
  readonly older: string;
  readonly pages: string;
};

/** @example messages.en.method */
export type MethodWords = {
  readonly CreditCard: string;
  readonly ACH: string;
  readonly Token: string;
  readonly Check: string;
  readonly Cash: string;
};

/** @example messages.en.invoice */
export type InvoiceWords = {
  readonly invoice: string;
  readonly billTo: string;
  readonly invoiceNumber: string;
  readonly invoiceDate: string;
  readonly dueDate: string;
  readonly period: string;
  readonly customerReference: string;
  readonly purchaseOrder: string;
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
  readonly creditNoteOn: Text<'number' | 'date'>;
  readonly earlierSettlements: string;
  readonly creditedTo: Text<'number' | 'date'>;
  readonly creditLeft: string;
  readonly notes: string;
  readonly paid: string;
  readonly cancelled: string;
  readonly carriedOver: string;
  readonly creditNote: string;
  readonly creditTo: string;
  readonly creditNoteNumber: string;
  readonly creditNoteDate: string;
  readonly forInvoice: string;
  readonly invoiceOf: Text<'number' | 'date'>;
  readonly thisCreditNote: string;
  readonly credited: string;
  readonly cancellation: string;
  readonly cancellationNumber: string;
  readonly cancellationDate: string;
  readonly cancels: string;
  readonly thisCancellation: string;
  readonly cancelledBy: string;
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
  readonly payOnline: string;
  readonly pay: string;
  readonly newInvoice: {
    readonly subject: Text<'number' | 'sender'>;
    readonly lead: Text<'number' | 'date'>;
  };
  readonly creditNote: {
    readonly subject: Text<'number' | 'sender'>;
    readonly lead: Text<'number' | 'date'>;
  };
  readonly cancellation: {
    readonly subject: Text<'cancelled' | 'sender'>;
    readonly lead: Text<'cancelled' | 'number' | 'date'>;
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
  readonly paymentAction: {
    readonly subject: Text<'amount'>;
    readonly lead: Text<'amount'>;
    readonly how: string;
    readonly until: string;
    readonly page: string;
  };
  readonly checkMethod: string;
  readonly customerOverdue: {
    readonly subject: Text<'amount'>;
    readonly lead: string;
  };
  readonly suspended: string;
  readonly inactive: string;
  readonly crossed: string;
  readonly trialEnding: {
    readonly subject: Text<'number' | 'date'>;
    readonly lead: Text<'number' | 'plan' | 'date'>;
    readonly date: string;
  };
  readonly renewalNotice: {
    readonly subject: Text<'number' | 'date'>;
    readonly lead: Text<'number' | 'plan' | 'date'>;
    readonly date: string;
  };
  readonly priceChange: {
    readonly subject: Text<'number' | 'date'>;
    readonly lead: Text<'date' | 'number' | 'plan'>;
    readonly date: string;
  };
  readonly priceBefore: string;
  readonly priceAfter: string;
  readonly nextInvoice: string;
  readonly paidByMethod: string;
  readonly paidByNoMethod: string;
  readonly paidByInvoice: string;
  readonly cardExpiring: {
    readonly subject: Text<'card'>;
    readonly lead: Text<'card' | 'date'>;
  };
  readonly cardHow: string;
  readonly cardReplaced: string;
  readonly validUntil: string;
  readonly debitNotice: {
    readonly subject: Text<'amount' | 'date'>;
    readonly lead: Text<'amount' | 'account' | 'date' | 'number'>;
  };
  readonly debitCover: string;
  readonly debitLess: string;
  readonly debitDate: string;
  readonly mandate: string;
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
  readonly page: PageWords;
  readonly field: FieldWords;
  readonly signup: SignupWords;
  readonly account: AccountWords;
  readonly login: LoginWords;
  readonly profile: ProfileWords;
  readonly pay: PayWords;
  readonly payLink: PayLinkWords;
  readonly payerAction: PayerActionWords;
  readonly sandbox: SandboxWords;
  readonly order: OrderWords;
  readonly record: RecordWords;
  readonly method: MethodWords;
  readonly invoice: InvoiceWords;
  readonly receipt: ReceiptWords;
  readonly mail: MailWords;
};
