/**
 * The meaning of each element, attribute and query parameter in a sentence. `parent.name` overrides
 * `name`; `?.name` is a query parameter. The published schemas and documents contain these texts.
 */
import { accessWords } from './access.ts';
import { ledgerWords } from './ledger.ts';
import { parameterWords } from './parameters.ts';
import { paymentWords, signupWords, usageWords, selfServiceWords } from './payments.ts';

/** What the elements and parameters of quotes and coupons mean. */
const quoteWords = {
  couponCode: 'The code of its coupon; empty if it has none.',
  quoteHash:
    'The hash of a quote, or of the preview of a change, whose price the order must still have.',

  'list.invoice': 'An invoice that the change would make on its day.',
  'quote.hash': 'Stands for the price; send it as quoteHash with the order.',
  orderDate: 'The first day of the order.',
  initialCharges: 'The one-time charges.',
  recurringCharges: 'The first period of each recurring charge, prepaid or not.',
  lineItems: 'A charge, or a tier of it, then its discount; the taxes come last.',
  billingPeriodStart: 'First day that the charge covers.',
  billingPeriodEnd: 'Last day that the charge covers.',
  billingPeriodDescription: 'Both days in words, or Once.',
  totalInitialCharges: 'The sum of these charges, with their discounts and taxes.',
  totalRecurringCharges: 'The sum of these charges, with their discounts and taxes.',
  'contractOffering.total': 'The sum of both.',

  '?.quantity': 'Multiplies the standardQuantity of recurring charges; 1 by default.',
  '?.promo': 'The code of a coupon.',
  '?.trialDays': 'Free days in place of the trial of the plan; 0: none.',
  '?.calcTax':
    'Whether to add tax: to a quote, which needs the address, or to an invoice by hand, by default as the tenant has it.',
  '?.addressLine1': 'The first line of the street; required with calcTax.',
  '?.addressCity': 'The city; required with calcTax.',
  '?.addressState': 'The state, which selects tax rates; required with calcTax.',
  '?.addressZip': 'The postal code; required with calcTax.',
  '?.addressCountry':
    'The code of the country by ISO 3166, which selects tax rates; US by default.',
} as const;

/** What the elements and parameters of batch jobs mean. */
const importWords = {
  'batchProcess.id': 'The internal id of the job.',
  jobId: 'Your own key of the job, unique within the tenant; its id by default.',
  'batchProcess.status':
    'Draft until it is finalized, Queued until it has ended, then Success if no row failed, Failure ' +
    'if none succeeded, else PartialSuccess.',
  operation: 'eBill-Import for files, BatchInit, or CarryForward for a kind that BatchInit takes.',
  subOperation: 'The rows of the file, or the kind of objects to carry over.',
  inputType: 'API.',
  inputFilename: 'The name of your file; only kept.',
  parentBatchProcess: 'The job of the invoices that line items belong to, by internal id.',
  parentBatchProcessJobId: 'The same job by its jobId; either is enough.',
  successCount: 'The rows of the job itself that succeeded so far.',
  failCount: 'The rows of the job itself that failed so far.',
  successMessage: 'The counts in words, of every job that has ended.',
  errorMessage: 'Why no row of the file could be read.',
  uploadUrl:
    'Takes one PUT of the CSV file within 30 minutes, without credentials. Each answer about a Draft ' +
    'has a new one.',
  downloadUrl:
    'Gives the result file for 30 minutes, without credentials. Each GET has a new one, until the ' +
    'result is deleted.',
  progress: 'How far the job is; empty unless it is Queued.',
  rowsDone: 'Rows that succeeded or failed so far.',
  rowsPerSecond: 'The rate since its first row.',
  secondsRemaining: 'The time left at this rate; empty while unknown.',
  child: 'The jobs of line items of a job of invoices; the kinds that BatchInit carries over.',
  batchProcess: 'A job of line items.',
  'carryForwardInvoice.status': 'As of the job itself.',
  'carryForwardCreditMemo.status': 'As of the job itself.',
  'carryForwardDebitMemo.status': 'As of the job itself.',
  carryForwardInvoice: 'The invoices that BatchInit carries over; empty if not asked for.',
  carryForwardCreditMemo: 'The credits that it carries over; empty if not asked for.',
  carryForwardDebitMemo: 'The debits that it carries over; empty if not asked for.',
  carryForwardInvoices: 'Carries over all invoices; false by default.',
  carryForwardCreditMemos: 'Carries over credits with a balance; false by default.',
  carryForwardDebitMemos: 'Carries over open debits; false by default.',
  zeroOutCustomerBalance:
    'Makes the balance of every customer zero, with all three kinds; false by default.',
  validateOnly:
    'Checks the rows and writes the result, and stores nothing else; false by default. Jobs of line ' +
    'items take it from their parent.',
  '?.jobId': 'Your own key of the job.',
} as const;

