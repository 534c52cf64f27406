/** POST /customers/notification: what is sent, what is not and why, and what is refused. */
import test from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { errorsOf } from '../support.ts';
import { refused, startTenantApi, valueOf, type TenantApi } from '../tenant-api.ts';

const notifications = {
  from: 'billing@demo.example',
  enabled: ['newInvoice', 'newOrder', 'paymentReceived'],
};
const api = await startTenantApi({ file: { notifications } });

const customerBody = (ref: string, email: string) =>
  `<customer><extCustomerRef>${ref}</extCustomerRef><billingContact><firstName>Ada</firstName>` +
  `<emailPrimary>${email}</emailPrimary></billingContact></customer>`;
const cashBody =
  '<processPayment><amount>5.00</amount><paymentMethodDTO type="Cash"><cashPaymentMethod/>' +
  '</paymentMethodDTO></processPayment>';
const declinedBody =
  '<processPayment><amount>5.00</amount><paymentMethodDTO type="CreditCard">' +
  '<creditCardPaymentMethod><autopayPreference>1</autopayPreference>' +
  '<cardNumber>4000000000000002</cardNumber><expiry>2099-12-31</expiry></creditCardPaymentMethod>' +
  '</paymentMethodDTO></processPayment>';

/** A customer with an order, its invoice, and a payment. */
async function customerIn(own: TenantApi, ref: string, email = 'ada@example.com') {
  const made = await own.post('/customers', customerBody(ref, email));
  const ordered = await own.post(
    `/orders?extCustomerRef=${ref}&generateInvoice=true`,
    '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>',
  );
  const invoices = await own.get(`/invoices?extCustomerRef=${ref}`);
  const paid = await own.post(`/payments?extCustomerRef=${ref}`, cashBody);
  return {
    id: String(valueOf(made.body, 'customer@id')),
    order: String(valueOf(ordered.body, 'subscriptionOrder@id')),
    orderNumber: String(valueOf(ordered.body, 'orderNumber')),
    invoice: /<invoice id="(\d+)"/.exec(invoices.body)?.[1] ?? '',
    invoiceNumber: /<invoiceNumber>(\d+)</.exec(invoices.body)?.[1] ?? '',
    payment: String(valueOf(paid.body, 'payment@id')),
  };
}

