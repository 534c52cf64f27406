/**
 * Months of the demo tenant's plans through the interface, on the test clock, invoice by invoice.
 */

import test from 'ava';
import { sharedSystem } from '../../support/system.ts';
import { tell } from './story.ts';

const system = await sharedSystem();

test('four months of all plans of the demo tenant', async (t) => {
  const story = await tell(system);
  await story.customer('ADA');
  await story.customer('BOB');
  await story.order('ADA', 'GOLD');
  await story.order('ADA', 'METERED');
  const seats = await story.order('BOB', 'SEATS', {
    lines: [{ priceCode: 'SEAT', quantity: '12' }],
  });
  const support = [{ priceCode: 'SUPPORT', quantity: '1', unitPrice: '1200' }];
  await story.order('BOB', 'ANNUAL', { lines: support, query: 'generateInvoice=true' });
  await story.expect(
    t,
    // Due terms of a month, from the plan.
    '1001 on 2027-01-01 due 2027-02-01 Outstanding 1200.00: SUPPORT 2027-01-01 2027-12-31 1200.00',
  );
  await story.advance(
    t,
    '2027-01-02',
    // Both orders of Ada are on one invoice; METERED began on its alignment day, so it has no stub.
    '1002 on 2027-01-02 due 2027-02-01 Outstanding 90.95: ' +
      'GOLD-SETUP 2027-01-01 2027-01-01 49.00, GOLD-FEE 2027-01-01 2027-01-31 29.95, ' +
      'LINE 2027-01-01 2027-01-31 12.00',
  );
  await story.advance(t, '2027-01-31');
  await story.advance(
    t,
    '2027-02-01',
    '1003 on 2027-02-01 due 2027-03-03 Outstanding 41.95: ' +
      'GOLD-FEE 2027-02-01 2027-02-28 29.95, LINE 2027-02-01 2027-02-28 12.00',
    // 12 seats at 8.00 each, in arrears.
    '1004 on 2027-02-01 due 2027-03-03 Outstanding 96.00: SEAT 2027-01-01 2027-01-31 96.00',
  );
  t.is(await story.orderNow(seats), 'Active next 2027-03-01');
  await story.advance(
    t,
    '2027-04-15',
    '1005 on 2027-03-01 due 2027-03-31 Outstanding 41.95: ' +
      'GOLD-FEE 2027-03-01 2027-03-31 29.95, LINE 2027-03-01 2027-03-31 12.00',
    '1006 on 2027-03-01 due 2027-03-31 Outstanding 96.00: SEAT 2027-02-01 2027-02-28 96.00',
    '1007 on 2027-04-01 due 2027-05-01 Outstanding 41.95: ' +
      'GOLD-FEE 2027-04-01 2027-04-30 29.95, LINE 2027-04-01 2027-04-30 12.00',
    '1008 on 2027-04-01 due 2027-05-01 Outstanding 96.00: SEAT 2027-03-01 2027-03-31 96.00',
  );
  await story.isClean(t);
});