/** What the elements and parameters of commission plans, sales agents and commissions mean. */
const commissionWords = {
  commissionPlan: 'The commission plan, by internal id.',
  biller: 'The sales agent, by internal id.',
  joiningDate:
    "The day from which the agent earns; by default the order's startDate, or the day after its trial.",
  planName: 'The name of the plan.',
  commissionCode: 'The code of the commission plan, unique within the tenant.',
  activate: 'Whether the plan earns anything.',
  contractOfferings: 'The newest version of each plan whose orders may take it.',
  commissionCharges: 'The charges of the plan: how much an agent earns, and when.',
  commissionText: 'A text for people.',
  commissionAmount: 'A percentage or an amount, by commissionType.',
  commissionType: "Percent of the paid base, or Amount in the tenant's currency.",
  'commissionCharge.chargeType':
    'RecurringCharge: with each invoice that is paid; DateBasedChargeOneTime and DateBasedCharge: once, or again and again, counted from the joiningDate.',
  dateToChargeValue: 'How many months or years after the joiningDate, or apart.',
  dateToChargeUnits: 'Months or Years.',
  customOptions: 'A text for people; it computes nothing.',
  'commissionCharge.code': 'The code of the charge, unique in its plan.',
  'commissionCharge.position': 'The place in the plan, from 1.',
  'biller.code': 'The code of the agent, unique within the tenant.',
  'biller.email': 'The e-mail address of the agent.',
  'biller.cellPhone': 'Mobile telephone number.',
  'biller.address': 'The postal address.',
  'address.class': 'The name of an internal type.',
  referenceNumber: 'A number of your own; shown only.',
  referringBillerCommissionCode: 'The code of who referred the agent; it computes nothing.',
  notificationsEnabled: 'Shown only.',
  disbursementsEnabled: 'Shown only.',
  disbursementToken: 'Masked: its last four characters.',
  achRoutingNumber: 'The routing number of the bank.',
  achAccountNumber: 'Masked: its last four characters.',
  'biller.accountType': 'The kind of bank account, for example Checking.',
  dateEarned: 'The day on which it was earned, or taken back.',
  agentCode: 'The code of the sales agent.',
  'commission.orderNumber': 'The number of the order.',
  'commission.invoiceNumber': 'The number of the invoice; empty for an amount of a date.',
  'commission.priceCode': 'The price code of the charges in its base, if all have the same.',
  'commission.code': 'The code of the charge of the commission plan.',
  baseAmount:
    "The base on the invoice: the order's recurring charges, percentages and usage, net of discounts and credits, without tax.",
  'commission.amount': 'The amount earned; negative if it was taken back.',
  reversalOf: 'The commission that it takes back, by internal id.',
  '?.agentCode': 'The code of a sales agent.',
  '?.commissionCode': 'The code of a commission plan.',
  '?.from': 'The first dateEarned.',
  '?.to': 'The last dateEarned.',
} as const;

