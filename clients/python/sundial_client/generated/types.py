# Written by `npm run format` from the schemas of the interface; npm run check compares.
"""The documents of the interface: requests and answers share a class, in which None is left out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Final

from ..core.parts import Form, part

#: The codes of refusals; a later version may have others.
ERROR_CODES: Final = (
    "activity.billed",
    "activity.corrected",
    "activity.correction",
    "activity.noMatch",
    "activity.notTaken",
    "activity.outsideTerm",
    "activity.refTaken",
    "activity.reference",
    "activity.severalMatches",
    "activity.tooMany",
    "activity.unknown",
    "address.invalid",
    "address.notValidated",
    "attribute.unknown",
    "auth.invalid",
    "auth.required",
    "auth.role",
    "auth.tooManyAttempts",
    "auth.tooManyRequests",
    "batch.child",
    "batch.duplicate",
    "batch.noFile",
    "batch.notDraft",
    "batch.unknown",
    "billing.amountTooLarge",
    "callbacks.unknown",
    "card.tooManyDeclines",
    "commissionPlan.unknown",
    "contact.exists",
    "contact.unknown",
    "contact.usernameTaken",
    "coupon.currency",
    "coupon.notValid",
    "coupon.plan",
    "coupon.unknown",
    "coupon.usedByCustomer",
    "coupon.usedUp",
    "creditNote.nothingLeft",
    "creditNote.tooHigh",
    "customer.billedApart",
    "customer.erased",
    "customer.held",
    "customer.inUse",
    "customer.inactive",
    "customer.notErasable",
    "customer.refTaken",
    "customer.unknown",
    "document.character",
    "document.contentType",
    "document.depth",
    "document.doctype",
    "document.elements",
    "document.empty",
    "document.encoding",
    "document.entity",
    "document.malformed",
    "document.root",
    "document.tooLarge",
    "event.unknown",
    "field.invalid",
    "field.notEditable",
    "field.range",
    "field.repeated",
    "field.required",
    "field.text",
    "field.tooLong",
    "field.unknown",
    "file.expired",
    "file.forged",
    "file.missing",
    "file.used",
    "host.invalid",
    "host.unknown",
    "idempotency.inUse",
    "idempotency.key",
    "idempotency.otherRequest",
    "import.cells",
    "import.dependent",
    "import.failed",
    "import.repeated",
    "invoice.credited",
    "invoice.notCancellable",
    "invoice.notCreditable",
    "invoice.notPayable",
    "invoice.numberTaken",
    "invoice.ubl",
    "invoice.unknown",
    "list.tooLarge",
    "metadata.tooMany",
    "notification.otherCustomer",
    "object.changed",
    "object.notFound",
    "order.billed",
    "order.changePending",
    "order.notBillable",
    "order.notChangeable",
    "order.notEditable",
    "order.notEnding",
    "order.priceMissing",
    "order.priceTooHigh",
    "order.tooManyPeriods",
    "order.transition",
    "order.unitPriceMissing",
    "order.unknown",
    "orderAgent.exists",
    "orderAgent.plan",
    "orderAgent.reference",
    "page.foreignPost",
    "page.formKey",
    "page.gone",
    "page.switchedOff",
    "page.tooManyPosts",
    "page.unknown",
    "path.method",
    "path.unknown",
    "payment.amount",
    "payment.currency",
    "payment.date",
    "payment.invoice",
    "payment.method",
    "payment.noAction",
    "payment.notCancellable",
    "payment.processing",
    "payment.rawCard",
    "payment.refundTooHigh",
    "payment.unknown",
    "paymentMethod.actionRequired",
    "paymentMethod.declined",
    "paymentMethod.unknown",
    "paymentPlan.ended",
    "paymentPlan.exists",
    "paymentPlan.unknown",
    "plan.retired",
    "plan.unknown",
    "priceCode.unknown",
    "quantity.outOfRange",
    "query.character",
    "query.format",
    "query.invalid",
    "query.range",
    "query.repeated",
    "query.required",
    "query.tooLong",
    "query.unknown",
    "quote.moved",
    "report.tooLarge",
    "report.unknown",
    "request.aborted",
    "salesAgent.unknown",
    "service.fault",
    "service.outcomeUnknown",
    "service.unavailable",
    "signup.unknown",
    "tax.refused",
    "tax.unavailable",
    "testClock.advancing",
    "testClock.backwards",
    "testClock.tooFar",
    "testClock.unknown",
    "transport.insecure",
    "update.refused",
    "user.self",
    "user.unknown",
)


@dataclass(kw_only=True, slots=True)
class ActionLink:
    """The element actionLink."""

    url: str | None = part("url", "text")
    """The address of the page that confirms the payment: whoever has it has the page."""
    valid_until: datetime | None = part("validUntil", "instant")
    """The end of the wait for the payer, after which the payment is declined."""


@dataclass(kw_only=True, slots=True)
class List:
    """The element list."""

    activity: list[Activity] | None = part("activity", "Activity", repeated=True)
    audit_entry: list[AuditEntry] | None = part("auditEntry", "AuditEntry", repeated=True)
    biller: list[Biller] | None = part("biller", "Biller", repeated=True)
    commission: list[Commission] | None = part("commission", "Commission", repeated=True)
    commission_plan: list[CommissionPlan] | None = part("commissionPlan", "CommissionPlan", repeated=True)
    contract_offering: list[ContractOffering] | None = part("contractOffering", "ContractOffering", repeated=True)
    customer: list[Customer] | None = part("customer", "Customer", repeated=True)
    customer_transition: list[CustomerTransition] | None = part("customerTransition", "CustomerTransition", repeated=True)
    entry: list[TimelineEntry] | None = part("entry", "TimelineEntry", repeated=True)
    event: list[Event] | None = part("event", "Event", repeated=True)
    invoice: list[Invoice] | None = part("invoice", "Invoice", repeated=True)
    """An invoice that the change would make on its day."""
    closed_to: date | None = part("closedTo", "date", place="attribute")
    """The last day that is closed, where the answer reaches beyond it: entries of later days may follow."""
    ledger_entry: list[LedgerEntry] | None = part("ledgerEntry", "LedgerEntry", repeated=True)
    """A row of an entry."""
    payment: list[Payment] | None = part("payment", "Payment", repeated=True)
    payment_method: list[PaymentMethod] | None = part("paymentMethod", "PaymentMethod", repeated=True)
    quote_hash: str | None = part("quoteHash", "text", place="attribute")
    """The hash of a quote, or of the preview of a change, whose price the order must still have."""
    subscription_order: list[SubscriptionOrder] | None = part("subscriptionOrder", "SubscriptionOrder", repeated=True)
    subscription_order_biller: list[SubscriptionOrderBiller] | None = part("subscriptionOrderBiller", "SubscriptionOrderBiller", repeated=True)
    user: list[User] | None = part("user", "User", repeated=True)


@dataclass(kw_only=True, slots=True)
class Activity:
    """A part of documents."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    duplicate: bool | None = part("duplicate", "boolean", place="attribute")
    """Present, and true, if its extRefId was taken: the stored record is shown."""
    status: str | None = part("status", "text")
    """Unbilled, or Processed once it is billed."""
    ext_ref_id: str | None = part("extRefId", "text")
    """Your own key of the record; unique within the tenant."""
    ext_customer_ref: str | None = part("extCustomerRef", "text")
    """The external reference of the customer."""
    customer: Customer | None = part("customer", "Customer")
    """The customer, by internal id."""
    order_number: str | None = part("orderNumber", "text")
    """The number of the order."""
    order: Reference | None = part("order", "Reference")
    """The order, by internal id."""
    order_line_item: Reference | None = part("orderLineItem", "Reference")
    """The usage line of the order, by internal id."""
    price_code: str | None = part("priceCode", "text")
    """The code of the line's charge."""
    quantity: Decimal | None = part("quantity", "decimal")
    """How many units, up to 6 decimals; 1 by default if there is an amount. Negative in a correction."""
    amount: Decimal | None = part("amount", "decimal")
    """As it was sent. Without one it is empty until the record is billed, and its share then."""
    unit_price: Decimal | None = part("unitPrice", "decimal")
    """The price of one unit, for UserEnteredPricing; elsewhere ignored."""
    charge_date: date | None = part("chargeDate", "date")
    """The day of the usage; today by default."""
    charge_end_date: date | None = part("chargeEndDate", "date")
    """The last day of the usage; only kept."""
    invoice_text: str | None = part("invoiceText", "text")
    """A text; only kept."""
    corrects_ext_ref_id: str | None = part("correctsExtRefId", "text")
    """The extRefId of the record of which it takes units back."""
    invoice_number: str | None = part("invoiceNumber", "text")
    """The number of the invoice that billed it."""
    activity_batch: Reference | None = part("activityBatch", "Reference")
    """The same id for all records of one upload."""
    date_created: date | None = part("dateCreated", "date")
    """The day on which it was created."""


@dataclass(kw_only=True, slots=True)
class Customer:
    """The element customer."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    name: str | None = part("name", "text")
    """The name; the contact's companyName, else its first and last name by default."""
    status: str | None = part("status", "text")
    """Active, or another status set by the ageing of unpaid invoices or by hand."""
    suspended_until: date | None = part("suspendedUntil", "date")
    """The day on which its pause ends by itself: the first that bills again."""
    erased_date: date | None = part("erasedDate", "date")
    """The day on which everything personal of the customer was emptied: nothing is written of it any more."""
    ext_customer_ref: str | None = part("extCustomerRef", "text")
    """The customer's key in your own system; unique within the tenant."""
    locale: str | None = part("locale", "text")
    """Language and country in the form language_COUNTRY, for example en_US."""
    is_business_account: bool | None = part("isBusinessAccount", "boolean")
    """Whether the customer is a business."""
    payment_terms_value: int | None = part("paymentTermsValue", "integer")
    """Days or months until an invoice is due; the tenant's terms by default."""
    payment_terms_units: str | None = part("paymentTermsUnits", "text")
    """The unit of paymentTermsValue."""
    currency: Currency | None = part("currency", "Currency")
    """The default currency of orders and invoices; fixed once there are any."""
    tax_id: str | None = part("taxId", "text")
    """The customer's tax number, for example DE123456789; invoices show it as it is."""
    purchase_order: str | None = part("purchaseOrder", "text")
    """The customer's own order number, which its invoices are to name."""
    electronic_address: str | None = part("electronicAddress", "text")
    """Where its electronic invoices go: a scheme of the code list EAS and an identifier, for example 9930:DE123456789."""
    buyer_reference: str | None = part("buyerReference", "text")
    """What electronic invoices have to name for the customer, for example a Leitweg-ID; the extCustomerRef by default."""
    billing_contact: BillingContact | None = part("billingContact", "BillingContact")
    """The addressee of invoices; required to create a customer."""
    sales_contact: SalesContact | None = part("salesContact", "SalesContact")
    """A second contact."""
    customer_financials: CustomerFinancials | None = part("customerFinancials", "CustomerFinancials")
    """The customer's debts and payments, in its currency."""
    metadata: list[MetadataEntry] | None = part("metadata", "MetadataEntry", item="entry")
    """Your own texts by keys of yours, by ascending key: up to 20. A new order of a change takes those of the order before, an invoice those of its orders."""


