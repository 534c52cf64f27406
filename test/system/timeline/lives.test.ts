/** Single orders on the test clock: suspensions, ends, renewals, month ends. */

import test from 'ava';
import { recurring } from '../../operations/support/plans.ts';
import { sharedSystem } from '../../support/system.ts';
import { tell } from './story.ts';

const system = await sharedSystem();
const prorated = recurring('FEE', 31, { isPrepaid: true, isProrated: true });
const arrears = recurring('LATER', 31, { isProrated: true });
const plans = [prorated, arrears];

test('an order is suspended over two months and resumed', async (t) => {
  const story = await tell(system, { plans, testClock: '2027-01-15T12:00:00Z' });
  await story.customer('ADA');
  const id = await story.order('ADA', 'FEE', { query: 'generateInvoice=true' });
  await story.advance(
    t,
    '2027-02-20',
    '1001 on 2027-01-15 due 2027-02-14 Outstanding 31.00: FEE 2027-01-15 2027-02-14 31.00',
    '1002 on 2027-02-15 due 2027-03-17 Outstanding 31.00: FEE 2027-02-15 2027-03-14 31.00',
  );
  await story.suspend(id);
  await story.advance(t, '2027-04-01');
  t.is(await story.orderNow(id), 'Suspended');
  await story.activate(id);
  await story.advance(
    t,
    '2027-04-15',
    // 14 of the 31 days of the present period.
    '1003 on 2027-04-02 due 2027-05-02 Outstanding 14.00: FEE 2027-04-01 2027-04-14 14.00',
    '1004 on 2027-04-15 due 2027-05-15 Outstanding 31.00: FEE 2027-04-15 2027-05-14 31.00',
  );
  await story.isClean(t);
});

test('31 January is followed by 28 February and 31 March', async (t) => {
  const story = await tell(system, { plans, testClock: '2027-01-31T12:00:00Z' });
  await story.customer('ADA');
  const id = await story.order('ADA', 'FEE', { query: 'generateInvoice=true' });
  await story.advance(
    t,
    '2027-05-30',
    '1001 on 2027-01-31 due 2027-03-02 Outstanding 31.00: FEE 2027-01-31 2027-02-27 31.00',
    '1002 on 2027-02-28 due 2027-03-30 Outstanding 31.00: FEE 2027-02-28 2027-03-30 31.00',
    '1003 on 2027-03-31 due 2027-04-30 Outstanding 31.00: FEE 2027-03-31 2027-04-29 31.00',
    '1004 on 2027-04-30 due 2027-05-30 Outstanding 31.00: FEE 2027-04-30 2027-05-30 31.00',
  );
  t.is(await story.orderNow(id), 'Active next 2027-05-31');
  await story.isClean(t);
});

test('a future order is activated, bills, and is Complete after its end', async (t) => {
  const story = await tell(system, { plans });
  await story.customer('ADA');
  const fields = { startDate: '2027-02-01', endDate: '2027-03-14', isAutoRenew: 'false' };
  const fee = await story.order('ADA', 'FEE', { fields });
  const later = await story.order('ADA', 'LATER', { fields });
  t.is(await story.orderNow(fee), 'Provisioning until 2027-03-14 next 2027-02-01');
  await story.advance(t, '2027-01-31');
  await story.advance(
    t,
    '2027-02-01',
    '1001 on 2027-02-01 due 2027-03-03 Outstanding 31.00: FEE 2027-02-01 2027-02-28 31.00',
  );
  t.is(await story.orderNow(later), 'Active until 2027-03-14 next 2027-03-01');
  await story.advance(
    t,
    '2027-03-15',
    // 14 of the 31 days of March in advance, all of February in arrears.
    '1002 on 2027-03-01 due 2027-03-31 Outstanding 45.00: ' +
      'FEE 2027-03-01 2027-03-14 14.00, LATER 2027-02-01 2027-02-28 31.00',
    '1003 on 2027-03-15 due 2027-04-14 Outstanding 14.00: LATER 2027-03-01 2027-03-14 14.00',
  );
  t.is(await story.orderNow(fee), 'Complete until 2027-03-14');
  t.is(await story.orderNow(later), 'Complete until 2027-03-14');
  await story.isClean(t);
});

