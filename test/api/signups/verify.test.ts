/** The record of a sign-up: what it shows in each status, and what its event says of it. */
import test from 'ava';
import { eventXml } from '../../../api/resources/callbacks/documents.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { inOperation, tenantInfo } from '../../../operations/context/context.ts';
import { raise } from '../../../operations/events/raise.ts';
import { sequenceTenant } from '../../../operations/events/sequencer.ts';
import { keepEventDocuments, readEventViews } from '../../../operations/feed/event-views.ts';
import { callbackSecret } from '../../support/receiver.ts';
import { amount, card, idOf, pay } from '../payments/bodies.ts';
import type { Received } from '../support.ts';
import { golden, valueOf, valuesOf, type TenantApi } from '../tenant-api.ts';
import { hiddenCustomer, likeDemo, openSignups, start, steady } from './calls.ts';

const api = await openSignups();

/** Started with a login; `verify` reads its record. */
async function started(own: TenantApi): Promise<{ id: number; verify: () => Promise<Received> }> {
  const { body } = await start(own, {
    ...hiddenCustomer,
    login: 'ada.field',
    contractCode: 'GOLD',
  });
  const tracking = valueOf(body, 'tracking') ?? '';
  return {
    id: Number(valueOf(body, 'signup@id')),
    verify: () => own.get(`/signup/verify/${tracking}`),
  };
}

/** A customer with a billed order of GOLD, paid by card: what a sign-up makes. */
async function made(own: TenantApi) {
  const contact = '<billingContact><firstName>Ada</firstName></billingContact>';
  const customer = idOf(
    await own.post(
      '/customers',
      `<customer><extCustomerRef>C1</extCustomerRef>${contact}</customer>`,
    ),
  );
  const order = await own.post(
    '/orders?generateInvoice=true',
    `<subscriptionOrder><customer id="${customer}"/><contractCode>GOLD</contractCode></subscriptionOrder>`,
  );
  const invoices = await own.get(`/invoices?customerId=${customer}`);
  const payment = await own.post('/payments?extCustomerRef=C1', pay(amount('78.95') + card()));
  return {
    customer,
    order: idOf(order),
    orderNumber: valueOf(order.body, 'orderNumber'),
    invoice: valueOf(invoices.body, 'invoice@id') ?? '',
    invoiceNumber: valueOf(invoices.body, 'invoiceNumber'),
    payment: idOf(payment),
    approvalCode: valueOf(payment.body, 'approvalCode'),
  };
}

type Made = Awaited<ReturnType<typeof made>>;

const tryOf = (own: TenantApi, signupId: number, { payment }: Made, status: string) =>
  own.asOwner(
    `insert into signup_try (tenant_id, signup_id, number, status, network, shown_amount,
       payment_id, code, created_at, ended_at)
     values (${own.tenantId}, ${signupId}, 1, '${status}', '127.0.0.0', 78.95, ${payment},
       ${status === 'declined' ? `'declined'` : 'null'}, now(),
       ${status === 'charging' ? 'null' : 'now()'})`,
  );

const write = (own: TenantApi, id: number, set: string) =>
  own.asOwner(
    `update signup set version = version + 1, ${set} where tenant_id = ${own.tenantId} and id = ${id}`,
  );

const everything = ({ customer, order, invoice }: Made): string =>
  `customer_id = ${customer}, is_new_customer = true, order_id = ${order},
   invoice_ids = '{${invoice}}', save_payment_method = true, tos_accepted = true,
   card_type = 'Visa', expiry = '2030-12-31', cardholder_name = 'Ada Field'`;

test('a processed record has the order, the invoice, the payment and the customer', async (t) => {
  const own = await api.another(likeDemo);
  const { id, verify } = await started(own);
  const its = await made(own);
  await tryOf(own, id, its, 'charging');
  await write(own, id, everything(its));
  const draft = (await verify()).body;
  for (const name of ['orderNumber', 'invoiceNumber', 'paymentAmount', 'paymentApprovalCode']) {
    t.is(valueOf(draft, name), undefined, `${name} is empty until it is PROCESSED`);
  }
  t.regex(draft, /<status>DRAFT<.*<cardholderName>Ada Field<.*<customer\/><failureCode\/>/);
  await own.asOwner(
    `update signup_try set status = 'paid', ended_at = now() where signup_id = ${id}`,
  );
  await write(own, id, `status = 'PROCESSED', ended_at = now()`);
  const answer = await verify();
  const { body } = answer;
  t.is(valueOf(body, 'orderNumber'), its.orderNumber);
  t.is(valueOf(body, 'invoiceNumber'), its.invoiceNumber);
  t.is(valueOf(body, 'paymentAmount'), '78.95');
  t.is(valueOf(body, 'paymentApprovalCode'), its.approvalCode);
  t.is(valueOf(body, 'customer@id'), its.customer);
  t.is(answer.headers.etag, '"3"');
  const withoutCode = body.replace(/(<paymentApprovalCode>)\d+/, '$1000001');
  golden(t, 'signup', { ...answer, body: steady(withoutCode) });
});