@dataclass(kw_only=True, slots=True)
class Reference:
    """A part of documents."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""


@dataclass(kw_only=True, slots=True)
class AddCustomerAndOrderResponse:
    """The element addCustomerAndOrderResponse."""

    customer: Customer | None = part("customer", "Customer")
    """The customer, by internal id."""
    subscription_order: list[SubscriptionOrder] | None = part("subscriptionOrder", "SubscriptionOrder", repeated=True)
    """The order, by internal id."""


@dataclass(kw_only=True, slots=True)
class SubscriptionOrder:
    """The element subscriptionOrder."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    order_number: str | None = part("orderNumber", "text")
    """The user-facing number: counted up without gaps in each tenant."""
    order_status: str | None = part("orderStatus", "text")
    """Draft, Provisioning (starts later), Active, Suspended, Complete, Superseded, Canceled."""
    start_date: date | None = part("startDate", "date")
    """First day of service, and of the first billing period if it has no trial."""
    end_date: date | None = part("endDate", "date")
    """Last day of the term; empty if the order has none. For a Canceled order the day it ended."""
    customer: Customer | None = part("customer", "Customer")
    """The customer, by internal id."""
    currency: Currency | None = part("currency", "Currency")
    """The currency, by its code."""
    contract_offering: ContractOffering | None = part("contractOffering", "ContractOffering")
    """The version of the plan, by internal id."""
    contract_offering_name: str | None = part("contractOfferingName", "text")
    """The name of the plan."""
    contract_code: str | None = part("contractCode", "text")
    """The code of the plan."""
    billing_period: str | None = part("billingPeriod", "text")
    """How long one billing period is."""
    separate_invoice: int | None = part("separateInvoice", "integer")
    """0 combines orders on one invoice, 1 invoices separately, 2 groups by jobCode."""
    is_separate_invoice: bool | None = part("isSeparateInvoice", "boolean")
    """Whether separateInvoice is 1."""
    job_code: str | None = part("jobCode", "text")
    """Groups orders on one invoice when separateInvoice is 2."""
    purchase_order: str | None = part("purchaseOrder", "text")
    """The customer's own order number, which its invoices are to name; that of the customer without one."""
    coupon_code: str | None = part("couponCode", "text")
    """The code of its coupon; empty if it has none."""
    is_auto_pay: bool | None = part("isAutoPay", "boolean")
    """Whether the stored payment methods pay its invoices automatically."""
    is_auto_renew: bool | None = part("isAutoRenew", "boolean")
    """Whether the term is renewed at its end."""
    due_date_value: int | None = part("dueDateValue", "integer")
    """Days or months from the invoice date until it is due."""
    due_date_units: str | None = part("dueDateUnits", "text")
    """The unit of dueDateValue."""
    invoice_text: str | None = part("invoiceText", "text")
    """Text printed on the invoice."""
    invoice_notes: str | None = part("invoiceNotes", "text")
    """Notes printed on the invoice."""
    notes: str | None = part("notes", "text")
    """Free notes."""
    total_lifetime_value: Decimal | None = part("totalLifetimeValue", "decimal")
    """The amount invoiced for it and not cancelled."""
    next_billable_date: date | None = part("nextBillableDate", "date")
    """The next day on which it bills something; empty if there is none."""
    trial_end_date: date | None = part("trialEndDate", "date")
    """The last free day; empty without a trial. Billing begins on the day after it."""
    billed_through: date | None = part("billedThrough", "date")
    """The last day that another system bills; prepaid charges begin on the day after."""
    renews: str | None = part("renews", "text")
    """Period: it has no endDate, and goes on. Term: it renews after its endDate. No: it ends then, or has ended."""
    cancel_reason: str | None = part("cancelReason", "text")
    """Why its end was requested."""
    suspended_until: date | None = part("suspendedUntil", "date")
    """The day on which its pause ends by itself: the first that bills again."""
    price_change_date: date | None = part("priceChangeDate", "date")
    """The first day at the prices of its newest plan version, while it is ahead: set from the 00:00 on after these were published."""
    last_updated: date | None = part("lastUpdated", "date")
    """The day of the last change."""
    date_created: date | None = part("dateCreated", "date")
    """The day on which it was created."""
    previous_order: Reference | None = part("previousOrder", "Reference")
    """The order that it replaces, by internal id: while it is Provisioning, that change is pending."""
    next_order: Reference | None = part("nextOrder", "Reference")
    """The order that replaces it, by internal id, also while that change is pending."""
    invoices: list[Invoice] | None = part("invoices", "Invoice", item="invoice")
    """The invoices that bill the order, by internal id."""
    order_line_items: list[OrderLineItem] | None = part("orderLineItems", "OrderLineItem", item="orderLineItem")
    """One line for each charge; without any, the order includes all charges of the plan."""
    metadata: list[MetadataEntry] | None = part("metadata", "MetadataEntry", item="entry")
    """Your own texts by keys of yours, by ascending key: up to 20. A new order of a change takes those of the order before, an invoice those of its orders."""
    trial_days: int | None = part("trialDays", "integer")
    """Free days from the startDate on, 0 to 365, in place of the trial of the plan; 0: none. No answer shows it."""
    quote_hash: str | None = part("quoteHash", "text")
    """The hash of a quote, or of the preview of a change, whose price the order must still have."""


@dataclass(kw_only=True, slots=True)
class AuditEntry:
    """A part of documents."""

    sequence: int | None = part("sequence", "integer")
    """The number of the entry: counts the entries of the tenant from 1 without gaps."""
    at: str | None = part("at", "text")
    """When it was written, in real time."""
    action: str | None = part("action", "text")
    """What was done: write, export, command, refused, foreignId, foreignHost, userSuspended, userEnabled."""
    username: str | None = part("username", "text")
    """Who did it: a user, a contact, the person who gave the command, or the login that was refused."""
    user: User | None = part("user", "User")
    """The user, by internal id; empty if it was none."""
    address: str | None = part("address", "text")
    """The address of the caller."""
    method: str | None = part("method", "text")
    """The method of the call."""
    path: str | None = part("path", "text")
    """The path of the call without its query, or the command."""
    status: int | None = part("status", "integer")
    """The status of the answer."""
    code: str | None = part("code", "text")
    """Why the call was refused."""
    request_id: str | None = part("requestId", "text")
    """The X-Request-Id of the answer."""
    object: ObjectReference | None = part("object", "ObjectReference")
    """The object that was written, by internal id, with its type: customerTransition, customer, subscriptionOrder, invoice, payment, installment, batchProcess, signup, activity, callbacks, event, paymentPlan, user."""
    changes: list[Change] | None = part("changes", "Change", item="change")
    """What the write changed, up to 50 fields."""
    previous_hash: str | None = part("previousHash", "text")
    """The hash of the entry before; 64 zeros for the first one."""
    hash: str | None = part("hash", "text")
    """SHA-256 of previousHash and of the values of the entry in this order, each in a line."""


@dataclass(kw_only=True, slots=True)
class User:
    """The element user."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id of the user."""
    username: str | None = part("username", "text")
    """The user id of its credentials."""
    roles: list[str] | None = part("roles", "text", item="role")
    """ROLE_API lets it call the interface."""
    rights: list[str] | None = part("rights", "text", item="right")
    """What it may call: read, finance and admin add up; empty: all calls but those of admins."""
    status: str | None = part("status", "text")
    """Active; Expired after its last day; Suspended by an admin or for attempts at other tenants; Disabled once the tenant file no longer has it."""
    expires: date | None = part("expires", "date")
    """Its last day; empty: none."""
    old_password_until: date | None = part("oldPasswordUntil", "date")
    """The last day of its password before; empty: it has none."""
    old_password_last_used: datetime | None = part("oldPasswordLastUsed", "instant")
    """When that password last let somebody in, to the minute; empty: never."""


@dataclass(kw_only=True, slots=True)
class ObjectReference:
    """A part of documents."""

    type: str | None = part("type", "text", place="attribute")
    """The kind of that object."""
    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""


@dataclass(kw_only=True, slots=True)
class Change:
    """A part of documents."""

    field: str | None = part("field", "text")
    """The name of the field."""
    before: str | None = part("before", "text")
    """Its value before; absent if it had none, and of personal elements and secrets."""
    after: str | None = part("after", "text")
    """Its value after; absent as well."""


@dataclass(kw_only=True, slots=True)
class BatchProcess:
    """The element batchProcess."""

    id: int | None = part("id", "integer")
    """The internal id of the job."""
    job_id: str | None = part("jobId", "text")
    """Your own key of the job, unique within the tenant; its id by default."""
    status: str | None = part("status", "text")
    """Draft until it is finalized, Queued until it has ended, then Success if no row failed, Failure if none succeeded, else PartialSuccess."""
    operation: str | None = part("operation", "text")
    """eBill-Import for files, BatchInit, or CarryForward for a kind that BatchInit takes."""
    sub_operation: str | None = part("subOperation", "text")
    """The rows of the file, or the kind of objects to carry over."""
    input_type: str | None = part("inputType", "text")
    """API."""
    input_filename: str | None = part("inputFilename", "text")
    """The name of your file; only kept."""
    parent_batch_process: str | None = part("parentBatchProcess", "text")
    """The job of the invoices that line items belong to, by internal id."""
    parent_batch_process_job_id: str | None = part("parentBatchProcessJobId", "text")
    """The same job by its jobId; either is enough."""
    success_count: int | None = part("successCount", "integer")
    """The rows of the job itself that succeeded so far."""
    fail_count: int | None = part("failCount", "integer")
    """The rows of the job itself that failed so far."""
    success_message: str | None = part("successMessage", "text")
    """The counts in words, of every job that has ended."""
    error_message: str | None = part("errorMessage", "text")
    """The meaning of the code, in words."""
    upload_url: str | None = part("uploadUrl", "text")
    """Takes one PUT of the CSV file within 30 minutes, without credentials. Each answer about a Draft has a new one."""
    download_url: str | None = part("downloadUrl", "text")
    """Gives the result file for 30 minutes, without credentials. Each GET has a new one, until the result is deleted."""
    progress: Progress | None = part("progress", "Progress")
    """How far the job is; empty unless it is Queued."""
    child: Child | None = part("child", "Child")
    """The jobs of line items of a job of invoices; the kinds that BatchInit carries over."""
    carry_forward_invoices: bool | None = part("carryForwardInvoices", "boolean")
    """Carries over all invoices; false by default."""
    carry_forward_credit_memos: bool | None = part("carryForwardCreditMemos", "boolean")
    """Carries over credits with a balance; false by default."""
    carry_forward_debit_memos: bool | None = part("carryForwardDebitMemos", "boolean")
    """Carries over open debits; false by default."""
    zero_out_customer_balance: bool | None = part("zeroOutCustomerBalance", "boolean")
    """Makes the balance of every customer zero, with all three kinds; false by default."""
    validate_only: bool | None = part("validateOnly", "boolean")
    """Checks the rows and writes the result, and stores nothing else; false by default. Jobs of line items take it from their parent."""


@dataclass(kw_only=True, slots=True)
class Progress:
    """A part of documents."""

    rows_done: int | None = part("rowsDone", "integer")
    """Rows that succeeded or failed so far."""
    rows_per_second: int | None = part("rowsPerSecond", "integer")
    """The rate since its first row."""
    seconds_remaining: int | None = part("secondsRemaining", "integer")
    """The time left at this rate; empty while unknown."""


