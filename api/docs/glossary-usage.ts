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
