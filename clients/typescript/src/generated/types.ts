// Written by `npm run format` from the schemas of the interface; npm run check compares.
/** The documents of the interface. `null` is an empty element. */

/** A decimal as text, for example `49.00`: never a binary floating-point number. */
export type DecimalText = string;
/** A day: `2027-01-31`. */
export type DateText = string;
/** An instant: `2027-01-31T12:00:00Z`. */
export type InstantText = string;
/** What a later version may answer besides. */
export type OtherText = string & {};

/** The code of a refusal. */
export type ErrorCode =
  | 'activity.billed'
  | 'activity.corrected'
  | 'activity.correction'
  | 'activity.noMatch'
  | 'activity.notTaken'
  | 'activity.outsideTerm'
  | 'activity.refTaken'
  | 'activity.reference'
  | 'activity.severalMatches'
  | 'activity.tooMany'
  | 'activity.unknown'
  | 'address.invalid'
  | 'address.notValidated'
  | 'attribute.unknown'
  | 'auth.invalid'
  | 'auth.required'
  | 'auth.role'
  | 'auth.tooManyAttempts'
  | 'auth.tooManyRequests'
  | 'batch.child'
  | 'batch.duplicate'
  | 'batch.noFile'
  | 'batch.notDraft'
  | 'batch.unknown'
  | 'billing.amountTooLarge'
  | 'callbacks.unknown'
  | 'card.tooManyDeclines'
  | 'commissionPlan.unknown'
  | 'contact.exists'
  | 'contact.unknown'
  | 'contact.usernameTaken'
  | 'coupon.currency'
  | 'coupon.notValid'
  | 'coupon.plan'
  | 'coupon.unknown'
  | 'coupon.usedByCustomer'
  | 'coupon.usedUp'
  | 'creditNote.nothingLeft'
  | 'creditNote.tooHigh'
  | 'customer.billedApart'
  | 'customer.erased'
  | 'customer.held'
  | 'customer.inUse'
  | 'customer.inactive'
  | 'customer.notErasable'
  | 'customer.refTaken'
  | 'customer.unknown'
  | 'document.character'
  | 'document.contentType'
  | 'document.depth'
  | 'document.doctype'
  | 'document.elements'
  | 'document.empty'
  | 'document.encoding'
  | 'document.entity'
  | 'document.malformed'
  | 'document.root'
  | 'document.tooLarge'
  | 'event.unknown'
  | 'field.invalid'
  | 'field.notEditable'
  | 'field.range'
  | 'field.repeated'
  | 'field.required'
  | 'field.text'
  | 'field.tooLong'
  | 'field.unknown'
  | 'file.expired'
  | 'file.forged'
  | 'file.missing'
  | 'file.used'
  | 'host.invalid'
  | 'host.unknown'
  | 'idempotency.inUse'
  | 'idempotency.key'
  | 'idempotency.otherRequest'
  | 'import.cells'
  | 'import.dependent'
  | 'import.failed'
  | 'import.repeated'
  | 'invoice.credited'
  | 'invoice.notCancellable'
  | 'invoice.notCreditable'
  | 'invoice.notPayable'
  | 'invoice.numberTaken'
  | 'invoice.ubl'
  | 'invoice.unknown'
  | 'list.tooLarge'
  | 'metadata.tooMany'
  | 'notification.otherCustomer'
  | 'object.changed'
  | 'object.notFound'
  | 'order.billed'
  | 'order.changePending'
  | 'order.notBillable'
  | 'order.notChangeable'
  | 'order.notEditable'
  | 'order.notEnding'
  | 'order.priceMissing'
  | 'order.priceTooHigh'
  | 'order.tooManyPeriods'
  | 'order.transition'
  | 'order.unitPriceMissing'
  | 'order.unknown'
  | 'orderAgent.exists'
  | 'orderAgent.plan'
  | 'orderAgent.reference'
  | 'page.foreignPost'
  | 'page.formKey'
  | 'page.gone'
  | 'page.switchedOff'
  | 'page.tooManyPosts'
  | 'page.unknown'
  | 'path.method'
  | 'path.unknown'
  | 'payment.amount'
  | 'payment.currency'
  | 'payment.date'
  | 'payment.invoice'
  | 'payment.method'
  | 'payment.noAction'
  | 'payment.notCancellable'
  | 'payment.processing'
  | 'payment.rawCard'
  | 'payment.refundTooHigh'
  | 'payment.unknown'
  | 'paymentMethod.actionRequired'
  | 'paymentMethod.declined'
  | 'paymentMethod.unknown'
  | 'paymentPlan.ended'
  | 'paymentPlan.exists'
  | 'paymentPlan.unknown'
  | 'plan.retired'
  | 'plan.unknown'
  | 'priceCode.unknown'
  | 'quantity.outOfRange'
  | 'query.character'
  | 'query.format'
  | 'query.invalid'
  | 'query.range'
  | 'query.repeated'
  | 'query.required'
  | 'query.tooLong'
  | 'query.unknown'
  | 'quote.moved'
  | 'report.tooLarge'
  | 'report.unknown'
  | 'request.aborted'
  | 'salesAgent.unknown'
  | 'service.fault'
  | 'service.outcomeUnknown'
  | 'service.unavailable'
  | 'signup.unknown'
  | 'tax.refused'
  | 'tax.unavailable'
  | 'testClock.advancing'
  | 'testClock.backwards'
  | 'testClock.tooFar'
  | 'testClock.unknown'
  | 'transport.insecure'
  | 'update.refused'
  | 'user.self'
  | 'user.unknown'
  | OtherText;

/** The documents of answers by their root elements. */
export interface AnswerDocuments {
  readonly actionLink: ActionLink;
  readonly addCustomerAndOrderResponse: AddCustomerAndOrderResponse;
  readonly batchProcess: BatchProcess;
  readonly biller: Biller;
  readonly billingContact: BillingContact;
  readonly canEdit: CanEdit;
  readonly commissionPlan: CommissionPlan;
  readonly contractOffering: ContractOffering;
  readonly customer: Customer;
  readonly event: Event;
  readonly health: Health;
  readonly invoice: Invoice;
  readonly metadata: readonly MetadataEntry[];
  readonly payLink: PayLink;
  readonly payment: Payment;
  readonly paymentPlan: PaymentPlan;
  readonly quote: Quote;
  readonly report: Report;
  readonly response: Response;
  readonly salesContact: SalesContact;
  readonly signup: Signup;
  readonly signupLink: SignupLink;
  readonly status: Status;
  readonly subscriptionOrder: SubscriptionOrder;
  readonly testClock: TestClock;
  readonly user: User;
  readonly widgetLink: WidgetLink;
}

export interface AchPaymentMethod {
  /** 1 to 3: the place on file, and the start of a cascade; 1 by default if required. */
  readonly autopayPreference?: number | null;
  /** The routing number of the bank, nine digits. */
  readonly abaRoutingNumber: string;
  /** The number of the account. */
  readonly accountNumber: string;
  /** The bank. */
  readonly institutionName?: string | null;
  /** The name of the account holder. */
  readonly accountName?: string | null;
  /** Checking or Savings; Checking by default. */
  readonly accountType?: 'Checking' | 'Savings' | null;
}

export interface ActionLink {
  /** The address of the page that confirms the payment: whoever has it has the page. */
  readonly url: string;
  /** The end of the wait for the payer, after which the payment is declined. */
  readonly validUntil: InstantText;
}

export interface Activity {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** Present, and true, if its extRefId was taken: the stored record is shown. */
  readonly duplicate?: boolean;
  /** Unbilled, or Processed once it is billed. */
  readonly status: 'Unbilled' | 'Processed' | OtherText;
  /** Your own key of the record; unique within the tenant. */
  readonly extRefId: string | null;
  /** The external reference of the customer. */
  readonly extCustomerRef: string | null;
  /** The customer, by internal id. */
  readonly customer: Reference;
  /** The number of the order. */
  readonly orderNumber: string;
  /** The order, by internal id. */
  readonly order: Reference;
  /** The usage line of the order, by internal id. */
  readonly orderLineItem: Reference;
  /** The code of the line's charge. */
  readonly priceCode: string;
  /** How many units, up to 6 decimals; 1 by default if there is an amount. Negative in a correction. */
  readonly quantity: DecimalText;
  /** As it was sent. Without one it is empty until the record is billed, and its share then. */
  readonly amount: DecimalText | null;
  /** The price of one unit, for UserEnteredPricing; elsewhere ignored. */
  readonly unitPrice: DecimalText | null;
  /** The day of the usage; today by default. */
  readonly chargeDate: DateText;
  /** The last day of the usage; only kept. */
  readonly chargeEndDate: DateText | null;
  /** A text; only kept. */
  readonly invoiceText: string | null;
  /** The extRefId of the record of which it takes units back. */
  readonly correctsExtRefId: string | null;
  /** The number of the invoice that billed it. */
  readonly invoiceNumber: string | null;
  /** The same id for all records of one upload. */
  readonly activityBatch: Reference;
  /** The day on which it was created. */
  readonly dateCreated: DateText;
}

export interface ActivityRequest {
  /** Your own key of the record; unique within the tenant. */
  readonly extRefId?: string | null;
  /** The external reference of the customer. */
  readonly extCustomerRef?: string | null;
  /** The customer, by internal id. */
  readonly customer?: Reference | null;
  /** The number of the order. */
  readonly orderNumber?: string | null;
  /** The order, by internal id. */
  readonly order?: Reference | null;
  /** The usage line of the order, by internal id. */
  readonly orderLineItem?: Reference | null;
  /** The code of the line's charge. */
  readonly priceCode?: string | null;
  /** How many units, up to 6 decimals; 1 by default if there is an amount. Negative in a correction. */
  readonly quantity?: DecimalText | null;
  /** As it was sent. Without one it is empty until the record is billed, and its share then. */
  readonly amount?: DecimalText | null;
  /** The price of one unit, for UserEnteredPricing; elsewhere ignored. */
  readonly unitPrice?: DecimalText | null;
  /** The day of the usage; today by default. */
  readonly chargeDate?: DateText | null;
  /** The last day of the usage; only kept. */
  readonly chargeEndDate?: DateText | null;
  /** A text; only kept. */
  readonly invoiceText?: string | null;
  /** The extRefId of the record of which it takes units back. */
  readonly correctsExtRefId?: string | null;
}

export interface AddCustomerAndOrderRequest {
  /** The customer, by internal id. */
  readonly customer: CustomerCreate;
  /** The first orders of the customer. */
  readonly subscriptionOrders: readonly SubscriptionOrderRequest[];
}

export interface AddCustomerAndOrderResponse {
  /** The customer, by internal id. */
  readonly customer: Reference;
  /** The order, by internal id. */
  readonly subscriptionOrder?: readonly Reference[];
}

export interface Address {
  /** First line of the street. */
  readonly street1?: string | null;
  /** Second line of the street. */
  readonly street2?: string | null;
  /** City. */
  readonly city?: string | null;
  /** State or province. */
  readonly state?: string | null;
  /** Postal code. */
  readonly zip?: string | null;
  /** Name of the country. */
  readonly country?: string | null;
  /** Code of the country by ISO 3166, for example US. */
  readonly countryCode?: string | null;
}

