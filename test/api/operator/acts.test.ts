/** The acts of the operator's page that are calls: a hold by hand, one event again, a rehearsal. */
import test from 'ava';
import { linksIn, openDesk, operatorSettings, saidIn } from './desk.ts';
import { newCustomer, newOrder } from '../orders/change-calls.ts';
import { type TenantApi, startTenantApi } from '../tenant-api.ts';
import { WAIT_MS_MAX } from '../../support/until.ts';
import { openCallsOf, withAdmins } from './people.ts';

const api = await startTenantApi({
  ...withAdmins,
  // However slow the machine is.
  operator: (dependencies, loginUrl) =>
    operatorSettings(dependencies, loginUrl, { answerMsMax: WAIT_MS_MAX }).settings,
});
const reason = 'ticket 7';

/** An admin at the page of a tenant of its own, on a test clock at 2027-01-01, with a customer C1. */
async function opened() {
  const own = await api.another(withAdmins);
  const desk = openDesk({ port: api.port, host: `${own.label}.localhost` });
  await desk.logInAs('admin@test');
  const id = Number(await newCustomer(own, 'C1'));
  const act = (path: string, more: Readonly<Record<string, string>> = {}) =>
    desk.submit(`/ops/acts/${path}`, { reason, ...more });
  return { own, desk, id, act, ...openCallsOf(own) };
}

const order = (own: TenantApi, startDate: string) =>
  newOrder(own, `<contractCode>GOLD</contractCode><startDate>${startDate}</startDate>`, '');

test('a customer is held by hand, no call bills it, and a release ends that', async (t) => {
  const { own, desk, id, act, logOf, statusOf } = await opened();
  const orderId = await order(own, '2027-01-01');
  const held = await act(`hold-billing/${id}`);
  t.is(saidIn(held), `Customer ${id} is held from billing until somebody releases it.`);
  t.deepEqual(await statusOf(id), { isHeld: true });
  const [entry] = await logOf('ops hold-billing');
  t.like(entry, { username: 'admin@test', objectType: 'customer', objectId: id });
  t.like(entry?.changes, [
    { field: 'billingHeldAt' },
    { field: 'billingHeldCode', after: 'billing.byHand' },
  ]);
  const last = (entry?.changes as readonly unknown[] | undefined)?.at(-1);
  t.deepEqual(last, { field: 'reason', after: reason });
  const again = await act(`hold-billing/${id}`);
  t.deepEqual(
    [again.status, saidIn(again)],
    [409, `customer ${id} is held already: billing.byHand`],
  );
  const page = await desk.get('/ops');
  t.regex(page.body, />billing\.byHand</);
  t.true(linksIn(page).includes(`/ops/acts/release/${id}`));
  const billed = await own.post(`/order/${orderId}?actionName=generateInvoice`);
  t.is(billed.status, 409);
  t.regex(billed.body, /customer\.held/);
  t.regex(saidIn(await act(`release/${id}`)), /is released \(billing\.byHand\)/);
  t.deepEqual(await statusOf(id), { isHeld: false });
  const unknown = await act('hold-billing/1');
  t.is(unknown.status, 404);
});

test('one event is sent again, and the audit log has the reason', async (t) => {
  const { own, id, act, logOf } = await opened();
  const [event] = await own.asOwner<{ id: string }>(
    `select id from event where tenant_id = ${own.tenantId} and customer_id = ${id} order by id`,
  );
  const eventId = Number(event?.id);
  const done = await act(`resend-event/${eventId}`);
  t.is(
    saidIn(done),
    `Event ${eventId} (customer.created) is sent again to the endpoints that subscribe to it.`,
  );
  const asked = await own.asOwner(
    `select event_id::int as id from event_resend where tenant_id = ${own.tenantId}`,
  );
  t.deepEqual(asked, [{ id: eventId }]);
  t.like(await logOf('ops resend-event'), [
    { username: 'admin@test', objectType: 'event', objectId: eventId },
  ]);
  t.is((await act('resend-event/1')).status, 404);
});

test('a billing run is rehearsed from the page, and what was found is said and shown', async (t) => {
  const { own, desk, act, logOf } = await opened();
  await order(own, '2027-01-02');
  t.true(linksIn(await desk.get('/ops')).includes('/ops/acts/rehearse'));
  const done = await act('rehearse', { day: 'tomorrow', hold: 'no' });
  t.is(
    saidIn(done),
    'The run of 2027-01-02: 1 customers, 1 orders, 1 invoices of 78.95 USD; 0 outliers.',
  );
  const page = await desk.get('/ops');
  for (const shown of ['2027-01-02', 'admin@test', '78.95 USD']) {
    t.regex(page.body, new RegExp(`>${shown}<`));
  }
  t.like(await logOf('ops rehearse 2027-01-02'), [{ username: 'admin@test' }]);
  t.like((await logOf('ops rehearse 2027-01-02'))[0]?.changes, [
    { field: 'reason', after: reason },
  ]);
  const [{ invoices } = {}] = await own.asOwner<{ invoices: number }>(
    `select count(*)::int as invoices from invoice where tenant_id = ${own.tenantId}`,
  );
  t.is(invoices, 0);
});

test('a rehearsal of no day, or of one too far ahead, begins nothing', async (t) => {
  const { own, act } = await opened();
  for (const [day, said] of [
    ['soon', /^a day is a date that exists/],
    ['2027-03-01', /up to 31 days ahead, to 2027-02-01/],
  ] as const) {
    const refused = await act('rehearse', { day, hold: 'no' });
    t.is(refused.status, 400);
    t.regex(saidIn(refused), said);
  }
  const kept = await own.asOwner(
    `select path from audit_log where tenant_id = ${own.tenantId} and path like 'ops rehearse%'`,
  );
  t.deepEqual(kept, []);
});
