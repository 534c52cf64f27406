/** A taxed and discounted invoice, of which credit notes and refunds give back. */
import { demoPlan } from '../../support/tenants.ts';
import { newCustomer, newOrder } from '../orders/change-calls.ts';
import { valueOf, type TenantApi } from '../tenant-api.ts';

const rates = [
  { country: 'US', state: 'NY', percent: 8.875, taxCode: 'STANDARD', name: 'NY sales tax' },
];
export const options = {
  plans: [demoPlan('GOLD')],
  file: {
    tax: { type: 'table', rates },
    coupons: [{ code: 'WELCOME10', percent: 10, periods: 3 }],
  },
  testClock: '2027-01-15T12:00:00Z',
};

export interface Shop {
  readonly own: TenantApi;
  readonly customerId: string;
  /** The id of 1001. */
  readonly invoice: string;
  /** The ids of its charges: installation, discount, fee, discount, tax. */
  readonly charges: readonly string[];
}

/** A customer in New York whose invoice 1001 is 49.00 - 4.90 + 29.95 - 3.00 + tax 2.39 = 73.44. */
export async function invoiced(api: TenantApi): Promise<Shop> {
  const own = await api.another(options);
  const customerId = await newCustomer(own, 'C1');
  await newOrder(own, '<contractCode>GOLD</contractCode><couponCode>WELCOME10</couponCode>');
  const { body } = await own.get('/invoice?invoiceNumber=1001');
  const charges = [...body.matchAll(/<invoiceLineItemCharge id="(\d+)"/g)].map(([, id = '']) => id);
  return { own, customerId, invoice: valueOf(body, 'invoice@id') ?? '', charges };
}