export interface AuditEntry {
  /** The number of the entry: counts the entries of the tenant from 1 without gaps. */
  readonly sequence: number;
  /** When it was written, in real time. */
  readonly at: string;
  /** What was done: write, export, command, refused, foreignId, foreignHost, userSuspended, userEnabled. */
  readonly action: string;
  /** Who did it: a user, a contact, the person who gave the command, or the login that was refused. */
  readonly username: string | null;
  /** The user, by internal id; empty if it was none. */
  readonly user: Reference | null;
  /** The address of the caller. */
  readonly address: string | null;
  /** The method of the call. */
  readonly method: string | null;
  /** The path of the call without its query, or the command. */
  readonly path: string | null;
  /** The status of the answer. */
  readonly status: number | null;
  /** Why the call was refused. */
  readonly code: string | null;
  /** The X-Request-Id of the answer. */
  readonly requestId: string | null;
  /** The object that was written, by internal id, with its type: customerTransition, customer, subscriptionOrder, invoice, payment, installment, batchProcess, signup, activity, callbacks, event, paymentPlan, user. */
  readonly object?: AuditEntryObjectReference;
  /** What the write changed, up to 50 fields. */
  readonly changes: readonly Change[];
  /** The hash of the entry before; 64 zeros for the first one. */
  readonly previousHash: string;
  /** SHA-256 of previousHash and of the values of the entry in this order, each in a line. */
  readonly hash: string;
}

export interface AuditEntryObjectReference {
  /** The kind of that object. */
  readonly type: string;
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
}

export interface AutopayRequest {
  /** The card, account or token to be put on file. */
  readonly paymentMethodDTO: PaymentMethodDTO;
}

export interface BaseUser {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** The login of the user. */
  readonly username: string;
  /** First name. */
  readonly firstName: string | null;
  /** Last name. */
  readonly lastName: string | null;
}

export interface BatchProcess {
  /** The internal id of the job. */
  readonly id: number;
  /** Your own key of the job, unique within the tenant; its id by default. */
  readonly jobId: string;
  /** Draft until it is finalized, Queued until it has ended, then Success if no row failed, Failure if none succeeded, else PartialSuccess. */
  readonly status: 'Draft' | 'Queued' | 'Success' | 'PartialSuccess' | 'Failure' | OtherText;
  /** eBill-Import for files, BatchInit, or CarryForward for a kind that BatchInit takes. */
  readonly operation: 'eBill-Import' | 'BatchInit' | 'CarryForward' | 'Report' | OtherText;
  /** The rows of the file, or the kind of objects to carry over. */
  readonly subOperation: 'Customer' | 'Invoice' | 'Invoice Line Item' | 'CreditMemo' | 'DebitMemo' | 'agedReceivables' | 'revenue' | 'recognizedRevenue' | 'tax' | 'payments' | 'mrr' | OtherText | null;
  /** API. */
  readonly inputType: 'API' | OtherText | null;
  /** The name of your file; only kept. */
  readonly inputFilename: string | null;
  /** The job of the invoices that line items belong to, by internal id. */
  readonly parentBatchProcess: string | null;
  /** The same job by its jobId; either is enough. */
  readonly parentBatchProcessJobId: string | null;
  /** The rows of the job itself that succeeded so far. */
  readonly successCount: number;
  /** The rows of the job itself that failed so far. */
  readonly failCount: number;
  /** The counts in words, of every job that has ended. */
  readonly successMessage: string | null;
  /** The meaning of the code, in words. */
  readonly errorMessage: string | null;
  /** Takes one PUT of the CSV file within 30 minutes, without credentials. Each answer about a Draft has a new one. */
  readonly uploadUrl: string | null;
  /** Gives the result file for 30 minutes, without credentials. Each GET has a new one, until the result is deleted. */
  readonly downloadUrl: string | null;
  /** How far the job is; empty unless it is Queued. */
  readonly progress: Progress | null;
  /** The jobs of line items of a job of invoices; the kinds that BatchInit carries over. */
  readonly child: BatchProcessChild | null;
}

export interface BatchProcessBatchFinalize {
  /** The internal id of the job. */
  readonly id?: number | null;
  /** Your own key of the job, unique within the tenant; its id by default. */
  readonly jobId?: string | null;
}

export interface BatchProcessBatchInit {
  /** Your own key of the job, unique within the tenant; its id by default. */
  readonly jobId?: string | null;
  /** Carries over all invoices; false by default. */
  readonly carryForwardInvoices?: boolean | null;
  /** Carries over credits with a balance; false by default. */
  readonly carryForwardCreditMemos?: boolean | null;
  /** Carries over open debits; false by default. */
  readonly carryForwardDebitMemos?: boolean | null;
  /** Makes the balance of every customer zero, with all three kinds; false by default. */
  readonly zeroOutCustomerBalance?: boolean | null;
}

export interface BatchProcessChild {
  /** A job of line items. */
  readonly batchProcess?: readonly ChildBatchProcess[];
  /** The invoices that BatchInit carries over; empty if not asked for. */
  readonly carryForwardInvoice?: CarryForwardInvoice | null;
  /** The credits that it carries over; empty if not asked for. */
  readonly carryForwardCreditMemo?: CarryForwardInvoice | null;
  /** The debits that it carries over; empty if not asked for. */
  readonly carryForwardDebitMemo?: CarryForwardInvoice | null;
}

export interface BatchProcessStorageFileUpload {
  /** Your own key of the job, unique within the tenant; its id by default. */
  readonly jobId?: string | null;
  /** API. */
  readonly inputType: 'API';
  /** eBill-Import for files, BatchInit, or CarryForward for a kind that BatchInit takes. */
  readonly operation: 'eBill-Import';
  /** The rows of the file, or the kind of objects to carry over. */
  readonly subOperation: 'Customer' | 'Invoice' | 'Invoice Line Item';
  /** The name of your file; only kept. */
  readonly inputFilename?: string | null;
  /** The job of the invoices that line items belong to, by internal id. */
  readonly parentBatchProcess?: string | null;
  /** The same job by its jobId; either is enough. */
  readonly parentBatchProcessJobId?: string | null;
  /** Checks the rows and writes the result, and stores nothing else; false by default. Jobs of line items take it from their parent. */
  readonly validateOnly?: boolean | null;
}

export interface BillTo {
  /** The name of the customer. */
  readonly name: string;
  /** Postal address. */
  readonly address: Address | null;
  /** The customer's tax number, for example DE123456789; invoices show it as it is. */
  readonly taxId: string | null;
  /** The customer's key in your own system; unique within the tenant. */
  readonly extCustomerRef: string | null;
}

export interface Biller {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** The code of the agent, unique within the tenant. */
  readonly code: string;
  /** First name. */
  readonly firstName: string | null;
  /** Last name. */
  readonly lastName: string | null;
  /** Name of the company. */
  readonly companyName: string | null;
  /** The e-mail address of the agent. */
  readonly email: string | null;
  /** Telephone number. */
  readonly workPhone: string | null;
  /** Mobile telephone number. */
  readonly cellPhone: string | null;
  /** The postal address. */
  readonly address: BillerAddress;
  /** A number of your own; shown only. */
  readonly referenceNumber: string | null;
  /** The code of the commission plan, unique within the tenant. */
  readonly commissionCode: string | null;
  /** The code of who referred the agent; it computes nothing. */
  readonly referringBillerCommissionCode: string | null;
  /** The commission plan, by internal id. */
  readonly commissionPlan: Reference | null;
  /** Shown only. */
  readonly notificationsEnabled: boolean;
  /** Shown only. */
  readonly disbursementsEnabled: boolean;
  /** Masked: its last four characters. */
  readonly disbursementToken: string | null;
  /** The routing number of the bank. */
  readonly achRoutingNumber: string | null;
  /** Masked: its last four characters. */
  readonly achAccountNumber: string | null;
  /** The kind of bank account, for example Checking. */
  readonly accountType: string | null;
  /** The day of the last change. */
  readonly lastUpdated: DateText;
  /** The day on which it was created. */
  readonly dateCreated: DateText;
}

export interface BillerAddress {
  /** First line of the street. */
  readonly street1: string | null;
  /** Second line of the street. */
  readonly street2: string | null;
  /** City. */
  readonly city: string | null;
  /** State or province. */
  readonly state: string | null;
  /** Postal code. */
  readonly zip: string | null;
  /** Name of the country. */
  readonly country: string | null;
  /** Code of the country by ISO 3166, for example US. */
  readonly countryCode: string | null;
  /** The name of an internal type. */
  readonly class: string;
}

export interface BillingAddress {
  /** First line of the street. */
  readonly street1?: string | null;
  /** City. */
  readonly city?: string | null;
  /** State or province. */
  readonly state?: string | null;
  /** Postal code. */
  readonly zip?: string | null;
  /** Name of the country. */
  readonly country?: string | null;
}

export interface BillingContact {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** The contact's login for the self-service pages. */
  readonly username?: string | null;
  /** First name. */
  readonly firstName?: string | null;
  /** Last name. */
  readonly lastName?: string | null;
  /** Name of the company. */
  readonly companyName?: string | null;
  /** E-mail address. */
  readonly emailPrimary?: string | null;
  /** Who gets copies of the mails with invoices: up to 5 addresses with commas between them. */
  readonly emailCc?: string | null;
  /** Telephone number. */
  readonly workPhone?: string | null;
  /** Postal address. */
  readonly address?: Address | null;
}

export interface BillingContactRequest {
  /** The contact's login for the self-service pages. */
  readonly username?: string | null;
  /** The password of that login: stored as a hash, never returned; blanks are significant. */
  readonly passwd?: string | null;
  /** First name. */
  readonly firstName?: string | null;
  /** Last name. */
  readonly lastName?: string | null;
  /** Name of the company. */
  readonly companyName?: string | null;
  /** E-mail address. */
  readonly emailPrimary?: string | null;
  /** Who gets copies of the mails with invoices: up to 5 addresses with commas between them. */
  readonly emailCc?: string | null;
  /** Telephone number. */
  readonly workPhone?: string | null;
  /** Postal address. */
  readonly address?: Address | null;
}

export interface CanEdit {
  /** Whether the order may be changed. */
  readonly editable: boolean;
  /** The reason, if it is not editable. */
  readonly reason: string | null;
}

export interface CarryForwardInvoice {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** Your own key of the job, unique within the tenant; its id by default. */
  readonly jobId: string;
  /** As of the job itself. */
  readonly status: 'Draft' | 'Queued' | 'Success' | 'PartialSuccess' | 'Failure' | OtherText;
  /** eBill-Import for files, BatchInit, or CarryForward for a kind that BatchInit takes. */
  readonly operation: 'eBill-Import' | 'BatchInit' | 'CarryForward' | 'Report' | OtherText;
  /** The rows of the file, or the kind of objects to carry over. */
  readonly subOperation: 'Customer' | 'Invoice' | 'Invoice Line Item' | 'CreditMemo' | 'DebitMemo' | 'agedReceivables' | 'revenue' | 'recognizedRevenue' | 'tax' | 'payments' | 'mrr' | OtherText | null;
  /** The rows of the job itself that succeeded so far. */
  readonly successCount: number;
  /** The counts in words, of every job that has ended. */
  readonly successMessage: string | null;
  /** The meaning of the code, in words. */
  readonly errorMessage: string | null;
  /** The rows of the job itself that failed so far. */
  readonly failCount: number;
}

export interface CashPaymentMethod {
  /** Free notes. */
  readonly notes?: string | null;
}

export interface Change {
  /** The name of the field. */
  readonly field: string;
  /** Its value before; absent if it had none, and of personal elements and secrets. */
  readonly before?: string;
  /** Its value after; absent as well. */
  readonly after?: string;
}

export interface CheckPaymentMethod {
  /** The number of the check; its last four characters are kept. */
  readonly checkNumber?: string | null;
  /** The number of the account. */
  readonly accountNumber?: string | null;
  /** The bank. */
  readonly institutionName?: string | null;
  /** The date of the check. */
  readonly checkDate?: DateText | null;
  /** Free notes. */
  readonly notes?: string | null;
}

export interface Child {}

