// Written by `npm run format` from the schemas of the interface; npm run check compares.
/** A method for each call of the interface. */
import type { CallOptions } from '../core/options.ts';
import type { Call } from '../core/tables.ts';
import { calls } from './tables.ts';
import type * as types from './types.ts';

export abstract class Calls {
  protected abstract perform<Answer>(
    call: Call,
    parameters: object,
    options: CallOptions | undefined,
  ): Promise<Answer>;

  protected abstract iterate<Item>(
    call: Call,
    parameters: object,
    options: CallOptions | undefined,
  ): AsyncGenerator<Item, void, undefined>;

  /**
   * Resume the billing of a customer.
   *
   * `POST /customer/{id}`
   */
  activateCustomer(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }), options?: CallOptions): Promise<types.Status> {
    return this.perform(calls.activateCustomer, parameters, options);
  }

  /**
   * Activate a suspended order again.
   *
   * `POST /order/{id}`
   */
  activateOrder(parameters: ({ readonly id: number } | { readonly orderNumber: string }), options?: CallOptions): Promise<types.SubscriptionOrder> {
    return this.perform(calls.activateOrder, parameters, options);
  }

  /**
   * Create a customer with its first orders.
   *
   * `POST /customers`
   * @deprecated since 2026-11-28: create the customer with `POST /customers`, then each order with `POST /orders?extCustomerRef=`, each call with an Idempotency-Key. It keeps working.
   */
  addCustomerAndOrder(parameters: { readonly addCustomerAndOrder: types.AddCustomerAndOrderRequest }, options?: CallOptions): Promise<types.AddCustomerAndOrderResponse> {
    return this.perform(calls.addCustomerAndOrder, parameters, options);
  }

  /**
   * Advance the test clock to 00:00 of a day, and bill that day too.
   *
   * `POST /testClock`
   */
  advanceTestClock(parameters: { readonly advanceTo: types.DateText; readonly wait?: boolean }, options?: CallOptions): Promise<types.TestClock> {
    return this.perform(calls.advanceTestClock, parameters, options);
  }

  /**
   * Whether an order may be changed, and why not.
   *
   * `GET /order/{id}/canEdit`
   */
  canEditOrder(parameters: ({ readonly id: number } | { readonly orderNumber: string }), options?: CallOptions): Promise<types.CanEdit> {
    return this.perform(calls.canEditOrder, parameters, options);
  }

  /**
   * End an order today, or when its period or its term is over.
   *
   * `POST /order/{id}`
   */
  cancelOrder(parameters: ({ readonly id: number } | { readonly orderNumber: string }) & { readonly when?: 'now' | 'periodEnd' | 'termEnd'; readonly reason?: string }, options?: CallOptions): Promise<types.SubscriptionOrder> {
    return this.perform(calls.cancelOrder, parameters, options);
  }

  /**
   * Replace an order by a new one, on a day or at once, or preview the invoices of it.
   *
   * `POST /changeOrder`
   */
  changeOrder(parameters: { readonly subscriptionOrder: types.SubscriptionOrderRequest; readonly currentOrderId?: number; readonly currentOrderNumber?: string; readonly effectiveDate?: types.DateText; readonly deleteCurrentOrder?: boolean; readonly keepPrices?: boolean; readonly generateInvoice?: boolean; readonly preview?: boolean }, options?: CallOptions): Promise<types.SubscriptionOrder | types.QuotedInvoicePreviewList> {
    return this.perform(calls.changeOrder, parameters, options);
  }

  /**
   * Upload usage records: all are stored, or none.
   *
   * `POST /activities`
   */
  createActivities(parameters: { readonly activities: readonly types.ActivityRequest[]; readonly onDuplicate?: 'skip' }, options?: CallOptions): Promise<readonly types.Activity[]> {
    return this.perform(calls.createActivities, parameters, options);
  }

  /**
   * Carry over the invoices, credits and debits of the tenant.
   *
   * `POST /batchProcess`
   */
  createBatchInit(parameters: { readonly batchProcess: types.BatchProcessBatchInit }, options?: CallOptions): Promise<types.BatchProcess> {
    return this.perform(calls.createBatchInit, parameters, options);
  }

  /**
   * Reduce the debt; a negative amount increases it.
   *
   * `POST /credits`
   */
  createCredit(parameters: ({ readonly processPayment: types.ProcessPaymentRequest; readonly extCustomerRef?: string } | { readonly processCredit: types.ProcessCreditRequest; readonly extCustomerRef?: string }), options?: CallOptions): Promise<types.Payment> {
    return this.perform(calls.createCredit, parameters, options);
  }

  /**
   * Make a customer.
   *
   * `POST /customers`
   */
  createCustomer(parameters: { readonly customer: types.CustomerCreate }, options?: CallOptions): Promise<types.Customer> {
    return this.perform(calls.createCustomer, parameters, options);
  }

  /**
   * Put a payment method on file, replacing the one with its autopayPreference.
   *
   * `POST /customer/{id}/autopay`
   */
  createCustomerAutopay(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }) & { readonly autopay: types.AutopayRequest; readonly validate?: boolean }, options?: CallOptions): Promise<types.Status> {
    return this.perform(calls.createCustomerAutopay, parameters, options);
  }

  /**
   * Make the payment plan of a customer; an installment of today is charged at once.
   *
   * `POST /customers/{id}/paymentPlan`
   */
  createCustomerPaymentPlan(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }) & { readonly paymentPlan: types.PaymentPlanRequest }, options?: CallOptions): Promise<types.PaymentPlan> {
    return this.perform(calls.createCustomerPaymentPlan, parameters, options);
  }

  /**
   * Make the salesContact of a customer.
   *
   * `POST /customer/{id}/salesContact`
   */
  createCustomerSalesContact(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }) & { readonly salesContact: types.SalesContactRequest }, options?: CallOptions): Promise<types.SalesContact> {
    return this.perform(calls.createCustomerSalesContact, parameters, options);
  }

  /**
   * Make a job, and get the address to which its file is uploaded.
   *
   * `POST /batchProcess`
   */
  createFileUpload(parameters: { readonly batchProcess: types.BatchProcessStorageFileUpload }, options?: CallOptions): Promise<types.BatchProcess> {
    return this.perform(calls.createFileUpload, parameters, options);
  }

  /**
   * Create an invoice by hand.
   *
   * `POST /invoices`
   */
  createInvoice(parameters: { readonly invoice: types.InvoiceRequest; readonly customerId?: number; readonly extCustomerRef?: string; readonly calcTax?: boolean }, options?: CallOptions): Promise<types.Invoice> {
    return this.perform(calls.createInvoice, parameters, options);
  }

  /**
   * Give charges of an invoice back by a credit note.
   *
   * `POST /invoice/{id}/creditNote`
   */
  createInvoiceCreditNote(parameters: ({ readonly id: number } | { readonly invoiceNumber: string }) & { readonly creditNote: types.CreditNoteRequest; readonly refund?: boolean }, options?: CallOptions): Promise<types.Invoice> {
    return this.perform(calls.createInvoiceCreditNote, parameters, options);
  }

  /**
   * Create an order, and on request its first invoice.
   *
   * `POST /orders`
   */
  createOrder(parameters: { readonly subscriptionOrder: types.SubscriptionOrderRequest; readonly extCustomerRef?: string; readonly generateInvoice?: boolean; readonly forceInvoiceGeneration?: boolean }, options?: CallOptions): Promise<types.SubscriptionOrder> {
    return this.perform(calls.createOrder, parameters, options);
  }

  /**
   * Upload usage records of one order.
   *
   * `POST /order/{id}/activities`
   */
  createOrderActivities(parameters: ({ readonly id: number } | { readonly orderNumber: string }) & { readonly activities: readonly types.ActivityRequest[]; readonly onDuplicate?: 'skip' }, options?: CallOptions): Promise<readonly types.Activity[]> {
    return this.perform(calls.createOrderActivities, parameters, options);
  }

  /**
   * Link sales agents to an order, all or none.
   *
   * `POST /order/{id}/salesAgent`
   */
  createOrderSalesAgent(parameters: ({ readonly id: number } | { readonly orderNumber: string }) & { readonly subscriptionOrderBillers: readonly types.SubscriptionOrderBillerRequest[] }, options?: CallOptions): Promise<readonly types.SubscriptionOrderBiller[]> {
    return this.perform(calls.createOrderSalesAgent, parameters, options);
  }

  /**
   * Take a payment.
   *
   * `POST /payments`
   */
  createPayment(parameters: { readonly processPayment: types.ProcessPaymentRequest; readonly extCustomerRef?: string }, options?: CallOptions): Promise<types.Payment> {
    return this.perform(calls.createPayment, parameters, options);
  }

  /**
   * Take a payment by the methods on file.
   *
   * `POST /payments/autopay`
   */
  createPaymentAutopay(parameters: { readonly processPaymentWithAutopay: types.ProcessPaymentWithAutopayRequest; readonly extCustomerRef?: string }, options?: CallOptions): Promise<types.Payment> {
    return this.perform(calls.createPaymentAutopay, parameters, options);
  }

  /**
   * Refund money.
   *
   * `POST /refunds`
   */
  createRefund(parameters: ({ readonly processPayment: types.ProcessPaymentRequest; readonly extCustomerRef?: string } | { readonly processRefund: types.ProcessRefundRequest; readonly extCustomerRef?: string }), options?: CallOptions): Promise<types.Payment> {
    return this.perform(calls.createRefund, parameters, options);
  }

  /**
   * Refund money that was paid by a method on file.
   *
   * `POST /refunds/autopay`
   */
  createRefundAutopay(parameters: { readonly processPaymentWithAutopay: types.ProcessPaymentWithAutopayRequest; readonly extCustomerRef?: string }, options?: CallOptions): Promise<types.Payment> {
    return this.perform(calls.createRefundAutopay, parameters, options);
  }

  /**
   * Write a report to a file, however long it takes.
   *
   * `POST /report/{name}`
   */
  createReport(parameters: { readonly name: string; readonly from?: types.DateText; readonly to?: types.DateText; readonly asOf?: types.DateText }, options?: CallOptions): Promise<types.BatchProcess> {
    return this.perform(calls.createReport, parameters, options);
  }

  /**
   * Delete a usage record that is not billed.
   *
   * `DELETE /activity/{id}`
   */
  deleteActivity(parameters: ({ readonly id: number } | { readonly extRefId: string }), options?: CallOptions): Promise<types.Status> {
    return this.perform(calls.deleteActivity, parameters, options);
  }

  /**
   * Withdraw a Draft, with its file and the jobs of its line items.
   *
   * `DELETE /batchProcess`
   */
  deleteBatchProcess(parameters: { readonly id?: number; readonly jobId?: string } = {}, options?: CallOptions): Promise<types.Status> {
    return this.perform(calls.deleteBatchProcess, parameters, options);
  }

  /**
   * Delete a customer that has no orders, invoices or payments.
   *
   * `DELETE /customer/{id}`
   */
  deleteCustomer(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }), options?: CallOptions): Promise<types.Status> {
    return this.perform(calls.deleteCustomer, parameters, options);
  }

  /**
   * Take a payment method off file.
   *
   * `DELETE /customer/{id}/autopay`
   */
  deleteCustomerAutopay(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }) & { readonly autopayPreference: number }, options?: CallOptions): Promise<types.Status> {
    return this.perform(calls.deleteCustomerAutopay, parameters, options);
  }

  /**
   * Disable the payment plan of a customer: it charges no further installment.
   *
   * `DELETE /customers/{id}/paymentPlan`
   */
  deleteCustomerPaymentPlan(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }), options?: CallOptions): Promise<types.PaymentPlan> {
    return this.perform(calls.deleteCustomerPaymentPlan, parameters, options);
  }

  /**
   * Delete the salesContact of a customer.
   *
   * `DELETE /customer/{id}/salesContact`
   */
  deleteCustomerSalesContact(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }), options?: CallOptions): Promise<types.Status> {
    return this.perform(calls.deleteCustomerSalesContact, parameters, options);
  }

  /**
   * End all sessions of a customer in hosted self-service.
   *
   * `DELETE /customer/{id}/sessions`
   */
  deleteCustomerSessions(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }), options?: CallOptions): Promise<types.Status> {
    return this.perform(calls.deleteCustomerSessions, parameters, options);
  }

  /**
   * Cancel an Outstanding invoice.
   *
   * `DELETE /invoice/{id}`
   */
  deleteInvoice(parameters: ({ readonly id: number } | { readonly invoiceNumber: string }) & { readonly suspendOrders?: boolean; readonly cancelOrders?: boolean; readonly rollbackBillingPeriod?: boolean }, options?: CallOptions): Promise<types.Status> {
    return this.perform(calls.deleteInvoice, parameters, options);
  }

  /**
   * Cancel a payment that failed after the fact, without moving money.
   *
   * `DELETE /payment/{id}`
   */
  deletePayment(parameters: { readonly id: number }, options?: CallOptions): Promise<types.Payment> {
    return this.perform(calls.deletePayment, parameters, options);
  }

  /**
   * Enable a suspended user again.
   *
   * `POST /user/{id}`
   */
  enableUser(parameters: { readonly id: number }, options?: CallOptions): Promise<types.User> {
    return this.perform(calls.enableUser, parameters, options);
  }

  /**
   * Erase what is personal of a customer, for ever.
   *
   * `POST /customer/{id}`
   */
  eraseCustomer(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }), options?: CallOptions): Promise<types.Customer> {
    return this.perform(calls.eraseCustomer, parameters, options);
  }

  /**
   * Process the uploaded file of a job, and of the jobs of its line items.
   *
   * `PUT /batchProcess`
   */
  finalizeFileUpload(parameters: { readonly batchProcess: types.BatchProcessBatchFinalize }, options?: CallOptions): Promise<types.BatchProcess> {
    return this.perform(calls.finalizeFileUpload, parameters, options);
  }

  /**
   * Bill everything due of the order's customer now.
   *
   * `POST /order/{id}`
   */
  generateOrderInvoice(parameters: ({ readonly id: number } | { readonly orderNumber: string }), options?: CallOptions): Promise<types.SubscriptionOrder> {
    return this.perform(calls.generateOrderInvoice, parameters, options);
  }

  /**
   * A job: its status, its progress, and the address of its result.
   *
   * `GET /batchProcess`
   */
  getBatchProcess(parameters: { readonly id?: number; readonly jobId?: string } = {}, options?: CallOptions): Promise<types.BatchProcess> {
    return this.perform(calls.getBatchProcess, parameters, options);
  }

  /**
   * A commission plan with its charges.
   *
   * `GET /commissionPlans/{id}`
   */
  getCommissionPlan(parameters: { readonly id: number }, options?: CallOptions): Promise<types.CommissionPlan> {
    return this.perform(calls.getCommissionPlan, parameters, options);
  }

  /**
   * A credit with the gateway's answer and its applications.
   *
   * `GET /credit/{id}`
   */
  getCredit(parameters: { readonly id: number }, options?: CallOptions): Promise<types.Payment> {
    return this.perform(calls.getCredit, parameters, options);
  }

  /**
   * A customer with its contacts and financials.
   *
   * `GET /customer/{id}`
   */
  getCustomer(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }), options?: CallOptions): Promise<types.Customer> {
    return this.perform(calls.getCustomer, parameters, options);
  }

  /**
   * The billingContact of a customer.
   *
   * `GET /customer/{id}/billingContact`
   */
  getCustomerBillingContact(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }), options?: CallOptions): Promise<types.BillingContact> {
    return this.perform(calls.getCustomerBillingContact, parameters, options);
  }

  /**
   * The payment plan of a customer: the enabled one, or the last one.
   *
   * `GET /customers/{id}/paymentPlan`
   */
  getCustomerPaymentPlan(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }), options?: CallOptions): Promise<types.PaymentPlan> {
    return this.perform(calls.getCustomerPaymentPlan, parameters, options);
  }

  /**
   * The salesContact of a customer.
   *
   * `GET /customer/{id}/salesContact`
   */
  getCustomerSalesContact(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }), options?: CallOptions): Promise<types.SalesContact> {
    return this.perform(calls.getCustomerSalesContact, parameters, options);
  }

  /**
   * An invoice with its line items and charges.
   *
   * `GET /invoice/{id}`
   */
  getInvoice(parameters: ({ readonly id: number } | { readonly invoiceNumber: string }) & { readonly document?: 'cancellation' }, options?: CallOptions): Promise<types.Invoice> {
    return this.perform(calls.getInvoice, parameters, options);
  }

  /**
   * Make a link to the page that pays an invoice without a login.
   *
   * `GET /invoice/{id}/payLink`
   */
  getInvoicePayLink(parameters: ({ readonly id: number } | { readonly invoiceNumber: string }), options?: CallOptions): Promise<types.PayLink> {
    return this.perform(calls.getInvoicePayLink, parameters, options);
  }

  /**
   * An order with its line items.
   *
   * `GET /order/{id}`
   */
  getOrder(parameters: ({ readonly id: number } | { readonly orderNumber: string }), options?: CallOptions): Promise<types.SubscriptionOrder> {
    return this.perform(calls.getOrder, parameters, options);
  }

  /**
   * A payment with the gateway's answer and its applications.
   *
   * `GET /payment/{id}`
   */
  getPayment(parameters: { readonly id: number }, options?: CallOptions): Promise<types.Payment> {
    return this.perform(calls.getPayment, parameters, options);
  }

  /**
   * A new link to the page on which the payer confirms a payment that waits for him.
   *
   * `GET /payment/{id}/actionLink`
   */
  getPaymentActionLink(parameters: { readonly id: number }, options?: CallOptions): Promise<types.ActionLink> {
    return this.perform(calls.getPaymentActionLink, parameters, options);
  }

  /**
   * A plan version with its charges and pricing tiers.
   *
   * `GET /plan/{id}`
   */
  getPlan(parameters: ({ readonly id: number } | { readonly contractCode: string }), options?: CallOptions): Promise<types.ContractOffering> {
    return this.perform(calls.getPlan, parameters, options);
  }

  /**
   * What an order of a plan costs, without making it.
   *
   * `GET /quote`
   */
  getQuote(parameters: { readonly contractCode: string; readonly quantity?: types.DecimalText; readonly promo?: string; readonly calcTax?: boolean; readonly startDate?: types.DateText; readonly trialDays?: number; readonly addressLine1?: string; readonly addressCity?: string; readonly addressState?: string; readonly addressZip?: string; readonly addressCountry?: string }, options?: CallOptions): Promise<types.Quote> {
    return this.perform(calls.getQuote, parameters, options);
  }

  /**
   * A refund with the gateway's answer and its applications.
   *
   * `GET /refund/{id}`
   */
  getRefund(parameters: { readonly id: number }, options?: CallOptions): Promise<types.Payment> {
    return this.perform(calls.getRefund, parameters, options);
  }

  /**
   * A report on the ledger, or on recurring revenue.
   *
   * `GET /report/{name}`
   */
  getReport(parameters: { readonly name: string; readonly from?: types.DateText; readonly to?: types.DateText; readonly asOf?: types.DateText }, options?: CallOptions): Promise<types.Report> {
    return this.perform(calls.getReport, parameters, options);
  }

  /**
   * A sales agent; account numbers are masked.
   *
   * `GET /salesAgents/{id}`
   */
  getSalesAgent(parameters: { readonly id: number }, options?: CallOptions): Promise<types.Biller> {
    return this.perform(calls.getSalesAgent, parameters, options);
  }

  /**
   * The time of the test clock.
   *
   * `GET /testClock`
   */
  getTestClock(parameters: {} = {}, options?: CallOptions): Promise<types.TestClock> {
    return this.perform(calls.getTestClock, parameters, options);
  }

  /**
   * Take back the end of an order that was requested.
   *
   * `POST /order/{id}`
   */
  keepOrder(parameters: ({ readonly id: number } | { readonly orderNumber: string }), options?: CallOptions): Promise<types.SubscriptionOrder> {
    return this.perform(calls.keepOrder, parameters, options);
  }

  /**
   * Usage records by chargeDate.
   *
   * `GET /activities`
   */
  listActivities(parameters: { readonly offset?: number; readonly max?: number; readonly customerId?: number; readonly extCustomerRef?: string; readonly orderNumber?: string; readonly invoiceNumber?: string; readonly priceCode?: string; readonly beginDate?: types.DateText; readonly endDate?: types.DateText } = {}, options?: CallOptions): Promise<readonly types.Activity[]> {
    return this.perform(calls.listActivities, parameters, options);
  }

  /** All of `listActivities`, page by page. */
  iterateActivities(parameters: { readonly offset?: number; readonly max?: number; readonly customerId?: number; readonly extCustomerRef?: string; readonly orderNumber?: string; readonly invoiceNumber?: string; readonly priceCode?: string; readonly beginDate?: types.DateText; readonly endDate?: types.DateText } = {}, options?: CallOptions): AsyncGenerator<types.Activity, void, undefined> {
    return this.iterate(calls.listActivities, parameters, options);
  }

  /**
   * The audit log, in the order of its numbers.
   *
   * `GET /auditLog`
   */
  listAuditLog(parameters: { readonly after?: number; readonly max?: number; readonly from?: types.DateText; readonly to?: types.DateText; readonly username?: string; readonly action?: 'write' | 'export' | 'command' | 'refused' | 'foreignId' | 'foreignHost' | 'userSuspended' | 'userEnabled'; readonly objectType?: string; readonly objectId?: number; readonly code?: string } = {}, options?: CallOptions): Promise<readonly types.AuditEntry[]> {
    return this.perform(calls.listAuditLog, parameters, options);
  }

  /** All of `listAuditLog`, page by page. */
  iterateAuditLog(parameters: { readonly after?: number; readonly max?: number; readonly from?: types.DateText; readonly to?: types.DateText; readonly username?: string; readonly action?: 'write' | 'export' | 'command' | 'refused' | 'foreignId' | 'foreignHost' | 'userSuspended' | 'userEnabled'; readonly objectType?: string; readonly objectId?: number; readonly code?: string } = {}, options?: CallOptions): AsyncGenerator<types.AuditEntry, void, undefined> {
    return this.iterate(calls.listAuditLog, parameters, options);
  }

  /**
   * The commission plans by ascending id, or the one with a code.
   *
   * `GET /commissionPlans`
   */
  listCommissionPlans(parameters: { readonly commissionCode?: string; readonly offset?: number; readonly max?: number } = {}, options?: CallOptions): Promise<readonly types.CommissionPlan[]> {
    return this.perform(calls.listCommissionPlans, parameters, options);
  }

  /** All of `listCommissionPlans`, page by page. */
  iterateCommissionPlans(parameters: { readonly commissionCode?: string; readonly offset?: number; readonly max?: number } = {}, options?: CallOptions): AsyncGenerator<types.CommissionPlan, void, undefined> {
    return this.iterate(calls.listCommissionPlans, parameters, options);
  }

  /**
   * The commissions of sales agents, earned and taken back, by dateEarned.
   *
   * `GET /commissions`
   */
  listCommissions(parameters: { readonly agentCode?: string; readonly from?: types.DateText; readonly to?: types.DateText; readonly offset?: number; readonly max?: number } = {}, options?: CallOptions): Promise<readonly types.Commission[]> {
    return this.perform(calls.listCommissions, parameters, options);
  }

  /** All of `listCommissions`, page by page. */
  iterateCommissions(parameters: { readonly agentCode?: string; readonly from?: types.DateText; readonly to?: types.DateText; readonly offset?: number; readonly max?: number } = {}, options?: CallOptions): AsyncGenerator<types.Commission, void, undefined> {
    return this.iterate(calls.listCommissions, parameters, options);
  }

  /**
   * Credits, the latest effectiveDate first.
   *
   * `GET /credits`
   */
  listCredits(parameters: { readonly offset?: number; readonly max?: number; readonly createStartTime?: string; readonly createEndTime?: string; readonly updateStartTime?: string; readonly updateEndTime?: string; readonly status?: 'Pending' | 'ActionRequired' | 'Paid' | 'Declined' | 'Canceled' | 'Voided' | 'Refunded' | 'CarriedOver'; readonly amount?: types.DecimalText; readonly customerId?: number; readonly extCustomerRef?: string; readonly effectiveDate?: string; readonly metadata?: Readonly<Record<string, string>>; readonly count?: boolean; readonly after?: string } = {}, options?: CallOptions): Promise<readonly types.Payment[]> {
    return this.perform(calls.listCredits, parameters, options);
  }

  /** All of `listCredits`, page by page. */
  iterateCredits(parameters: { readonly offset?: number; readonly max?: number; readonly createStartTime?: string; readonly createEndTime?: string; readonly updateStartTime?: string; readonly updateEndTime?: string; readonly status?: 'Pending' | 'ActionRequired' | 'Paid' | 'Declined' | 'Canceled' | 'Voided' | 'Refunded' | 'CarriedOver'; readonly amount?: types.DecimalText; readonly customerId?: number; readonly extCustomerRef?: string; readonly effectiveDate?: string; readonly metadata?: Readonly<Record<string, string>>; readonly count?: boolean; readonly after?: string } = {}, options?: CallOptions): AsyncGenerator<types.Payment, void, undefined> {
    return this.iterate(calls.listCredits, parameters, options);
  }

  /**
   * The payment methods on file, without their numbers.
   *
   * `GET /customer/{id}/autopay`
   */
  listCustomerAutopay(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }), options?: CallOptions): Promise<readonly types.PaymentMethod[]> {
    return this.perform(calls.listCustomerAutopay, parameters, options);
  }

  /**
   * The coming invoices of a customer up to a day, without storing them.
   *
   * `GET /customer/{id}/nextInvoice`
   */
  listCustomerNextInvoice(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }) & { readonly asOf?: types.DateText }, options?: CallOptions): Promise<readonly types.InvoicePreview[]> {
    return this.perform(calls.listCustomerNextInvoice, parameters, options);
  }

  /**
   * Changes of customers' statuses, the newest first.
   *
   * `GET /customers/transitions`
   */
  listCustomerTransitions(parameters: { readonly offset?: number; readonly max?: number; readonly startDate?: types.DateText; readonly endDate?: types.DateText; readonly daysAgo?: number } = {}, options?: CallOptions): Promise<readonly types.CustomerTransition[]> {
    return this.perform(calls.listCustomerTransitions, parameters, options);
  }

  /** All of `listCustomerTransitions`, page by page. */
  iterateCustomerTransitions(parameters: { readonly offset?: number; readonly max?: number; readonly startDate?: types.DateText; readonly endDate?: types.DateText; readonly daysAgo?: number } = {}, options?: CallOptions): AsyncGenerator<types.CustomerTransition, void, undefined> {
    return this.iterate(calls.listCustomerTransitions, parameters, options);
  }

  /**
   * Customers by ascending id, filtered or searched.
   *
   * `GET /customers`
   */
  listCustomers(parameters: { readonly offset?: number; readonly max?: number; readonly createStartTime?: string; readonly createEndTime?: string; readonly updateStartTime?: string; readonly updateEndTime?: string; readonly status?: 'Active' | 'Overdue1' | 'Overdue2' | 'Overdue3' | 'Suspended1' | 'Suspended2' | 'Suspended3' | 'InActive1' | 'InActive2'; readonly search?: string; readonly extCustomerRef?: string; readonly overdue?: boolean; readonly metadata?: Readonly<Record<string, string>>; readonly count?: boolean; readonly after?: string } = {}, options?: CallOptions): Promise<readonly types.Customer[]> {
    return this.perform(calls.listCustomers, parameters, options);
  }

  /** All of `listCustomers`, page by page. */
  iterateCustomers(parameters: { readonly offset?: number; readonly max?: number; readonly createStartTime?: string; readonly createEndTime?: string; readonly updateStartTime?: string; readonly updateEndTime?: string; readonly status?: 'Active' | 'Overdue1' | 'Overdue2' | 'Overdue3' | 'Suspended1' | 'Suspended2' | 'Suspended3' | 'InActive1' | 'InActive2'; readonly search?: string; readonly extCustomerRef?: string; readonly overdue?: boolean; readonly metadata?: Readonly<Record<string, string>>; readonly count?: boolean; readonly after?: string } = {}, options?: CallOptions): AsyncGenerator<types.Customer, void, undefined> {
    return this.iterate(calls.listCustomers, parameters, options);
  }

  /**
   * The feed of events, in the order of their numbers.
   *
   * `GET /events`
   */
  listEvents(parameters: { readonly after?: number; readonly max?: number } = {}, options?: CallOptions): Promise<readonly types.Event[]> {
    return this.perform(calls.listEvents, parameters, options);
  }

  /** All of `listEvents`, page by page. */
  iterateEvents(parameters: { readonly after?: number; readonly max?: number } = {}, options?: CallOptions): AsyncGenerator<types.Event, void, undefined> {
    return this.iterate(calls.listEvents, parameters, options);
  }

  /**
   * Invoices, the latest dueDate first.
   *
   * `GET /invoices`
   */
  listInvoices(parameters: { readonly offset?: number; readonly max?: number; readonly createStartTime?: string; readonly createEndTime?: string; readonly updateStartTime?: string; readonly updateEndTime?: string; readonly status?: 'Outstanding' | 'Paid' | 'Cancelled' | 'CarriedOver'; readonly creditNoteOf?: number; readonly isCreditNote?: boolean; readonly customerId?: number; readonly extCustomerRef?: string; readonly overdue?: boolean; readonly orderNumber?: string; readonly priceCode?: string; readonly invoiceDate?: string; readonly dueDate?: string; readonly metadata?: Readonly<Record<string, string>>; readonly count?: boolean; readonly after?: string } = {}, options?: CallOptions): Promise<readonly types.Invoice[]> {
    return this.perform(calls.listInvoices, parameters, options);
  }

  /** All of `listInvoices`, page by page. */
  iterateInvoices(parameters: { readonly offset?: number; readonly max?: number; readonly createStartTime?: string; readonly createEndTime?: string; readonly updateStartTime?: string; readonly updateEndTime?: string; readonly status?: 'Outstanding' | 'Paid' | 'Cancelled' | 'CarriedOver'; readonly creditNoteOf?: number; readonly isCreditNote?: boolean; readonly customerId?: number; readonly extCustomerRef?: string; readonly overdue?: boolean; readonly orderNumber?: string; readonly priceCode?: string; readonly invoiceDate?: string; readonly dueDate?: string; readonly metadata?: Readonly<Record<string, string>>; readonly count?: boolean; readonly after?: string } = {}, options?: CallOptions): AsyncGenerator<types.Invoice, void, undefined> {
    return this.iterate(calls.listInvoices, parameters, options);
  }

  /**
   * The rows of the ledger, oldest booked first.
   *
   * `GET /ledger`
   */
  listLedger(parameters: { readonly after?: string; readonly max?: number; readonly from?: types.DateText; readonly to?: types.DateText; readonly customerId?: number; readonly extCustomerRef?: string; readonly account?: 'receivables' | 'cash' | 'unapplied' | 'revenue' | 'tax' | 'adjustments' | 'surcharges' | 'writeOffs' | 'carriedOver' | 'openingBalance'; readonly accountingCode?: string; readonly entryType?: 'Invoice' | 'CreditNote' | 'InvoiceCancelled' | 'Payment' | 'PaymentReversed' | 'Refund' | 'Credit' | 'Debit' | 'Application' | 'CarriedOver' | 'ZeroOut' | 'OpeningBalance' | 'ImportedInvoice'; readonly invoiceNumber?: string; readonly paymentId?: number; readonly currency?: string } = {}, options?: CallOptions): Promise<readonly types.LedgerEntry[]> {
    return this.perform(calls.listLedger, parameters, options);
  }

  /** All of `listLedger`, page by page. */
  iterateLedger(parameters: { readonly after?: string; readonly max?: number; readonly from?: types.DateText; readonly to?: types.DateText; readonly customerId?: number; readonly extCustomerRef?: string; readonly account?: 'receivables' | 'cash' | 'unapplied' | 'revenue' | 'tax' | 'adjustments' | 'surcharges' | 'writeOffs' | 'carriedOver' | 'openingBalance'; readonly accountingCode?: string; readonly entryType?: 'Invoice' | 'CreditNote' | 'InvoiceCancelled' | 'Payment' | 'PaymentReversed' | 'Refund' | 'Credit' | 'Debit' | 'Application' | 'CarriedOver' | 'ZeroOut' | 'OpeningBalance' | 'ImportedInvoice'; readonly invoiceNumber?: string; readonly paymentId?: number; readonly currency?: string } = {}, options?: CallOptions): AsyncGenerator<types.LedgerEntry, void, undefined> {
    return this.iterate(calls.listLedger, parameters, options);
  }

  /**
   * The sales agents of an order, by ascending id.
   *
   * `GET /order/{id}/salesAgent`
   */
  listOrderSalesAgent(parameters: ({ readonly id: number } | { readonly orderNumber: string }), options?: CallOptions): Promise<readonly types.SubscriptionOrderBiller[]> {
    return this.perform(calls.listOrderSalesAgent, parameters, options);
  }

  /**
   * The past and the next events of an order.
   *
   * `GET /order/{id}/timeline`
   */
  listOrderTimeline(parameters: ({ readonly id: number } | { readonly orderNumber: string }), options?: CallOptions): Promise<readonly types.TimelineEntry[]> {
    return this.perform(calls.listOrderTimeline, parameters, options);
  }

  /**
   * Orders, the newest first.
   *
   * `GET /orders`
   */
  listOrders(parameters: { readonly offset?: number; readonly max?: number; readonly createStartTime?: string; readonly createEndTime?: string; readonly updateStartTime?: string; readonly updateEndTime?: string; readonly status?: 'Draft' | 'Provisioning' | 'Active' | 'Suspended' | 'Complete' | 'Superseded' | 'Canceled'; readonly customerId?: number; readonly extCustomerRef?: string; readonly orderNumber?: string; readonly priceCode?: string; readonly metadata?: Readonly<Record<string, string>>; readonly count?: boolean; readonly after?: string } = {}, options?: CallOptions): Promise<readonly types.SubscriptionOrder[]> {
    return this.perform(calls.listOrders, parameters, options);
  }

  /** All of `listOrders`, page by page. */
  iterateOrders(parameters: { readonly offset?: number; readonly max?: number; readonly createStartTime?: string; readonly createEndTime?: string; readonly updateStartTime?: string; readonly updateEndTime?: string; readonly status?: 'Draft' | 'Provisioning' | 'Active' | 'Suspended' | 'Complete' | 'Superseded' | 'Canceled'; readonly customerId?: number; readonly extCustomerRef?: string; readonly orderNumber?: string; readonly priceCode?: string; readonly metadata?: Readonly<Record<string, string>>; readonly count?: boolean; readonly after?: string } = {}, options?: CallOptions): AsyncGenerator<types.SubscriptionOrder, void, undefined> {
    return this.iterate(calls.listOrders, parameters, options);
  }

  /**
   * Payments, the latest effectiveDate first.
   *
   * `GET /payments`
   */
  listPayments(parameters: { readonly offset?: number; readonly max?: number; readonly createStartTime?: string; readonly createEndTime?: string; readonly updateStartTime?: string; readonly updateEndTime?: string; readonly status?: 'Pending' | 'ActionRequired' | 'Paid' | 'Declined' | 'Canceled' | 'Voided' | 'Refunded' | 'CarriedOver'; readonly amount?: types.DecimalText; readonly customerId?: number; readonly extCustomerRef?: string; readonly effectiveDate?: string; readonly metadata?: Readonly<Record<string, string>>; readonly count?: boolean; readonly after?: string } = {}, options?: CallOptions): Promise<readonly types.Payment[]> {
    return this.perform(calls.listPayments, parameters, options);
  }

  /** All of `listPayments`, page by page. */
  iteratePayments(parameters: { readonly offset?: number; readonly max?: number; readonly createStartTime?: string; readonly createEndTime?: string; readonly updateStartTime?: string; readonly updateEndTime?: string; readonly status?: 'Pending' | 'ActionRequired' | 'Paid' | 'Declined' | 'Canceled' | 'Voided' | 'Refunded' | 'CarriedOver'; readonly amount?: types.DecimalText; readonly customerId?: number; readonly extCustomerRef?: string; readonly effectiveDate?: string; readonly metadata?: Readonly<Record<string, string>>; readonly count?: boolean; readonly after?: string } = {}, options?: CallOptions): AsyncGenerator<types.Payment, void, undefined> {
    return this.iterate(calls.listPayments, parameters, options);
  }

  /**
   * The newest version of each plan, by ascending id.
   *
   * `GET /plans`
   */
  listPlans(parameters: { readonly offset?: number; readonly max?: number; readonly excludeCharges?: boolean } = {}, options?: CallOptions): Promise<readonly types.ContractOffering[]> {
    return this.perform(calls.listPlans, parameters, options);
  }

  /** All of `listPlans`, page by page. */
  iteratePlans(parameters: { readonly offset?: number; readonly max?: number; readonly excludeCharges?: boolean } = {}, options?: CallOptions): AsyncGenerator<types.ContractOffering, void, undefined> {
    return this.iterate(calls.listPlans, parameters, options);
  }

  /**
   * Refunds, the latest effectiveDate first.
   *
   * `GET /refunds`
   */
  listRefunds(parameters: { readonly offset?: number; readonly max?: number; readonly createStartTime?: string; readonly createEndTime?: string; readonly updateStartTime?: string; readonly updateEndTime?: string; readonly status?: 'Pending' | 'ActionRequired' | 'Paid' | 'Declined' | 'Canceled' | 'Voided' | 'Refunded' | 'CarriedOver'; readonly amount?: types.DecimalText; readonly customerId?: number; readonly extCustomerRef?: string; readonly effectiveDate?: string; readonly metadata?: Readonly<Record<string, string>>; readonly count?: boolean; readonly after?: string } = {}, options?: CallOptions): Promise<readonly types.Payment[]> {
    return this.perform(calls.listRefunds, parameters, options);
  }

  /** All of `listRefunds`, page by page. */
  iterateRefunds(parameters: { readonly offset?: number; readonly max?: number; readonly createStartTime?: string; readonly createEndTime?: string; readonly updateStartTime?: string; readonly updateEndTime?: string; readonly status?: 'Pending' | 'ActionRequired' | 'Paid' | 'Declined' | 'Canceled' | 'Voided' | 'Refunded' | 'CarriedOver'; readonly amount?: types.DecimalText; readonly customerId?: number; readonly extCustomerRef?: string; readonly effectiveDate?: string; readonly metadata?: Readonly<Record<string, string>>; readonly count?: boolean; readonly after?: string } = {}, options?: CallOptions): AsyncGenerator<types.Payment, void, undefined> {
    return this.iterate(calls.listRefunds, parameters, options);
  }

  /**
   * The sales agents by ascending id, or the one with a code.
   *
   * `GET /salesAgents`
   */
  listSalesAgents(parameters: { readonly agentCode?: string; readonly offset?: number; readonly max?: number } = {}, options?: CallOptions): Promise<readonly types.Biller[]> {
    return this.perform(calls.listSalesAgents, parameters, options);
  }

  /** All of `listSalesAgents`, page by page. */
  iterateSalesAgents(parameters: { readonly agentCode?: string; readonly offset?: number; readonly max?: number } = {}, options?: CallOptions): AsyncGenerator<types.Biller, void, undefined> {
    return this.iterate(calls.listSalesAgents, parameters, options);
  }

  /**
   * The users of the interface by ascending id, and what each of them may call.
   *
   * `GET /users`
   */
  listUsers(parameters: { readonly offset?: number; readonly max?: number } = {}, options?: CallOptions): Promise<readonly types.User[]> {
    return this.perform(calls.listUsers, parameters, options);
  }

  /** All of `listUsers`, page by page. */
  iterateUsers(parameters: { readonly offset?: number; readonly max?: number } = {}, options?: CallOptions): AsyncGenerator<types.User, void, undefined> {
    return this.iterate(calls.listUsers, parameters, options);
  }

  /**
   * What an order costs, without making it.
   *
   * `POST /orders`
   */
  rateOrder(parameters: { readonly subscriptionOrder: types.SubscriptionOrderRequest; readonly extCustomerRef?: string }, options?: CallOptions): Promise<types.Quote> {
    return this.perform(calls.rateOrder, parameters, options);
  }

  /**
   * Number the payment methods on file anew.
   *
   * `POST /customer/{id}/autopay`
   */
  reorderCustomerAutopay(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }) & { readonly order: string }, options?: CallOptions): Promise<readonly types.PaymentMethod[]> {
    return this.perform(calls.reorderCustomerAutopay, parameters, options);
  }

  /**
   * Send an event again.
   *
   * `POST /events/{id}`
   */
  resendEvent(parameters: { readonly id: number }, options?: CallOptions): Promise<types.Event> {
    return this.perform(calls.resendEvent, parameters, options);
  }

  /**
   * Charge what is open of an invoice by the methods on file.
   *
   * `POST /invoice/{id}`
   */
  retryInvoice(parameters: ({ readonly id: number } | { readonly invoiceNumber: string }), options?: CallOptions): Promise<types.Payment> {
    return this.perform(calls.retryInvoice, parameters, options);
  }

  /**
   * Send a mail to a customer.
   *
   * `POST /customers/notification`
   */
  sendNotification(parameters: { readonly sendEmail: types.SendEmailRequest }, options?: CallOptions): Promise<types.Response> {
    return this.perform(calls.sendNotification, parameters, options);
  }

  /**
   * Start a hosted sign-up, and get the address of its page.
   *
   * `GET /signup/start`
   */
  startSignup(parameters: { readonly successURL: string; readonly failURL: string; readonly cssURL: string; readonly hideCustomerFields?: boolean; readonly companyName?: string; readonly extCustomerRef?: string; readonly login?: string; readonly passwd?: string; readonly firstName?: string; readonly lastName?: string; readonly phone?: string; readonly email?: string; readonly street?: string; readonly city?: string; readonly state?: string; readonly zipcode?: string; readonly country?: string; readonly hideOrderFields?: boolean; readonly contractCode?: string; readonly quantity?: types.DecimalText; readonly startDate?: types.DateText; readonly sku?: string; readonly couponCode?: string; readonly billerCode?: string; readonly tosLink?: string; readonly displayAmount?: 'none' | 'allCharges' | 'oneTimeChargesOnly'; readonly profileId?: string }, options?: CallOptions): Promise<types.SignupLink> {
    return this.perform(calls.startSignup, parameters, options);
  }

  /**
   * Start a session of hosted self-service, and get the address of the customer's page.
   *
   * `GET /widget/start`
   */
  startWidget(parameters: { readonly cssURL: string; readonly customerId?: number; readonly extCustomerRef?: string; readonly loginUrl: string; readonly showNavigationBar?: boolean; readonly showStatements?: boolean; readonly showPayments?: boolean; readonly allowPayments?: boolean; readonly allowProfileEdit?: boolean; readonly editOrderOptions?: string; readonly pdfMode?: boolean; readonly profile?: string }, options?: CallOptions): Promise<types.WidgetLink> {
    return this.perform(calls.startWidget, parameters, options);
  }

  /**
   * Suspend the billing of a customer, until a day, or until it is activated.
   *
   * `POST /customer/{id}`
   */
  suspendCustomer(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }) & { readonly until?: types.DateText }, options?: CallOptions): Promise<types.Status> {
    return this.perform(calls.suspendCustomer, parameters, options);
  }

  /**
   * Suspend an order: it bills nothing until a day, or until it is activated.
   *
   * `POST /order/{id}`
   */
  suspendOrder(parameters: ({ readonly id: number } | { readonly orderNumber: string }) & { readonly until?: types.DateText }, options?: CallOptions): Promise<types.SubscriptionOrder> {
    return this.perform(calls.suspendOrder, parameters, options);
  }

  /**
   * Suspend a user: within ten seconds no process takes its passwords.
   *
   * `POST /user/{id}`
   */
  suspendUser(parameters: { readonly id: number }, options?: CallOptions): Promise<types.User> {
    return this.perform(calls.suspendUser, parameters, options);
  }

  /**
   * Replace the metadata of a credit, at any time.
   *
   * `PUT /credit/{id}/metadata`
   */
  updateCreditMetadata(parameters: { readonly id: number } & { readonly metadata: readonly types.MetadataEntry[] }, options?: CallOptions): Promise<readonly types.MetadataEntry[]> {
    return this.perform(calls.updateCreditMetadata, parameters, options);
  }

  /**
   * Change a customer.
   *
   * `PUT /customer/{id}`
   */
  updateCustomer(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }) & { readonly customer: types.CustomerUpdate }, options?: CallOptions): Promise<types.Customer> {
    return this.perform(calls.updateCustomer, parameters, options);
  }

  /**
   * Put a payment method on file, replacing the one with its autopayPreference.
   *
   * `PUT /customer/{id}/autopay`
   */
  updateCustomerAutopay(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }) & { readonly autopay: types.AutopayRequest; readonly validate?: boolean }, options?: CallOptions): Promise<types.Status> {
    return this.perform(calls.updateCustomerAutopay, parameters, options);
  }

  /**
   * Change the billingContact of a customer.
   *
   * `PUT /customer/{id}/billingContact`
   */
  updateCustomerBillingContact(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }) & { readonly billingContact: types.BillingContactRequest }, options?: CallOptions): Promise<types.BillingContact> {
    return this.perform(calls.updateCustomerBillingContact, parameters, options);
  }

  /**
   * Replace the metadata of a customer.
   *
   * `PUT /customer/{id}/metadata`
   */
  updateCustomerMetadata(parameters: { readonly id: number } & { readonly metadata: readonly types.MetadataEntry[] }, options?: CallOptions): Promise<readonly types.MetadataEntry[]> {
    return this.perform(calls.updateCustomerMetadata, parameters, options);
  }

  /**
   * Change the future installments of the payment plan of a customer.
   *
   * `PUT /customers/{id}/paymentPlan`
   */
  updateCustomerPaymentPlan(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }) & { readonly paymentPlan: types.PaymentPlanRequest }, options?: CallOptions): Promise<types.PaymentPlan> {
    return this.perform(calls.updateCustomerPaymentPlan, parameters, options);
  }

  /**
   * Change a customer, as an action.
   *
   * `POST /customer/{id}`
   */
  updateCustomerRest(parameters: { readonly id: number } & { readonly customer: types.CustomerUpdate }, options?: CallOptions): Promise<types.Customer> {
    return this.perform(calls.updateCustomerRest, parameters, options);
  }

  /**
   * Change the salesContact of a customer.
   *
   * `PUT /customer/{id}/salesContact`
   */
  updateCustomerSalesContact(parameters: ({ readonly id: number } | { readonly extCustomerRef: string }) & { readonly salesContact: types.SalesContactRequest }, options?: CallOptions): Promise<types.SalesContact> {
    return this.perform(calls.updateCustomerSalesContact, parameters, options);
  }

  /**
   * Replace the metadata of an invoice, at any time.
   *
   * `PUT /invoice/{id}/metadata`
   */
  updateInvoiceMetadata(parameters: { readonly id: number } & { readonly metadata: readonly types.MetadataEntry[] }, options?: CallOptions): Promise<readonly types.MetadataEntry[]> {
    return this.perform(calls.updateInvoiceMetadata, parameters, options);
  }

  /**
   * Change an order, or only its status.
   *
   * `PUT /order/{id}`
   */
  updateOrder(parameters: ({ readonly id: number } | { readonly orderNumber: string }) & { readonly subscriptionOrder: types.SubscriptionOrderRequest }, options?: CallOptions): Promise<types.SubscriptionOrder> {
    return this.perform(calls.updateOrder, parameters, options);
  }

  /**
   * Replace the metadata of an order, at any time.
   *
   * `PUT /order/{id}/metadata`
   */
  updateOrderMetadata(parameters: { readonly id: number } & { readonly metadata: readonly types.MetadataEntry[] }, options?: CallOptions): Promise<readonly types.MetadataEntry[]> {
    return this.perform(calls.updateOrderMetadata, parameters, options);
  }

  /**
   * Replace the metadata of a payment, at any time.
   *
   * `PUT /payment/{id}/metadata`
   */
  updatePaymentMetadata(parameters: { readonly id: number } & { readonly metadata: readonly types.MetadataEntry[] }, options?: CallOptions): Promise<readonly types.MetadataEntry[]> {
    return this.perform(calls.updatePaymentMetadata, parameters, options);
  }

  /**
   * Replace the metadata of a refund, at any time.
   *
   * `PUT /refund/{id}/metadata`
   */
  updateRefundMetadata(parameters: { readonly id: number } & { readonly metadata: readonly types.MetadataEntry[] }, options?: CallOptions): Promise<readonly types.MetadataEntry[]> {
    return this.perform(calls.updateRefundMetadata, parameters, options);
  }

  /**
   * What became of a hosted sign-up.
   *
   * `GET /signup/verify/{tracking}`
   */
  verifySignup(parameters: { readonly tracking: string }, options?: CallOptions): Promise<types.Signup> {
    return this.perform(calls.verifySignup, parameters, options);
  }
}
