/** The erasure of a customer as callers and the visitors of its pages meet it. */
import test from 'ava';
import { newPageToken } from '../../../operations/hosted-pages/tokens.ts';
import { amount, autopay, cash, pay, token } from '../payments/bodies.ts';
import { linkOf } from '../pay-links/calls.ts';
import { pageOf, visit, withProfiles } from '../self-service/calls.ts';
import { errorsOf, refused } from '../support.ts';
import { noteAsserted } from '../../support/asserted.ts';
import { asAdmin, startTenantApi, valueOf, withAdmin, type CallOptions } from '../tenant-api.ts';

const api = await startTenantApi({
  file: { ...withProfiles.file, ...withAdmin },
});

const customer = (ref: string): string => `<customer>
  <name>Ada Byron</name><extCustomerRef>${ref}</extCustomerRef><taxId>TAX-7</taxId>
  <billingContact><username>${ref}@example.com</username><passwd>Babbage-1843</passwd>
    <firstName>Ada</firstName><emailPrimary>${ref}@example.com</emailPrimary></billingContact>
  <metadata><entry><key>crm</key><value>A-1</value></entry></metadata></customer>`;

async function made(ref: string, options: CallOptions = {}): Promise<string> {
  const { body } = await api.call('POST', '/customers', { body: customer(ref), ...options });
  return valueOf(body, 'customer@id') ?? body;
}

const erase = (id: string) => api.call('POST', `/customer/${id}?actionName=erase`, asAdmin);

/** An invoice of 10.00 that is paid. */
async function paidInvoice(id: string): Promise<string> {
  const { body } = await api.post(
    `/invoices?customerId=${id}`,
    `<invoice><invoiceLineItems><invoiceLineItem><invoiceLineItemCharges><invoiceLineItemCharge>
     <amount>10.00</amount></invoiceLineItemCharge></invoiceLineItemCharges></invoiceLineItem>
     </invoiceLineItems></invoice>`,
  );
  await api.post('/payments', pay(`<customer id="${id}"/>${amount('10.00')}${cash()}`));
  return valueOf(body, 'invoice@id') ?? body;
}

test('an admin erases a customer, and the same call again answers the same', async (t) => {
  const id = await made('ADA');
  t.is((await api.post(`/customer/${id}?actionName=erase`)).status, 403);
  const first = await erase(id);
  t.is(first.status, 200, first.body);
  t.is(valueOf(first.body, 'name'), `erased-${id}`);
  t.is(valueOf(first.body, 'extCustomerRef'), `erased-${id}`);
  t.is(valueOf(first.body, 'erasedDate'), '2027-01-01');
  for (const text of ['Ada', 'ADA', 'TAX-7', 'A-1', 'example.com']) {
    t.false(first.body.includes(text), text);
  }
  t.is((await erase(id)).body, first.body);
  const byReference = `/customer?extCustomerRef=erased-${id}&actionName=erase`;
  t.is((await api.call('POST', byReference, asAdmin)).body, first.body);
  t.is((await api.get(`/customer/${id}`)).body, first.body);
  const [entry] = await api.asOwner<{ changes: unknown; path: string }>(
    `select changes, path from audit_log where tenant_id = ${api.tenantId} and object_id = ${id}
     and path like '%/customer/%' and action = 'write' order by id limit 1`,
  );
  t.deepEqual(entry?.changes, [{ field: 'erasedDate', after: '2027-01-01' }]);
  const feed = await api.asOwner<{ count: number }>(
    `select count(*)::int as count from event where tenant_id = ${api.tenantId}
     and type = 'customer.erased' and object_id = ${id} and object_version = 2`,
  );
  t.is(feed[0]?.count, 1);
});

test('a customer that is served something is refused, with the reasons', async (t) => {
  const id = await made('BO');
  await api.post(
    `/orders?extCustomerRef=BO`,
    '<subscriptionOrder><contractCode>FEE</contractCode></subscriptionOrder>',
  );
  refused(t, await erase(id), 400, 'customer.notErasable order');
});

