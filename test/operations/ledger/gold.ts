/** ADA in NY, with GOLD of tenants/demo.yaml and WELCOME10, as specifications use her. */
import type { BooksOptions, SharedDatabase } from '../support/books.ts';
import { openPaymentBooks } from '../support/payment-books.ts';
import { demoPlan } from '../../support/tenants.ts';

export const gold = { contractCode: 'GOLD', couponCode: 'WELCOME10' } as const;

export const goldFile = {
  tax: {
    type: 'table',
    rates: [
      {
        country: 'US',
        state: 'NY',
        percent: '8.875',
        taxCode: 'STANDARD',
        name: 'NY sales tax',
      },
    ],
  },
  coupons: [{ code: 'WELCOME10', percent: 10, periods: 3, plans: ['GOLD'] }],
} as const;

export async function openGold(
  db: SharedDatabase,
  file: Readonly<Record<string, unknown>> = goldFile,
  options: Partial<BooksOptions> = {},
) {
  const today = '2027-01-15';
  const books = await openPaymentBooks(db, {
    auditsLedger: true,
    today,
    plans: [demoPlan('GOLD')],
    file,
    ...options,
  });
  const address = { countryCode: 'US', state: 'NY' };
  return { books, customerId: await books.customer({ ref: 'ADA', address }) };
}

/** The order of the specification's example, with quantity 2 from 02-01, on 02-28. */
export async function openDoubledGold(db: SharedDatabase) {
  const { books, customerId } = await openGold(db);
  const id = await books.order({ customerId, ...gold }, { generateInvoice: true });
  await books.advance('2027-02-01');
  const two = { contractCode: 'GOLD', orderLineItems: [{ priceCode: 'GOLD-FEE', quantity: '2' }] };
  await books.change(id, two, { bills: true });
  await books.advance('2027-02-28');
  return books;
}
