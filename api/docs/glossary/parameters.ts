/** What the parameters of calls mean. */
export const parameterWords = {
  '?.after': 'Only events with a higher sequence; 0, the beginning, by default.',
  '?.username': 'Only entries of this name.',
  '?.action': 'Only entries of this action.',
  '?.objectType':
    'Only writes of objects of this type: customer, subscriptionOrder, invoice, payment.',
  '?.objectId': 'Only writes of the object with this internal id; give its type as well.',
  '?.code': 'Only refusals with this code.',
  '?.offset': 'How many objects to skip.',
  '?.max': 'How many objects to return at most.',
  '?.createStartTime': 'Created from this minute on, as YYYYMMDDHHmm in the zone of the tenant.',
  '?.createEndTime': 'Created up to the end of this minute; now by default.',
  '?.updateStartTime':
    'Last changed from this minute on, as YYYYMMDDHHmm in the zone of the tenant.',
  '?.updateEndTime': 'Last changed up to the end of this minute; now by default.',
  '?.status': 'Only objects in this status.',
  '?.overdue':
    'Whether only what is Outstanding with a dueDate before today (customers: who has such invoices), or only others.',
  '?.metadata.KEY':
    'Only objects whose metadata has this text at the key that stands in place of KEY. It may be given for several keys.',
  '?.count':
    'Whether the header X-Total-Count says how many the filters select: up to 10000, and X-Total-Count-Limited beyond.',
  '?.search': 'Part of a name, reference, e-mail address or telephone number.',
  '?.id': 'The internal id of the customer.',
  '?.customerId': 'The internal id of the customer.',
  '?.extCustomerRef': 'The external reference of the customer.',
  '?.orderNumber': 'The number of the order.',
  '?.invoiceNumber': 'The number of the invoice.',
  '?.contractCode': 'The code of the plan.',
  '?.excludeCharges': 'Whether to omit the charges of the plans.',
  '?.currentOrderId': 'The id of the order that the new one replaces; or currentOrderNumber.',
  '?.currentOrderNumber': 'The number of the order that the new one replaces.',
  '?.effectiveDate':
    'The first day of the new order, today by default; the current order ends on the day before.',
  '?.keepPrices':
    'The new order has the plan version of the current one, old or retired; the body names no other plan.',
  '?.deleteCurrentOrder':
    'Whether the current order, which has billed nothing, disappears instead of ending.',
  '?.preview':
    'Whether to answer 200 with the invoices that the change would make, and to change nothing.',
  '?.generateInvoice': "Whether to bill everything due of the order's customer at once.",
  '?.forceInvoiceGeneration':
    "Whether to bill the order's next due date as well, even if it is in the future.",
  '?.autopayPreference': 'The number of the method on file, 1 to 3.',
  '?.order':
    'The autopayPreference of each method on file, in the order in which they are to be tried: 3,1.',
  '?.when':
    'now, periodEnd (the last day of the period of today, or billed in advance), termEnd (the endDate).',
  '?.until':
    'The first day that bills again, after today and at most five years ahead: the pause ends by itself.',
  '?.reason': 'Why; the order shows it as cancelReason.',
  '?.suspendOrders': 'Whether to suspend the Active orders of the invoice.',
  '?.cancelOrders': 'Whether to cancel the orders of the invoice: they never bill again.',
  '?.rollbackBillingPeriod': 'Whether to make the billed periods of the invoice due again.',
  '?.asOf':
    'The last day, at most a year ahead: the next bill by default. Today: what generateInvoice bills.',
  '?.advanceTo': 'The day to whose 00:00 the test clock advances; that day is billed too.',
  '?.wait': 'Whether to wait until the clock is Ready: 200 then, or 202 if that takes too long.',
  '?.startDate': 'First day: today by default; of a statement, 30 days before endDate.',
  '?.endDate': 'Last day; today by default.',
  '?.daysAgo': 'How many days before endDate the first day is.',
  '?.refund':
    'Whether what is left of the note, once the invoice is paid, goes back to the payments applied to it.',
} as const;