@dataclass(kw_only=True, slots=True)
class Child:
    """A part of documents."""

    batch_process: list[BatchProcess] | None = part("batchProcess", "BatchProcess", repeated=True)
    """A job of line items."""
    carry_forward_invoice: CarryForwardInvoice | None = part("carryForwardInvoice", "CarryForwardInvoice")
    """The invoices that BatchInit carries over; empty if not asked for."""
    carry_forward_credit_memo: CarryForwardCreditMemo | None = part("carryForwardCreditMemo", "CarryForwardCreditMemo")
    """The credits that it carries over; empty if not asked for."""
    carry_forward_debit_memo: CarryForwardDebitMemo | None = part("carryForwardDebitMemo", "CarryForwardDebitMemo")
    """The debits that it carries over; empty if not asked for."""


@dataclass(kw_only=True, slots=True)
class CarryForwardInvoice:
    """A part of documents."""

    id: int | None = part("id", "integer")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    job_id: str | None = part("jobId", "text")
    """Your own key of the job, unique within the tenant; its id by default."""
    status: str | None = part("status", "text")
    """As of the job itself."""
    operation: str | None = part("operation", "text")
    """eBill-Import for files, BatchInit, or CarryForward for a kind that BatchInit takes."""
    sub_operation: str | None = part("subOperation", "text")
    """The rows of the file, or the kind of objects to carry over."""
    success_count: int | None = part("successCount", "integer")
    """The rows of the job itself that succeeded so far."""
    success_message: str | None = part("successMessage", "text")
    """The counts in words, of every job that has ended."""
    error_message: str | None = part("errorMessage", "text")
    """The meaning of the code, in words."""
    fail_count: int | None = part("failCount", "integer")
    """The rows of the job itself that failed so far."""


@dataclass(kw_only=True, slots=True)
class CarryForwardCreditMemo:
    """A part of documents."""

    id: int | None = part("id", "integer")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    job_id: str | None = part("jobId", "text")
    """Your own key of the job, unique within the tenant; its id by default."""
    status: str | None = part("status", "text")
    """As of the job itself."""
    operation: str | None = part("operation", "text")
    """eBill-Import for files, BatchInit, or CarryForward for a kind that BatchInit takes."""
    sub_operation: str | None = part("subOperation", "text")
    """The rows of the file, or the kind of objects to carry over."""
    success_count: int | None = part("successCount", "integer")
    """The rows of the job itself that succeeded so far."""
    success_message: str | None = part("successMessage", "text")
    """The counts in words, of every job that has ended."""
    error_message: str | None = part("errorMessage", "text")
    """The meaning of the code, in words."""
    fail_count: int | None = part("failCount", "integer")
    """The rows of the job itself that failed so far."""


@dataclass(kw_only=True, slots=True)
class CarryForwardDebitMemo:
    """A part of documents."""

    id: int | None = part("id", "integer")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    job_id: str | None = part("jobId", "text")
    """Your own key of the job, unique within the tenant; its id by default."""
    status: str | None = part("status", "text")
    """As of the job itself."""
    operation: str | None = part("operation", "text")
    """eBill-Import for files, BatchInit, or CarryForward for a kind that BatchInit takes."""
    sub_operation: str | None = part("subOperation", "text")
    """The rows of the file, or the kind of objects to carry over."""
    success_count: int | None = part("successCount", "integer")
    """The rows of the job itself that succeeded so far."""
    success_message: str | None = part("successMessage", "text")
    """The counts in words, of every job that has ended."""
    error_message: str | None = part("errorMessage", "text")
    """The meaning of the code, in words."""
    fail_count: int | None = part("failCount", "integer")
    """The rows of the job itself that failed so far."""


@dataclass(kw_only=True, slots=True)
class Biller:
    """The element biller."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    code: str | None = part("code", "text")
    """The code of the agent, unique within the tenant."""
    first_name: str | None = part("firstName", "text")
    """First name."""
    last_name: str | None = part("lastName", "text")
    """Last name."""
    company_name: str | None = part("companyName", "text")
    """Name of the company."""
    email: str | None = part("email", "text")
    """The e-mail address of the agent."""
    work_phone: str | None = part("workPhone", "text")
    """Telephone number."""
    cell_phone: str | None = part("cellPhone", "text")
    """Mobile telephone number."""
    address: Address | None = part("address", "Address")
    """The postal address."""
    reference_number: str | None = part("referenceNumber", "text")
    """A number of your own; shown only."""
    commission_code: str | None = part("commissionCode", "text")
    """The code of the commission plan, unique within the tenant."""
    referring_biller_commission_code: str | None = part("referringBillerCommissionCode", "text")
    """The code of who referred the agent; it computes nothing."""
    commission_plan: CommissionPlan | None = part("commissionPlan", "CommissionPlan")
    """The commission plan, by internal id."""
    notifications_enabled: bool | None = part("notificationsEnabled", "boolean")
    """Shown only."""
    disbursements_enabled: bool | None = part("disbursementsEnabled", "boolean")
    """Shown only."""
    disbursement_token: str | None = part("disbursementToken", "text")
    """Masked: its last four characters."""
    ach_routing_number: str | None = part("achRoutingNumber", "text")
    """The routing number of the bank."""
    ach_account_number: str | None = part("achAccountNumber", "text")
    """Masked: its last four characters."""
    account_type: str | None = part("accountType", "text")
    """The kind of bank account, for example Checking."""
    last_updated: date | None = part("lastUpdated", "date")
    """The day of the last change."""
    date_created: date | None = part("dateCreated", "date")
    """The day on which it was created."""


@dataclass(kw_only=True, slots=True)
class Address:
    """A part of documents."""

    street1: str | None = part("street1", "text")
    """First line of the street."""
    street2: str | None = part("street2", "text")
    """Second line of the street."""
    city: str | None = part("city", "text")
    """City."""
    state: str | None = part("state", "text")
    """State or province."""
    zip: str | None = part("zip", "text")
    """Postal code."""
    country: str | None = part("country", "text")
    """Name of the country."""
    country_code: str | None = part("countryCode", "text")
    """Code of the country by ISO 3166, for example US."""
    class_: str | None = part("class", "text")
    """The name of an internal type."""


@dataclass(kw_only=True, slots=True)
class CommissionPlan:
    """The element commissionPlan."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    plan_name: str | None = part("planName", "text")
    """The name of the plan."""
    commission_code: str | None = part("commissionCode", "text")
    """The code of the commission plan, unique within the tenant."""
    accounting_code: str | None = part("accountingCode", "text")
    """The account that the charge is booked to."""
    activate: bool | None = part("activate", "boolean")
    """Whether the plan earns anything."""
    contract_offerings: list[ContractOffering] | None = part("contractOfferings", "ContractOffering", item="contractOffering")
    """The newest version of each plan whose orders may take it."""
    commission_charges: list[CommissionCharge] | None = part("commissionCharges", "CommissionCharge", item="commissionCharge")
    """The charges of the plan: how much an agent earns, and when."""


@dataclass(kw_only=True, slots=True)
class BillingContact:
    """The element billingContact."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    username: str | None = part("username", "text")
    """The contact's login for the self-service pages."""
    passwd: str | None = part("passwd", "text", secret=True)
    """The password of that login: stored as a hash, never returned; blanks are significant."""
    first_name: str | None = part("firstName", "text")
    """First name."""
    last_name: str | None = part("lastName", "text")
    """Last name."""
    company_name: str | None = part("companyName", "text")
    """Name of the company."""
    email_primary: str | None = part("emailPrimary", "text")
    """E-mail address."""
    email_cc: str | None = part("emailCc", "text")
    """Who gets copies of the mails with invoices: up to 5 addresses with commas between them."""
    work_phone: str | None = part("workPhone", "text")
    """Telephone number."""
    address: Address | None = part("address", "Address")
    """Postal address."""


@dataclass(kw_only=True, slots=True)
class CanEdit:
    """The element canEdit."""

    editable: bool | None = part("editable", "boolean")
    """Whether the order may be changed."""
    reason: str | None = part("reason", "text")
    """The reason, if it is not editable."""


@dataclass(kw_only=True, slots=True)
class Commission:
    """A part of documents."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    date_earned: date | None = part("dateEarned", "date")
    """The day on which it was earned, or taken back."""
    agent_code: str | None = part("agentCode", "text")
    """The code of the sales agent."""
    order_number: str | None = part("orderNumber", "text")
    """The number of the order."""
    invoice_number: str | None = part("invoiceNumber", "text")
    """The number of the invoice; empty for an amount of a date."""
    price_code: str | None = part("priceCode", "text")
    """The price code of the charges in its base, if all have the same."""
    commission_code: str | None = part("commissionCode", "text")
    """The code of the commission plan, unique within the tenant."""
    code: str | None = part("code", "text")
    """The code of the charge of the commission plan."""
    base_amount: Decimal | None = part("baseAmount", "decimal")
    """The base on the invoice: the order's recurring charges, percentages and usage, net of discounts and credits, without tax."""
    amount: Decimal | None = part("amount", "decimal")
    """The amount earned; negative if it was taken back."""
    currency: Currency | None = part("currency", "Currency")
    """The currency, by its code."""
    reversal_of: Reference | None = part("reversalOf", "Reference")
    """The commission that it takes back, by internal id."""


@dataclass(kw_only=True, slots=True)
class Currency:
    """A part of documents."""

    id: str | None = part("id", "text", place="attribute")
    """The code of the currency by ISO 4217, for example USD."""


@dataclass(kw_only=True, slots=True)
class ContractOffering:
    """The element contractOffering."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    contract_code: str | None = part("contractCode", "text")
    """The code of the plan."""
    name: str | None = part("name", "text")
    """The name of the plan."""
    start_date: date | None = part("startDate", "date")
    """First day on which the plan takes new orders."""
    end_date: date | None = part("endDate", "date")
    """Last day on which the plan takes new orders."""
    billing_period: str | None = part("billingPeriod", "text")
    """How long one billing period is."""
    billing_alignment: str | None = part("billingAlignment", "text")
    """Whether periods begin with the order's start or on a day of the month."""
    alignment_day: int | None = part("alignmentDay", "integer")
    """That day of the month."""
    due_date_value: int | None = part("dueDateValue", "integer")
    """Days or months from the invoice date until it is due."""
    due_date_units: str | None = part("dueDateUnits", "text")
    """The unit of dueDateValue."""
    is_auto_renew: bool | None = part("isAutoRenew", "boolean")
    """Whether the term is renewed at its end."""
    trial_value: int | None = part("trialValue", "integer")
    """How many days, weeks or months of its orders are free; empty without a trial."""
    trial_units: str | None = part("trialUnits", "text")
    """Days, Weeks or Months."""
    trial_card: str | None = part("trialCard", "text")
    """Whether pages demand a method of payment for the trial: required, or optional."""
    invoice_text: str | None = part("invoiceText", "text")
    """Text printed on the invoice."""
    notes: str | None = part("notes", "text")
    """Free notes."""
    product_offering: Reference | None = part("productOffering", "Reference")
    """The product that the plan belongs to, by internal id."""
    contract_charges: list[ContractCharge] | None = part("contractCharges", "ContractCharge", item="contractCharge")
    """The charges of the plan."""
    last_updated: date | None = part("lastUpdated", "date")
    """The day of the last change."""
    date_created: date | None = part("dateCreated", "date")
    """The day on which it was created."""
    order_date: date | None = part("orderDate", "date")
    """The first day of the order."""
    trial_end_date: date | None = part("trialEndDate", "date")
    """The last free day; empty without a trial. Billing begins on the day after it."""
    initial_charges: InitialCharges | None = part("initialCharges", "InitialCharges")
    """The one-time charges."""
    recurring_charges: RecurringCharges | None = part("recurringCharges", "RecurringCharges")
    """The first period of each recurring charge, prepaid or not."""
    total: Decimal | None = part("total", "decimal")
    """The sum of both."""


