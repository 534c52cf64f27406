/** What the elements of payments, credits, refunds and payment methods mean. */
export const paymentWords = {
  // Payments, credits, refunds.
  isSystemPayment: 'Whether it was made by the system itself.',
  paymentMethodType: 'CreditCard, ACH, Check, Cash or Token; empty if no method was used.',
  paymentMethod: 'The method in the vault of a gateway, by internal id.',
  paymentMethodContext: 'The method as it may be shown, for example Visa - *****1111.',
  'payment.amount': 'The amount including its surcharge; negative for a refund or a debit.',
  balance: 'The part that is not applied yet; for a debit the negative of its open amount.',
  effectiveDate: 'The day on which it takes effect; today by default.',
  'payment.status':
    'Pending (in progress), ActionRequired (waits for its payer), Paid, Declined, Canceled (reversed or not made), Voided, Refunded, or CarriedOver (a credit that a BatchInit carried over).',
  payerAction:
    'What it waits for, while the gateway asks the payer to authenticate it; else empty.',
  isPayerPresent: 'Whether the payer is on a page now, and is led to the gateway from there.',
  waitsUntil: 'When it is declined unless the payer confirms it.',
  paymentType: 'Payment, Credit (a debit if negative) or Refund.',
  isProcessedByBillingRun: 'Whether autopay made it to pay an invoice.',
  baseUser: 'The user who acted; empty for the system.',
  'baseUser.username': 'The login of the user.',
  paymentProcessor: 'The gateway; empty if none was used.',
  'paymentProcessor.id': 'A number for the gateway, the same for all tenants.',
  'paymentProcessor.name': 'sandbox or stripe.',
  processorResult: "The gateway's last answer.",
  transactionId: "The gateway's own id of the transaction.",
  isSuccess: 'Whether the gateway approved the request.',
  isError: 'Always false: a call without an answer stays Pending until the gateway answers.',
  errorCode: "0 on success, else the gateway's code, for example card_declined.",
  errorMessage: 'The meaning of the code, in words.',
  statusCode: 'approved or declined.',
  statusMessage:
    'The reason of a resolution by hand, if the gateway did not answer; otherwise empty.',
  secondaryAmount: 'The part of the amount that is surcharge.',
  currencyCode: "The code of the currency by ISO 4217; the customer's currency by default.",
  avsCode: 'The result of checking the billing address.',
  cvvCode: 'The result of checking the security code.',
  approvalCode: 'The approval code.',
  batchIndicator: 'Always empty.',
  processorRequestType: 'The type of the request: charge, refund or void.',
  responseTimeMilliSec: 'How long the gateway took, in milliseconds.',
  otherMsg1: 'Always empty.',
  otherMsg2: 'Always empty.',
  otherMsg3: 'Always empty.',
  payment: 'The payment, by internal id.',
  'payment.invoicePayments': 'The invoices it was applied to; negative ones reverse earlier ones.',
  'invoicePayment.invoice': 'The invoice, by internal id; empty if the money went to a debit.',
  amountApplied: 'The amount applied; negative if it was reversed.',
  balanceRemaining: 'The rest of the payment after it.',

  // Requests.
  totalSurcharge: 'Charged on top of the amount, and never applied to invoices.',
  generateInvoice:
    'Whether to bill everything due of the customer first, and to pay those invoices.',
  purchaseDescription: 'What the payment is for, in words.',
  internalNotes: 'Stored as its notes.',
  invoices:
    'The invoices to pay, in this order; by default the oldest due first. Of a refund: only money applied to these goes back.',
  creditNote:
    'Whether each of the invoices gets a credit note of what went back of it, with invoiceText as its notes; only of a refund that names invoices.',

  // Payment plans.
  chargeOnlyIfBalanceOwed: 'Whether an installment charges at most the debt; true by default.',
  chargeAmount: 'The amount of each installment.',
  'paymentPlan.startDate': 'The day of the first installment; the later ones count from it.',
  nextPaymentDate: 'The next day on which an installment is charged, or a declined one is retried.',
  totalNumberOfInstallments: 'How many installments the plan has in all.',
  remainingInstallments: 'The number of future installments.',
  frequencyValue: 'How many units lie between two installments.',
  frequencyUnits: 'Days, Weeks, Months, Quarters or Years.',
  isEnabled: 'Whether an installment or a retry of it is open; autopay pays no invoice meanwhile.',

  // Payment methods.
  autopayPreference:
    '1 to 3: the place on file, and the start of a cascade; 1 by default if required.',
  paymentMethodDTO: 'The payment method: its type, and the one child for that type.',
  'paymentMethodDTO.type': 'CreditCard, ACH, Check, Cash or Token.',
  'paymentMethod.type': 'CreditCard, ACH or Token.',
  creditCardPaymentMethod: 'A card.',
  achPaymentMethod: 'A bank account in the United States.',
  checkPaymentMethod: 'A check that was received.',
  cashPaymentMethod: 'Cash that was received.',
  tokenPaymentMethod: "A method already in the gateway's vault.",
  cardNumber: "The whole number; it goes to the gateway's vault and nowhere else.",
  expiry: 'Any day of the month in which the card expires.',
  cardType: 'The brand; it must match the number.',
  cardholderName: 'The name on the card.',
  cvv: 'The security code; it is stored nowhere.',
  billingAddress: 'The billing address of the card.',
  abaRoutingNumber: 'The routing number of the bank, nine digits.',
  accountNumber: 'The number of the account.',
  institutionName: 'The bank.',
  accountName: 'The name of the account holder.',
  accountType: 'Checking or Savings; Checking by default.',
  checkNumber: 'The number of the check; its last four characters are kept.',
  checkDate: 'The date of the check.',
  token: "The gateway's name for the method.",
  gateway: "The gateway of the token; the tenant's by default.",
  gatewayUpdated:
    'The day on which the gateway last changed the method by itself: a renewed card, or a revoked mandate.',
  mandate: 'The reference of the mandate of a bank debit.',
  lastFour: 'The last four characters of the number, to be shown.',
  'autopay.paymentMethodDTO': 'The card, account or token to be put on file.',

  '?.amount': 'Only those of exactly this amount, as shown.',
  '?.validate': 'Whether to verify a card first with a charge of zero.',
} as const satisfies Readonly<Record<string, string>>;