export interface ChildBatchProcess {
  /** The internal id of the job. */
  readonly id: number;
  /** Your own key of the job, unique within the tenant; its id by default. */
  readonly jobId: string;
  /** Draft until it is finalized, Queued until it has ended, then Success if no row failed, Failure if none succeeded, else PartialSuccess. */
  readonly status: 'Draft' | 'Queued' | 'Success' | 'PartialSuccess' | 'Failure' | OtherText;
  /** eBill-Import for files, BatchInit, or CarryForward for a kind that BatchInit takes. */
  readonly operation: 'eBill-Import' | 'BatchInit' | 'CarryForward' | 'Report' | OtherText;
  /** The rows of the file, or the kind of objects to carry over. */
  readonly subOperation: 'Customer' | 'Invoice' | 'Invoice Line Item' | 'CreditMemo' | 'DebitMemo' | 'agedReceivables' | 'revenue' | 'recognizedRevenue' | 'tax' | 'payments' | 'mrr' | OtherText | null;
  /** API. */
  readonly inputType: 'API' | OtherText | null;
  /** The name of your file; only kept. */
  readonly inputFilename: string | null;
  /** The job of the invoices that line items belong to, by internal id. */
  readonly parentBatchProcess: string | null;
  /** The same job by its jobId; either is enough. */
  readonly parentBatchProcessJobId: string | null;
  /** The rows of the job itself that succeeded so far. */
  readonly successCount: number;
  /** The rows of the job itself that failed so far. */
  readonly failCount: number;
  /** The counts in words, of every job that has ended. */
  readonly successMessage: string | null;
  /** The meaning of the code, in words. */
  readonly errorMessage: string | null;
  /** Takes one PUT of the CSV file within 30 minutes, without credentials. Each answer about a Draft has a new one. */
  readonly uploadUrl: string | null;
  /** Gives the result file for 30 minutes, without credentials. Each GET has a new one, until the result is deleted. */
  readonly downloadUrl: string | null;
  /** How far the job is; empty unless it is Queued. */
  readonly progress: Progress | null;
  /** The jobs of line items of a job of invoices; the kinds that BatchInit carries over. */
  readonly child: Child | null;
}

export interface Commission {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** The day on which it was earned, or taken back. */
  readonly dateEarned: DateText;
  /** The code of the sales agent. */
  readonly agentCode: string;
  /** The number of the order. */
  readonly orderNumber: string;
  /** The number of the invoice; empty for an amount of a date. */
  readonly invoiceNumber: string | null;
  /** The price code of the charges in its base, if all have the same. */
  readonly priceCode: string | null;
  /** The code of the commission plan, unique within the tenant. */
  readonly commissionCode: string;
  /** The code of the charge of the commission plan. */
  readonly code: string;
  /** The base on the invoice: the order's recurring charges, percentages and usage, net of discounts and credits, without tax. */
  readonly baseAmount: DecimalText;
  /** The amount earned; negative if it was taken back. */
  readonly amount: DecimalText;
  /** The currency, by its code. */
  readonly currency: Currency;
  /** The commission that it takes back, by internal id. */
  readonly reversalOf: Reference | null;
}

export interface CommissionCharge {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** The place in the plan, from 1. */
  readonly position: number;
  /** The code of the charge, unique in its plan. */
  readonly code: string;
  /** A text for people. */
  readonly commissionText: string | null;
  /** A percentage or an amount, by commissionType. */
  readonly commissionAmount: DecimalText;
  /** Percent of the paid base, or Amount in the tenant's currency. */
  readonly commissionType: 'Percent' | 'Amount' | OtherText;
  /** RecurringCharge: with each invoice that is paid; DateBasedChargeOneTime and DateBasedCharge: once, or again and again, counted from the joiningDate. */
  readonly chargeType: 'DateBasedChargeOneTime' | 'DateBasedCharge' | 'RecurringCharge' | OtherText;
  /** How many months or years after the joiningDate, or apart. */
  readonly dateToChargeValue: number | null;
  /** Months or Years. */
  readonly dateToChargeUnits: 'Months' | 'Years' | OtherText | null;
  /** A text for people; it computes nothing. */
  readonly customOptions: string | null;
  /** Free notes. */
  readonly notes: string | null;
  /** The commission plan, by internal id. */
  readonly commissionPlan: Reference;
}

export interface CommissionPlan {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** The name of the plan. */
  readonly planName: string;
  /** The code of the commission plan, unique within the tenant. */
  readonly commissionCode: string;
  /** The account that the charge is booked to. */
  readonly accountingCode: string | null;
  /** Whether the plan earns anything. */
  readonly activate: boolean;
  /** The newest version of each plan whose orders may take it. */
  readonly contractOfferings: readonly Reference[];
  /** The charges of the plan: how much an agent earns, and when. */
  readonly commissionCharges: readonly CommissionCharge[];
}

export interface ContractCharge {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** The account that the charge is booked to. */
  readonly accountingCode: string | null;
  /** Its position among its siblings. */
  readonly position: number;
  /** The code of the charge within its plan. */
  readonly priceCode: string;
  /** Text printed on the invoice. */
  readonly invoiceText: string | null;
  /** RecurringCharge, OneTimeCharge or UsageCharge. */
  readonly chargeType: 'RecurringCharge' | 'OneTimeCharge' | 'UsageCharge' | OtherText;
  /** How quantity becomes an amount. */
  readonly pricingType: 'FixedPricing' | 'TieredPricing' | 'VolumePricing' | 'BulkPricing' | 'UserEnteredPricing' | OtherText;
  /** Whether a period is billed on its first day; otherwise on the day after its end. */
  readonly isPrepaid: boolean;
  /** Whether only overdue customers are billed for it. */
  readonly isPenalty: boolean;
  /** Whether a partial period costs its share of days. */
  readonly isProrated: boolean;
  /** Whether the charge is a tax. */
  readonly isTax: boolean;
  /** Whether it is added to an order that omits it. */
  readonly isMandatory: boolean;
  /** Whether the charge gets a separate invoice. */
  readonly isSeparateInvoice: boolean;
  /** Whether the quantity of a quote or a page multiplies it, if it is recurring. */
  readonly followsQuantity: boolean;
  /** Whether pages take parts of a unit of it. */
  readonly decimals: boolean;
  /** What a unit is, for example minute. */
  readonly unitOfMeasure: string | null;
  /** The default quantity; for a usage charge, the units included. */
  readonly standardQuantity: DecimalText;
  /** The least quantity of an order; it has no effect on a usage charge. */
  readonly minQuantity: DecimalText | null;
  /** The greatest quantity of an order; it has no effect on a usage charge. */
  readonly maxQuantity: DecimalText | null;
  /** Which tax rates apply. */
  readonly taxCodes: readonly string[];
  /** Free notes. */
  readonly notes: string | null;
  /** The prices: one from 0 on, or contiguous ranges of units. */
  readonly pricingTiers: readonly PricingTier[];
  /** The day of the last change. */
  readonly lastUpdated: DateText;
  /** The day on which it was created. */
  readonly dateCreated: DateText;
}

export interface ContractOffering {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** The code of the plan. */
  readonly contractCode: string;
  /** The name of the plan. */
  readonly name: string;
  /** First day on which the plan takes new orders. */
  readonly startDate: DateText | null;
  /** Last day on which the plan takes new orders. */
  readonly endDate: DateText | null;
  /** How long one billing period is. */
  readonly billingPeriod: 'Daily' | 'Weekly' | 'Monthly' | 'Quarterly' | 'SemiAnnual' | 'Yearly' | OtherText;
  /** Whether periods begin with the order's start or on a day of the month. */
  readonly billingAlignment: 'StartDate' | 'DayOfMonth' | OtherText;
  /** That day of the month. */
  readonly alignmentDay: number | null;
  /** Days or months from the invoice date until it is due. */
  readonly dueDateValue: number | null;
  /** The unit of dueDateValue. */
  readonly dueDateUnits: 'Days' | 'Months' | OtherText | null;
  /** Whether the term is renewed at its end. */
  readonly isAutoRenew: boolean | null;
  /** How many days, weeks or months of its orders are free; empty without a trial. */
  readonly trialValue: number | null;
  /** Days, Weeks or Months. */
  readonly trialUnits: 'Days' | 'Weeks' | 'Months' | OtherText | null;
  /** Whether pages demand a method of payment for the trial: required, or optional. */
  readonly trialCard: 'optional' | 'required' | OtherText | null;
  /** Text printed on the invoice. */
  readonly invoiceText: string | null;
  /** Free notes. */
  readonly notes: string | null;
  /** The product that the plan belongs to, by internal id. */
  readonly productOffering: Reference | null;
  /** The charges of the plan. */
  readonly contractCharges?: readonly ContractCharge[];
  /** The day of the last change. */
  readonly lastUpdated: DateText;
  /** The day on which it was created. */
  readonly dateCreated: DateText;
}

export interface CreditCardPaymentMethod {
  /** 1 to 3: the place on file, and the start of a cascade; 1 by default if required. */
  readonly autopayPreference?: number | null;
  /** The whole number; it goes to the gateway's vault and nowhere else. */
  readonly cardNumber: string;
  /** Any day of the month in which the card expires. */
  readonly expiry: DateText;
  /** The brand of the card of the last try; its number is kept nowhere. */
  readonly cardType?: string | null;
  /** The name on that card. */
  readonly cardholderName?: string | null;
  /** The security code; it is stored nowhere. */
  readonly cvv?: string | null;
  /** The billing address of the card. */
  readonly billingAddress?: BillingAddress | null;
}

export interface CreditNoteRequest {
  /** Why; the notes of the credit note. */
  readonly reason?: string | null;
  /** What is to go back of the invoice, taxes included; not beside charges. */
  readonly amount?: DecimalText | null;
  /** The charges of the line. */
  readonly invoiceLineItemCharges?: readonly InvoiceLineItemChargeRequest[] | null;
}

export interface Currency {
  /** The code of the currency by ISO 4217, for example USD. */
  readonly id: string;
}

export interface Customer {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** The name; the contact's companyName, else its first and last name by default. */
  readonly name: string;
  /** Active, or another status set by the ageing of unpaid invoices or by hand. */
  readonly status: 'Active' | 'Overdue1' | 'Overdue2' | 'Overdue3' | 'Suspended1' | 'Suspended2' | 'Suspended3' | 'InActive1' | 'InActive2' | OtherText;
  /** The day on which its pause ends by itself: the first that bills again. */
  readonly suspendedUntil: DateText | null;
  /** The day on which everything personal of the customer was emptied: nothing is written of it any more. */
  readonly erasedDate: DateText | null;
  /** The customer's key in your own system; unique within the tenant. */
  readonly extCustomerRef: string | null;
  /** Language and country in the form language_COUNTRY, for example en_US. */
  readonly locale: string | null;
  /** Whether the customer is a business. */
  readonly isBusinessAccount: boolean;
  /** Days or months until an invoice is due; the tenant's terms by default. */
  readonly paymentTermsValue: number | null;
  /** The unit of paymentTermsValue. */
  readonly paymentTermsUnits: string | null;
  /** The default currency of orders and invoices; fixed once there are any. */
  readonly currency: Currency;
  /** The customer's tax number, for example DE123456789; invoices show it as it is. */
  readonly taxId: string | null;
  /** The customer's own order number, which its invoices are to name. */
  readonly purchaseOrder: string | null;
  /** Where its electronic invoices go: a scheme of the code list EAS and an identifier, for example 9930:DE123456789. */
  readonly electronicAddress: string | null;
  /** What electronic invoices have to name for the customer, for example a Leitweg-ID; the extCustomerRef by default. */
  readonly buyerReference: string | null;
  /** The addressee of invoices; required to create a customer. */
  readonly billingContact: BillingContact | null;
  /** A second contact. */
  readonly salesContact: SalesContact | null;
  /** The customer's debts and payments, in its currency. */
  readonly customerFinancials?: CustomerFinancials;
  /** Your own texts by keys of yours, by ascending key: up to 20. A new order of a change takes those of the order before, an invoice those of its orders. */
  readonly metadata: readonly MetadataEntry[];
}