const bodyOf = (fields: Readonly<Record<string, string>>) => {
  const elements = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`);
  return `<sendEmail>${elements.join('')}</sendEmail>`;
};
const sending = (own: TenantApi, fields: Readonly<Record<string, string>>) =>
  own.post('/customers/notification', bodyOf(fields));

const queued = (own: TenantApi) =>
  inTenant(own.db, own.tenantId, (tx) =>
    tx.query<{ kind: string; object: string; state: string }>(
      'select kind, object_id::text as object, state from mail where event_id is null order by id',
    ),
  );

test('a mail is queued for each type of object, by id and by reference', async (t) => {
  const own = await api.another({ file: { notifications } });
  const ada = await customerIn(own, 'ADA');
  const calls = [
    { eventType: 'newInvoice', objectId: ada.invoice, customerId: ada.id },
    { eventType: 'newInvoice', objectRef: ada.invoiceNumber, customerRef: 'ADA' },
    { eventType: 'newOrder', objectId: ada.order, customerRef: 'ADA' },
    { eventType: 'newOrder', objectRef: ada.orderNumber, customerId: ada.id },
    { eventType: 'paymentReceived', objectId: ada.payment, customerId: ada.id },
  ];
  for (const call of calls) {
    const { status, body } = await sending(own, call);
    t.is(status, 200, body);
    t.is(valueOf(body, 'success'), 'true');
    t.is(
      valueOf(body, 'message'),
      `The mail ${call.eventType} will be sent to the billing contact`,
    );
  }
  t.deepEqual(await queued(own), [
    { kind: 'newInvoice', object: ada.invoice, state: 'queued' },
    { kind: 'newInvoice', object: ada.invoice, state: 'queued' },
    { kind: 'newOrder', object: ada.order, state: 'queued' },
    { kind: 'newOrder', object: ada.order, state: 'queued' },
    { kind: 'paymentReceived', object: ada.payment, state: 'queued' },
  ]);
  t.true(own.nudges.some(({ kind }) => kind === 'mail'));
});

test('a repeated call with the same Idempotency-Key queues one mail', async (t) => {
  const own = await api.another({ file: { notifications } });
  const ada = await customerIn(own, 'ADA');
  const body = bodyOf({ eventType: 'newOrder', objectId: ada.order, customerId: ada.id });
  const headers = { 'Idempotency-Key': 'mail-1' };
  for (let n = 0; n < 2; n += 1) {
    t.is((await own.call('POST', '/customers/notification', { body, headers })).status, 200);
  }
  t.is((await queued(own)).length, 1);
});

test('a type that the tenant has not enabled sends nothing, and says so', async (t) => {
  const own = await api.another({ file: { notifications: { ...notifications, enabled: [] } } });
  const ada = await customerIn(own, 'ADA');
  const fields = { eventType: 'newOrder', objectId: ada.order, customerId: ada.id };
  const { status, body } = await sending(own, fields);
  t.is(status, 200);
  t.is(valueOf(body, 'success'), 'false');
  t.is(
    valueOf(body, 'message'),
    'No mail was sent: the tenant has not enabled the notification newOrder',
  );
  t.deepEqual(await queued(own), []);
});

test('nothing is sent without an address, or of a payment that was not received', async (t) => {
  const own = await api.another({ file: { notifications } });
  const ada = await customerIn(own, 'ADA', '');
  const bob = await customerIn(own, 'BOB', 'bob@example.com');
  // As an earlier version accepted it.
  await own.asOwner(
    `update contact set email_primary = 'bob,eve@example.com' where customer_id = ${bob.id}`,
  );
  const declined = await own.post('/payments?extCustomerRef=BOB', declinedBody);
  const calls = [
    {
      fields: { eventType: 'newOrder', objectId: ada.order, customerId: ada.id },
      reason: 'the billing contact has no emailPrimary',
    },
    {
      fields: { eventType: 'newOrder', objectId: bob.order, customerId: bob.id },
      reason: 'the emailPrimary of the billing contact is not a valid address',
    },
    {
      fields: {
        eventType: 'paymentReceived',
        objectId: String(valueOf(declined.body, 'payment@id')),
        customerId: bob.id,
      },
      reason: 'the payment is Declined, so it was not received',
    },
  ];
  for (const { fields, reason } of calls) {
    const { status, body } = await sending(own, fields);
    t.is(status, 200, body);
    t.is(valueOf(body, 'success'), 'false');
    t.is(valueOf(body, 'message'), `No mail was sent: ${reason}`);
  }
  t.deepEqual(await queued(own), []);
});

test('an object of another customer is refused', async (t) => {
  const own = await api.another({ file: { notifications } });
  const [ada, bob] = [await customerIn(own, 'ADA'), await customerIn(own, 'BOB')];
  const cases: readonly [string, 'objectId' | 'objectRef', string][] = [
    ['newInvoice', 'objectId', ada.invoice],
    ['newInvoice', 'objectRef', ada.invoiceNumber],
    ['newOrder', 'objectId', ada.order],
    ['paymentReceived', 'objectId', ada.payment],
  ];
  for (const [eventType, element, value] of cases) {
    const answer = await sending(own, { eventType, [element]: value, customerId: bob.id });
    refused(t, answer, 400, `notification.otherCustomer sendEmail/${element}`);
  }
  t.deepEqual(await queued(own), []);
});

test('unknown objects and customers are not found', async (t) => {
  const own = await api.another({ file: { notifications } });
  const ada = await customerIn(own, 'ADA');
  const mine = { customerId: ada.id };
  const cases: readonly [Readonly<Record<string, string>>, string][] = [
    [{ eventType: 'newInvoice', objectId: '999999', ...mine }, 'invoice.unknown'],
    [{ eventType: 'newInvoice', objectRef: 'none', ...mine }, 'invoice.unknown'],
    [{ eventType: 'newOrder', objectRef: '999999', ...mine }, 'order.unknown'],
    [{ eventType: 'paymentReceived', objectRef: 'none', ...mine }, 'payment.unknown'],
    // An invoice is no credit note.
    [{ eventType: 'newCreditNote', objectId: ada.invoice, ...mine }, 'invoice.unknown'],
    // An order is no invoice.
    [{ eventType: 'newInvoice', objectId: ada.order, ...mine }, 'invoice.unknown'],
    [{ eventType: 'newOrder', objectId: ada.order, customerRef: 'NOBODY' }, 'customer.unknown'],
    [{ eventType: 'newOrder', objectId: ada.order, customerId: '999999' }, 'customer.unknown'],
  ];
  for (const [fields, code] of cases) {
    const answer = await sending(own, fields);
    t.is(answer.status, 404);
    t.regex(errorsOf(answer).join(), new RegExp(`^${code}\\b`));
  }
});

test("another tenant's object is answered like an unknown one", async (t) => {
  const own = await api.another({ file: { notifications } });
  const ada = await customerIn(own, 'ADA');
  const foreign = await customerIn(await api.another({ file: { notifications } }), 'EVE');
  const fields = { eventType: 'newOrder', objectId: foreign.order, customerId: ada.id };
  refused(t, await sending(own, fields), 404, 'order.unknown sendEmail/objectId');
  const attempts = await inTenant(own.db, own.tenantId, (tx) =>
    tx.query('select from foreign_attempt'),
  );
  t.is(attempts.length, 1);
});

const mistakes: readonly [Readonly<Record<string, string>>, string, string][] = [
  [{ objectId: '1', customerId: '1' }, 'field.required', 'sendEmail/eventType'],
  [
    { eventType: 'NewInvoice', objectId: '1', customerId: '1' },
    'field.invalid',
    'sendEmail/eventType',
  ],
  [
    { eventType: 'customerOverdue', objectId: '1', customerId: '1' },
    'field.invalid',
    'sendEmail/eventType',
  ],
  // Only the contact itself asks for one.
  [
    { eventType: 'passwordReset', objectId: '1', customerId: '1' },
    'field.invalid',
    'sendEmail/eventType',
  ],
  [{ eventType: 'newInvoice', customerId: '1' }, 'field.required', 'sendEmail/objectId'],
  [{ eventType: 'newInvoice', objectId: '1' }, 'field.required', 'sendEmail/customerId'],
  [
    { eventType: 'newInvoice', objectId: '1', objectRef: '1', customerId: '1' },
    'field.invalid',
    'sendEmail/objectRef',
  ],
  [
    { eventType: 'newInvoice', objectId: '1', customerId: '1', customerRef: 'A' },
    'field.invalid',
    'sendEmail/customerRef',
  ],
  [
    { eventType: 'newInvoice', objectId: '-1', customerId: '1' },
    'field.range',
    'sendEmail/objectId',
  ],
  [
    { eventType: 'newInvoice', objectId: '1', customerId: '1', to: 'eve@example.com' },
    'field.unknown',
    'sendEmail/to',
  ],
];

for (const [fields, code, path] of mistakes) {
  test(`${bodyOf(fields)} is ${code} at ${path}`, async (t) => {
    refused(t, await sending(api, fields), 400, `${code} ${path}`);
  });
}
