/** The payment plan of a customer over HTTP, in each addressing form; what is wrong is named. */
import test from 'ava';
import { makeCustomer } from '../payments/bodies.ts';
import { refused, startTenantApi, valueOf, type TenantApi } from '../tenant-api.ts';
import { schemaOfAnswer, violations } from '../../support/xsd.ts';

const api = await startTenantApi();

type Elements = Readonly<Record<string, string>>;

/** The clock stands on 1 January 2027. */
const monthly: Elements = {
  chargeAmount: '50.00',
  startDate: '2027-01-31',
  totalNumberOfInstallments: '3',
  frequencyValue: '1',
  frequencyUnits: 'Months',
};

const body = (elements: Elements = monthly): string =>
  `<paymentPlan>${Object.entries(elements)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')}</paymentPlan>`;

async function opened(): Promise<{ readonly own: TenantApi; readonly id: string }> {
  const own = await api.another();
  return { own, id: await makeCustomer(own) };
}

test('each call takes the id in the query, the reference in the query, or the id in the path', async (t) => {
  const { own, id } = await opened();
  const inQuery = `/customers/paymentPlan?id=${id}`;
  const byRef = '/customers/paymentPlan?extCustomerRef=C1';
  const inPath = `/customers/${id}/paymentPlan`;
  for (const path of [inQuery, byRef, inPath]) {
    const made = await own.post(path, body());
    t.is(made.status, 201, made.body);
    t.deepEqual(violations(schemaOfAnswer(made.body), made.body), []);
    const planId = valueOf(made.body, 'paymentPlan@id');
    for (const read of [inQuery, byRef, inPath]) t.is((await own.get(read)).body, made.body);
    const changed = await own.put(path, body({ chargeAmount: '60' }));
    t.is(changed.status, 200, changed.body);
    t.is(valueOf(changed.body, 'chargeAmount'), '60.00');
    const ended = await own.remove(path);
    t.is(ended.status, 200, ended.body);
    t.is(valueOf(ended.body, 'paymentPlan@id'), planId);
    t.is(valueOf(ended.body, 'isEnabled'), 'false');
    t.is(valueOf(ended.body, 'nextPaymentDate') ?? '', '');
    t.is((await own.remove(path)).body, ended.body);
  }
});

test('the answer shows the plan, which can be changed and sent back', async (t) => {
  const { own, id } = await opened();
  const path = `/customers/${id}/paymentPlan`;
  const made = await own.post(path, body());
  const text = made.body.replace(/^<\?xml.*\?>\s*/, '').replace(/ id="\d+"/, '');
  t.is(
    text.replaceAll(/>\s+</g, '><'),
    '<paymentPlan><chargeOnlyIfBalanceOwed>true</chargeOnlyIfBalanceOwed>' +
      '<chargeAmount>50.00</chargeAmount><startDate>2027-01-31</startDate>' +
      '<nextPaymentDate>2027-01-31</nextPaymentDate>' +
      '<totalNumberOfInstallments>3</totalNumberOfInstallments>' +
      '<remainingInstallments>3</remainingInstallments><frequencyValue>1</frequencyValue>' +
      '<frequencyUnits>Months</frequencyUnits><isEnabled>true</isEnabled></paymentPlan>',
  );
  const back = await own.put(path, made.body.replace('50.00', '70'));
  t.is(back.status, 200, back.body);
  t.is(valueOf(back.body, 'chargeAmount'), '70.00');
  const disabled = await own.put(path, back.body.replace('<isEnabled>true', '<isEnabled>false'));
  t.is(valueOf(disabled.body, 'isEnabled'), 'false');
  refused(t, await own.put(path, made.body), 400, 'paymentPlan.ended paymentPlan');
});

test('an installment of today is begun with the answer', async (t) => {
  const { own, id } = await opened();
  const path = `/customers/${id}/paymentPlan`;
  const made = await own.post(path, body({ ...monthly, startDate: '2027-01-01' }));
  t.is(valueOf(made.body, 'remainingInstallments'), '2');
  t.is(valueOf(made.body, 'nextPaymentDate'), '2027-02-01');
});

