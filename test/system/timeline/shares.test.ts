/** A plan with percentages, and an order that ends in the middle of a month. */
import test from 'ava';
import { sharedSystem } from '../../support/system.ts';
import { tell } from './story.ts';

const system = await sharedSystem();

const fee = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing' };
const prorated = { isPrepaid: true, isProrated: true };
const percent = (value: number) => ({ tiers: [{ unitsFrom: 0, percent: value }] });
const plan = {
  contractCode: 'CARED',
  name: 'Cared for',
  billingPeriod: 'Monthly',
  charges: [
    { priceCode: 'SETUP', ...fee, chargeType: 'OneTimeCharge', price: 49 },
    { priceCode: 'FEE', ...fee, ...prorated, price: 31 },
    { priceCode: 'CARE', ...fee, ...prorated, ...percent(10) },
    { priceCode: 'VAT', ...fee, isTax: true, isPrepaid: true, ...percent(20) },
    { priceCode: 'LATE', ...fee, isPenalty: true, penaltyStatus: 'Overdue1', price: 5 },
    { priceCode: 'TRAFFIC', ...fee, isProrated: true, price: 28 },
  ],
};

test('a plan with percentages bills them month by month, and a cancellation credits its part', async (t) => {
  const file = { settings: { creditUnusedOnCancel: true } };
  const story = await tell(system, { plans: [plan], file });
  await story.customer('ADA');
  const id = await story.order('ADA', 'CARED', { query: 'generateInvoice=true' });
  await story.expect(
    t,
    // 10 percent of 80.00, 20 percent of 88.00.
    '1001 on 2027-01-01 due 2027-01-31 Outstanding 105.60: SETUP 2027-01-01 2027-01-01 49.00, ' +
      'FEE 2027-01-01 2027-01-31 31.00, CARE 2027-01-01 2027-01-31 8.00, ' +
      'VAT 2027-01-01 2027-01-31 17.60',
  );
  await story.advance(
    t,
    '2027-02-14',
    // 10 percent of 59.00, 20 percent of 64.90; no penalty, although 1001 is overdue.
    '1002 on 2027-02-01 due 2027-03-03 Outstanding 77.88: FEE 2027-02-01 2027-02-28 31.00, ' +
      'CARE 2027-02-01 2027-02-28 5.90, VAT 2027-02-01 2027-02-28 12.98, ' +
      'TRAFFIC 2027-01-01 2027-01-31 28.00',
  );
  await story.put(id, { orderStatus: 'Canceled' });
  t.is(await story.orderNow(id), 'Canceled until 2027-02-14 next 2027-02-15');
  // Half of 31.00 is 15.50; of 59.00 - 15.50 = 43.50 4.35, so 1.55; of 47.85 9.57, so 3.41.
  t.deepEqual(await story.payments(), []);
  await story.advance(
    t,
    '2027-02-15',
    '1003 on 2027-02-15 due 2027-03-17 Outstanding 14.00: TRAFFIC 2027-02-01 2027-02-14 14.00',
  );
  await story.advance(t, '2027-04-01');
  const credits = await story.credits();
  t.deepEqual(credits, ['2027-02-14 Paid 20.46']);
  await story.isClean(t);
});