/** What the elements and parameters of hosted sign-ups mean. */
export const signupWords = {
  'signupLink.url': 'The address of the page, for the frame: a secret that ends after 30 minutes.',
  'signupLink.signup': 'The record of the sign-up.',
  'signup.status':
    'DRAFT while the page is open or a payment is in progress, then PROCESSED, FAILED or EXPIRED.',
  tracking: 'Names the sign-up: added to successURL and failURL, and taken by signup/verify.',
  'signup.companyName': 'As sent or entered, as the elements below it.',
  'signup.extCustomerRef': 'As sent.',
  'signup.email': 'The e-mail address.',
  phone: 'The telephone number.',
  street: 'Street and number.',
  zipcode: 'Postal code.',
  'signup.country': 'The country, by name or by its code of two letters.',
  hideCustomerFields: 'Whether the page does not ask for the customer.',
  login: 'The user name of the new customer; empty for a customer that was there before.',
  savePaymentMethod: 'Whether the card is kept for later invoices.',
  'signup.orderNumber': 'The number of the order; empty until the sign-up is PROCESSED.',
  'signup.quantity': 'Multiplies the standardQuantity of recurring charges.',
  'signup.startDate': 'The first day of the order; empty for the day of submission.',
  'signup.invoiceNumber': 'The number of the first invoice of the order, if there is one.',
  paymentAmount: 'The amount paid; empty without a payment.',
  paymentApprovalCode: "The gateway's approval of that payment.",
  billerCode: 'The code of the sales agent of the order.',
  'signup.couponCode': 'The code of the coupon.',
  'signup.sku': 'The product offering whose plans the page shows.',
  tosAccepted: 'Whether the visitor has accepted the terms of service.',
  tosLink: 'The address of the terms of service that a visitor has to accept.',
  hideOrderFields: 'Whether the page does not ask for the order.',
  cardType: 'The brand of the card of the last try; its number is kept nowhere.',
  'signup.expiry': 'The last day of the month in which that card expires.',
  cardholderName: 'The name on that card.',
  successURL: 'Where the page leads after success.',
  failURL: 'Where the page leads after a failure, or after its end.',
  cssURL: 'The stylesheet of the page.',
  'signup.customer': 'The customer, by internal id; empty until the sign-up is PROCESSED.',
  failureCode: 'Why it failed: declined, expired, operator, or the code of a refusal.',

  '?.successURL':
    'Where the page leads after success, with the parameter tracking added: an address of an allowed ' +
    'origin.',
  '?.failURL': 'The same after a failure, or after the 30 minutes.',
  '?.cssURL':
    'The stylesheet: /css/signup.css, or an address of this host or of an allowed origin.',
  '?.hideCustomerFields':
    'Whether the page does not ask for the customer; extCustomerRef, firstName, lastName and email ' +
    'are required then.',
  '?.companyName': 'The name of the company; the customer is a business then.',
  '?.login': 'The user name of the new customer, 6 characters or more.',
  '?.passwd': 'Its password, which is hashed at once. Requires login.',
  '?.firstName': 'The first name.',
  '?.lastName': 'The last name.',
  '?.phone': 'The telephone number.',
  '?.email': 'The e-mail address.',
  '?.street': 'Street and number.',
  '?.city': 'The city.',
  '?.state': 'The state or province.',
  '?.zipcode': 'The postal code.',
  '?.country': 'The country, by name or by its code of two letters.',
  '?.hideOrderFields':
    'Whether the page does not ask for the order; contractCode is required then.',
  '?.sku': 'Only plans of this product offering are shown.',
  '?.couponCode': 'The code of a coupon.',
  '?.billerCode': 'The code of the sales agent of the order.',
  '?.tosLink': 'The terms of service, which the visitor has to accept: any https address.',
  '?.displayAmount':
    'Which price the page shows: allCharges by default, none, or only one-time charges.',
  '?.profileId': 'Of a self-service profile; only kept.',
};