const wrong: readonly [elements: Elements, code: string, path: string][] = [
  [{ totalNumberOfInstallments: '0' }, 'field.range', 'totalNumberOfInstallments'],
  [{ totalNumberOfInstallments: '' }, 'field.required', 'totalNumberOfInstallments'],
  [{ totalNumberOfInstallments: '1001' }, 'field.range', 'totalNumberOfInstallments'],
  [{ chargeAmount: '0' }, 'payment.amount', 'chargeAmount'],
  [{ chargeAmount: '-1' }, 'payment.amount', 'chargeAmount'],
  [{ chargeAmount: '1.001' }, 'payment.amount', 'chargeAmount'],
  [{ chargeAmount: '1e3' }, 'field.invalid', 'chargeAmount'],
  [{ startDate: '2026-12-31' }, 'field.invalid', 'startDate'],
  [{ startDate: '2027-02-30' }, 'field.invalid', 'startDate'],
  [{ frequencyUnits: 'Fortnights' }, 'field.invalid', 'frequencyUnits'],
  [{ frequencyUnits: 'months' }, 'field.invalid', 'frequencyUnits'],
  [{ frequencyValue: '0' }, 'field.range', 'frequencyValue'],
  [{ isEnabled: 'false' }, 'field.invalid', 'isEnabled'],
  [{ amount: '5' }, 'field.unknown', 'amount'],
];

for (const [elements, code, name] of wrong) {
  test(`a new plan with ${JSON.stringify(elements)} is refused by name`, async (t) => {
    const { own, id } = await opened();
    const answer = await own.post(
      `/customers/paymentPlan?id=${id}`,
      body({ ...monthly, ...elements }),
    );
    refused(t, answer, 400, `${code} paymentPlan/${name}`);
  });
}

test('a second enabled plan is refused', async (t) => {
  const { own, id } = await opened();
  const path = `/customers/${id}/paymentPlan`;
  await own.post(path, body());
  const second = await own.post(path, body());
  refused(t, second, 400, 'paymentPlan.exists paymentPlan');
});

test('a customer without a plan, and one that does not exist, are 404', async (t) => {
  const { own, id } = await opened();
  const path = `/customers/${id}/paymentPlan`;
  refused(t, await own.get(path), 404, 'paymentPlan.unknown');
  refused(t, await own.put(path, body()), 404, 'paymentPlan.unknown');
  refused(t, await own.remove(path), 404, 'paymentPlan.unknown');
  for (const missing of ['/customers/999999/paymentPlan', '/customers/paymentPlan?id=999999']) {
    refused(t, await own.get(missing), 404, 'customer.unknown');
    refused(t, await own.post(missing, body()), 404, 'customer.unknown');
    refused(t, await own.remove(missing), 404, 'customer.unknown');
  }
  refused(t, await own.get('/customers/paymentPlan'), 400, 'query.required id');
  const both = `/customers/paymentPlan?id=${id}&extCustomerRef=C1`;
  refused(t, await own.put(both, body()), 400, 'query.invalid id');
});

test('If-Match refuses a change of a plan that has changed meanwhile', async (t) => {
  const { own, id } = await opened();
  const path = `/customers/${id}/paymentPlan`;
  const made = await own.post(path, body());
  const headers = { 'If-Match': String(made.headers.etag) };
  const first = await own.call('PUT', path, { body: body({ chargeAmount: '60' }), headers });
  t.is(first.status, 200, first.body);
  const late = await own.call('PUT', path, { body: body({ chargeAmount: '70' }), headers });
  refused(t, late, 412, 'object.changed');
  refused(t, await own.call('DELETE', path, { headers }), 412, 'object.changed');
});

test('a customer with a payment plan is not deleted, and keeps its currency', async (t) => {
  const { own, id } = await opened();
  await own.post(`/customers/${id}/paymentPlan`, body());
  refused(t, await own.remove(`/customer/${id}`), 400, 'customer.inUse');
  const euro = await own.put(`/customer/${id}`, '<customer><currency id="EUR"/></customer>');
  refused(t, euro, 400, 'field.notEditable customer/currency/@id');
});
