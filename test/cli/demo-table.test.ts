/** The rows of the demo's invoices. */
import test from 'ava';
import { chargeRow } from '../../cli/demo/table.ts';

const usage = {
  invoiceText: 'Minutes',
  billingStartDate: '2027-01-01',
  billingEndDate: '2027-01-31',
  isUsageChargeSubTotal: 'false',
  isPercent: 'false',
};
const cells = (charge: typeof usage) => chargeRow(charge).trim().replaceAll(/\s+/g, ' ');
const period = '2027-01-01–2027-01-31';

test('a charge has a price of two decimals at least, a subtotal has none', (t) => {
  // 100 x 0.10 + 80 x 0.08 = 16.40
  const tier = { ...usage, quantity: '80.000000', unitPrice: '0.080000', amount: '6.40' };
  t.is(cells(tier), `Minutes ${period} 80 0.08 6.40`);
  const subtotal = { ...usage, isUsageChargeSubTotal: 'true', quantity: '180', amount: '16.40' };
  t.is(cells(subtotal), `Minutes, subtotal ${period} 180 16.40`);
});