/** What the elements and parameters of usage records mean. */
export const usageWords = {
  'activity.duplicate': 'Present, and true, if its extRefId was taken: the stored record is shown.',
  'activity.status': 'Unbilled, or Processed once it is billed.',
  extRefId: 'Your own key of the record; unique within the tenant.',
  'activity.extCustomerRef': 'The external reference of the customer.',
  'activity.orderNumber': 'The number of the order.',
  'activity.order': 'The order, by internal id.',
  'activity.orderLineItem': 'The usage line of the order, by internal id.',
  'activity.priceCode': "The code of the line's charge.",
  'activity.quantity':
    'How many units, up to 6 decimals; 1 by default if there is an amount. Negative in a correction.',
  'activity.amount':
    'As it was sent. Without one it is empty until the record is billed, and its share then.',
  'activity.unitPrice': 'The price of one unit, for UserEnteredPricing; elsewhere ignored.',
  'activity.chargeDate': 'The day of the usage; today by default.',
  chargeEndDate: 'The last day of the usage; only kept.',
  'activity.invoiceText': 'A text; only kept.',
  correctsExtRefId: 'The extRefId of the record of which it takes units back.',
  'activity.invoiceNumber': 'The number of the invoice that billed it.',
  activityBatch: 'The same id for all records of one upload.',
  '?.onDuplicate': 'skip passes over records whose extRefId is taken; else they are refused.',
  '?.extRefId': 'Your own key of the record.',
  '?.priceCode': "The code of the line's charge.",
  '?.beginDate': 'The first day.',
} as const;

/** What the elements and parameters of hosted self-service mean. */
export const selfServiceWords = {
  'payLink.url': 'The address of the page that pays the invoice: whoever has it has the page.',
  'payLink.validUntil':
    'The end of the link, in real time; it ends earlier if the invoice is cancelled.',
  'actionLink.url':
    'The address of the page that confirms the payment: whoever has it has the page.',
  'actionLink.validUntil':
    'The end of the wait for the payer, after which the payment is declined.',
  'widgetLink.url':
    "The address of the customer's page, for the frame: a secret that ends 30 minutes after the " +
    'last click.',

  '?.loginUrl': 'Where the pages lead once the session has ended: an address of an allowed origin.',
  '?.showNavigationBar': 'Whether the pages have a menu.',
  '?.showStatements': 'Whether statements and invoices are shown.',
  '?.showPayments': 'Whether earlier payments are shown.',
  '?.allowPayments': 'Whether open invoices can be paid.',
  '?.allowProfileEdit': 'Whether the contact can be changed.',
  '?.editOrderOptions':
    'The actions on orders: some of Cancel, CancelAtEnd, Upgrade, Downgrade, New, separated by ' +
    'commas; none overrides a profile that has some.',
  '?.pdfMode': 'Whether invoices and receipts are shown as PDF only.',
  '?.profile':
    'The self-service profile whose switches apply where no parameter sets one; DEFAULT by default.',
};