@dataclass(kw_only=True, slots=True)
class CommissionCharge:
    """A part of documents."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    position: int | None = part("position", "integer")
    """The place in the plan, from 1."""
    code: str | None = part("code", "text")
    """The code of the charge, unique in its plan."""
    commission_text: str | None = part("commissionText", "text")
    """A text for people."""
    commission_amount: Decimal | None = part("commissionAmount", "decimal")
    """A percentage or an amount, by commissionType."""
    commission_type: str | None = part("commissionType", "text")
    """Percent of the paid base, or Amount in the tenant's currency."""
    charge_type: str | None = part("chargeType", "text")
    """RecurringCharge: with each invoice that is paid; DateBasedChargeOneTime and DateBasedCharge: once, or again and again, counted from the joiningDate."""
    date_to_charge_value: int | None = part("dateToChargeValue", "integer")
    """How many months or years after the joiningDate, or apart."""
    date_to_charge_units: str | None = part("dateToChargeUnits", "text")
    """Months or Years."""
    custom_options: str | None = part("customOptions", "text")
    """A text for people; it computes nothing."""
    notes: str | None = part("notes", "text")
    """Free notes."""
    commission_plan: CommissionPlan | None = part("commissionPlan", "CommissionPlan")
    """The commission plan, by internal id."""


@dataclass(kw_only=True, slots=True)
class ContractCharge:
    """A part of documents."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    accounting_code: str | None = part("accountingCode", "text")
    """The account that the charge is booked to."""
    position: int | None = part("position", "integer")
    """Its position among its siblings."""
    price_code: str | None = part("priceCode", "text")
    """The code of the charge within its plan."""
    invoice_text: str | None = part("invoiceText", "text")
    """Text printed on the invoice."""
    charge_type: str | None = part("chargeType", "text")
    """RecurringCharge, OneTimeCharge or UsageCharge."""
    pricing_type: str | None = part("pricingType", "text")
    """How quantity becomes an amount."""
    is_prepaid: bool | None = part("isPrepaid", "boolean")
    """Whether a period is billed on its first day; otherwise on the day after its end."""
    is_penalty: bool | None = part("isPenalty", "boolean")
    """Whether only overdue customers are billed for it."""
    is_prorated: bool | None = part("isProrated", "boolean")
    """Whether a partial period costs its share of days."""
    is_tax: bool | None = part("isTax", "boolean")
    """Whether the charge is a tax."""
    is_mandatory: bool | None = part("isMandatory", "boolean")
    """Whether it is added to an order that omits it."""
    is_separate_invoice: bool | None = part("isSeparateInvoice", "boolean")
    """Whether the charge gets a separate invoice."""
    follows_quantity: bool | None = part("followsQuantity", "boolean")
    """Whether the quantity of a quote or a page multiplies it, if it is recurring."""
    decimals: bool | None = part("decimals", "boolean")
    """Whether pages take parts of a unit of it."""
    unit_of_measure: str | None = part("unitOfMeasure", "text")
    """What a unit is, for example minute."""
    standard_quantity: Decimal | None = part("standardQuantity", "decimal")
    """The default quantity; for a usage charge, the units included."""
    min_quantity: Decimal | None = part("minQuantity", "decimal")
    """The least quantity of an order; it has no effect on a usage charge."""
    max_quantity: Decimal | None = part("maxQuantity", "decimal")
    """The greatest quantity of an order; it has no effect on a usage charge."""
    tax_codes: list[str] | None = part("taxCodes", "text", item="taxCode")
    """Which tax rates apply."""
    notes: str | None = part("notes", "text")
    """Free notes."""
    pricing_tiers: list[PricingTier] | None = part("pricingTiers", "PricingTier", item="pricingTier")
    """The prices: one from 0 on, or contiguous ranges of units."""
    last_updated: date | None = part("lastUpdated", "date")
    """The day of the last change."""
    date_created: date | None = part("dateCreated", "date")
    """The day on which it was created."""


@dataclass(kw_only=True, slots=True)
class PricingTier:
    """A part of documents."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    units_from: Decimal | None = part("unitsFrom", "decimal")
    """Units above this are in the tier."""
    units_to: Decimal | None = part("unitsTo", "decimal")
    """Units up to this are in the tier; empty if it is open."""
    price: Decimal | None = part("price", "decimal")
    """The price of a unit, or of the whole tier."""
    percent: Decimal | None = part("percent", "decimal")
    """A percentage in place of a price."""
    is_overage: bool | None = part("isOverage", "boolean")
    """Whether the tier prices units beyond those included."""
    currency: Currency | None = part("currency", "Currency")
    """The currency, by its code."""
    contract_charge: Reference | None = part("contractCharge", "Reference")
    """The charge of the plan, by internal id."""
    last_updated: date | None = part("lastUpdated", "date")
    """The day of the last change."""
    date_created: date | None = part("dateCreated", "date")
    """The day on which it was created."""


@dataclass(kw_only=True, slots=True)
class SalesContact:
    """The element salesContact."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    username: str | None = part("username", "text")
    """The contact's login for the self-service pages."""
    passwd: str | None = part("passwd", "text", secret=True)
    """The password of that login: stored as a hash, never returned; blanks are significant."""
    first_name: str | None = part("firstName", "text")
    """First name."""
    last_name: str | None = part("lastName", "text")
    """Last name."""
    company_name: str | None = part("companyName", "text")
    """Name of the company."""
    email_primary: str | None = part("emailPrimary", "text")
    """E-mail address."""
    work_phone: str | None = part("workPhone", "text")
    """Telephone number."""
    address: Address | None = part("address", "Address")
    """Postal address."""


@dataclass(kw_only=True, slots=True)
class CustomerFinancials:
    """A part of documents."""

    current_balance: Decimal | None = part("currentBalance", "decimal")
    """The debt less unapplied money: negative when in credit."""
    outstanding_balance: Decimal | None = part("outstandingBalance", "decimal")
    """The open amount of invoices."""
    overdue_balance: Decimal | None = part("overdueBalance", "decimal")
    """The open amount past its due date."""
    unapplied_balance: Decimal | None = part("unappliedBalance", "decimal")
    """Money received and not applied to an invoice."""
    last_payment_amount: Decimal | None = part("lastPaymentAmount", "decimal")
    """The amount of the last payment that is Paid."""
    last_payment_date: date | None = part("lastPaymentDate", "date")
    """The day of that payment."""
    last_invoice_amount: Decimal | None = part("lastInvoiceAmount", "decimal")
    """The amount of the last invoice."""
    last_invoiced_date: date | None = part("lastInvoicedDate", "date")
    """The day of the last invoice."""
    lifetime_payments: Decimal | None = part("lifetimePayments", "decimal")
    """The sum of all payments, less refunds."""
    lifetime_value: Decimal | None = part("lifetimeValue", "decimal")
    """The sum of all invoices that are not cancelled."""
    next_bill_date: date | None = part("nextBillDate", "date")
    """The next day on which an order of the customer bills something."""


@dataclass(kw_only=True, slots=True)
class MetadataEntry:
    """A part of documents."""

    key: str | None = part("key", "text")
    """Your key: 1 to 40 of A-Z a-z 0-9 _ . -, once."""
    value: str | None = part("value", "text")
    """Your text of 1 to 500 characters; card numbers in it are masked."""


@dataclass(kw_only=True, slots=True)
class CustomerTransition:
    """A part of documents."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    date_transitioned: date | None = part("dateTransitioned", "date")
    """The day of the change."""
    previous_status: str | None = part("previousStatus", "text")
    """The status before."""
    new_status: str | None = part("newStatus", "text")
    """The status after."""
    customer: Customer | None = part("customer", "Customer")
    """The customer, by internal id."""


@dataclass(kw_only=True, slots=True)
class TimelineEntry:
    """A part of documents."""

    date: date | None = part("date", "date")
    """The day of it."""
    state: str | None = part("state", "text")
    """Whether it happened, or comes next."""
    text: str | None = part("text", "text")
    """What it is, in a few words."""


@dataclass(kw_only=True, slots=True)
class Event:
    """The element event."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    sequence: int | None = part("sequence", "integer", place="attribute")
    """The number of the event: counts the events of the tenant without gaps, in the order of the feed."""
    type: str | None = part("type", "text", place="attribute")
    """The type of the event, for example invoice.paid."""
    customer: Customer | None = part("customer", "Customer")
    """The customer, by internal id; empty if the event concerns no customer."""
    object: ObjectReference | None = part("object", "ObjectReference")
    """The object that the event is about, by internal id."""
    date_created: date | None = part("dateCreated", "date")
    """The day of the event."""


@dataclass(kw_only=True, slots=True)
class Health:
    """The element health."""

    success: bool | None = part("success", "boolean")
    """Whether the call worked."""
    missing: list[str] | None = part("missing", "text", item="part")
    """The parts that do not answer."""


@dataclass(kw_only=True, slots=True)
class Invoice:
    """The element invoice."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    invoice_number: str | None = part("invoiceNumber", "text")
    """The user-facing number: counted up without gaps in each tenant; of an imported invoice any text."""
    status: str | None = part("status", "text")
    """Outstanding, Paid, Cancelled or CarriedOver."""
    invoice_date: date | None = part("invoiceDate", "date")
    """The day on which the invoice was created."""
    due_date: date | None = part("dueDate", "date")
    """The day on which it is due, the invoice date or later."""
    billing_start_date: date | None = part("billingStartDate", "date")
    """First day billed, inclusive."""
    billing_end_date: date | None = part("billingEndDate", "date")
    """Last day billed, inclusive."""
    delegated_invoice: Reference | None = part("delegatedInvoice", "Reference")
    """Always empty."""
    customer: Customer | None = part("customer", "Customer")
    """The customer, by internal id."""
    bill_to: BillTo | None = part("billTo", "BillTo")
    """The customer as the document of the invoice names it: as it was when the invoice was made, in a preview as it is today."""
    currency: Currency | None = part("currency", "Currency")
    """The currency, by its code."""
    billing_period: str | None = part("billingPeriod", "text")
    """The billing period of the plans; empty if they differ."""
    previous_balance: Decimal | None = part("previousBalance", "decimal")
    """The totalDue of the customer's invoice before, in this currency."""
    payments_and_adjustments: Decimal | None = part("paymentsAndAdjustments", "decimal")
    """Everything that changed the balance between the two invoices."""
    outstanding_balance: Decimal | None = part("outstandingBalance", "decimal")
    """The open amount of the invoice."""
    current_amount_due: Decimal | None = part("currentAmountDue", "decimal")
    """The sum of its lines."""
    total_due: Decimal | None = part("totalDue", "decimal")
    """The balance of the customer after this invoice."""
    orders_included: list[SubscriptionOrder] | None = part("ordersIncluded", "SubscriptionOrder", item="subscriptionOrder")
    """The orders that it bills, by internal id."""
    invoice_line_items: list[InvoiceLineItem] | None = part("invoiceLineItems", "InvoiceLineItem", item="invoiceLineItem")
    """One line for each order."""
    invoice_payments: list[InvoicePayment] | None = part("invoicePayments", "InvoicePayment", item="invoicePayment")
    """The payments of the invoice; negative ones reverse earlier ones."""
    notes: str | None = part("notes", "text")
    """Free notes."""
    purchase_order: str | None = part("purchaseOrder", "text")
    """The purchase order of its line items, if they agree."""
    credit_note_of: Reference | None = part("creditNoteOf", "Reference")
    """Of a credit note: the invoice of which it gives back."""
    refund: Reference | None = part("refund", "Reference")
    """Of a credit note: the refund by which money went back with it."""
    cancellation_number: str | None = part("cancellationNumber", "text")
    """Of a cancelled invoice: the number of its cancellation, if the tenant gives out documents of cancellations."""
    date_cancelled: date | None = part("dateCancelled", "date")
    """Of a cancelled invoice: the day on which it was cancelled."""
    last_updated: date | None = part("lastUpdated", "date")
    """The day of the last change."""
    date_created: date | None = part("dateCreated", "date")
    """The day on which it was created."""
    metadata: list[MetadataEntry] | None = part("metadata", "MetadataEntry", item="entry")
    """Your own texts by keys of yours, by ascending key: up to 20. A new order of a change takes those of the order before, an invoice those of its orders."""
    is_auto_pay: bool | None = part("isAutoPay", "boolean")
    """Whether the stored payment methods pay its invoices automatically."""