export interface CustomerCreate {
  /** The name; the contact's companyName, else its first and last name by default. */
  readonly name?: string | null;
  /** The customer's key in your own system; unique within the tenant. */
  readonly extCustomerRef?: string | null;
  /** Language and country in the form language_COUNTRY, for example en_US. */
  readonly locale?: string | null;
  /** Whether the customer is a business. */
  readonly isBusinessAccount?: boolean | null;
  /** Days or months until an invoice is due; the tenant's terms by default. */
  readonly paymentTermsValue?: number | null;
  /** The unit of paymentTermsValue. */
  readonly paymentTermsUnits?: 'Days' | 'Months' | null;
  /** The default currency of orders and invoices; fixed once there are any. */
  readonly currency?: Currency | null;
  /** The customer's tax number, for example DE123456789; invoices show it as it is. */
  readonly taxId?: string | null;
  /** The customer's own order number, which its invoices are to name. */
  readonly purchaseOrder?: string | null;
  /** Where its electronic invoices go: a scheme of the code list EAS and an identifier, for example 9930:DE123456789. */
  readonly electronicAddress?: string | null;
  /** What electronic invoices have to name for the customer, for example a Leitweg-ID; the extCustomerRef by default. */
  readonly buyerReference?: string | null;
  /** Your own texts by keys of yours, by ascending key: up to 20. A new order of a change takes those of the order before, an invoice those of its orders. */
  readonly metadata?: readonly MetadataEntry[] | null;
  /** The addressee of invoices; required to create a customer. */
  readonly billingContact: BillingContactRequest;
  /** A second contact. */
  readonly salesContact?: SalesContactRequest | null;
}

export interface CustomerFinancials {
  /** The debt less unapplied money: negative when in credit. */
  readonly currentBalance: DecimalText;
  /** The open amount of invoices. */
  readonly outstandingBalance: DecimalText;
  /** The open amount past its due date. */
  readonly overdueBalance: DecimalText;
  /** Money received and not applied to an invoice. */
  readonly unappliedBalance: DecimalText;
  /** The amount of the last payment that is Paid. */
  readonly lastPaymentAmount: DecimalText | null;
  /** The day of that payment. */
  readonly lastPaymentDate: DateText | null;
  /** The amount of the last invoice. */
  readonly lastInvoiceAmount: DecimalText | null;
  /** The day of the last invoice. */
  readonly lastInvoicedDate: DateText | null;
  /** The sum of all payments, less refunds. */
  readonly lifetimePayments: DecimalText;
  /** The sum of all invoices that are not cancelled. */
  readonly lifetimeValue: DecimalText;
  /** The next day on which an order of the customer bills something. */
  readonly nextBillDate: DateText | null;
}

export interface CustomerTransition {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** The day of the change. */
  readonly dateTransitioned: DateText;
  /** The status before. */
  readonly previousStatus: 'Active' | 'Overdue1' | 'Overdue2' | 'Overdue3' | 'Suspended1' | 'Suspended2' | 'Suspended3' | 'InActive1' | 'InActive2' | OtherText;
  /** The status after. */
  readonly newStatus: 'Active' | 'Overdue1' | 'Overdue2' | 'Overdue3' | 'Suspended1' | 'Suspended2' | 'Suspended3' | 'InActive1' | 'InActive2' | OtherText;
  /** The customer, by internal id. */
  readonly customer: CustomerTransitionCustomer;
}

export interface CustomerTransitionCustomer {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** The name; the contact's companyName, else its first and last name by default. */
  readonly name: string;
  /** Active, or another status set by the ageing of unpaid invoices or by hand. */
  readonly status: 'Active' | 'Overdue1' | 'Overdue2' | 'Overdue3' | 'Suspended1' | 'Suspended2' | 'Suspended3' | 'InActive1' | 'InActive2' | OtherText;
  /** The customer's key in your own system; unique within the tenant. */
  readonly extCustomerRef: string | null;
}

export interface CustomerUpdate {
  /** The name; the contact's companyName, else its first and last name by default. */
  readonly name?: string | null;
  /** The customer's key in your own system; unique within the tenant. */
  readonly extCustomerRef?: string | null;
  /** Language and country in the form language_COUNTRY, for example en_US. */
  readonly locale?: string | null;
  /** Whether the customer is a business. */
  readonly isBusinessAccount?: boolean | null;
  /** Days or months until an invoice is due; the tenant's terms by default. */
  readonly paymentTermsValue?: number | null;
  /** The unit of paymentTermsValue. */
  readonly paymentTermsUnits?: 'Days' | 'Months' | null;
  /** The default currency of orders and invoices; fixed once there are any. */
  readonly currency?: Currency | null;
  /** The customer's tax number, for example DE123456789; invoices show it as it is. */
  readonly taxId?: string | null;
  /** The customer's own order number, which its invoices are to name. */
  readonly purchaseOrder?: string | null;
  /** Where its electronic invoices go: a scheme of the code list EAS and an identifier, for example 9930:DE123456789. */
  readonly electronicAddress?: string | null;
  /** What electronic invoices have to name for the customer, for example a Leitweg-ID; the extCustomerRef by default. */
  readonly buyerReference?: string | null;
  /** Your own texts by keys of yours, by ascending key: up to 20. A new order of a change takes those of the order before, an invoice those of its orders. */
  readonly metadata?: readonly MetadataEntry[] | null;
  /** The addressee of invoices; required to create a customer. */
  readonly billingContact?: BillingContactRequest;
  /** A second contact. */
  readonly salesContact?: SalesContactRequest | null;
}

export interface Event {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** The number of the event: counts the events of the tenant without gaps, in the order of the feed. */
  readonly sequence?: number;
  /** The type of the event, for example invoice.paid. */
  readonly type: 'customer.transition' | 'customer.created' | 'customer.updated' | 'customer.cardExpiring' | 'customer.erased' | 'order.created' | 'order.updated' | 'order.trialEnding' | 'order.renewalNotice' | 'order.priceChange' | 'invoice.created' | 'invoice.cancelled' | 'invoice.paid' | 'payment.success' | 'payment.failed' | 'payment.actionRequired' | 'refund.success' | 'credit.created' | 'paymentPlan.installment' | 'usage.billed' | 'batch.finished' | 'signup.processed' | OtherText;
  /** The customer, by internal id; empty if the event concerns no customer. */
  readonly customer: Reference | null;
  /** The object that the event is about, by internal id. */
  readonly object: ObjectReference;
  /** The day of the event. */
  readonly dateCreated: DateText;
}

export interface Health {
  /** Whether the call worked. */
  readonly success: boolean;
  /** The parts that do not answer. */
  readonly missing?: readonly string[];
}

export interface InitialCharges {
  /** A charge, or a tier of it, then its discount; the taxes come last. */
  readonly lineItems: readonly LineItem[];
  /** The sum of these charges, with their discounts and taxes. */
  readonly totalInitialCharges: DecimalText;
}

export interface Invoice {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** The user-facing number: counted up without gaps in each tenant; of an imported invoice any text. */
  readonly invoiceNumber: string;
  /** Outstanding, Paid, Cancelled or CarriedOver. */
  readonly status: 'Outstanding' | 'Paid' | 'Cancelled' | 'CarriedOver' | OtherText;
  /** The day on which the invoice was created. */
  readonly invoiceDate: DateText;
  /** The day on which it is due, the invoice date or later. */
  readonly dueDate: DateText;
  /** First day billed, inclusive. */
  readonly billingStartDate: DateText | null;
  /** Last day billed, inclusive. */
  readonly billingEndDate: DateText | null;
  /** Always empty. */
  readonly delegatedInvoice: Reference | null;
  /** The customer, by internal id. */
  readonly customer: Reference;
  /** The customer as the document of the invoice names it: as it was when the invoice was made, in a preview as it is today. */
  readonly billTo: BillTo | null;
  /** The currency, by its code. */
  readonly currency: Currency;
  /** The billing period of the plans; empty if they differ. */
  readonly billingPeriod: string | null;
  /** The totalDue of the customer's invoice before, in this currency. */
  readonly previousBalance: DecimalText;
  /** Everything that changed the balance between the two invoices. */
  readonly paymentsAndAdjustments: DecimalText;
  /** The open amount of the invoice. */
  readonly outstandingBalance: DecimalText;
  /** The sum of its lines. */
  readonly currentAmountDue: DecimalText;
  /** The balance of the customer after this invoice. */
  readonly totalDue: DecimalText;
  /** The orders that it bills, by internal id. */
  readonly ordersIncluded: readonly Reference[];
  /** One line for each order. */
  readonly invoiceLineItems: readonly InvoiceLineItem[];
  /** The payments of the invoice; negative ones reverse earlier ones. */
  readonly invoicePayments: readonly InvoicePayment[];
  /** Free notes. */
  readonly notes: string | null;
  /** The purchase order of its line items, if they agree. */
  readonly purchaseOrder: string | null;
  /** Of a credit note: the invoice of which it gives back. */
  readonly creditNoteOf: Reference | null;
  /** Of a credit note: the refund by which money went back with it. */
  readonly refund: Reference | null;
  /** Of a cancelled invoice: the number of its cancellation, if the tenant gives out documents of cancellations. */
  readonly cancellationNumber: string | null;
  /** Of a cancelled invoice: the day on which it was cancelled. */
  readonly dateCancelled: DateText | null;
  /** The day of the last change. */
  readonly lastUpdated: DateText;
  /** The day on which it was created. */
  readonly dateCreated: DateText;
  /** Your own texts by keys of yours, by ascending key: up to 20. A new order of a change takes those of the order before, an invoice those of its orders. */
  readonly metadata: readonly MetadataEntry[];
}

export interface InvoiceLineItem {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** Its position among its siblings. */
  readonly position: number;
  /** Text printed on the invoice. */
  readonly invoiceText: string | null;
  /** First day billed, inclusive. */
  readonly billingStartDate: DateText | null;
  /** Last day billed, inclusive. */
  readonly billingEndDate: DateText | null;
  /** The charges of the line. */
  readonly invoiceLineItemCharges: readonly InvoiceLineItemCharge[];
  /** The sum of the charges of the line. */
  readonly lineAmountTotal: DecimalText;
  /** The user-facing number: counted up without gaps in each tenant. */
  readonly orderNumber: string | null;
  /** The order, by internal id. */
  readonly subscriptionOrder: Reference | null;
  /** The code of the plan. */
  readonly contractCode: string | null;
  /** The purchase order of its order, or else of the customer, when the invoice was made. */
  readonly purchaseOrder: string | null;
}

export interface InvoiceLineItemCharge {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** The account that the charge is booked to. */
  readonly accountingCode: string | null;
  /** Its position among its siblings. */
  readonly position: number;
  /** The code of the charge within its plan. */
  readonly priceCode: string | null;
  /** The charge of the plan, by internal id. */
  readonly contractCharge: Reference | null;
  /** Whether unitPrice is a percentage of other charges. */
  readonly isPercent: boolean;
  /** First day billed, inclusive. */
  readonly billingStartDate: DateText | null;
  /** Last day billed, inclusive. */
  readonly billingEndDate: DateText | null;
  /** The day of the charge. */
  readonly chargeDate: DateText;
  /** The price of one unit; up to 6 decimals. */
  readonly unitPrice: DecimalText | null;
  /** The amount, rounded to the currency's minor unit. */
  readonly amount: DecimalText;
  /** How many units; up to 6 decimals. */
  readonly quantity: DecimalText | null;
  /** What a unit is, for example minute. */
  readonly unitOfMeasure: string | null;
  /** The line of the order, by internal id. */
  readonly orderLineItem: Reference | null;
  /** Text printed on the invoice. */
  readonly invoiceText: string | null;
  /** The tier of the price, by internal id. */
  readonly pricingTier: Reference | null;
  /** The sign of the currency, for example $. */
  readonly currencySymbol: string;
  /** Whether it repeats the sum of usage charges, and so is not added again. */
  readonly isUsageChargeSubTotal: boolean;
}