test('a record of an older customer shows no login, and saves nothing', async (t) => {
  const own = await api.another(likeDemo);
  const { id, verify } = await started(own);
  t.is(valueOf((await verify()).body, 'login'), 'ada.field');
  const its = await made(own);
  await write(own, id, `${everything(its)}, status = 'PROCESSED', ended_at = now()`);
  await write(own, id, 'is_new_customer = false');
  const { body } = await verify();
  t.is(valueOf(body, 'login'), undefined);
  t.is(valueOf(body, 'email'), 'ada@field.example', 'it is as it was sent');
  t.is(valueOf(body, 'savePaymentMethod'), 'false');
  t.is(valueOf(body, 'orderNumber'), its.orderNumber);
  t.is(valueOf(body, 'paymentAmount'), undefined, 'nothing was paid with it');
});

test('a failed record names its failure, and nothing of what was undone', async (t) => {
  const own = await api.another(likeDemo);
  const { id, verify } = await started(own);
  const its = await made(own);
  await tryOf(own, id, its, 'declined');
  await write(own, id, everything(its));
  await write(own, id, `status = 'FAILED', failure_code = 'declined', ended_at = now()`);
  const { body } = await verify();
  t.is(valueOf(body, 'status'), 'FAILED');
  t.is(valueOf(body, 'failureCode'), 'declined');
  const undone = ['orderNumber', 'invoiceNumber', 'paymentAmount', 'paymentApprovalCode'];
  t.deepEqual(
    undone.flatMap((name) => valuesOf(body, name)),
    [],
  );
  t.regex(body, /<customer\/>/);
  t.is(valueOf(body, 'cardType'), 'Visa');
});

const callbacks = [
  {
    url: 'https://hooks.example.com/',
    secret: callbackSecret,
    events: ['signup.processed'],
  },
];

const dependenciesOf = (own: TenantApi) => ({
  db: own.db,
  realNow: Date.now,
  keepDocuments: keepEventDocuments,
});

test('the document of signup.processed is the record, and its feed names the signup', async (t) => {
  const own = await api.another({ file: { ...likeDemo.file, callbacks } });
  const { id, verify } = await started(own);
  await write(own, id, `status = 'FAILED', failure_code = 'declined', ended_at = now()`);
  await inOperation(dependenciesOf(own), own.tenantId, (context) => {
    raise(context, [{ type: 'signup.processed', customerId: null, objectId: id }]);
    return Promise.resolve();
  });
  const record = (await verify()).body;
  await write(own, id, `failure_code = 'operator'`);
  const [kept] = await own.asOwner<{ document: unknown; object_version: number }>(
    `select d.document, e.object_version from event e
     join event_document d on d.tenant_id = e.tenant_id and d.event_id = e.id
     where e.tenant_id = ${own.tenantId} and e.type = 'signup.processed'`,
  );
  t.is(eventXml('signup', kept?.document), record, 'as of the event, not of today');
  t.is(kept?.object_version, 2);
  const tenant = await tenantInfo(dependenciesOf(own), own.tenantId);
  const today = await inTenant(own.db, own.tenantId, (tx) =>
    readEventViews(dependenciesOf(own), tx, tenant, { kind: 'signup', ids: [id] }),
  );
  t.is(eventXml('signup', today.get(id)), (await verify()).body);
  await sequenceTenant(
    {
      dependencies: dependenciesOf(own),
      relayDb: own.db,
      dispatch: () => undefined,
      onError: () => undefined,
      hooks: [],
    },
    own.tenantId,
  );
  const { body } = await own.get('/events');
  t.true(body.includes(`<customer/><object id="${id}" type="signup"/>`), body);
});