@dataclass(kw_only=True, slots=True)
class BillTo:
    """A part of documents."""

    name: str | None = part("name", "text")
    """The name of the customer."""
    address: Address | None = part("address", "Address")
    """Postal address."""
    tax_id: str | None = part("taxId", "text")
    """The customer's tax number, for example DE123456789; invoices show it as it is."""
    ext_customer_ref: str | None = part("extCustomerRef", "text")
    """The customer's key in your own system; unique within the tenant."""


@dataclass(kw_only=True, slots=True)
class InvoiceLineItem:
    """A part of documents."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    position: int | None = part("position", "integer")
    """Its position among its siblings."""
    invoice_text: str | None = part("invoiceText", "text")
    """Text printed on the invoice."""
    billing_start_date: date | None = part("billingStartDate", "date")
    """First day billed, inclusive."""
    billing_end_date: date | None = part("billingEndDate", "date")
    """Last day billed, inclusive."""
    invoice_line_item_charges: list[InvoiceLineItemCharge] | None = part("invoiceLineItemCharges", "InvoiceLineItemCharge", item="invoiceLineItemCharge")
    """The charges of the line."""
    line_amount_total: Decimal | None = part("lineAmountTotal", "decimal")
    """The sum of the charges of the line."""
    order_number: str | None = part("orderNumber", "text")
    """The user-facing number: counted up without gaps in each tenant."""
    subscription_order: SubscriptionOrder | None = part("subscriptionOrder", "SubscriptionOrder")
    """The order, by internal id."""
    contract_code: str | None = part("contractCode", "text")
    """The code of the plan."""
    purchase_order: str | None = part("purchaseOrder", "text")
    """The purchase order of its order, or else of the customer, when the invoice was made."""
    enterprise_subscription: str | None = part("enterpriseSubscription", "text")
    """The number of an order that the line belongs to; optional."""


@dataclass(kw_only=True, slots=True)
class InvoiceLineItemCharge:
    """A part of documents."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    accounting_code: str | None = part("accountingCode", "text")
    """The account that the charge is booked to."""
    position: int | None = part("position", "integer")
    """Its position among its siblings."""
    price_code: str | None = part("priceCode", "text")
    """The code of the charge within its plan."""
    contract_charge: Reference | None = part("contractCharge", "Reference")
    """The charge of the plan, by internal id."""
    is_percent: bool | None = part("isPercent", "boolean")
    """Whether unitPrice is a percentage of other charges."""
    billing_start_date: date | None = part("billingStartDate", "date")
    """First day billed, inclusive."""
    billing_end_date: date | None = part("billingEndDate", "date")
    """Last day billed, inclusive."""
    charge_date: date | None = part("chargeDate", "date")
    """The day of the charge."""
    unit_price: Decimal | None = part("unitPrice", "decimal")
    """The price of one unit; up to 6 decimals."""
    amount: Decimal | None = part("amount", "decimal")
    """The amount, rounded to the currency's minor unit."""
    quantity: Decimal | None = part("quantity", "decimal")
    """How many units; up to 6 decimals."""
    unit_of_measure: str | None = part("unitOfMeasure", "text")
    """What a unit is, for example minute."""
    order_line_item: Reference | None = part("orderLineItem", "Reference")
    """The line of the order, by internal id."""
    invoice_text: str | None = part("invoiceText", "text")
    """Text printed on the invoice."""
    pricing_tier: Reference | None = part("pricingTier", "Reference")
    """The tier of the price, by internal id."""
    currency_symbol: str | None = part("currencySymbol", "text")
    """The sign of the currency, for example $."""
    is_usage_charge_sub_total: bool | None = part("isUsageChargeSubTotal", "boolean")
    """Whether it repeats the sum of usage charges, and so is not added again."""
    tax_codes: list[str] | None = part("taxCodes", "text", item="taxCode")
    """Which tax rates apply."""


@dataclass(kw_only=True, slots=True)
class InvoicePayment:
    """A part of documents."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    payment: Payment | None = part("payment", "Payment")
    """The payment, by internal id."""
    invoice: Invoice | None = part("invoice", "Invoice")
    """The invoice, by internal id; empty if the money went to a debit."""
    amount_applied: Decimal | None = part("amountApplied", "decimal")
    """The amount applied; negative if it was reversed."""
    balance_remaining: Decimal | None = part("balanceRemaining", "decimal")
    """The rest of the payment after it."""
    customer: Customer | None = part("customer", "Customer")
    """The customer, by internal id."""
    last_updated: date | None = part("lastUpdated", "date")
    """The day of the last change."""
    date_created: date | None = part("dateCreated", "date")
    """The day on which it was created."""


@dataclass(kw_only=True, slots=True)
class Payment:
    """The element payment."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    is_system_payment: bool | None = part("isSystemPayment", "boolean")
    """Whether it was made by the system itself."""
    customer: Customer | None = part("customer", "Customer")
    """The customer, by internal id."""
    payment_method_type: str | None = part("paymentMethodType", "text")
    """CreditCard, ACH, Check, Cash or Token; empty if no method was used."""
    payment_method: Reference | None = part("paymentMethod", "Reference")
    """The method in the vault of a gateway, by internal id."""
    payment_method_context: str | None = part("paymentMethodContext", "text")
    """The method as it may be shown, for example Visa - *****1111."""
    currency: Currency | None = part("currency", "Currency")
    """The currency, by its code."""
    amount: Decimal | None = part("amount", "decimal")
    """The amount including its surcharge; negative for a refund or a debit."""
    balance: Decimal | None = part("balance", "decimal")
    """The part that is not applied yet; for a debit the negative of its open amount."""
    effective_date: date | None = part("effectiveDate", "date")
    """The day on which it takes effect; today by default."""
    status: str | None = part("status", "text")
    """Pending (in progress), ActionRequired (waits for its payer), Paid, Declined, Canceled (reversed or not made), Voided, Refunded, or CarriedOver (a credit that a BatchInit carried over)."""
    payer_action: PayerAction | None = part("payerAction", "PayerAction")
    """What it waits for, while the gateway asks the payer to authenticate it; else empty."""
    payment_type: str | None = part("paymentType", "text")
    """Payment, Credit (a debit if negative) or Refund."""
    is_processed_by_billing_run: bool | None = part("isProcessedByBillingRun", "boolean")
    """Whether autopay made it to pay an invoice."""
    base_user: BaseUser | None = part("baseUser", "BaseUser")
    """The user who acted; empty for the system."""
    payment_processor: PaymentProcessor | None = part("paymentProcessor", "PaymentProcessor")
    """The gateway; empty if none was used."""
    processor_result: ProcessorResult | None = part("processorResult", "ProcessorResult")
    """The gateway's last answer."""
    invoice_payments: list[InvoicePayment] | None = part("invoicePayments", "InvoicePayment", item="invoicePayment")
    """The invoices it was applied to; negative ones reverse earlier ones."""
    notes: str | None = part("notes", "text")
    """Free notes."""
    last_updated: date | None = part("lastUpdated", "date")
    """The day of the last change."""
    date_created: date | None = part("dateCreated", "date")
    """The day on which it was created."""
    metadata: list[MetadataEntry] | None = part("metadata", "MetadataEntry", item="entry")
    """Your own texts by keys of yours, by ascending key: up to 20. A new order of a change takes those of the order before, an invoice those of its orders."""


@dataclass(kw_only=True, slots=True)
class LedgerEntry:
    """A part of documents."""

    cursor: str | None = part("cursor", "text")
    """The place of the row: with it as after, a call goes on with the rows after it."""
    entry: Reference | None = part("entry", "Reference")
    """The fact that is booked, by internal id: its rows come to zero."""
    date: date | None = part("date", "date")
    """The tenant's day on which it was booked."""
    entry_type: str | None = part("entryType", "text")
    """What happened."""
    document_number: str | None = part("documentNumber", "text")
    """The number of the invoice, or of its cancellation; else the id of the payment, debit or batch."""
    invoice: Invoice | None = part("invoice", "Invoice")
    """The invoice; empty if it is of none."""
    payment: Payment | None = part("payment", "Payment")
    """The payment, credit, debit or refund; empty if it is of none."""
    customer: Customer | None = part("customer", "Customer")
    """The customer, by internal id."""
    ext_customer_ref: str | None = part("extCustomerRef", "text")
    """The customer's reference of today."""
    account: str | None = part("account", "text")
    """The account."""
    accounting_code: str | None = part("accountingCode", "text")
    """The code of the account, or of the charge's revenue."""
    tax_name: str | None = part("taxName", "text")
    """Of a tax: its name on invoices."""
    tax_percent: Decimal | None = part("taxPercent", "decimal")
    """Of a tax: its percentage."""
    jurisdiction: str | None = part("jurisdiction", "text")
    """Of a tax: the country and state of its rate, or what its provider names."""
    tax_category: str | None = part("taxCategory", "text")
    """Of a tax: its category of EN 16931."""
    tax_base: Decimal | None = part("taxBase", "decimal")
    """What the tax was taken of; below zero where tax goes back."""
    gateway: str | None = part("gateway", "text")
    """Of cash: the gateway; empty without one."""
    payment_method_type: str | None = part("paymentMethodType", "text")
    """Of cash: how it was paid."""
    debit: Decimal | None = part("debit", "decimal")
    """0.00 if the row is a credit."""
    credit: Decimal | None = part("credit", "decimal")
    """0.00 if the row is a debit."""
    currency: Currency | None = part("currency", "Currency")
    """The currency, by its code."""


@dataclass(kw_only=True, slots=True)
class PayLink:
    """The element payLink."""

    url: str | None = part("url", "text")
    """The address of the page that pays the invoice: whoever has it has the page."""
    valid_until: datetime | None = part("validUntil", "instant")
    """The end of the link, in real time; it ends earlier if the invoice is cancelled."""


@dataclass(kw_only=True, slots=True)
class PayerAction:
    """A part of documents."""

    is_payer_present: bool | None = part("isPayerPresent", "boolean")
    """Whether the payer is on a page now, and is led to the gateway from there."""
    waits_until: datetime | None = part("waitsUntil", "instant")
    """When it is declined unless the payer confirms it."""