test('an order renews by its term, and ends once it no longer renews', async (t) => {
  const story = await tell(system, { plans });
  await story.customer('ADA');
  const fields = { endDate: '2027-01-31' };
  const id = await story.order('ADA', 'FEE', { fields, query: 'generateInvoice=true' });
  await story.moveClock('2027-03-10');
  t.is(await story.orderNow(id), 'Active until 2027-03-31 next 2027-04-01');
  t.is((await story.invoices()).length, 3);
  await story.put(id, { isAutoRenew: 'false' });
  await story.advance(t, '2027-06-01');
  t.is(await story.orderNow(id), 'Complete until 2027-03-31');
  await story.isClean(t);
});

test('a cancelled order bills its last arrears; a rolled-back period is billed again', async (t) => {
  const story = await tell(system, { plans });
  await story.customer('ADA');
  await story.customer('BOB');
  const later = await story.order('ADA', 'LATER');
  await story.order('BOB', 'FEE', { query: 'generateInvoice=true' });
  await story.expect(
    t,
    '1001 on 2027-01-01 due 2027-01-31 Outstanding 31.00: FEE 2027-01-01 2027-01-31 31.00',
  );
  await story.moveClock('2027-01-10');
  await story.put(later, { orderStatus: 'Canceled' });
  await story.cancelInvoice('1001', '&rollbackBillingPeriod=true');
  await story.advance(
    t,
    '2027-02-01',
    '1002 on 2027-01-11 due 2027-02-10 Outstanding 10.00: LATER 2027-01-01 2027-01-10 10.00',
    '1003 on 2027-01-11 due 2027-02-10 Outstanding 31.00: FEE 2027-01-01 2027-01-31 31.00',
    '1004 on 2027-02-01 due 2027-03-03 Outstanding 31.00: FEE 2027-02-01 2027-02-28 31.00',
  );
  await story.isClean(t);
});

test('an invoice that suspends or cancels its orders stops them', async (t) => {
  const story = await tell(system, { plans });
  await story.customer('ADA');
  await story.customer('BOB');
  const suspended = await story.order('ADA', 'FEE', { query: 'generateInvoice=true' });
  const canceled = await story.order('BOB', 'FEE', { query: 'generateInvoice=true' });
  await story.cancelInvoice('1001', '&suspendOrders=true');
  await story.cancelInvoice('1002', '&cancelOrders=true');
  await story.moveClock('2027-03-15');
  t.is(await story.orderNow(suspended), 'Suspended');
  t.is(await story.orderNow(canceled), 'Canceled until 2027-01-01');
  t.is((await story.invoices()).length, 2);
  await story.isClean(t);
});

test('a zone whose day has no 00:00 bills at its first instant, once', async (t) => {
  // In Beirut the clocks change from 24:00 on 27 March 2027 to 01:00.
  const clock = { timezone: 'Asia/Beirut', testClock: '2027-03-25T12:00:00Z' };
  const story = await tell(system, {
    plans: [recurring('DAY', 1, { isPrepaid: true }, { billingPeriod: 'Daily' })],
    ...clock,
  });
  await story.customer('ADA');
  await story.order('ADA', 'DAY', { query: 'generateInvoice=true' });
  await story.advance(
    t,
    '2027-03-29',
    '1001 on 2027-03-25 due 2027-04-24 Outstanding 1.00: DAY 2027-03-25 2027-03-25 1.00',
    '1002 on 2027-03-26 due 2027-04-25 Outstanding 1.00: DAY 2027-03-26 2027-03-26 1.00',
    '1003 on 2027-03-27 due 2027-04-26 Outstanding 1.00: DAY 2027-03-27 2027-03-27 1.00',
    '1004 on 2027-03-28 due 2027-04-27 Outstanding 1.00: DAY 2027-03-28 2027-03-28 1.00',
    '1005 on 2027-03-29 due 2027-04-28 Outstanding 1.00: DAY 2027-03-29 2027-03-29 1.00',
  );
  await story.isClean(t);
});