export interface InvoiceLineItemChargeRequest {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** How many units; up to 6 decimals. */
  readonly quantity?: DecimalText | null;
  /** The amount, rounded to the currency's minor unit. */
  readonly amount?: DecimalText | null;
}

export interface InvoiceLineItemInvoiceLineItemCharge {
  /** The account that the charge is booked to. */
  readonly accountingCode: string | null;
  /** Its position among its siblings. */
  readonly position: number;
  /** The code of the charge within its plan. */
  readonly priceCode: string | null;
  /** The charge of the plan, by internal id. */
  readonly contractCharge: Reference | null;
  /** Whether unitPrice is a percentage of other charges. */
  readonly isPercent: boolean;
  /** First day billed, inclusive. */
  readonly billingStartDate: DateText | null;
  /** Last day billed, inclusive. */
  readonly billingEndDate: DateText | null;
  /** The day of the charge. */
  readonly chargeDate: DateText;
  /** The price of one unit; up to 6 decimals. */
  readonly unitPrice: DecimalText | null;
  /** The amount, rounded to the currency's minor unit. */
  readonly amount: DecimalText;
  /** How many units; up to 6 decimals. */
  readonly quantity: DecimalText | null;
  /** What a unit is, for example minute. */
  readonly unitOfMeasure: string | null;
  /** The line of the order, by internal id. */
  readonly orderLineItem: Reference | null;
  /** Text printed on the invoice. */
  readonly invoiceText: string | null;
  /** The tier of the price, by internal id. */
  readonly pricingTier: Reference | null;
  /** The sign of the currency, for example $. */
  readonly currencySymbol: string;
  /** Whether it repeats the sum of usage charges, and so is not added again. */
  readonly isUsageChargeSubTotal: boolean;
}

export interface InvoiceLineItemInvoiceLineItemChargeRequest {
  /** The code of the charge within its plan. */
  readonly priceCode?: string | null;
  /** Its position among its siblings. */
  readonly position?: number | null;
  /** Text printed on the invoice. */
  readonly invoiceText?: string | null;
  /** Whether unitPrice is a percentage of other charges. */
  readonly isPercent?: boolean | null;
  /** The price of one unit; up to 6 decimals. */
  readonly unitPrice?: DecimalText | null;
  /** How many units; up to 6 decimals. */
  readonly quantity?: DecimalText | null;
  /** The amount, rounded to the currency's minor unit. */
  readonly amount?: DecimalText | null;
  /** Which tax rates apply. */
  readonly taxCodes?: readonly string[] | null;
}

export interface InvoiceLineItemRequest {
  /** The number of an order that the line belongs to; optional. */
  readonly enterpriseSubscription?: string | null;
  /** Text printed on the invoice. */
  readonly invoiceText?: string | null;
  /** The purchase order of its order, or else of the customer, when the invoice was made. */
  readonly purchaseOrder?: string | null;
  /** The charges of the line. */
  readonly invoiceLineItemCharges?: readonly InvoiceLineItemInvoiceLineItemChargeRequest[] | null;
}

export interface InvoicePayment {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** The payment, by internal id. */
  readonly payment: Reference;
  /** The invoice, by internal id; empty if the money went to a debit. */
  readonly invoice: Reference | null;
  /** The amount applied; negative if it was reversed. */
  readonly amountApplied: DecimalText;
  /** The rest of the payment after it. */
  readonly balanceRemaining: DecimalText;
  /** The customer, by internal id. */
  readonly customer: Reference;
  /** The day of the last change. */
  readonly lastUpdated: DateText;
  /** The day on which it was created. */
  readonly dateCreated: DateText;
}

export interface InvoicePreview {
  /** Outstanding, Paid, Cancelled or CarriedOver. */
  readonly status: 'Outstanding' | 'Paid' | 'Cancelled' | 'CarriedOver' | OtherText;
  /** The day on which the invoice was created. */
  readonly invoiceDate: DateText;
  /** The day on which it is due, the invoice date or later. */
  readonly dueDate: DateText;
  /** First day billed, inclusive. */
  readonly billingStartDate: DateText | null;
  /** Last day billed, inclusive. */
  readonly billingEndDate: DateText | null;
  /** Always empty. */
  readonly delegatedInvoice: Reference | null;
  /** The customer, by internal id. */
  readonly customer: Reference;
  /** The customer as the document of the invoice names it: as it was when the invoice was made, in a preview as it is today. */
  readonly billTo: BillTo | null;
  /** The currency, by its code. */
  readonly currency: Currency;
  /** The billing period of the plans; empty if they differ. */
  readonly billingPeriod: string | null;
  /** The totalDue of the customer's invoice before, in this currency. */
  readonly previousBalance: DecimalText;
  /** Everything that changed the balance between the two invoices. */
  readonly paymentsAndAdjustments: DecimalText;
  /** The open amount of the invoice. */
  readonly outstandingBalance: DecimalText;
  /** The sum of its lines. */
  readonly currentAmountDue: DecimalText;
  /** The balance of the customer after this invoice. */
  readonly totalDue: DecimalText;
  /** The orders that it bills, by internal id. */
  readonly ordersIncluded: readonly Reference[];
  /** One line for each order. */
  readonly invoiceLineItems: readonly InvoicePreviewInvoiceLineItem[];
  /** The payments of the invoice; negative ones reverse earlier ones. */
  readonly invoicePayments: readonly InvoicePayment[];
  /** Free notes. */
  readonly notes: string | null;
  /** The purchase order of its line items, if they agree. */
  readonly purchaseOrder: string | null;
  /** The day of the last change. */
  readonly lastUpdated: DateText;
  /** The day on which it was created. */
  readonly dateCreated: DateText;
}

export interface InvoicePreviewInvoiceLineItem {
  /** Its position among its siblings. */
  readonly position: number;
  /** Text printed on the invoice. */
  readonly invoiceText: string | null;
  /** First day billed, inclusive. */
  readonly billingStartDate: DateText | null;
  /** Last day billed, inclusive. */
  readonly billingEndDate: DateText | null;
  /** The charges of the line. */
  readonly invoiceLineItemCharges: readonly InvoiceLineItemInvoiceLineItemCharge[];
  /** The sum of the charges of the line. */
  readonly lineAmountTotal: DecimalText;
  /** The user-facing number: counted up without gaps in each tenant. */
  readonly orderNumber: string | null;
  /** The order, by internal id. */
  readonly subscriptionOrder: Reference | null;
  /** The code of the plan. */
  readonly contractCode: string | null;
  /** The purchase order of its order, or else of the customer, when the invoice was made. */
  readonly purchaseOrder: string | null;
}

export interface InvoiceRequest {
  /** The day on which it is due, the invoice date or later. */
  readonly dueDate?: DateText | null;
  /** The currency, by its code. */
  readonly currency?: Currency | null;
  /** Whether the stored payment methods pay its invoices automatically. */
  readonly isAutoPay?: boolean | null;
  /** Free notes. */
  readonly notes?: string | null;
  /** The purchase order of its line items, if they agree. */
  readonly purchaseOrder?: string | null;
  /** One line for each order. */
  readonly invoiceLineItems?: readonly InvoiceLineItemRequest[] | null;
  /** Your own texts by keys of yours, by ascending key: up to 20. A new order of a change takes those of the order before, an invoice those of its orders. */
  readonly metadata?: readonly MetadataEntry[] | null;
}

export interface LedgerEntry {
  /** The place of the row: with it as after, a call goes on with the rows after it. */
  readonly cursor: string;
  /** The fact that is booked, by internal id: its rows come to zero. */
  readonly entry: Reference;
  /** The tenant's day on which it was booked. */
  readonly date: DateText;
  /** What happened. */
  readonly entryType: 'Invoice' | 'CreditNote' | 'InvoiceCancelled' | 'Payment' | 'PaymentReversed' | 'Refund' | 'Credit' | 'Debit' | 'Application' | 'CarriedOver' | 'ZeroOut' | 'OpeningBalance' | 'ImportedInvoice' | OtherText;
  /** The number of the invoice, or of its cancellation; else the id of the payment, debit or batch. */
  readonly documentNumber: string;
  /** The invoice; empty if it is of none. */
  readonly invoice: Reference | null;
  /** The payment, credit, debit or refund; empty if it is of none. */
  readonly payment: Reference | null;
  /** The customer, by internal id. */
  readonly customer: Reference;
  /** The customer's reference of today. */
  readonly extCustomerRef: string | null;
  /** The account. */
  readonly account: 'receivables' | 'cash' | 'unapplied' | 'revenue' | 'tax' | 'adjustments' | 'surcharges' | 'writeOffs' | 'carriedOver' | 'openingBalance' | OtherText;
  /** The code of the account, or of the charge's revenue. */
  readonly accountingCode: string;
  /** Of a tax: its name on invoices. */
  readonly taxName: string | null;
  /** Of a tax: its percentage. */
  readonly taxPercent: DecimalText | null;
  /** Of a tax: the country and state of its rate, or what its provider names. */
  readonly jurisdiction: string | null;
  /** Of a tax: its category of EN 16931. */
  readonly taxCategory: 'S' | 'Z' | 'E' | 'AE' | 'K' | 'G' | 'O' | OtherText | null;
  /** What the tax was taken of; below zero where tax goes back. */
  readonly taxBase: DecimalText | null;
  /** Of cash: the gateway; empty without one. */
  readonly gateway: 'sandbox' | 'stripe' | OtherText | null;
  /** Of cash: how it was paid. */
  readonly paymentMethodType: 'CreditCard' | 'ACH' | 'Check' | 'Cash' | 'Token' | OtherText | null;
  /** 0.00 if the row is a credit. */
  readonly debit: DecimalText;
  /** 0.00 if the row is a debit. */
  readonly credit: DecimalText;
  /** The currency, by its code. */
  readonly currency: Currency;
}

export interface LedgerEntryList {
  /** The last day that is closed, where the answer reaches beyond it: entries of later days may follow. */
  readonly closedTo?: DateText;
  /** A row of an entry. */
  readonly ledgerEntry?: readonly LedgerEntry[];
}

export interface LineItem {
  /** Its position among its siblings. */
  readonly position: number;
  /** The code of the charge within its plan. */
  readonly priceCode: string | null;
  /** Text printed on the invoice. */
  readonly invoiceText: string | null;
  /** The amount, rounded to the currency's minor unit. */
  readonly amount: DecimalText;
  /** How quantity becomes an amount. */
  readonly pricingType?: 'FixedPricing' | 'TieredPricing' | 'VolumePricing' | 'BulkPricing' | 'UserEnteredPricing' | OtherText;
  /** RecurringCharge, OneTimeCharge or UsageCharge. */
  readonly chargeType?: 'RecurringCharge' | 'OneTimeCharge' | 'UsageCharge' | OtherText;
  /** How many units; up to 6 decimals. */
  readonly quantity?: DecimalText;
  /** First day that the charge covers. */
  readonly billingPeriodStart?: DateText;
  /** Last day that the charge covers. */
  readonly billingPeriodEnd?: DateText;
  /** Both days in words, or Once. */
  readonly billingPeriodDescription?: string;
  /** Whether a partial period costs its share of days. */
  readonly isProrated?: boolean;
}

export interface MetadataEntry {
  /** Your key: 1 to 40 of A-Z a-z 0-9 _ . -, once. */
  readonly key: string;
  /** Your text of 1 to 500 characters; card numbers in it are masked. */
  readonly value: string;
}