/** Each way to write something that names a customer, its order or its invoice. */
const later = ({ id, order, invoice, payment }: Readonly<Record<string, string>>) =>
  [
    ['PUT', `/customer/${id}`, '<customer><taxId>X</taxId></customer>'],
    ['DELETE', `/customer/${id}`],
    ['POST', `/customer/${id}?actionName=suspend`],
    [
      'PUT',
      `/customer/${id}/billingContact`,
      '<billingContact><firstName>A</firstName></billingContact>',
    ],
    ['PUT', `/customer/${id}/metadata`, '<metadata/>'],
    ['PUT', `/customer/${id}/autopay`, autopay(token())],
    [
      'POST',
      `/orders?extCustomerRef=erased-${id}`,
      '<subscriptionOrder><contractCode>FEE</contractCode></subscriptionOrder>',
    ],
    ['PUT', `/order/${order}`, '<subscriptionOrder><notes>X</notes></subscriptionOrder>'],
    ['PUT', `/order/${order}/metadata`, '<metadata/>'],
    [
      'POST',
      `/invoices?customerId=${id}`,
      `<invoice><invoiceLineItems><invoiceLineItem><invoiceLineItemCharges><invoiceLineItemCharge>
       <amount>1.00</amount></invoiceLineItemCharge></invoiceLineItemCharges></invoiceLineItem>
       </invoiceLineItems></invoice>`,
    ],
    ['POST', `/invoice/${invoice}/creditNote`, '<creditNote><reason>r</reason></creditNote>'],
    ['GET', `/invoice/${invoice}/payLink`],
    ['POST', '/payments', pay(`<customer id="${id}"/>${amount('1.00')}${cash()}`)],
    ['DELETE', `/payment/${payment}`],
    ['POST', '/refunds', `<processRefund><customer id="${id}"/>${amount('1.00')}</processRefund>`],
    [
      'GET',
      `/widget/start?customerId=${id}&cssURL=/css/signup.css&loginUrl=https://www.demo.example/l`,
    ],
    [
      'POST',
      '/customers/notification',
      `<sendEmail><eventType>newInvoice</eventType><objectId>${invoice}</objectId>
       <customerId>${id}</customerId></sendEmail>`,
    ],
  ] as const;

test('whatever names it later is refused, and its pages are gone', async (t) => {
  const id = await made('CLO', { headers: { 'Idempotency-Key': 'make CLO' } });
  const invoice = await paidInvoice(id);
  const { body } = await api.post(
    `/orders?extCustomerRef=CLO`,
    '<subscriptionOrder><contractCode>FEE</contractCode></subscriptionOrder>',
  );
  const order = valueOf(body, 'subscriptionOrder@id') ?? '';
  await api.post(`/order/${order}?actionName=cancel`);
  const [payment] = await api.asOwner<{ id: string }>(
    `select id from payment where tenant_id = ${api.tenantId} and customer_id = ${id}`,
  );
  const paths = await pagesOf(id, invoice);
  for (const path of paths) t.true([200, 303].includes((await visit(api, path)).status), path);
  const erased = await erase(id);
  t.is(erased.status, 200, erased.body);
  for (const path of paths) t.is((await visit(api, path)).status, 410, path);
  noteAsserted('page.gone');
  for (const [method, path, sent] of later({ id, order, invoice, payment: payment?.id ?? '' })) {
    const answer = await api.call(method, path, sent === undefined ? {} : { body: sent });
    t.deepEqual(
      [answer.status, errorsOf(answer).map((each) => each.split(' ')[0])],
      [400, ['customer.erased']],
      `${method} ${path} ${answer.body}`,
    );
  }
  // What was kept of the call that made it is empty: a repeated one makes nobody anew.
  const again = await api.call('POST', '/customers', {
    body: customer('CLO'),
    headers: { 'Idempotency-Key': 'make CLO' },
  });
  refused(t, again, 400, 'customer.erased');
});

/** The paths of its account, of a pay link, of a new password and of a sign-up. */
async function pagesOf(id: string, invoice: string): Promise<string[]> {
  const [reset, signup] = [newPageToken(), newPageToken()];
  const hex = ({ hash }: { readonly hash: Buffer }): string => `'\\x${hash.toString('hex')}'`;
  await api.asOwner(
    `insert into password_reset (tenant_id, customer_id, contact_id, token_hash, requested_at, expires_at)
     select tenant_id, customer_id, id, ${hex(reset)}, now(), now() + interval '1 hour'
     from contact where tenant_id = ${api.tenantId} and customer_id = ${id}`,
  );
  await api.asOwner(
    `insert into signup (tenant_id, tracking, token_hash, status, success_url, fail_url, css_url,
       hide_customer_fields, hide_order_fields, display_amount, link_has_password, quantity,
       has_details, created_at, updated_at, expires_at, ended_at, failure_code, customer_id,
       is_new_customer)
     values (${api.tenantId}, 'tracked-${id}', ${hex(signup)}, 'FAILED', '/ok', '/no', '/css/signup.css',
       false, false, 'none', false, 1, true, now(), now(), now() + interval '10 minutes',
       now(), 'x', ${id}, true)`,
  );
  return [
    await pageOf(api, { customerId: id }),
    await linkOf(api, invoice),
    `/widget/reset/${reset.token}`,
    `/signup/${signup.token}`,
  ];
}
