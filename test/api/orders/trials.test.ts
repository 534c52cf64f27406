/** Trials, as calls see them. */
import test from 'ava';
import { refused, startTenantApi, valueOf, type TenantApi } from '../tenant-api.ts';
import { demoPlan } from '../../support/tenants.ts';

const gold = { ...demoPlan('GOLD'), trial: { value: 14, units: 'Days', card: 'required' } };
const options = { plans: [gold, demoPlan('ANNUAL')] };
const api = await startTenantApi(options);

async function withCustomer(): Promise<TenantApi> {
  const own = await api.another(options);
  await own.post(
    '/customers',
    '<customer><extCustomerRef>C1</extCustomerRef><billingContact><firstName>Ada</firstName>' +
      '</billingContact></customer>',
  );
  return own;
}

const order = (body = '') =>
  `<subscriptionOrder><contractCode>GOLD</contractCode>${body}</subscriptionOrder>`;

test('an order shows the last free day of its trial, and a plan the trial', async (t) => {
  const own = await withCustomer();
  const plan = await own.get('/plan?contractCode=GOLD');
  t.deepEqual(
    ['trialValue', 'trialUnits', 'trialCard'].map((name) => valueOf(plan.body, name)),
    ['14', 'Days', 'required'],
  );
  const made = await own.post('/orders?extCustomerRef=C1', order());
  t.is(made.status, 201, made.body);
  t.is(valueOf(made.body, 'trialEndDate'), '2027-01-14');
  t.is(valueOf(made.body, 'nextBillableDate'), '2027-01-15');
  t.regex(
    made.body,
    /<\/nextBillableDate>\s*<trialEndDate>2027-01-14<\/trialEndDate>\s*<billedThrough\/>\s*<renews>/,
  );
  t.false(made.body.includes('trialDays'));
  const again = await own.post('/orders?extCustomerRef=C1', order());
  t.is(valueOf(again.body, 'trialEndDate'), undefined);
  const agreed = await own.post('/orders?extCustomerRef=C1', order('<trialDays>3</trialDays>'));
  t.is(valueOf(agreed.body, 'trialEndDate'), '2027-01-03');
});

test('a trial has 0 to 365 days, of orders, of changes and of quotes', async (t) => {
  const own = await withCustomer();
  const post = (days: string) =>
    own.post('/orders?extCustomerRef=C1', order(`<trialDays>${days}</trialDays>`));
  for (const days of ['-1', '366']) {
    refused(t, await post(days), 400, 'field.invalid subscriptionOrder/trialDays');
  }
  refused(
    t,
    await own.get('/quote?contractCode=GOLD&trialDays=366'),
    400,
    'query.invalid trialDays',
  );
  const none = await own.get('/quote?contractCode=GOLD&trialDays=0');
  t.true(none.body.includes('<trialEndDate/>'), none.body);
  const quote = await own.get('/quote?contractCode=GOLD');
  t.regex(
    quote.body,
    /<orderDate>2027-01-01<\/orderDate>\s*<trialEndDate>2027-01-14<\/trialEndDate>/,
  );
  const made = await post('0');
  t.is(valueOf(made.body, 'trialEndDate'), undefined);
  const id = valueOf(made.body, 'subscriptionOrder@id') ?? '';
  const put = await own.put(
    `/order/${id}`,
    '<subscriptionOrder><trialDays>5</trialDays></subscriptionOrder>',
  );
  refused(t, put, 400, 'field.notEditable subscriptionOrder/trialDays');
  const changed = await own.post(
    `/changeOrder?currentOrderId=${id}`,
    order('<trialDays>5</trialDays>'),
  );
  t.is(valueOf(changed.body, 'trialEndDate'), '2027-01-05', changed.body);
});

test('the timeline says when the trial is over', async (t) => {
  const own = await withCustomer();
  const made = await own.post('/orders?extCustomerRef=C1', order());
  const id = valueOf(made.body, 'subscriptionOrder@id') ?? '';
  const { body } = await own.get(`/order/${id}/timeline`);
  const over = '<entry><date>2027-01-15</date><state>next</state><text>trial over</text></entry>';
  t.true(body.includes(over), body);
  await own.post(`/order/${id}?action=cancel&when=periodEnd`);
  const ends = await own.get(`/order/${id}/timeline`);
  t.false(ends.body.includes('trial over'), ends.body);
});