export interface ObjectReference {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** The kind of that object. */
  readonly type: 'customerTransition' | 'customer' | 'subscriptionOrder' | 'invoice' | 'payment' | 'installment' | 'batchProcess' | 'signup' | OtherText;
}

export interface OrderLineItem {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** Its position among its siblings. */
  readonly position: number;
  /** The charge of the plan, by internal id. */
  readonly contractCharge: Reference;
  /** The code of the charge within its plan. */
  readonly priceCode: string;
  /** Text printed on the invoice. */
  readonly invoiceText: string | null;
  /** How many units; up to 6 decimals. */
  readonly quantity: DecimalText;
  /** The agreed price, if the charge has UserEnteredPricing. */
  readonly unitPrice: DecimalText | null;
  /** Whether the line is billed. */
  readonly isActive: boolean;
  /** The amount invoiced for it and not cancelled. */
  readonly totalLifetimeValue: DecimalText;
  /** The day of the last change. */
  readonly lastUpdated: DateText;
  /** The day on which it was created. */
  readonly dateCreated: DateText;
}

export interface OrderLineItemRequest {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id?: number;
  /** Its position among its siblings. */
  readonly position?: number | null;
  /** The charge of the plan, by internal id. */
  readonly contractCharge?: Reference | null;
  /** The code of the charge within its plan. */
  readonly priceCode?: string | null;
  /** Text printed on the invoice. */
  readonly invoiceText?: string | null;
  /** How many units; up to 6 decimals. */
  readonly quantity?: DecimalText | null;
  /** The agreed price, if the charge has UserEnteredPricing. */
  readonly unitPrice?: DecimalText | null;
  /** Whether the line is billed. */
  readonly isActive?: boolean | null;
}

export type PayLink = ActionLink;

export interface PayerAction {
  /** Whether the payer is on a page now, and is led to the gateway from there. */
  readonly isPayerPresent: boolean;
  /** When it is declined unless the payer confirms it. */
  readonly waitsUntil: InstantText;
}

export interface Payment {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** Whether it was made by the system itself. */
  readonly isSystemPayment: boolean;
  /** The customer, by internal id. */
  readonly customer: Reference;
  /** CreditCard, ACH, Check, Cash or Token; empty if no method was used. */
  readonly paymentMethodType: 'CreditCard' | 'ACH' | 'Check' | 'Cash' | 'Token' | OtherText | null;
  /** The method in the vault of a gateway, by internal id. */
  readonly paymentMethod: Reference | null;
  /** The method as it may be shown, for example Visa - *****1111. */
  readonly paymentMethodContext: string | null;
  /** The currency, by its code. */
  readonly currency: Currency;
  /** The amount including its surcharge; negative for a refund or a debit. */
  readonly amount: DecimalText;
  /** The part that is not applied yet; for a debit the negative of its open amount. */
  readonly balance: DecimalText;
  /** The day on which it takes effect; today by default. */
  readonly effectiveDate: DateText;
  /** Pending (in progress), ActionRequired (waits for its payer), Paid, Declined, Canceled (reversed or not made), Voided, Refunded, or CarriedOver (a credit that a BatchInit carried over). */
  readonly status: 'Pending' | 'ActionRequired' | 'Paid' | 'Declined' | 'Canceled' | 'Voided' | 'Refunded' | 'CarriedOver' | OtherText;
  /** What it waits for, while the gateway asks the payer to authenticate it; else empty. */
  readonly payerAction: PayerAction | null;
  /** Payment, Credit (a debit if negative) or Refund. */
  readonly paymentType: 'Payment' | 'Credit' | 'Refund' | OtherText;
  /** Whether autopay made it to pay an invoice. */
  readonly isProcessedByBillingRun: boolean;
  /** The user who acted; empty for the system. */
  readonly baseUser: BaseUser | null;
  /** The gateway; empty if none was used. */
  readonly paymentProcessor: PaymentProcessor | null;
  /** The gateway's last answer. */
  readonly processorResult: ProcessorResult | null;
  /** The invoices it was applied to; negative ones reverse earlier ones. */
  readonly invoicePayments: readonly InvoicePayment[];
  /** Free notes. */
  readonly notes: string | null;
  /** The day of the last change. */
  readonly lastUpdated: DateText;
  /** The day on which it was created. */
  readonly dateCreated: DateText;
  /** Your own texts by keys of yours, by ascending key: up to 20. A new order of a change takes those of the order before, an invoice those of its orders. */
  readonly metadata: readonly MetadataEntry[];
}

export interface PaymentMethod {
  /** 1 to 3: the place on file, and the start of a cascade; 1 by default if required. */
  readonly autopayPreference: number;
  /** CreditCard, ACH or Token. */
  readonly type: 'CreditCard' | 'ACH' | 'Token' | OtherText;
  /** The method as it may be shown, for example Visa - *****1111. */
  readonly paymentMethodContext: string;
  /** Any day of the month in which the card expires. */
  readonly expiry: DateText | null;
  /** The day on which the gateway last changed the method by itself: a renewed card, or a revoked mandate. */
  readonly gatewayUpdated: DateText | null;
  /** The reference of the mandate of a bank debit. */
  readonly mandate: string | null;
}

export interface PaymentMethodDTO {
  /** CreditCard, ACH, Check, Cash or Token. */
  readonly type: 'CreditCard' | 'ACH' | 'Check' | 'Cash' | 'Token';
  /** A card. */
  readonly creditCardPaymentMethod?: CreditCardPaymentMethod | null;
  /** A bank account in the United States. */
  readonly achPaymentMethod?: AchPaymentMethod | null;
  /** A check that was received. */
  readonly checkPaymentMethod?: CheckPaymentMethod | null;
  /** Cash that was received. */
  readonly cashPaymentMethod?: CashPaymentMethod | null;
  /** A method already in the gateway's vault. */
  readonly tokenPaymentMethod?: TokenPaymentMethod | null;
}

export interface PaymentPlan {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** Whether an installment charges at most the debt; true by default. */
  readonly chargeOnlyIfBalanceOwed: boolean;
  /** The amount of each installment. */
  readonly chargeAmount: DecimalText;
  /** The day of the first installment; the later ones count from it. */
  readonly startDate: DateText;
  /** The next day on which an installment is charged, or a declined one is retried. */
  readonly nextPaymentDate: DateText | null;
  /** How many installments the plan has in all. */
  readonly totalNumberOfInstallments: number;
  /** The number of future installments. */
  readonly remainingInstallments: number;
  /** How many units lie between two installments. */
  readonly frequencyValue: number;
  /** Days, Weeks, Months, Quarters or Years. */
  readonly frequencyUnits: 'Days' | 'Weeks' | 'Months' | 'Quarters' | 'Years' | OtherText;
  /** Whether an installment or a retry of it is open; autopay pays no invoice meanwhile. */
  readonly isEnabled: boolean;
}

export interface PaymentPlanRequest {
  /** Whether an installment charges at most the debt; true by default. */
  readonly chargeOnlyIfBalanceOwed?: boolean | null;
  /** The amount of each installment. */
  readonly chargeAmount?: DecimalText | null;
  /** The day of the first installment; the later ones count from it. */
  readonly startDate?: DateText | null;
  /** How many installments the plan has in all. */
  readonly totalNumberOfInstallments?: number | null;
  /** How many units lie between two installments. */
  readonly frequencyValue?: number | null;
  /** Days, Weeks, Months, Quarters or Years. */
  readonly frequencyUnits?: 'Days' | 'Weeks' | 'Months' | 'Quarters' | 'Years' | null;
  /** Whether an installment or a retry of it is open; autopay pays no invoice meanwhile. */
  readonly isEnabled?: boolean | null;
}

export interface PaymentProcessor {
  /** A number for the gateway, the same for all tenants. */
  readonly id: number;
  /** sandbox or stripe. */
  readonly name: string;
}

export interface PricingTier {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** Units above this are in the tier. */
  readonly unitsFrom: DecimalText;
  /** Units up to this are in the tier; empty if it is open. */
  readonly unitsTo: DecimalText | null;
  /** The price of a unit, or of the whole tier. */
  readonly price: DecimalText | null;
  /** A percentage in place of a price. */
  readonly percent: DecimalText | null;
  /** Whether the tier prices units beyond those included. */
  readonly isOverage: boolean;
  /** The currency, by its code. */
  readonly currency: Currency;
  /** The charge of the plan, by internal id. */
  readonly contractCharge: Reference;
  /** The day of the last change. */
  readonly lastUpdated: DateText;
  /** The day on which it was created. */
  readonly dateCreated: DateText;
}

export interface ProcessCreditRequest {
  /** The customer, by internal id. */
  readonly customer?: Reference | null;
  /** The amount, rounded to the currency's minor unit. */
  readonly amount: DecimalText;
  /** The code of the currency by ISO 4217; the customer's currency by default. */
  readonly currencyCode?: string | null;
  /** The day on which it takes effect; today by default. */
  readonly effectiveDate?: DateText | null;
  /** Text printed on the invoice. */
  readonly invoiceText?: string | null;
  /** What the payment is for, in words. */
  readonly purchaseDescription?: string | null;
  /** Stored as its notes. */
  readonly internalNotes?: string | null;
  /** The invoices to pay, in this order; by default the oldest due first. Of a refund: only money applied to these goes back. */
  readonly invoices?: readonly Reference[] | null;
  /** Whether each of the invoices gets a credit note of what went back of it, with invoiceText as its notes; only of a refund that names invoices. */
  readonly creditNote?: boolean | null;
  /** Your own texts by keys of yours, by ascending key: up to 20. A new order of a change takes those of the order before, an invoice those of its orders. */
  readonly metadata?: readonly MetadataEntry[] | null;
  /** Charged on top of the amount, and never applied to invoices. */
  readonly totalSurcharge?: DecimalText | null;
  /** Whether to bill everything due of the customer first, and to pay those invoices. */
  readonly generateInvoice?: boolean | null;
  /** The payment method: its type, and the one child for that type. */
  readonly paymentMethodDTO?: PaymentMethodDTO | null;
}

export type ProcessPaymentRequest = ProcessCreditRequest;

export interface ProcessPaymentWithAutopayRequest {
  /** The customer, by internal id. */
  readonly customer?: Reference | null;
  /** The amount, rounded to the currency's minor unit. */
  readonly amount: DecimalText;
  /** The code of the currency by ISO 4217; the customer's currency by default. */
  readonly currencyCode?: string | null;
  /** The day on which it takes effect; today by default. */
  readonly effectiveDate?: DateText | null;
  /** Text printed on the invoice. */
  readonly invoiceText?: string | null;
  /** What the payment is for, in words. */
  readonly purchaseDescription?: string | null;
  /** Stored as its notes. */
  readonly internalNotes?: string | null;
  /** The invoices to pay, in this order; by default the oldest due first. Of a refund: only money applied to these goes back. */
  readonly invoices?: readonly Reference[] | null;
  /** Whether each of the invoices gets a credit note of what went back of it, with invoiceText as its notes; only of a refund that names invoices. */
  readonly creditNote?: boolean | null;
  /** Your own texts by keys of yours, by ascending key: up to 20. A new order of a change takes those of the order before, an invoice those of its orders. */
  readonly metadata?: readonly MetadataEntry[] | null;
  /** 1 to 3: the place on file, and the start of a cascade; 1 by default if required. */
  readonly autopayPreference?: number | null;
}

export type ProcessRefundRequest = ProcessCreditRequest;