@dataclass(kw_only=True, slots=True)
class BaseUser:
    """A part of documents."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    username: str | None = part("username", "text")
    """The login of the user."""
    first_name: str | None = part("firstName", "text")
    """First name."""
    last_name: str | None = part("lastName", "text")
    """Last name."""


@dataclass(kw_only=True, slots=True)
class PaymentProcessor:
    """A part of documents."""

    id: int | None = part("id", "integer", place="attribute")
    """A number for the gateway, the same for all tenants."""
    name: str | None = part("name", "text")
    """sandbox or stripe."""


@dataclass(kw_only=True, slots=True)
class ProcessorResult:
    """A part of documents."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    transaction_id: str | None = part("transactionId", "text")
    """The gateway's own id of the transaction."""
    is_success: bool | None = part("isSuccess", "boolean")
    """Whether the gateway approved the request."""
    is_error: bool | None = part("isError", "boolean")
    """Always false: a call without an answer stays Pending until the gateway answers."""
    error_code: str | None = part("errorCode", "text")
    """0 on success, else the gateway's code, for example card_declined."""
    error_message: str | None = part("errorMessage", "text")
    """The meaning of the code, in words."""
    status_code: str | None = part("statusCode", "text")
    """approved or declined."""
    status_message: str | None = part("statusMessage", "text")
    """The reason of a resolution by hand, if the gateway did not answer; otherwise empty."""
    amount: Decimal | None = part("amount", "decimal")
    """The amount, rounded to the currency's minor unit."""
    secondary_amount: Decimal | None = part("secondaryAmount", "decimal")
    """The part of the amount that is surcharge."""
    currency_code: str | None = part("currencyCode", "text")
    """The code of the currency by ISO 4217; the customer's currency by default."""
    avs_code: str | None = part("avsCode", "text")
    """The result of checking the billing address."""
    cvv_code: str | None = part("cvvCode", "text")
    """The result of checking the security code."""
    approval_code: str | None = part("approvalCode", "text")
    """The approval code."""
    batch_indicator: str | None = part("batchIndicator", "text")
    """Always empty."""
    processor_request_type: str | None = part("processorRequestType", "text")
    """The type of the request: charge, refund or void."""
    response_time_milli_sec: int | None = part("responseTimeMilliSec", "integer")
    """How long the gateway took, in milliseconds."""
    other_msg1: str | None = part("otherMsg1", "text")
    """Always empty."""
    other_msg2: str | None = part("otherMsg2", "text")
    """Always empty."""
    other_msg3: str | None = part("otherMsg3", "text")
    """Always empty."""
    customer: Customer | None = part("customer", "Customer")
    """The customer, by internal id."""
    payment: Payment | None = part("payment", "Payment")
    """The payment, by internal id."""
    payment_processor: PaymentProcessor | None = part("paymentProcessor", "PaymentProcessor")
    """The gateway; empty if none was used."""
    last_updated: date | None = part("lastUpdated", "date")
    """The day of the last change."""
    date_created: date | None = part("dateCreated", "date")
    """The day on which it was created."""


@dataclass(kw_only=True, slots=True)
class PaymentMethod:
    """A part of documents."""

    autopay_preference: int | None = part("autopayPreference", "integer")
    """1 to 3: the place on file, and the start of a cascade; 1 by default if required."""
    type: str | None = part("type", "text")
    """CreditCard, ACH or Token."""
    payment_method_context: str | None = part("paymentMethodContext", "text")
    """The method as it may be shown, for example Visa - *****1111."""
    expiry: date | None = part("expiry", "date")
    """Any day of the month in which the card expires."""
    gateway_updated: date | None = part("gatewayUpdated", "date")
    """The day on which the gateway last changed the method by itself: a renewed card, or a revoked mandate."""
    mandate: str | None = part("mandate", "text")
    """The reference of the mandate of a bank debit."""


@dataclass(kw_only=True, slots=True)
class PaymentPlan:
    """The element paymentPlan."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    charge_only_if_balance_owed: bool | None = part("chargeOnlyIfBalanceOwed", "boolean")
    """Whether an installment charges at most the debt; true by default."""
    charge_amount: Decimal | None = part("chargeAmount", "decimal")
    """The amount of each installment."""
    start_date: date | None = part("startDate", "date")
    """The day of the first installment; the later ones count from it."""
    next_payment_date: date | None = part("nextPaymentDate", "date")
    """The next day on which an installment is charged, or a declined one is retried."""
    total_number_of_installments: int | None = part("totalNumberOfInstallments", "integer")
    """How many installments the plan has in all."""
    remaining_installments: int | None = part("remainingInstallments", "integer")
    """The number of future installments."""
    frequency_value: int | None = part("frequencyValue", "integer")
    """How many units lie between two installments."""
    frequency_units: str | None = part("frequencyUnits", "text")
    """Days, Weeks, Months, Quarters or Years."""
    is_enabled: bool | None = part("isEnabled", "boolean")
    """Whether an installment or a retry of it is open; autopay pays no invoice meanwhile."""


@dataclass(kw_only=True, slots=True)
class Quote:
    """The element quote."""

    hash: str | None = part("hash", "text")
    """Stands for the price; send it as quoteHash with the order."""
    contract_offering: ContractOffering | None = part("contractOffering", "ContractOffering")
    """The version of the plan, by internal id."""


@dataclass(kw_only=True, slots=True)
class InitialCharges:
    """A part of documents."""

    line_items: list[LineItem] | None = part("lineItems", "LineItem", item="lineItem")
    """A charge, or a tier of it, then its discount; the taxes come last."""
    total_initial_charges: Decimal | None = part("totalInitialCharges", "decimal")
    """The sum of these charges, with their discounts and taxes."""


@dataclass(kw_only=True, slots=True)
class LineItem:
    """A part of documents."""

    position: int | None = part("position", "integer")
    """Its position among its siblings."""
    price_code: str | None = part("priceCode", "text")
    """The code of the charge within its plan."""
    invoice_text: str | None = part("invoiceText", "text")
    """Text printed on the invoice."""
    amount: Decimal | None = part("amount", "decimal")
    """The amount, rounded to the currency's minor unit."""
    pricing_type: str | None = part("pricingType", "text")
    """How quantity becomes an amount."""
    charge_type: str | None = part("chargeType", "text")
    """RecurringCharge, OneTimeCharge or UsageCharge."""
    quantity: Decimal | None = part("quantity", "decimal")
    """How many units; up to 6 decimals."""
    billing_period_start: date | None = part("billingPeriodStart", "date")
    """First day that the charge covers."""
    billing_period_end: date | None = part("billingPeriodEnd", "date")
    """Last day that the charge covers."""
    billing_period_description: str | None = part("billingPeriodDescription", "text")
    """Both days in words, or Once."""
    is_prorated: bool | None = part("isProrated", "boolean")
    """Whether a partial period costs its share of days."""


@dataclass(kw_only=True, slots=True)
class RecurringCharges:
    """A part of documents."""

    line_items: list[LineItem] | None = part("lineItems", "LineItem", item="lineItem")
    """A charge, or a tier of it, then its discount; the taxes come last."""
    total_recurring_charges: Decimal | None = part("totalRecurringCharges", "decimal")
    """The sum of these charges, with their discounts and taxes."""


@dataclass(kw_only=True, slots=True)
class Report:
    """The element report."""

    name: str | None = part("name", "text")
    """The name of the report."""
    from_: date | None = part("from", "date")
    """The first day, or the one that is compared."""
    to: date | None = part("to", "date")
    """The last day."""
    as_of: date | None = part("asOf", "date")
    """The day at whose end it looks."""
    closed_to: date | None = part("closedTo", "date")
    """The last day that is closed, where the answer reaches beyond it: entries of later days may follow."""
    rows: list[Row] | None = part("rows", "Row", item="row")
    """The rows, sorted by their first columns; none is of zeros."""


@dataclass(kw_only=True, slots=True)
class Row:
    """A part of documents."""

    customer: Customer | None = part("customer", "Customer")
    """The customer, by internal id."""
    ext_customer_ref: str | None = part("extCustomerRef", "text")
    """The customer's key in your own system; unique within the tenant."""
    month: str | None = part("month", "text")
    """The month; the days of it that from and to leave."""
    jurisdiction: str | None = part("jurisdiction", "text")
    """Of a tax: the country and state of its rate, or what its provider names."""
    tax_name: str | None = part("taxName", "text")
    """Of a tax: its name on invoices."""
    tax_percent: str | None = part("taxPercent", "text")
    """Of a tax: its percentage."""
    tax_category: str | None = part("taxCategory", "text")
    """Of a tax: its category of EN 16931."""
    accounting_code: str | None = part("accountingCode", "text")
    """The code of the account."""
    gateway: str | None = part("gateway", "text")
    """The gateway; empty without one."""
    payment_method_type: str | None = part("paymentMethodType", "text")
    """How it was paid."""
    contract_code: str | None = part("contractCode", "text")
    """The contract code of the plan."""
    currency: Currency | None = part("currency", "Currency")
    """The currency, by its code."""
    not_due: Decimal | None = part("notDue", "decimal")
    """What is not past its due date."""
    days1_to30: Decimal | None = part("days1To30", "decimal")
    """What is so many days past its due date."""
    days31_to60: Decimal | None = part("days31To60", "decimal")
    """What is so many days past its due date."""
    days61_to90: Decimal | None = part("days61To90", "decimal")
    """What is so many days past its due date."""
    days_over90: Decimal | None = part("daysOver90", "decimal")
    """What is more than 90 days past its due date."""
    without_due_date: Decimal | None = part("withoutDueDate", "decimal")
    """What has no due date: debits, and opening balances."""
    receivables: Decimal | None = part("receivables", "decimal")
    """What is open in all."""
    unapplied: Decimal | None = part("unapplied", "decimal")
    """Money that is applied to nothing."""
    carried_over: Decimal | None = part("carriedOver", "decimal")
    """What was carried over."""
    balance: Decimal | None = part("balance", "decimal")
    """receivables and carriedOver less unapplied."""
    deferred_start: Decimal | None = part("deferredStart", "decimal")
    """What was invoiced and not yet recognized on the day before."""
    invoiced: Decimal | None = part("invoiced", "decimal")
    """Of invoices, net of their discounts and credits."""
    cancelled: Decimal | None = part("cancelled", "decimal")
    """Of cancelled invoices, negative."""
    credited: Decimal | None = part("credited", "decimal")
    """Of credits for unused days and credit notes, negative."""
    revenue: Decimal | None = part("revenue", "decimal")
    """The sum of these."""
    recognized: Decimal | None = part("recognized", "decimal")
    """What falls to the days of the month."""
    deferred_end: Decimal | None = part("deferredEnd", "decimal")
    """deferredStart and invoiced less recognized."""
    tax_base: Decimal | None = part("taxBase", "decimal")
    """What the tax was taken of; below zero where tax goes back."""
    tax: Decimal | None = part("tax", "decimal")
    """The tax; empty for revenue of which none was taken."""
    payment_count: int | None = part("paymentCount", "integer")
    """How many payments came."""
    payments: Decimal | None = part("payments", "decimal")
    """What came, surcharges included."""
    refunds: Decimal | None = part("refunds", "decimal")
    """What went back, negative."""
    reversed: Decimal | None = part("reversed", "decimal")
    """What was canceled, returned or disputed, negative."""
    net: Decimal | None = part("net", "decimal")
    """The sum of these."""
    orders: int | None = part("orders", "integer")
    """How many orders count on asOf; a chain of changes is one."""
    mrr_start: Decimal | None = part("mrrStart", "decimal")
    """What orders came to in a month on from."""
    new: Decimal | None = part("new", "decimal")
    """Of customers that had nothing in the currency on from."""
    expansion: Decimal | None = part("expansion", "decimal")
    """More of customers that had something."""
    contraction: Decimal | None = part("contraction", "decimal")
    """Less of customers that still have something, negative."""
    churn: Decimal | None = part("churn", "decimal")
    """Of customers that have nothing in the currency any more, negative."""
    moved: Decimal | None = part("moved", "decimal")
    """Of orders that changed the plan: what they came to on from leaves one row for another."""
    mrr_end: Decimal | None = part("mrrEnd", "decimal")
    """What orders come to in a month on asOf: the sum of these."""


