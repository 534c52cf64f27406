/** The client in TypeScript, against the running system. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect, promisify } from 'node:util';
import test from 'ava';
import {
  AccessDenied,
  ForgedCallback,
  InvalidRequest,
  NoAnswer,
  NotFound,
  ObjectChanged,
  Refusal,
  SeenCallbacks,
  Sundial,
  verifyCallback,
} from '../../clients/typescript/src/index.ts';
import { signatureHeaders } from '../../providers/callbacks/signature.ts';
import { callbackSecret, startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { clientAt, openPlace, startCuttingLine } from './place.ts';

const ada = {
  customer: {
    extCustomerRef: 'ADA',
    name: 'Ada & Söhne <1815>',
    billingContact: { firstName: 'Ada', lastName: 'Byron', emailPrimary: 'ada@example.com' },
  },
} as const;

test('a customer and an order are made, read back and changed', async (t) => {
  const sundial = clientAt(t, await openPlace());
  const customer = await sundial.createCustomer(ada);
  t.is(customer.name, 'Ada & Söhne <1815>');
  t.is(customer.billingContact?.emailPrimary, 'ada@example.com');
  t.is(customer.billingContact?.address?.city ?? null, null);
  t.deepEqual(await sundial.getCustomer({ id: customer.id }), customer);
  t.deepEqual(await sundial.getCustomer({ extCustomerRef: 'ADA' }), customer);

  const order = await sundial.createOrder({
    extCustomerRef: 'ADA',
    generateInvoice: true,
    subscriptionOrder: { contractCode: 'GOLD', metadata: [{ key: 'crm', value: 'A-1' }] },
  });
  t.is(order.orderStatus, 'Active');
  t.is(order.startDate, '2027-01-01');
  t.is(order.isAutoRenew, true);
  t.is(order.endDate, null);
  t.deepEqual(order.metadata, [{ key: 'crm', value: 'A-1' }]);
  // 49.00 and 29.95.
  t.is(order.totalLifetimeValue, '78.95');
  const [reference] = order.invoices;
  const invoice = await sundial.getInvoice({ id: reference?.id ?? 0 });
  t.is(invoice.totalDue, '78.95');
  t.deepEqual(
    invoice.invoiceLineItems.flatMap(({ invoiceLineItemCharges }) =>
      invoiceLineItemCharges.map(({ priceCode, amount }) => `${priceCode} ${amount}`),
    ),
    ['GOLD-SETUP 49.00', 'GOLD-FEE 29.95'],
  );

  // What was read can be changed and sent back; null clears.
  const changed = await sundial.updateCustomer({
    id: customer.id,
    customer: {
      ...customer,
      billingContact: { ...customer.billingContact, companyName: 'Engines' },
      paymentTermsUnits: 'Days',
      paymentTermsValue: 14,
      taxId: 'X1',
    },
  });
  t.is(changed.taxId, 'X1');
  t.is(changed.billingContact?.companyName, 'Engines');
  t.is(changed.billingContact?.lastName, 'Byron');
  t.is((await sundial.updateCustomer({ id: customer.id, customer: { taxId: null } })).taxId, null);
  t.deepEqual(await sundial.suspendCustomer({ id: customer.id, until: '2027-02-01' }), {
    success: true,
    message: 'The customer is suspended until 2027-02-01',
  });
  t.is((await sundial.getCustomer({ id: customer.id })).suspendedUntil, '2027-02-01');
});

test('an answer has its version, which guards a change', async (t) => {
  const sundial = clientAt(t, await openPlace());
  const { id } = await sundial.createCustomer(ada);
  const read = await sundial.answerOf('getCustomer', { id });
  t.is(read.value.extCustomerRef, 'ADA');
  t.is(read.status, 200);
  t.truthy(read.requestId);
  const ifMatch = read.etag ?? '';
  await sundial.updateCustomer({ id, customer: { name: 'One' } }, { ifMatch });
  await t.throwsAsync(sundial.updateCustomer({ id, customer: { name: 'Two' } }, { ifMatch }), {
    instanceOf: ObjectChanged,
  });
  t.is((await sundial.getCustomer({ id })).name, 'One');
});

test('errors are types with code, field and value, and no text has a secret', async (t) => {
  const place = await openPlace();
  const sundial = clientAt(t, place);
  await sundial.createCustomer(ada);
  const refused = await t.throwsAsync(
    sundial.createOrder({
      extCustomerRef: 'ADA',
      subscriptionOrder: {
        contractCode: 'GOLD',
        startDate: '2027-02-30',
        orderLineItems: [{ priceCode: 'GOLD-FEE', quantity: '1e3' }],
      },
    }),
    { instanceOf: InvalidRequest },
  );
  t.is(refused?.status, 400);
  t.is(refused?.code, 'field.invalid');
  t.is(refused?.field, 'subscriptionOrder/startDate');
  t.deepEqual(
    refused?.mistakes.map(({ field, value }) => `${field} ${value}`),
    [
      'subscriptionOrder/startDate 2027-02-30',
      'subscriptionOrder/orderLineItems/orderLineItem[1]/quantity 1e3',
    ],
  );
  t.true(refused?.has('field.invalid'));
  t.regex(
    refused?.message ?? '',
    /^POST \/orders answered 400: field\.invalid at subscriptionOrder/,
  );

  const unknown = await t.throwsAsync(sundial.getCustomer({ id: 9_999_999 }), {
    instanceOf: NotFound,
  });
  t.is(unknown?.code, 'customer.unknown');
  const stranger = clientAt(t, place, { password: 'not-the-secret' });
  const denied = await t.throwsAsync(stranger.listPlans(), { instanceOf: AccessDenied });
  t.is(denied?.code, 'auth.invalid');
  const cardNumber = '4000000000000000';
  const declined = await t.throwsAsync(
    sundial.createPayment({
      extCustomerRef: 'ADA',
      processPayment: {
        amount: '1.00',
        paymentMethodDTO: {
          type: 'CreditCard',
          creditCardPaymentMethod: { cardNumber, expiry: '2020-01-31', cvv: '999' },
        },
      },
    }),
    { instanceOf: Refusal },
  );
  const absent = clientAt(t, { ...place, address: 'http://127.0.0.1:1' }, { retries: 0 });
  const unanswered = await t.throwsAsync(absent.createCustomer(ada), { instanceOf: NoAnswer });
  t.truthy(unanswered?.idempotencyKey);
  t.regex(unanswered?.message ?? '', /^POST \/customers got no answer: ECONNREFUSED$/);
  const told = inspect([refused, unknown, denied, declined, unanswered, sundial, stranger], {
    depth: 9,
  });
  for (const secret of [place.password, 'not-the-secret', cardNumber, "999'", 'Basic ']) {
    t.false(told.includes(secret), secret);
  }
  const wrong: unknown = { amount: 1.5, contractCode: 'GOLD' };
  await t.throwsAsync(
    sundial.createPayment({ extCustomerRef: 'ADA', processPayment: wrong as { amount: string } }),
    { message: 'processPayment has no part "contractCode"' },
  );
  await t.throwsAsync(
    sundial.createPayment({
      extCustomerRef: 'ADA',
      processPayment: { amount: 1.5 as unknown as string },
    }),
    { message: 'processPayment.amount must be a decimal as text, such as "49.00", not a number' },
  );
});

test('a write whose answers are cut off is made once, also by a later call with its key', async (t) => {
  const place = await openPlace();
  const line = await startCuttingLine(t, place.address);
  const sundial = clientAt(t, { ...place, address: line.address });
  await sundial.createCustomer(ada);
  const order = {
    extCustomerRef: 'ADA',
    generateInvoice: true,
    subscriptionOrder: { contractCode: 'GOLD' },
  };
  line.cut(2);
  const made = await sundial.answerOf('createOrder', order);
  t.is(line.cuts(), 2);
  t.true(made.isReplayed);
  t.is((await sundial.listOrders()).length, 1);
  t.is((await sundial.listInvoices()).length, 1);

  const impatient = clientAt(t, { ...place, address: line.address }, { retries: 0 });
  line.cut(1);
  const lost = await t.throwsAsync(impatient.createOrder(order), { instanceOf: NoAnswer });
  const idempotencyKey = lost?.idempotencyKey ?? '';
  const again = await impatient.answerOf('createOrder', order, { idempotencyKey });
  t.true(again.isReplayed);
  t.is((await sundial.listOrders()).length, 2);
  t.is(
    (await sundial.getCustomer({ extCustomerRef: 'ADA' })).customerFinancials?.currentBalance,
    '157.90',
  );
});

test('pages follow each other: by link, by offset, by the last object', async (t) => {
  const sundial = clientAt(t, await openPlace());
  const made: number[] = [];
  for (const name of ['A', 'B', 'C', 'D', 'E']) {
    const { id } = await sundial.createCustomer({
      customer: { ...ada.customer, extCustomerRef: name },
    });
    made.push(id);
  }
  const ids: number[] = [];
  for await (const { id } of sundial.iterateCustomers({ max: 2 })) ids.push(id);
  t.deepEqual(ids, made);
  const found: number[] = [];
  for await (const { id } of sundial.iterateCustomers({ max: 2, extCustomerRef: 'C' }))
    found.push(id);
  t.deepEqual(found, [made[2]]);
  const plans = await sundial.listPlans();
  const codes: string[] = [];
  for await (const { contractCode } of sundial.iteratePlans({ max: 2 })) codes.push(contractCode);
  t.deepEqual(
    codes,
    plans.map(({ contractCode }) => contractCode),
  );
  t.true(codes.length >= 4);
  await until(
    'five events have numbers',
    async () => (await sundial.listEvents({ after: 0 })).length === 5,
  );
  const sequences: (number | undefined)[] = [];
  for await (const { sequence } of sundial.iterateEvents({ after: 0, max: 2 }))
    sequences.push(sequence);
  t.deepEqual(sequences, [1, 2, 3, 4, 5]);
});

test('a callback of the running system is verified, and a forged one refused', async (t) => {
  const receiver = await startReceiver(t);
  const callbacks = [{ url: receiver.url, secret: callbackSecret, events: ['customer.created'] }];
  const sundial = clientAt(t, await openPlace({ file: { callbacks } }));
  const customer = await sundial.createCustomer(ada);
  await until('the callback has come', async () => receiver.accepted.length > 0);
  const [first] = receiver.accepted;
  if (first === undefined) throw new Error('it has come');
  const { headers, body } = first;
  const callback = verifyCallback(headers, Buffer.from(body), { secret: callbackSecret });
  t.is(callback.type, 'customer.created');
  t.is(callback.customerSequence, 1);
  t.false(callback.isOfToday);
  t.deepEqual(
    { root: callback.root, value: callback.value },
    { root: 'customer', value: customer },
  );
  t.is(
    verifyCallback(new Headers(headers as Record<string, string>), body, {
      secret: ['whsec_b3RoZXI=', callbackSecret],
    }).id,
    callback.id,
  );

  const secret = callbackSecret;
  const forged = (reason: ForgedCallback['reason'], run: () => unknown) =>
    t.is(t.throws(run, { instanceOf: ForgedCallback })?.reason, reason);
  forged('signature', () => verifyCallback(headers, body.replace('Ada', 'Eve'), { secret }));
  forged('signature', () => verifyCallback(headers, body, { secret: 'whsec_b3RoZXI=' }));
  const sent = Number(headers['webhook-timestamp']) * 1_000;
  forged('age', () => verifyCallback(headers, body, { secret, now: sent + 301_000 }));
  forged('age', () => verifyCallback(headers, body, { secret, now: sent - 301_000 }));
  forged('headers', () => verifyCallback({}, body, { secret }));
  const odd = signatureHeaders(secret, { id: 'evt_1', timestamp: sent / 1_000, body: '<html/>' });
  forged('document', () => verifyCallback(odd, '<html/>', { secret, now: sent }));

  const seen = new SeenCallbacks(2);
  t.deepEqual(
    [callback, callback, { id: 'b' }].map((each) => seen.isNew(each)),
    [true, false, true],
  );
  seen.forget(callback);
  t.true(seen.isNew(callback));
  t.true(seen.isNew({ id: 'c' }));
  t.true(seen.isNew({ id: 'b' }), 'the oldest is forgotten');
});

test('the test clock advances, and a month is billed', async (t) => {
  const sundial = clientAt(t, await openPlace());
  await sundial.createCustomer(ada);
  await sundial.createOrder({
    extCustomerRef: 'ADA',
    generateInvoice: true,
    subscriptionOrder: { contractCode: 'GOLD' },
  });
  const clock = await sundial.advanceClock('2027-02-02');
  t.is(clock.status, 'Ready');
  t.regex(clock.now, /^2027-02-02T05:00:00Z$/);
  t.deepEqual(
    (await sundial.listInvoices())
      .map(({ totalDue, invoiceDate }) => `${invoiceDate} ${totalDue}`)
      .toSorted(),
    ['2027-01-01 78.95', '2027-02-01 108.90'],
  );
});

test('files come as bytes, links as documents, and metered usage as a list', async (t) => {
  const sundial = clientAt(t, await openPlace());
  await sundial.createCustomer(ada);
  const order = await sundial.createOrder({
    extCustomerRef: 'ADA',
    generateInvoice: true,
    subscriptionOrder: { contractCode: 'METERED' },
  });
  const id = order.invoices[0]?.id ?? 0;
  const pdf = await sundial.download('getInvoice', { id }, 'pdf');
  t.is(pdf.contentType, 'application/pdf');
  t.is(Buffer.from(pdf.bytes.subarray(0, 5)).toString(), '%PDF-');
  const csv = await sundial.download('listInvoices', { metadata: {} }, 'csv');
  t.true(Buffer.from(csv.bytes).toString().includes('invoiceNumber'));
  t.regex((await sundial.getInvoicePayLink({ id })).url, /^http:\/\/t\w+\.localhost/);
  const [record] = await sundial.createActivities({
    activities: [
      { extRefId: 'm-1', extCustomerRef: 'ADA', priceCode: 'MINUTES', quantity: '12.5' },
    ],
  });
  t.is(record?.quantity, '12.5');
  t.is((await sundial.listActivities({ extCustomerRef: 'ADA' })).length, 1);
  await sundial.updateOrderMetadata({ id: order.id, metadata: [{ key: 'a', value: 'b' }] });
  t.is((await sundial.listOrders({ metadata: { a: 'b' } })).length, 1);
  t.deepEqual(await sundial.listOrders({ metadata: { a: 'c' } }), []);
  const preview = await sundial.changeOrder({
    currentOrderId: order.id,
    effectiveDate: '2027-01-02',
    preview: true,
    subscriptionOrder: { contractCode: 'GOLD' },
  });
  t.true('quoteHash' in preview && (preview.invoice?.length ?? 0) > 0);
});

test('the package builds, and runs as JavaScript', async (t) => {
  const root = join(import.meta.dirname, '../..');
  const run = promisify(execFile);
  const build = ['-p', 'clients/typescript/tsconfig.build.json'];
  await run('node_modules/.bin/tsc', build, { cwd: root });
  const program = `import * as client from './clients/typescript/dist/index.js';
    console.log(Object.keys(client).length, new client.NotFound({ call: 'GET /x', status: 404, mistakes: [] }).message);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root,
  });
  t.is(stdout, '16 GET /x answered 404\n');
  const types = readFileSync(join(root, 'clients/typescript/dist/index.d.ts'), 'utf8');
  t.true(types.includes('verifyCallback'));
});

test('an address with a path, or none, is refused at once', (t) => {
  const given = { user: 'a', password: 'b' };
  t.throws(() => new Sundial({ ...given, address: 'https://acme.example/rest' }), {
    instanceOf: TypeError,
  });
  t.throws(() => new Sundial({ ...given, address: 'acme' }), { instanceOf: TypeError });
});