export interface ProcessorResult {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** The gateway's own id of the transaction. */
  readonly transactionId: string | null;
  /** Whether the gateway approved the request. */
  readonly isSuccess: boolean;
  /** Always false: a call without an answer stays Pending until the gateway answers. */
  readonly isError: boolean;
  /** 0 on success, else the gateway's code, for example card_declined. */
  readonly errorCode: string;
  /** The meaning of the code, in words. */
  readonly errorMessage: string | null;
  /** approved or declined. */
  readonly statusCode: string | null;
  /** The reason of a resolution by hand, if the gateway did not answer; otherwise empty. */
  readonly statusMessage: string | null;
  /** The amount, rounded to the currency's minor unit. */
  readonly amount: DecimalText;
  /** The part of the amount that is surcharge. */
  readonly secondaryAmount: DecimalText;
  /** The code of the currency by ISO 4217; the customer's currency by default. */
  readonly currencyCode: string;
  /** The result of checking the billing address. */
  readonly avsCode: string | null;
  /** The result of checking the security code. */
  readonly cvvCode: string | null;
  /** The approval code. */
  readonly approvalCode: string | null;
  /** Always empty. */
  readonly batchIndicator: string | null;
  /** The type of the request: charge, refund or void. */
  readonly processorRequestType: string;
  /** How long the gateway took, in milliseconds. */
  readonly responseTimeMilliSec: number | null;
  /** Always empty. */
  readonly otherMsg1: string | null;
  /** Always empty. */
  readonly otherMsg2: string | null;
  /** Always empty. */
  readonly otherMsg3: string | null;
  /** The customer, by internal id. */
  readonly customer: Reference;
  /** The payment, by internal id. */
  readonly payment: Reference;
  /** The gateway; empty if none was used. */
  readonly paymentProcessor: PaymentProcessor;
  /** The day of the last change. */
  readonly lastUpdated: DateText;
  /** The day on which it was created. */
  readonly dateCreated: DateText;
}

export interface Progress {
  /** Rows that succeeded or failed so far. */
  readonly rowsDone: number;
  /** The rate since its first row. */
  readonly rowsPerSecond: number;
  /** The time left at this rate; empty while unknown. */
  readonly secondsRemaining: number | null;
}

export interface Quote {
  /** Stands for the price; send it as quoteHash with the order. */
  readonly hash: string;
  /** The version of the plan, by internal id. */
  readonly contractOffering: QuoteContractOffering;
}

export interface QuoteContractOffering {
  /** The code of the plan. */
  readonly contractCode: string;
  /** The first day of the order. */
  readonly orderDate: DateText;
  /** The last free day; empty without a trial. Billing begins on the day after it. */
  readonly trialEndDate: DateText | null;
  /** How long one billing period is. */
  readonly billingPeriod: 'Daily' | 'Weekly' | 'Monthly' | 'Quarterly' | 'SemiAnnual' | 'Yearly' | OtherText;
  /** The one-time charges. */
  readonly initialCharges: InitialCharges;
  /** The first period of each recurring charge, prepaid or not. */
  readonly recurringCharges: RecurringCharges;
  /** The sum of both. */
  readonly total: DecimalText;
}

export interface QuotedInvoicePreviewList {
  /** The hash of a quote, or of the preview of a change, whose price the order must still have. */
  readonly quoteHash: string;
  /** An invoice that the change would make on its day. */
  readonly invoice?: readonly InvoicePreview[];
}

export interface RecurringCharges {
  /** A charge, or a tier of it, then its discount; the taxes come last. */
  readonly lineItems: readonly LineItem[];
  /** The sum of these charges, with their discounts and taxes. */
  readonly totalRecurringCharges: DecimalText;
}

export interface Reference {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
}

export interface Report {
  /** The name of the report. */
  readonly name: 'agedReceivables' | 'revenue' | 'recognizedRevenue' | 'tax' | 'payments' | 'mrr' | OtherText;
  /** The first day, or the one that is compared. */
  readonly from: DateText | null;
  /** The last day. */
  readonly to: DateText | null;
  /** The day at whose end it looks. */
  readonly asOf: DateText | null;
  /** The last day that is closed, where the answer reaches beyond it: entries of later days may follow. */
  readonly closedTo?: DateText;
  /** The rows, sorted by their first columns; none is of zeros. */
  readonly rows: readonly Row[];
}

export interface Response {
  /** Whether the call worked. */
  readonly success: boolean;
  /** What the call did. */
  readonly message: string;
}

export interface Row {
  /** The customer, by internal id. */
  readonly customer?: Reference;
  /** The customer's key in your own system; unique within the tenant. */
  readonly extCustomerRef?: string | null;
  /** The month; the days of it that from and to leave. */
  readonly month?: string | null;
  /** Of a tax: the country and state of its rate, or what its provider names. */
  readonly jurisdiction?: string | null;
  /** Of a tax: its name on invoices. */
  readonly taxName?: string | null;
  /** Of a tax: its percentage. */
  readonly taxPercent?: string | null;
  /** Of a tax: its category of EN 16931. */
  readonly taxCategory?: string | null;
  /** The code of the account. */
  readonly accountingCode?: string | null;
  /** The gateway; empty without one. */
  readonly gateway?: string | null;
  /** How it was paid. */
  readonly paymentMethodType?: string | null;
  /** The contract code of the plan. */
  readonly contractCode?: string | null;
  /** The currency, by its code. */
  readonly currency?: Currency;
  /** What is not past its due date. */
  readonly notDue?: DecimalText | null;
  /** What is so many days past its due date. */
  readonly days1To30?: DecimalText | null;
  /** What is so many days past its due date. */
  readonly days31To60?: DecimalText | null;
  /** What is so many days past its due date. */
  readonly days61To90?: DecimalText | null;
  /** What is more than 90 days past its due date. */
  readonly daysOver90?: DecimalText | null;
  /** What has no due date: debits, and opening balances. */
  readonly withoutDueDate?: DecimalText | null;
  /** What is open in all. */
  readonly receivables?: DecimalText | null;
  /** Money that is applied to nothing. */
  readonly unapplied?: DecimalText | null;
  /** What was carried over. */
  readonly carriedOver?: DecimalText | null;
  /** receivables and carriedOver less unapplied. */
  readonly balance?: DecimalText | null;
  /** What was invoiced and not yet recognized on the day before. */
  readonly deferredStart?: DecimalText | null;
  /** Of invoices, net of their discounts and credits. */
  readonly invoiced?: DecimalText | null;
  /** Of cancelled invoices, negative. */
  readonly cancelled?: DecimalText | null;
  /** Of credits for unused days and credit notes, negative. */
  readonly credited?: DecimalText | null;
  /** The sum of these. */
  readonly revenue?: DecimalText | null;
  /** What falls to the days of the month. */
  readonly recognized?: DecimalText | null;
  /** deferredStart and invoiced less recognized. */
  readonly deferredEnd?: DecimalText | null;
  /** What the tax was taken of; below zero where tax goes back. */
  readonly taxBase?: DecimalText | null;
  /** The tax; empty for revenue of which none was taken. */
  readonly tax?: DecimalText | null;
  /** How many payments came. */
  readonly paymentCount?: number;
  /** What came, surcharges included. */
  readonly payments?: DecimalText | null;
  /** What went back, negative. */
  readonly refunds?: DecimalText | null;
  /** What was canceled, returned or disputed, negative. */
  readonly reversed?: DecimalText | null;
  /** The sum of these. */
  readonly net?: DecimalText | null;
  /** How many orders count on asOf; a chain of changes is one. */
  readonly orders?: number;
  /** What orders came to in a month on from. */
  readonly mrrStart?: DecimalText | null;
  /** Of customers that had nothing in the currency on from. */
  readonly new?: DecimalText | null;
  /** More of customers that had something. */
  readonly expansion?: DecimalText | null;
  /** Less of customers that still have something, negative. */
  readonly contraction?: DecimalText | null;
  /** Of customers that have nothing in the currency any more, negative. */
  readonly churn?: DecimalText | null;
  /** Of orders that changed the plan: what they came to on from leaves one row for another. */
  readonly moved?: DecimalText | null;
  /** What orders come to in a month on asOf: the sum of these. */
  readonly mrrEnd?: DecimalText | null;
}

export interface SalesContact {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** The contact's login for the self-service pages. */
  readonly username?: string | null;
  /** First name. */
  readonly firstName?: string | null;
  /** Last name. */
  readonly lastName?: string | null;
  /** Name of the company. */
  readonly companyName?: string | null;
  /** E-mail address. */
  readonly emailPrimary?: string | null;
  /** Telephone number. */
  readonly workPhone?: string | null;
  /** Postal address. */
  readonly address?: Address | null;
}

export interface SalesContactRequest {
  /** The contact's login for the self-service pages. */
  readonly username?: string | null;
  /** The password of that login: stored as a hash, never returned; blanks are significant. */
  readonly passwd?: string | null;
  /** First name. */
  readonly firstName?: string | null;
  /** Last name. */
  readonly lastName?: string | null;
  /** Name of the company. */
  readonly companyName?: string | null;
  /** E-mail address. */
  readonly emailPrimary?: string | null;
  /** Telephone number. */
  readonly workPhone?: string | null;
  /** Postal address. */
  readonly address?: Address | null;
}

export interface SendEmailRequest {
  /** newInvoice, newOrder or paymentReceived; case sensitive. */
  readonly eventType: 'newInvoice' | 'newCreditNote' | 'newOrder' | 'paymentReceived';
  /** The internal id of the invoice, order or payment. Needed unless objectRef is given. */
  readonly objectId?: number | null;
  /** The invoice's or order's number, or the payment's transactionId, instead of objectId. */
  readonly objectRef?: string | null;
  /** The internal id of the customer, whose the object must be. Else customerRef. */
  readonly customerId?: number | null;
  /** The extCustomerRef of the customer, instead of customerId. */
  readonly customerRef?: string | null;
}

export interface Signup {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** DRAFT while the page is open or a payment is in progress, then PROCESSED, FAILED or EXPIRED. */
  readonly status: 'DRAFT' | 'PROCESSED' | 'FAILED' | 'EXPIRED' | OtherText;
  /** Names the sign-up: added to successURL and failURL, and taken by signup/verify. */
  readonly tracking: string;
  /** As sent or entered, as the elements below it. */
  readonly companyName: string | null;
  /** First name. */
  readonly firstName: string | null;
  /** Last name. */
  readonly lastName: string | null;
  /** As sent. */
  readonly extCustomerRef: string | null;
  /** The e-mail address. */
  readonly email: string | null;
  /** The telephone number. */
  readonly phone: string | null;
  /** Street and number. */
  readonly street: string | null;
  /** City. */
  readonly city: string | null;
  /** State or province. */
  readonly state: string | null;
  /** Postal code. */
  readonly zipcode: string | null;
  /** The country, by name or by its code of two letters. */
  readonly country: string | null;
  /** Whether the page does not ask for the customer. */
  readonly hideCustomerFields: boolean;
  /** The user name of the new customer; empty for a customer that was there before. */
  readonly login: string | null;
  /** Whether the card is kept for later invoices. */
  readonly savePaymentMethod: boolean;
  /** The number of the order; empty until the sign-up is PROCESSED. */
  readonly orderNumber: string | null;
  /** The code of the plan. */
  readonly contractCode: string | null;
  /** Multiplies the standardQuantity of recurring charges. */
  readonly quantity: DecimalText;
  /** The first day of the order; empty for the day of submission. */
  readonly startDate: DateText | null;
  /** The number of the first invoice of the order, if there is one. */
  readonly invoiceNumber: string | null;
  /** The amount paid; empty without a payment. */
  readonly paymentAmount: DecimalText | null;
  /** The gateway's approval of that payment. */
  readonly paymentApprovalCode: string | null;
  /** The code of the sales agent of the order. */
  readonly billerCode: string | null;
  /** The code of the coupon. */
  readonly couponCode: string | null;
  /** The product offering whose plans the page shows. */
  readonly sku: string | null;
  /** Whether the visitor has accepted the terms of service. */
  readonly tosAccepted: boolean;
  /** The address of the terms of service that a visitor has to accept. */
  readonly tosLink: string | null;
  /** Whether the page does not ask for the order. */
  readonly hideOrderFields: boolean;
  /** The brand of the card of the last try; its number is kept nowhere. */
  readonly cardType: string | null;
  /** The last day of the month in which that card expires. */
  readonly expiry: DateText | null;
  /** The name on that card. */
  readonly cardholderName: string | null;
  /** Where the page leads after success. */
  readonly successURL: string;
  /** Where the page leads after a failure, or after its end. */
  readonly failURL: string;
  /** The stylesheet of the page. */
  readonly cssURL: string;
  /** The day on which it was created. */
  readonly dateCreated: DateText;
  /** The customer, by internal id; empty until the sign-up is PROCESSED. */
  readonly customer: Reference | null;
  /** Why it failed: declined, expired, operator, or the code of a refusal. */
  readonly failureCode: string | null;
}