@dataclass(kw_only=True, slots=True)
class Response:
    """The element response."""

    success: bool | None = part("success", "boolean")
    """Whether the call worked."""
    message: str | None = part("message", "text")
    """What the call did."""


@dataclass(kw_only=True, slots=True)
class Signup:
    """The element signup."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    status: str | None = part("status", "text")
    """DRAFT while the page is open or a payment is in progress, then PROCESSED, FAILED or EXPIRED."""
    tracking: str | None = part("tracking", "text")
    """Names the sign-up: added to successURL and failURL, and taken by signup/verify."""
    company_name: str | None = part("companyName", "text")
    """As sent or entered, as the elements below it."""
    first_name: str | None = part("firstName", "text")
    """First name."""
    last_name: str | None = part("lastName", "text")
    """Last name."""
    ext_customer_ref: str | None = part("extCustomerRef", "text")
    """As sent."""
    email: str | None = part("email", "text")
    """The e-mail address."""
    phone: str | None = part("phone", "text")
    """The telephone number."""
    street: str | None = part("street", "text")
    """Street and number."""
    city: str | None = part("city", "text")
    """City."""
    state: str | None = part("state", "text")
    """State or province."""
    zipcode: str | None = part("zipcode", "text")
    """Postal code."""
    country: str | None = part("country", "text")
    """The country, by name or by its code of two letters."""
    hide_customer_fields: bool | None = part("hideCustomerFields", "boolean")
    """Whether the page does not ask for the customer."""
    login: str | None = part("login", "text")
    """The user name of the new customer; empty for a customer that was there before."""
    save_payment_method: bool | None = part("savePaymentMethod", "boolean")
    """Whether the card is kept for later invoices."""
    order_number: str | None = part("orderNumber", "text")
    """The number of the order; empty until the sign-up is PROCESSED."""
    contract_code: str | None = part("contractCode", "text")
    """The code of the plan."""
    quantity: Decimal | None = part("quantity", "decimal")
    """Multiplies the standardQuantity of recurring charges."""
    start_date: date | None = part("startDate", "date")
    """The first day of the order; empty for the day of submission."""
    invoice_number: str | None = part("invoiceNumber", "text")
    """The number of the first invoice of the order, if there is one."""
    payment_amount: Decimal | None = part("paymentAmount", "decimal")
    """The amount paid; empty without a payment."""
    payment_approval_code: str | None = part("paymentApprovalCode", "text")
    """The gateway's approval of that payment."""
    biller_code: str | None = part("billerCode", "text")
    """The code of the sales agent of the order."""
    coupon_code: str | None = part("couponCode", "text")
    """The code of the coupon."""
    sku: str | None = part("sku", "text")
    """The product offering whose plans the page shows."""
    tos_accepted: bool | None = part("tosAccepted", "boolean")
    """Whether the visitor has accepted the terms of service."""
    tos_link: str | None = part("tosLink", "text")
    """The address of the terms of service that a visitor has to accept."""
    hide_order_fields: bool | None = part("hideOrderFields", "boolean")
    """Whether the page does not ask for the order."""
    card_type: str | None = part("cardType", "text")
    """The brand of the card of the last try; its number is kept nowhere."""
    expiry: date | None = part("expiry", "date")
    """The last day of the month in which that card expires."""
    cardholder_name: str | None = part("cardholderName", "text")
    """The name on that card."""
    success_url: str | None = part("successURL", "text")
    """Where the page leads after success."""
    fail_url: str | None = part("failURL", "text")
    """Where the page leads after a failure, or after its end."""
    css_url: str | None = part("cssURL", "text")
    """The stylesheet of the page."""
    date_created: date | None = part("dateCreated", "date")
    """The day on which it was created."""
    customer: Customer | None = part("customer", "Customer")
    """The customer, by internal id; empty until the sign-up is PROCESSED."""
    failure_code: str | None = part("failureCode", "text")
    """Why it failed: declined, expired, operator, or the code of a refusal."""


@dataclass(kw_only=True, slots=True)
class SignupLink:
    """The element signupLink."""

    url: str | None = part("url", "text")
    """The address of the page, for the frame: a secret that ends after 30 minutes."""
    signup: Signup | None = part("signup", "Signup")
    """The record of the sign-up."""


@dataclass(kw_only=True, slots=True)
class Status:
    """The element status."""

    success: bool | None = part("success", "boolean")
    """Whether the call worked."""
    message: str | None = part("message", "text")
    """What the call did."""
    errors: list[StatusError] | None = part("errors", "StatusError", item="error")
    """Everything that is wrong with the request."""
    customer: Customer | None = part("customer", "Customer")
    """The customer that is saved, if an address of the request is invalid."""


@dataclass(kw_only=True, slots=True)
class StatusError:
    """A part of documents."""

    code: str | None = part("code", "text", place="attribute")
    """Stable; the catalogue of codes explains each."""
    path: str | None = part("path", "text", place="attribute")
    """The element or parameter at fault."""
    value: str | None = part("value", "text", place="attribute")
    """The value at fault, cut short; never a secret."""
    text: str | None = part("text", "text", place="text")
    """The fault and the expected value, for people."""


@dataclass(kw_only=True, slots=True)
class OrderLineItem:
    """A part of documents."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    position: int | None = part("position", "integer")
    """Its position among its siblings."""
    contract_charge: Reference | None = part("contractCharge", "Reference")
    """The charge of the plan, by internal id."""
    price_code: str | None = part("priceCode", "text")
    """The code of the charge within its plan."""
    invoice_text: str | None = part("invoiceText", "text")
    """Text printed on the invoice."""
    quantity: Decimal | None = part("quantity", "decimal")
    """How many units; up to 6 decimals."""
    unit_price: Decimal | None = part("unitPrice", "decimal")
    """The agreed price, if the charge has UserEnteredPricing."""
    is_active: bool | None = part("isActive", "boolean")
    """Whether the line is billed."""
    total_lifetime_value: Decimal | None = part("totalLifetimeValue", "decimal")
    """The amount invoiced for it and not cancelled."""
    last_updated: date | None = part("lastUpdated", "date")
    """The day of the last change."""
    date_created: date | None = part("dateCreated", "date")
    """The day on which it was created."""


@dataclass(kw_only=True, slots=True)
class SubscriptionOrderBiller:
    """A part of documents."""

    id: int | None = part("id", "integer", place="attribute")
    """The internal id: assigned by the system, unique over all objects, with gaps."""
    joining_date: date | None = part("joiningDate", "date")
    """The day from which the agent earns; by default the order's startDate, or the day after its trial."""
    commission_plan: CommissionPlan | None = part("commissionPlan", "CommissionPlan")
    """The commission plan, by internal id."""
    biller: Biller | None = part("biller", "Biller")
    """The sales agent, by internal id."""


@dataclass(kw_only=True, slots=True)
class TestClock:
    """The element testClock."""

    now: datetime | None = part("now", "instant")
    """The present instant of the test clock, in UTC."""
    target: date | None = part("target", "date")
    """The day that it is advancing to."""
    status: str | None = part("status", "text")
    """Ready when everything due up to now has happened, otherwise Advancing."""
    held: int | None = part("held", "integer")
    """Customers held from billing by an error."""
    waiting: int | None = part("waiting", "integer")
    """Customers for whose taxes the clock waits; absent if there are none."""


@dataclass(kw_only=True, slots=True)
class WidgetLink:
    """The element widgetLink."""

    url: str | None = part("url", "text")
    """The address of the customer's page, for the frame: a secret that ends 30 minutes after the last click."""


@dataclass(kw_only=True, slots=True)
class AddCustomerAndOrder:
    """The element addCustomerAndOrder."""

    customer: Customer | None = part("customer", "Customer")
    """The customer, by internal id."""
    subscription_orders: list[SubscriptionOrder] | None = part("subscriptionOrders", "SubscriptionOrder", item="subscriptionOrder")
    """The first orders of the customer."""


@dataclass(kw_only=True, slots=True)
class Autopay:
    """The element autopay."""

    payment_method_dto: PaymentMethodDTO | None = part("paymentMethodDTO", "PaymentMethodDTO")
    """The card, account or token to be put on file."""


@dataclass(kw_only=True, slots=True)
class PaymentMethodDTO:
    """A part of documents."""

    type: str | None = part("type", "text", place="attribute")
    """CreditCard, ACH, Check, Cash or Token."""
    credit_card_payment_method: CreditCardPaymentMethod | None = part("creditCardPaymentMethod", "CreditCardPaymentMethod", secret=True)
    """A card."""
    ach_payment_method: AchPaymentMethod | None = part("achPaymentMethod", "AchPaymentMethod", secret=True)
    """A bank account in the United States."""
    check_payment_method: CheckPaymentMethod | None = part("checkPaymentMethod", "CheckPaymentMethod", secret=True)
    """A check that was received."""
    cash_payment_method: CashPaymentMethod | None = part("cashPaymentMethod", "CashPaymentMethod")
    """Cash that was received."""
    token_payment_method: TokenPaymentMethod | None = part("tokenPaymentMethod", "TokenPaymentMethod", secret=True)
    """A method already in the gateway's vault."""


@dataclass(kw_only=True, slots=True)
class CreditCardPaymentMethod:
    """A part of documents."""

    autopay_preference: int | None = part("autopayPreference", "integer")
    """1 to 3: the place on file, and the start of a cascade; 1 by default if required."""
    card_number: str | None = part("cardNumber", "text", secret=True)
    """The whole number; it goes to the gateway's vault and nowhere else."""
    expiry: date | None = part("expiry", "date")
    """Any day of the month in which the card expires."""
    card_type: str | None = part("cardType", "text")
    """The brand of the card of the last try; its number is kept nowhere."""
    cardholder_name: str | None = part("cardholderName", "text")
    """The name on that card."""
    cvv: str | None = part("cvv", "text", secret=True)
    """The security code; it is stored nowhere."""
    billing_address: BillingAddress | None = part("billingAddress", "BillingAddress")
    """The billing address of the card."""


@dataclass(kw_only=True, slots=True)
class BillingAddress:
    """A part of documents."""

    street1: str | None = part("street1", "text")
    """First line of the street."""
    city: str | None = part("city", "text")
    """City."""
    state: str | None = part("state", "text")
    """State or province."""
    zip: str | None = part("zip", "text")
    """Postal code."""
    country: str | None = part("country", "text")
    """Name of the country."""


@dataclass(kw_only=True, slots=True)
class AchPaymentMethod:
    """A part of documents."""

    autopay_preference: int | None = part("autopayPreference", "integer")
    """1 to 3: the place on file, and the start of a cascade; 1 by default if required."""
    aba_routing_number: str | None = part("abaRoutingNumber", "text", secret=True)
    """The routing number of the bank, nine digits."""
    account_number: str | None = part("accountNumber", "text", secret=True)
    """The number of the account."""
    institution_name: str | None = part("institutionName", "text")
    """The bank."""
    account_name: str | None = part("accountName", "text")
    """The name of the account holder."""
    account_type: str | None = part("accountType", "text")
    """Checking or Savings; Checking by default."""


