/** What the elements and parameters of quotes and coupons mean. */
export const quoteWords = {
  couponCode: 'The code of its coupon; empty if it has none.',
  quoteHash:
    'The hash of a quote, or of the preview of a change, whose price the order must still have.',

  'list.invoice': 'An invoice that the change would make on its day.',
  'quote.hash': 'Stands for the price; send it as quoteHash with the order.',
  orderDate: 'The first day of the order.',
  initialCharges: 'What is charged once.',
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
  '?.calcTax': 'Whether to add tax, which needs the address.',
  '?.addressLine1': 'The first line of the street; required with calcTax.',
  '?.addressCity': 'The city; required with calcTax.',
  '?.addressState': 'The state, which selects tax rates; required with calcTax.',
  '?.addressZip': 'The postal code; required with calcTax.',
  '?.addressCountry':
    'The code of the country by ISO 3166, which selects tax rates; US by default.',
} as const;