export interface SignupLink {
  /** The address of the page, for the frame: a secret that ends after 30 minutes. */
  readonly url: string;
  /** The record of the sign-up. */
  readonly signup: Signup;
}

export interface Status {
  /** Whether the call worked. */
  readonly success: boolean;
  /** What the call did. */
  readonly message?: string;
  /** Everything that is wrong with the request. */
  readonly errors?: readonly StatusError[];
  /** The customer that is saved, if an address of the request is invalid. */
  readonly customer?: StatusCustomer;
}

export interface StatusCustomer {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** The customer's key in your own system; unique within the tenant. */
  readonly extCustomerRef: string | null;
}

export interface StatusError {
  /** Stable; the catalogue of codes explains each. */
  readonly code: string;
  /** The element or parameter at fault. */
  readonly path?: string;
  /** The value at fault, cut short; never a secret. */
  readonly value?: string;
  /** The fault and the expected value, for people. */
  readonly text: string;
}

export interface SubscriptionOrder {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** The user-facing number: counted up without gaps in each tenant. */
  readonly orderNumber: string;
  /** Draft, Provisioning (starts later), Active, Suspended, Complete, Superseded, Canceled. */
  readonly orderStatus: 'Draft' | 'Provisioning' | 'Active' | 'Suspended' | 'Complete' | 'Superseded' | 'Canceled' | OtherText;
  /** First day of service, and of the first billing period if it has no trial. */
  readonly startDate: DateText;
  /** Last day of the term; empty if the order has none. For a Canceled order the day it ended. */
  readonly endDate: DateText | null;
  /** The customer, by internal id. */
  readonly customer: Reference;
  /** The currency, by its code. */
  readonly currency: Currency;
  /** The version of the plan, by internal id. */
  readonly contractOffering: Reference;
  /** The name of the plan. */
  readonly contractOfferingName: string;
  /** The code of the plan. */
  readonly contractCode: string;
  /** How long one billing period is. */
  readonly billingPeriod: 'Daily' | 'Weekly' | 'Monthly' | 'Quarterly' | 'SemiAnnual' | 'Yearly' | OtherText;
  /** 0 combines orders on one invoice, 1 invoices separately, 2 groups by jobCode. */
  readonly separateInvoice: number;
  /** Whether separateInvoice is 1. */
  readonly isSeparateInvoice: boolean;
  /** Groups orders on one invoice when separateInvoice is 2. */
  readonly jobCode: string | null;
  /** The customer's own order number, which its invoices are to name; that of the customer without one. */
  readonly purchaseOrder: string | null;
  /** The code of its coupon; empty if it has none. */
  readonly couponCode: string | null;
  /** Whether the stored payment methods pay its invoices automatically. */
  readonly isAutoPay: boolean;
  /** Whether the term is renewed at its end. */
  readonly isAutoRenew: boolean;
  /** Days or months from the invoice date until it is due. */
  readonly dueDateValue: number | null;
  /** The unit of dueDateValue. */
  readonly dueDateUnits: 'Days' | 'Months' | OtherText | null;
  /** Text printed on the invoice. */
  readonly invoiceText: string | null;
  /** Notes printed on the invoice. */
  readonly invoiceNotes: string | null;
  /** Free notes. */
  readonly notes: string | null;
  /** The amount invoiced for it and not cancelled. */
  readonly totalLifetimeValue: DecimalText;
  /** The next day on which it bills something; empty if there is none. */
  readonly nextBillableDate: DateText | null;
  /** The last free day; empty without a trial. Billing begins on the day after it. */
  readonly trialEndDate: DateText | null;
  /** The last day that another system bills; prepaid charges begin on the day after. */
  readonly billedThrough: DateText | null;
  /** Period: it has no endDate, and goes on. Term: it renews after its endDate. No: it ends then, or has ended. */
  readonly renews: 'Period' | 'Term' | 'No' | OtherText;
  /** Why its end was requested. */
  readonly cancelReason: string | null;
  /** The day on which its pause ends by itself: the first that bills again. */
  readonly suspendedUntil: DateText | null;
  /** The first day at the prices of its newest plan version, while it is ahead: set from the 00:00 on after these were published. */
  readonly priceChangeDate: DateText | null;
  /** The day of the last change. */
  readonly lastUpdated: DateText;
  /** The day on which it was created. */
  readonly dateCreated: DateText;
  /** The order that it replaces, by internal id: while it is Provisioning, that change is pending. */
  readonly previousOrder: Reference | null;
  /** The order that replaces it, by internal id, also while that change is pending. */
  readonly nextOrder: Reference | null;
  /** The invoices that bill the order, by internal id. */
  readonly invoices: readonly Reference[];
  /** One line for each charge; without any, the order includes all charges of the plan. */
  readonly orderLineItems: readonly OrderLineItem[];
  /** Your own texts by keys of yours, by ascending key: up to 20. A new order of a change takes those of the order before, an invoice those of its orders. */
  readonly metadata: readonly MetadataEntry[];
}

export interface SubscriptionOrderBiller {
  /** The internal id: assigned by the system, unique over all objects, with gaps. */
  readonly id: number;
  /** The day from which the agent earns; by default the order's startDate, or the day after its trial. */
  readonly joiningDate: DateText;
  /** The commission plan, by internal id. */
  readonly commissionPlan: Reference;
  /** The sales agent, by internal id. */
  readonly biller: Reference;
}

export interface SubscriptionOrderBillerRequest {
  /** The day from which the agent earns; by default the order's startDate, or the day after its trial. */
  readonly joiningDate?: DateText | null;
  /** The commission plan, by internal id. */
  readonly commissionPlan?: Reference | null;
  /** The sales agent, by internal id. */
  readonly biller?: Reference | null;
}

export interface SubscriptionOrderRequest {
  /** Draft, Provisioning (starts later), Active, Suspended, Complete, Superseded, Canceled. */
  readonly orderStatus?: 'Draft' | 'Provisioning' | 'Active' | 'Suspended' | 'Complete' | 'Superseded' | 'Canceled' | null;
  /** First day of service, and of the first billing period if it has no trial. */
  readonly startDate?: DateText | null;
  /** Last day of the term; empty if the order has none. For a Canceled order the day it ended. */
  readonly endDate?: DateText | null;
  /** Free days from the startDate on, 0 to 365, in place of the trial of the plan; 0: none. No answer shows it. */
  readonly trialDays?: number | null;
  /** The customer, by internal id. */
  readonly customer?: Reference | null;
  /** The currency, by its code. */
  readonly currency?: Currency | null;
  /** The version of the plan, by internal id. */
  readonly contractOffering?: Reference | null;
  /** The code of the plan. */
  readonly contractCode?: string | null;
  /** 0 combines orders on one invoice, 1 invoices separately, 2 groups by jobCode. */
  readonly separateInvoice?: number | null;
  /** Groups orders on one invoice when separateInvoice is 2. */
  readonly jobCode?: string | null;
  /** The customer's own order number, which its invoices are to name; that of the customer without one. */
  readonly purchaseOrder?: string | null;
  /** The code of its coupon; empty if it has none. */
  readonly couponCode?: string | null;
  /** The hash of a quote, or of the preview of a change, whose price the order must still have. */
  readonly quoteHash?: string | null;
  /** Whether the stored payment methods pay its invoices automatically. */
  readonly isAutoPay?: boolean | null;
  /** Whether the term is renewed at its end. */
  readonly isAutoRenew?: boolean | null;
  /** Days or months from the invoice date until it is due. */
  readonly dueDateValue?: number | null;
  /** The unit of dueDateValue. */
  readonly dueDateUnits?: 'Days' | 'Months' | null;
  /** Text printed on the invoice. */
  readonly invoiceText?: string | null;
  /** Notes printed on the invoice. */
  readonly invoiceNotes?: string | null;
  /** Free notes. */
  readonly notes?: string | null;
  /** The last day that another system bills; prepaid charges begin on the day after. */
  readonly billedThrough?: DateText | null;
  /** One line for each charge; without any, the order includes all charges of the plan. */
  readonly orderLineItems?: readonly OrderLineItemRequest[] | null;
  /** Your own texts by keys of yours, by ascending key: up to 20. A new order of a change takes those of the order before, an invoice those of its orders. */
  readonly metadata?: readonly MetadataEntry[] | null;
}

export interface TestClock {
  /** The present instant of the test clock, in UTC. */
  readonly now: InstantText;
  /** The day that it is advancing to. */
  readonly target: DateText | null;
  /** Ready when everything due up to now has happened, otherwise Advancing. */
  readonly status: 'Ready' | 'Advancing' | OtherText;
  /** Customers held from billing by an error. */
  readonly held: number;
  /** Customers for whose taxes the clock waits; absent if there are none. */
  readonly waiting?: number;
}

export interface TimelineEntry {
  /** The day of it. */
  readonly date: DateText;
  /** Whether it happened, or comes next. */
  readonly state: 'happened' | 'next' | OtherText;
  /** What it is, in a few words. */
  readonly text: string;
}

export interface TokenPaymentMethod {
  /** 1 to 3: the place on file, and the start of a cascade; 1 by default if required. */
  readonly autopayPreference?: number | null;
  /** The gateway's name for the method. */
  readonly token: string;
  /** The gateway of the token; the tenant's by default. */
  readonly gateway?: 'sandbox' | 'stripe' | null;
  /** The brand of the card of the last try; its number is kept nowhere. */
  readonly cardType?: string | null;
  /** The last four characters of the number, to be shown. */
  readonly lastFour?: string | null;
  /** Any day of the month in which the card expires. */
  readonly expiry?: DateText | null;
  /** The name on that card. */
  readonly cardholderName?: string | null;
}

export interface User {
  /** The internal id of the user. */
  readonly id: number;
  /** The user id of its credentials. */
  readonly username: string;
  /** ROLE_API lets it call the interface. */
  readonly roles: readonly string[];
  /** What it may call: read, finance and admin add up; empty: all calls but those of admins. */
  readonly rights: readonly ('read' | 'finance' | 'admin' | OtherText)[];
  /** Active; Expired after its last day; Suspended by an admin or for attempts at other tenants; Disabled once the tenant file no longer has it. */
  readonly status: 'Active' | 'Expired' | 'Suspended' | 'Disabled' | OtherText;
  /** Its last day; empty: none. */
  readonly expires: DateText | null;
  /** The last day of its password before; empty: it has none. */
  readonly oldPasswordUntil: DateText | null;
  /** When that password last let somebody in, to the minute; empty: never. */
  readonly oldPasswordLastUsed: InstantText | null;
}

export interface WidgetLink {
  /** The address of the customer's page, for the frame: a secret that ends 30 minutes after the last click. */
  readonly url: string;
}