@dataclass(kw_only=True, slots=True)
class CheckPaymentMethod:
    """A part of documents."""

    check_number: str | None = part("checkNumber", "text", secret=True)
    """The number of the check; its last four characters are kept."""
    account_number: str | None = part("accountNumber", "text", secret=True)
    """The number of the account."""
    institution_name: str | None = part("institutionName", "text")
    """The bank."""
    check_date: date | None = part("checkDate", "date")
    """The date of the check."""
    notes: str | None = part("notes", "text")
    """Free notes."""


@dataclass(kw_only=True, slots=True)
class CashPaymentMethod:
    """A part of documents."""

    notes: str | None = part("notes", "text")
    """Free notes."""


@dataclass(kw_only=True, slots=True)
class TokenPaymentMethod:
    """A part of documents."""

    autopay_preference: int | None = part("autopayPreference", "integer")
    """1 to 3: the place on file, and the start of a cascade; 1 by default if required."""
    token: str | None = part("token", "text", secret=True)
    """The gateway's name for the method."""
    gateway: str | None = part("gateway", "text")
    """The gateway of the token; the tenant's by default."""
    card_type: str | None = part("cardType", "text")
    """The brand of the card of the last try; its number is kept nowhere."""
    last_four: str | None = part("lastFour", "text")
    """The last four characters of the number, to be shown."""
    expiry: date | None = part("expiry", "date")
    """Any day of the month in which the card expires."""
    cardholder_name: str | None = part("cardholderName", "text")
    """The name on that card."""


@dataclass(kw_only=True, slots=True)
class CreditNote:
    """The element creditNote."""

    reason: str | None = part("reason", "text")
    """Why; the notes of the credit note."""
    amount: Decimal | None = part("amount", "decimal")
    """What is to go back of the invoice, taxes included; not beside charges."""
    invoice_line_item_charges: list[InvoiceLineItemCharge] | None = part("invoiceLineItemCharges", "InvoiceLineItemCharge", item="invoiceLineItemCharge")
    """The charges of the line."""


@dataclass(kw_only=True, slots=True)
class ProcessCredit:
    """The element processCredit."""

    customer: Customer | None = part("customer", "Customer")
    """The customer, by internal id."""
    amount: Decimal | None = part("amount", "decimal")
    """The amount, rounded to the currency's minor unit."""
    currency_code: str | None = part("currencyCode", "text")
    """The code of the currency by ISO 4217; the customer's currency by default."""
    effective_date: date | None = part("effectiveDate", "date")
    """The day on which it takes effect; today by default."""
    invoice_text: str | None = part("invoiceText", "text")
    """Text printed on the invoice."""
    purchase_description: str | None = part("purchaseDescription", "text")
    """What the payment is for, in words."""
    internal_notes: str | None = part("internalNotes", "text")
    """Stored as its notes."""
    invoices: list[Invoice] | None = part("invoices", "Invoice", item="invoice")
    """The invoices to pay, in this order; by default the oldest due first. Of a refund: only money applied to these goes back."""
    credit_note: bool | None = part("creditNote", "boolean")
    """Whether each of the invoices gets a credit note of what went back of it, with invoiceText as its notes; only of a refund that names invoices."""
    metadata: list[MetadataEntry] | None = part("metadata", "MetadataEntry", item="entry")
    """Your own texts by keys of yours, by ascending key: up to 20. A new order of a change takes those of the order before, an invoice those of its orders."""
    total_surcharge: Decimal | None = part("totalSurcharge", "decimal")
    """Charged on top of the amount, and never applied to invoices."""
    generate_invoice: bool | None = part("generateInvoice", "boolean")
    """Whether to bill everything due of the customer first, and to pay those invoices."""
    payment_method_dto: PaymentMethodDTO | None = part("paymentMethodDTO", "PaymentMethodDTO")
    """The payment method: its type, and the one child for that type."""


@dataclass(kw_only=True, slots=True)
class ProcessPayment:
    """The element processPayment."""

    customer: Customer | None = part("customer", "Customer")
    """The customer, by internal id."""
    amount: Decimal | None = part("amount", "decimal")
    """The amount, rounded to the currency's minor unit."""
    currency_code: str | None = part("currencyCode", "text")
    """The code of the currency by ISO 4217; the customer's currency by default."""
    effective_date: date | None = part("effectiveDate", "date")
    """The day on which it takes effect; today by default."""
    invoice_text: str | None = part("invoiceText", "text")
    """Text printed on the invoice."""
    purchase_description: str | None = part("purchaseDescription", "text")
    """What the payment is for, in words."""
    internal_notes: str | None = part("internalNotes", "text")
    """Stored as its notes."""
    invoices: list[Invoice] | None = part("invoices", "Invoice", item="invoice")
    """The invoices to pay, in this order; by default the oldest due first. Of a refund: only money applied to these goes back."""
    credit_note: bool | None = part("creditNote", "boolean")
    """Whether each of the invoices gets a credit note of what went back of it, with invoiceText as its notes; only of a refund that names invoices."""
    metadata: list[MetadataEntry] | None = part("metadata", "MetadataEntry", item="entry")
    """Your own texts by keys of yours, by ascending key: up to 20. A new order of a change takes those of the order before, an invoice those of its orders."""
    total_surcharge: Decimal | None = part("totalSurcharge", "decimal")
    """Charged on top of the amount, and never applied to invoices."""
    generate_invoice: bool | None = part("generateInvoice", "boolean")
    """Whether to bill everything due of the customer first, and to pay those invoices."""
    payment_method_dto: PaymentMethodDTO | None = part("paymentMethodDTO", "PaymentMethodDTO")
    """The payment method: its type, and the one child for that type."""


@dataclass(kw_only=True, slots=True)
class ProcessPaymentWithAutopay:
    """The element processPaymentWithAutopay."""

    customer: Customer | None = part("customer", "Customer")
    """The customer, by internal id."""
    amount: Decimal | None = part("amount", "decimal")
    """The amount, rounded to the currency's minor unit."""
    currency_code: str | None = part("currencyCode", "text")
    """The code of the currency by ISO 4217; the customer's currency by default."""
    effective_date: date | None = part("effectiveDate", "date")
    """The day on which it takes effect; today by default."""
    invoice_text: str | None = part("invoiceText", "text")
    """Text printed on the invoice."""
    purchase_description: str | None = part("purchaseDescription", "text")
    """What the payment is for, in words."""
    internal_notes: str | None = part("internalNotes", "text")
    """Stored as its notes."""
    invoices: list[Invoice] | None = part("invoices", "Invoice", item="invoice")
    """The invoices to pay, in this order; by default the oldest due first. Of a refund: only money applied to these goes back."""
    credit_note: bool | None = part("creditNote", "boolean")
    """Whether each of the invoices gets a credit note of what went back of it, with invoiceText as its notes; only of a refund that names invoices."""
    metadata: list[MetadataEntry] | None = part("metadata", "MetadataEntry", item="entry")
    """Your own texts by keys of yours, by ascending key: up to 20. A new order of a change takes those of the order before, an invoice those of its orders."""
    autopay_preference: int | None = part("autopayPreference", "integer")
    """1 to 3: the place on file, and the start of a cascade; 1 by default if required."""


@dataclass(kw_only=True, slots=True)
class ProcessRefund:
    """The element processRefund."""

    customer: Customer | None = part("customer", "Customer")
    """The customer, by internal id."""
    amount: Decimal | None = part("amount", "decimal")
    """The amount, rounded to the currency's minor unit."""
    currency_code: str | None = part("currencyCode", "text")
    """The code of the currency by ISO 4217; the customer's currency by default."""
    effective_date: date | None = part("effectiveDate", "date")
    """The day on which it takes effect; today by default."""
    invoice_text: str | None = part("invoiceText", "text")
    """Text printed on the invoice."""
    purchase_description: str | None = part("purchaseDescription", "text")
    """What the payment is for, in words."""
    internal_notes: str | None = part("internalNotes", "text")
    """Stored as its notes."""
    invoices: list[Invoice] | None = part("invoices", "Invoice", item="invoice")
    """The invoices to pay, in this order; by default the oldest due first. Of a refund: only money applied to these goes back."""
    credit_note: bool | None = part("creditNote", "boolean")
    """Whether each of the invoices gets a credit note of what went back of it, with invoiceText as its notes; only of a refund that names invoices."""
    metadata: list[MetadataEntry] | None = part("metadata", "MetadataEntry", item="entry")
    """Your own texts by keys of yours, by ascending key: up to 20. A new order of a change takes those of the order before, an invoice those of its orders."""
    total_surcharge: Decimal | None = part("totalSurcharge", "decimal")
    """Charged on top of the amount, and never applied to invoices."""
    generate_invoice: bool | None = part("generateInvoice", "boolean")
    """Whether to bill everything due of the customer first, and to pay those invoices."""
    payment_method_dto: PaymentMethodDTO | None = part("paymentMethodDTO", "PaymentMethodDTO")
    """The payment method: its type, and the one child for that type."""


@dataclass(kw_only=True, slots=True)
class SendEmail:
    """The element sendEmail."""

    event_type: str | None = part("eventType", "text")
    """newInvoice, newOrder or paymentReceived; case sensitive."""
    object_id: int | None = part("objectId", "integer")
    """The internal id of the invoice, order or payment. Needed unless objectRef is given."""
    object_ref: str | None = part("objectRef", "text")
    """The invoice's or order's number, or the payment's transactionId, instead of objectId."""
    customer_id: int | None = part("customerId", "integer")
    """The internal id of the customer, whose the object must be. Else customerRef."""
    customer_ref: str | None = part("customerRef", "text")
    """The extCustomerRef of the customer, instead of customerId."""


#: The content of each root element.
ROOTS: Final[dict[str, Form]] = {
    "actionLink": Form("ActionLink"),
    "list": Form("List"),
    "addCustomerAndOrderResponse": Form("AddCustomerAndOrderResponse"),
    "batchProcess": Form("BatchProcess"),
    "biller": Form("Biller"),
    "billingContact": Form("BillingContact"),
    "canEdit": Form("CanEdit"),
    "commissionPlan": Form("CommissionPlan"),
    "contractOffering": Form("ContractOffering"),
    "customer": Form("Customer"),
    "event": Form("Event"),
    "health": Form("Health"),
    "invoice": Form("Invoice"),
    "metadata": Form("MetadataEntry", item="entry"),
    "payLink": Form("PayLink"),
    "payment": Form("Payment"),
    "paymentPlan": Form("PaymentPlan"),
    "quote": Form("Quote"),
    "report": Form("Report"),
    "response": Form("Response"),
    "salesContact": Form("SalesContact"),
    "signup": Form("Signup"),
    "signupLink": Form("SignupLink"),
    "status": Form("Status"),
    "subscriptionOrder": Form("SubscriptionOrder"),
    "testClock": Form("TestClock"),
    "user": Form("User"),
    "widgetLink": Form("WidgetLink"),
    "addCustomerAndOrder": Form("AddCustomerAndOrder"),
    "autopay": Form("Autopay"),
    "creditNote": Form("CreditNote"),
    "processCredit": Form("ProcessCredit"),
    "processPayment": Form("ProcessPayment"),
    "processPaymentWithAutopay": Form("ProcessPaymentWithAutopay"),
    "processRefund": Form("ProcessRefund"),
    "sendEmail": Form("SendEmail"),
}
