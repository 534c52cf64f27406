/** The addresses that get copies of invoices: `emailCc` of the billing contact. */
import test from 'ava';
import { refused, startTenantApi, valueOf, type TenantApi } from '../tenant-api.ts';

const notifications = { from: 'billing@demo.example', enabled: ['newInvoice'] };
const api = await startTenantApi({ file: { notifications } });

const billing = (inner: string) => `<billingContact>${inner}</billingContact>`;

async function make(own: TenantApi, inner: string): Promise<string> {
  const contact = billing(`<firstName>Ada</firstName>${inner}`);
  const made = await own.post('/customers', `<customer>${contact}</customer>`);
  if (made.status !== 201) throw new Error(made.body);
  return valueOf(made.body, 'customer@id') ?? '';
}

const copiesTo = (list: string) => `<emailCc>${list}</emailCc>`;
const five = 'a@b.example, c@d.example, e@f.example, g@h.example, i@j.example';

/** `contactChanged ada@example.com`; the oldest first. */
async function mailsOf(own: TenantApi): Promise<string[]> {
  const rows = await own.asOwner<{ text: string }>(
    `select concat_ws(' ', kind, address) as text from mail
     where tenant_id = ${own.tenantId} order by id`,
  );
  return rows.map(({ text }) => text);
}

test('a billing contact has up to five copies, read back with a comma and a blank between them', async (t) => {
  const id = await make(api, copiesTo('bob@example.com,cy@example.com'));
  const read = async () => valueOf((await api.get(`/customer/${id}`)).body, 'emailCc');
  t.is(await read(), 'bob@example.com, cy@example.com');
  const put = (list: string) => api.put(`/customer/${id}/billingContact`, billing(copiesTo(list)));
  const changed = await put(five.replaceAll(', ', ' ,  '));
  t.is(valueOf(changed.body, 'emailCc'), five, changed.body);
  // An absent element keeps them, also in the customer's own form.
  const other = `<customer>${billing('<lastName>Byron</lastName>')}</customer>`;
  t.is((await api.put(`/customer/${id}`, other)).status, 200);
  t.is(await read(), five);
  for (const list of [`${five}, k@l.example`, 'bob', 'a@b.example;c@d.example', 'a@b.example,']) {
    refused(t, await put(list), 400, 'field.invalid billingContact/emailCc');
  }
  t.is(await read(), five);
  t.regex((await put('')).body, /<emailCc\/>/);
});

test('a sales contact has no copies', async (t) => {
  const id = await make(api, '');
  const sales = `<salesContact><firstName>Sam</firstName>${copiesTo('bob@example.com')}</salesContact>`;
  const made = await api.post(`/customer/${id}/salesContact`, sales);
  refused(t, made, 400, 'field.unknown salesContact/emailCc');
  const whole = `<customer>${sales}</customer>`;
  const put = await api.put(`/customer/${id}`, whole);
  refused(t, put, 400, 'field.unknown customer/salesContact/emailCc');
  const plain = '<salesContact><firstName>Sam</firstName></salesContact>';
  const answer = await api.post(`/customer/${id}/salesContact`, plain);
  t.notRegex(answer.body, /emailCc/);
});

test('the address of before is told of other copies, three times an hour, and of nothing else', async (t) => {
  const own = await api.another({ file: { notifications } });
  const email = (address: string) => `<emailPrimary>${address}</emailPrimary>`;
  const id = await make(own, email('ada@example.com') + copiesTo('bob@example.com'));
  const put = async (inner: string) => {
    const answer = await own.put(`/customer/${id}/billingContact`, billing(inner));
    t.is(answer.status, 200, answer.body);
  };
  await put(copiesTo('bob@example.com'));
  await put('<lastName>Byron</lastName>');
  t.deepEqual(await mailsOf(own), []);
  await put(email('eve@example.com') + copiesTo('eve@example.com'));
  t.deepEqual(await mailsOf(own), ['contactChanged ada@example.com']);
  const whole = `<customer>${billing('<emailCc/>')}</customer>`;
  t.is((await own.put(`/customer/${id}`, whole)).status, 200);
  const told = ['contactChanged ada@example.com', 'contactChanged eve@example.com'];
  t.deepEqual(await mailsOf(own), told);
  await put(copiesTo('a@b.example'));
  await put(copiesTo('c@d.example'));
  t.deepEqual(await mailsOf(own), [...told, 'contactChanged eve@example.com']);
});

test('without a sender nobody is told of copies', async (t) => {
  const own = await api.another({ file: {} });
  const id = await make(own, '<emailPrimary>ada@example.com</emailPrimary>');
  const answer = await own.put(`/customer/${id}/billingContact`, billing(copiesTo('a@b.example')));
  t.is(answer.status, 200, answer.body);
  t.deepEqual(await mailsOf(own), []);
});
