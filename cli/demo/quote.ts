/** Shows the demo's quote: what it says, and what the invoices of its order come to. */
import { all, text, type Xml } from '../rest.ts';
import { type Books, sum } from './books.ts';
import type { MadeCustomer } from './cast.ts';
import { explain, heading, say, table } from './words.ts';

/** Of the customers who asked for one. */
export function showQuote(customers: readonly MadeCustomer[]): void {
  heading('A quote, and the order that it binds');
  for (const { name, orders } of customers) {
    for (const { quote, orderNumber } of orders) {
      if (quote !== undefined) sayQuote(quote, { name, orderNumber });
    }
  }
}

const quoteColumns = [
  { title: '' },
  { title: 'Quantity', isFigure: true },
  { title: 'For' },
  { title: 'Amount', isFigure: true },
];

function sayQuote(
  quote: Xml,
  { name, orderNumber }: { readonly name: string; readonly orderNumber: string },
): void {
  const plan = text(quote, 'contractOffering', 'contractCode');
  explain(
    `${name} asks what two of ${plan} cost with a coupon, and with tax at its address. A quote ` +
      'stores nothing. It is priced by the steps that price invoices: first the coupon, 10 percent ' +
      'off, then the tax of 8.875 percent on what is left of the monthly fee; installation is not ' +
      'taxed.',
  );
  const items = [
    ...all(quote, 'contractOffering', 'initialCharges', 'lineItems', 'lineItem'),
    ...all(quote, 'contractOffering', 'recurringCharges', 'lineItems', 'lineItem'),
  ];
  const rows = items.map((item) => [
    text(item, 'invoiceText'),
    text(item, 'quantity'),
    text(item, 'billingPeriodDescription'),
    text(item, 'amount'),
  ]);
  const total = ['The quote', '', '', text(quote, 'contractOffering', 'total')];
  say('', ...table(quoteColumns, [...rows, total]), '');
  explain(
    `The order is posted with the hash of the quote, and becomes ${orderNumber}. Had the plan, the ` +
      'coupon or a tax rate changed in between, it would have been refused (409 quote.moved).',
  );
}

const invoiceColumns = [
  { title: 'Invoice' },
  { title: 'Dated' },
  { title: 'Charges', isFigure: true },
  { title: 'Discount', isFigure: true },
  { title: 'Tax', isFigure: true },
  { title: 'Total', isFigure: true },
];

export function showQuoted(books: readonly Books[]): void {
  heading('What became of the quote');
  for (const { customer, invoices } of books) {
    const quote = customer.orders.find((order) => order.quote !== undefined)?.quote;
    if (quote !== undefined) sayInvoices(quote, invoices);
  }
}

function sayInvoices(quote: Xml, invoices: readonly Xml[]): void {
  const rows = invoices.map((invoice) => [
    text(invoice, 'invoiceNumber'),
    text(invoice, 'invoiceDate'),
    ...partsOf(invoice),
  ]);
  const columnSum = (index: number): string => sum(rows.map((row) => row[index] ?? ''));
  const [quoted, first] = [text(quote, 'contractOffering', 'total'), rows[0]?.at(-1) ?? 'missing'];
  const discounted = rows.filter((row) => row[3] !== '0.00').length;
  explain(
    `The quote said ${quoted}, and the first invoice is ${first}. The coupon is for the first three ` +
      `months of an order, so ${discounted} of ${rows.length} invoices are discounted, by ` +
      `${columnSum(3).replace('-', '')} in all. The tax follows the discount, and comes to ` +
      `${columnSum(4)}.`,
  );
  say('', ...table(invoiceColumns, [...rows, ['All', '', ...[2, 3, 4, 5].map(columnSum)]]));
}

/** Charges, discounts, taxes by rate, and what they come to. */
function partsOf(invoice: Xml): readonly string[] {
  const charges = all(invoice, 'invoiceLineItems', 'invoiceLineItem').flatMap((line) =>
    all(line, 'invoiceLineItemCharges', 'invoiceLineItemCharge'),
  );
  const amountsOf = (isOne: (priceCode: string) => boolean): string =>
    sum(
      charges
        .filter((charge) => isOne(text(charge, 'priceCode')))
        .map((charge) => text(charge, 'amount')),
    );
  return [
    amountsOf((code) => code !== 'DISCOUNT' && code !== 'TAX'),
    amountsOf((code) => code === 'DISCOUNT'),
    amountsOf((code) => code === 'TAX'),
    text(invoice, 'currentAmountDue'),
  ];
}