export const glossary = {
  ...commissionWords,
  ...importWords,
  ...parameterWords,
  ...ledgerWords,
  ...paymentWords,
  ...quoteWords,
  ...selfServiceWords,
  ...signupWords,
  ...usageWords,

  // Attributes and references.
  id: 'The internal id: assigned by the system, unique over all objects, with gaps.',
  'currency.id': 'The code of the currency by ISO 4217, for example USD.',
  customer: 'The customer, by internal id.',
  currency: 'The currency, by its code.',
  contractOffering: 'The version of the plan, by internal id.',
  contractCharge: 'The charge of the plan, by internal id.',
  pricingTier: 'The tier of the price, by internal id.',
  orderLineItem: 'The line of the order, by internal id.',
  subscriptionOrder: 'The order, by internal id.',
  delegatedInvoice: 'Always empty.',
  productOffering: 'The product that the plan belongs to, by internal id.',

  // Events.
  'event.sequence':
    'The number of the event: counts the events of the tenant without gaps, in the order of the feed.',
  'event.type': 'The type of the event, for example invoice.paid.',
  'event.customer': 'The customer, by internal id; empty if the event concerns no customer.',
  object: 'The object that the event is about, by internal id.',
  'object.type': 'The kind of that object.',
  'event.dateCreated': 'The day of the event.',

  ...accessWords,

  // Mails.
  eventType: 'newInvoice, newOrder or paymentReceived; case sensitive.',
  objectId: 'The internal id of the invoice, order or payment. Needed unless objectRef is given.',
  objectRef:
    "The invoice's or order's number, or the payment's transactionId, instead of objectId.",
  customerId: 'The internal id of the customer, whose the object must be. Else customerRef.',
  customerRef: 'The extCustomerRef of the customer, instead of customerId.',

  // Customers and contacts.
  'customer.name': "The name; the contact's companyName, else its first and last name by default.",
  'customer.status': 'Active, or another status set by the ageing of unpaid invoices or by hand.',
  extCustomerRef: "The customer's key in your own system; unique within the tenant.",
  locale: 'Language and country in the form language_COUNTRY, for example en_US.',
  isBusinessAccount: 'Whether the customer is a business.',
  paymentTermsValue: "Days or months until an invoice is due; the tenant's terms by default.",
  paymentTermsUnits: 'The unit of paymentTermsValue.',
  'customer.currency': 'The default currency of orders and invoices; fixed once there are any.',
  taxId: "The customer's tax number, for example DE123456789; invoices show it as it is.",
  electronicAddress:
    'Where its electronic invoices go: a scheme of the code list EAS and an identifier, for example 9930:DE123456789.',
  buyerReference:
    'What electronic invoices have to name for the customer, for example a Leitweg-ID; the extCustomerRef by default.',
  'customer.purchaseOrder': "The customer's own order number, which its invoices are to name.",
  billingContact: 'The addressee of invoices; required to create a customer.',
  salesContact: 'A second contact.',
  customerFinancials: "The customer's debts and payments, in its currency.",
  currentBalance: 'The debt less unapplied money: negative when in credit.',
  outstandingBalance: 'The open amount of invoices.',
  overdueBalance: 'The open amount past its due date.',
  unappliedBalance: 'Money received and not applied to an invoice.',
  lastPaymentAmount: 'The amount of the last payment that is Paid.',
  lastPaymentDate: 'The day of that payment.',
  lastInvoiceAmount: 'The amount of the last invoice.',
  lastInvoicedDate: 'The day of the last invoice.',
  lifetimePayments: 'The sum of all payments, less refunds.',
  lifetimeValue: 'The sum of all invoices that are not cancelled.',
  nextBillDate: 'The next day on which an order of the customer bills something.',
  username: "The contact's login for the self-service pages.",
  passwd: 'The password of that login: stored as a hash, never returned; blanks are significant.',
  firstName: 'First name.',
  lastName: 'Last name.',
  companyName: 'Name of the company.',
  emailCc:
    'Who gets copies of the mails with invoices: up to 5 addresses with commas between them.',
  emailPrimary: 'E-mail address.',
  workPhone: 'Telephone number.',
  address: 'Postal address.',
  street1: 'First line of the street.',
  street2: 'Second line of the street.',
  city: 'City.',
  state: 'State or province.',
  zip: 'Postal code.',
  country: 'Name of the country.',
  countryCode: 'Code of the country by ISO 3166, for example US.',
  previousStatus: 'The status before.',
  newStatus: 'The status after.',
  dateTransitioned: 'The day of the change.',

  // Orders.
  orderNumber: 'The user-facing number: counted up without gaps in each tenant.',
  orderStatus:
    'Draft, Provisioning (starts later), Active, Suspended, Complete, Superseded, Canceled.',
  'subscriptionOrder.startDate':
    'First day of service, and of the first billing period if it has no trial.',
  'subscriptionOrder.endDate':
    'Last day of the term; empty if the order has none. For a Canceled order the day it ended.',
  contractOfferingName: 'The name of the plan.',
  contractCode: 'The code of the plan.',
  billingPeriod: 'How long one billing period is.',
  separateInvoice: '0 combines orders on one invoice, 1 invoices separately, 2 groups by jobCode.',
  'subscriptionOrder.isSeparateInvoice': 'Whether separateInvoice is 1.',
  jobCode: 'Groups orders on one invoice when separateInvoice is 2.',
  'subscriptionOrder.purchaseOrder':
    "The customer's own order number, which its invoices are to name; that of the customer without one.",
  isAutoPay: 'Whether the stored payment methods pay its invoices automatically.',
  isAutoRenew: 'Whether the term is renewed at its end.',
  dueDateValue: 'Days or months from the invoice date until it is due.',
  dueDateUnits: 'The unit of dueDateValue.',
  invoiceText: 'Text printed on the invoice.',
  invoiceNotes: 'Notes printed on the invoice.',
  notes: 'Free notes.',
  totalLifetimeValue: 'The amount invoiced for it and not cancelled.',
  nextBillableDate: 'The next day on which it bills something; empty if there is none.',
  trialEndDate: 'The last free day; empty without a trial. Billing begins on the day after it.',
  trialDays:
    'Free days from the startDate on, 0 to 365, in place of the trial of the plan; 0: none. No answer shows it.',
  renews:
    'Period: it has no endDate, and goes on. Term: it renews after its endDate. No: it ends then, or has ended.',
  billedThrough: 'The last day that another system bills; prepaid charges begin on the day after.',
  cancelReason: 'Why its end was requested.',
  erasedDate:
    'The day on which everything personal of the customer was emptied: nothing is written of it any more.',
  suspendedUntil: 'The day on which its pause ends by itself: the first that bills again.',
  priceChangeDate:
    'The first day at the prices of its newest plan version, while it is ahead: set from the 00:00 on after these were published.',
  lastUpdated: 'The day of the last change.',
  dateCreated: 'The day on which it was created.',
  previousOrder:
    'The order that it replaces, by internal id: while it is Provisioning, that change is pending.',
  nextOrder: 'The order that replaces it, by internal id, also while that change is pending.',
  subscriptionOrders: 'The first orders of the customer.',
  'subscriptionOrder.invoices': 'The invoices that bill the order, by internal id.',
  orderLineItems:
    'One line for each charge; without any, the order includes all charges of the plan.',
  position: 'Its position among its siblings.',
  priceCode: 'The code of the charge within its plan.',
  quantity: 'How many units; up to 6 decimals.',
  unitPrice: 'The price of one unit; up to 6 decimals.',
  'orderLineItem.unitPrice': 'The agreed price, if the charge has UserEnteredPricing.',
  isActive: 'Whether the line is billed.',
  editable: 'Whether the order may be changed.',
  'entry.date': 'The day of it.',
  'entry.state': 'Whether it happened, or comes next.',
  'entry.text': 'What it is, in a few words.',
  reason: 'The reason, if it is not editable.',

  // Invoices.
  invoiceNumber:
    'The user-facing number: counted up without gaps in each tenant; of an imported invoice any text.',
  'invoice.status': 'Outstanding, Paid, Cancelled or CarriedOver.',
  invoiceDate: 'The day on which the invoice was created.',
  dueDate: 'The day on which it is due, the invoice date or later.',
  billingStartDate: 'First day billed, inclusive.',
  billingEndDate: 'Last day billed, inclusive.',
  'invoice.billingPeriod': 'The billing period of the plans; empty if they differ.',
  previousBalance: "The totalDue of the customer's invoice before, in this currency.",
  paymentsAndAdjustments: 'Everything that changed the balance between the two invoices.',
  'invoice.outstandingBalance': 'The open amount of the invoice.',
  currentAmountDue: 'The sum of its lines.',
  totalDue: 'The balance of the customer after this invoice.',
  billTo:
    'The customer as the document of the invoice names it: as it was when the invoice was made, in a preview as it is today.',
  'billTo.name': 'The name of the customer.',
  ordersIncluded: 'The orders that it bills, by internal id.',
  'invoice.purchaseOrder': 'The purchase order of its line items, if they agree.',
  'invoice.creditNoteOf': 'Of a credit note: the invoice of which it gives back.',
  'invoice.refund': 'Of a credit note: the refund by which money went back with it.',
  'invoice.cancellationNumber':
    'Of a cancelled invoice: the number of its cancellation, if the tenant gives out documents of cancellations.',
  'invoice.dateCancelled': 'Of a cancelled invoice: the day on which it was cancelled.',
  'creditNote.reason': 'Why; the notes of the credit note.',
  'creditNote.amount': 'What is to go back of the invoice, taxes included; not beside charges.',
  'invoiceLineItem.purchaseOrder':
    'The purchase order of its order, or else of the customer, when the invoice was made.',
  invoiceLineItems: 'One line for each order.',
  invoiceLineItemCharges: 'The charges of the line.',
  lineAmountTotal: 'The sum of the charges of the line.',
  invoicePayments: 'The payments of the invoice; negative ones reverse earlier ones.',
  enterpriseSubscription: 'The number of an order that the line belongs to; optional.',
  accountingCode: 'The account that the charge is booked to.',
  isPercent: 'Whether unitPrice is a percentage of other charges.',
  chargeDate: 'The day of the charge.',
  amount: "The amount, rounded to the currency's minor unit.",
  unitOfMeasure: 'What a unit is, for example minute.',
  currencySymbol: 'The sign of the currency, for example $.',
  isUsageChargeSubTotal: 'Whether it repeats the sum of usage charges, and so is not added again.',

  // Plans.
  'contractOffering.name': 'The name of the plan.',
  'contractOffering.startDate': 'First day on which the plan takes new orders.',
  'contractOffering.endDate': 'Last day on which the plan takes new orders.',
  billingAlignment: "Whether periods begin with the order's start or on a day of the month.",
  alignmentDay: 'That day of the month.',
  trialValue: 'How many days, weeks or months of its orders are free; empty without a trial.',
  trialUnits: 'Days, Weeks or Months.',
  trialCard: 'Whether pages demand a method of payment for the trial: required, or optional.',
  contractCharges: 'The charges of the plan.',
  chargeType: 'RecurringCharge, OneTimeCharge or UsageCharge.',
  pricingType: 'How quantity becomes an amount.',
  isPrepaid: 'Whether a period is billed on its first day; otherwise on the day after its end.',
  isPenalty: 'Whether only overdue customers are billed for it.',
  isProrated: 'Whether a partial period costs its share of days.',
  isTax: 'Whether the charge is a tax.',
  isMandatory: 'Whether it is added to an order that omits it.',
  'contractCharge.isSeparateInvoice': 'Whether the charge gets a separate invoice.',
  followsQuantity: 'Whether the quantity of a quote or a page multiplies it, if it is recurring.',
  decimals: 'Whether pages take parts of a unit of it.',
  standardQuantity: 'The default quantity; for a usage charge, the units included.',
  minQuantity: 'The least quantity of an order; it has no effect on a usage charge.',
  maxQuantity: 'The greatest quantity of an order; it has no effect on a usage charge.',
  taxCodes: 'Which tax rates apply.',
  pricingTiers: 'The prices: one from 0 on, or contiguous ranges of units.',
  unitsFrom: 'Units above this are in the tier.',
  unitsTo: 'Units up to this are in the tier; empty if it is open.',
  price: 'The price of a unit, or of the whole tier.',
  percent: 'A percentage in place of a price.',
  isOverage: 'Whether the tier prices units beyond those included.',

  // Answers about calls, the test clock.
  success: 'Whether the call worked.',
  message: 'What the call did.',
  errors: 'Everything that is wrong with the request.',
  'status.customer': 'The customer that is saved, if an address of the request is invalid.',
  code: 'Stable; the catalogue of errors explains each.',
  path: 'The element or query parameter at fault.',
  value: 'The value at fault, cut short; never a secret.',
  metadata:
    'Your own texts by keys of yours, by ascending key: up to 20. A new order of a change takes those of the order before, an invoice those of its orders.',
  'entry.key': 'Your key: 1 to 40 of A-Z a-z 0-9 _ . -, once.',
  'entry.value': 'Your text of 1 to 500 characters; card numbers in it are masked.',
  text: 'The fault and the expected value, for people.',
  now: 'The present instant of the test clock, in UTC.',
  target: 'The day that it is advancing to.',
  'testClock.status': 'Ready when everything due up to now has happened, otherwise Advancing.',
  held: 'The number of customers held from billing by an error.',
  missing: 'The parts that do not answer.',
} as const satisfies Readonly<Record<string, string>>;
