/** Payments, credits and refunds through the interface, on the sandbox and a real database. */
import test from 'ava';
import { send } from '../support.ts';
import {
  VISA,
  account,
  amount,
  card,
  cash,
  check,
  idOf,
  invoices,
  makeCustomer,
  makeInvoice,
  paid,
  pay,
  payWithAutopay,
  token,
} from './bodies.ts';
import {
  golden,
  partOf,
  refused,
  startTenantApi,
  valueOf,
  valuesOf,
  type TenantApi,
} from '../tenant-api.ts';
import { PASSWORD } from '../../support/tenants.ts';

const api = await startTenantApi();

/** A separate tenant with a customer C1. */
async function withCustomer(): Promise<TenantApi> {
  const own = await api.another();
  await makeCustomer(own);
  return own;
}

const financialsOf = async (own: TenantApi): Promise<Readonly<Record<string, string>>> => {
  const part = partOf((await own.get('/customer?extCustomerRef=C1')).body, 'customerFinancials');
  return Object.fromEntries(
    [...part.matchAll(/<(\w+)>([^<]+)<\/\1>/g)].map(([, name = '', value = '']) => [name, value]),
  );
};

const applied = (body: string): string[][] => [
  valuesOf(body, 'amountApplied'),
  valuesOf(body, 'balanceRemaining'),
];

test('a card pays an invoice, and the payment, the invoice and the customer show it', async (t) => {
  const own = await withCustomer();
  const invoice = await makeInvoice(own, '80.00');
  const answer = await paid(own, pay(amount('80.00') + card()));
  const again = await own.get(`/payment/${idOf(answer)}`);
  t.is(again.body, answer.body);
  const steady = again.body
    .replaceAll(/(<(?:transactionId|approvalCode)>)\d+/g, '$1000001')
    .replace(/(<responseTimeMilliSec>)\d+/, '$1240');
  golden(t, 'payment', { ...again, body: steady });
  const { body } = await own.get(`/invoice/${invoice}`);
  t.is(valueOf(body, 'status'), 'Paid');
  t.is(valueOf(body, 'outstandingBalance'), '0.00');
  t.is(partOf(body, 'invoicePayments'), partOf(again.body, 'invoicePayments'));
  t.like(await financialsOf(own), {
    currentBalance: '0.00',
    outstandingBalance: '0.00',
    unappliedBalance: '0.00',
    lastPaymentAmount: '80.00',
    lastPaymentDate: '2027-01-01',
    lifetimePayments: '80.00',
  });
});

test('300 over invoices of 100 and 250 leaves 200, then 0; the oldest due is paid first', async (t) => {
  const own = await withCustomer();
  const later = await makeInvoice(own, '250.00', { due: '2027-03-01' });
  const sooner = await makeInvoice(own, '100.00', { due: '2027-02-01' });
  const { body } = await paid(own, pay(amount('300') + cash()));
  t.deepEqual(applied(body), [
    ['100.00', '200.00'],
    ['200.00', '0.00'],
  ]);
  t.is(valueOf((await own.get(`/invoice/${sooner}`)).body, 'status'), 'Paid');
  const { body: open } = await own.get(`/invoice/${later}`);
  t.is(valueOf(open, 'status'), 'Outstanding');
  t.is(valueOf(open, 'outstandingBalance'), '50.00');
});

test('named invoices are paid in that order', async (t) => {
  const own = await withCustomer();
  const [first, second, third] = [
    await makeInvoice(own, '10.00', { due: '2027-02-01' }),
    await makeInvoice(own, '20.00', { due: '2027-02-02' }),
    await makeInvoice(own, '30.00', { due: '2027-02-03' }),
  ];
  const { body } = await paid(own, pay(amount('40.00') + invoices(third, second) + cash()));
  t.deepEqual(valuesOf(body, 'amountApplied'), ['30.00', '10.00']);
  t.is(valueOf((await own.get(`/invoice/${first}`)).body, 'outstandingBalance'), '10.00');
  t.is(valueOf((await own.get(`/invoice/${second}`)).body, 'outstandingBalance'), '10.00');
});

for (const [rule, method, type, context, processor] of [
  ['a card', card(), 'CreditCard', 'Visa - *****1111', 'sandbox'],
  [
    'a card with blanks',
    card({ number: '5555 5555-5555 4444' }),
    'CreditCard',
    'MasterCard - *****4444',
    'sandbox',
  ],
  [
    'a card that names its brand',
    card({ number: '378282246310005', more: '<cardType>AMEX</cardType><cvv/>' }).replace(
      '<cvv>123</cvv>',
      '',
    ),
    'CreditCard',
    'American Express - *****0005',
    'sandbox',
  ],
  ['a bank account', account(), 'ACH', 'ACH - *****6789', 'sandbox'],
  [
    'a token',
    token('tok_ok', '<cardType>Visa</cardType><lastFour>4242</lastFour>'),
    'Token',
    'Visa - *****4242',
    'sandbox',
  ],
  ['a token without its end', token(), 'Token', 'Token - *****', 'sandbox'],
  ['a check', check(), 'Check', 'Check - *****0077', undefined],
  ['cash', cash(), 'Cash', 'Cash', undefined],
] as const) {
  test(`${rule} pays`, async (t) => {
    const own = await withCustomer();
    const { body } = await paid(own, pay(amount('12.50') + method));
    t.is(valueOf(body, 'paymentMethodType'), type);
    t.is(valueOf(body, 'paymentMethodContext'), context);
    t.is(valueOf(partOf(body, 'paymentProcessor'), 'name'), processor);
    t.is(valueOf(body, 'balance'), '12.50');
    t.is(valueOf(partOf(body, 'baseUser'), 'username'), 'api@test');
  });
}

for (const [rule, method, code] of [
  ['a card that declines', card({ number: '4000000000000002' }), 'card_declined'],
  ['a card without funds', card({ number: '4000000000009995' }), 'insufficient_funds'],
  ['a card that only validates', card({ number: '4000000000000341' }), 'card_declined'],
  ['a closed account', account('000111111116'), 'account_closed'],
  ['a token that declines', token('tok_declined'), 'card_declined'],
  ['a token that nobody knows', token('tok_other'), 'invalid_token'],
] as const) {
  test(`${rule}: 201, Declined, with its reason, and nothing is applied`, async (t) => {
    const own = await withCustomer();
    const invoice = await makeInvoice(own, '10.00');
    const { status, body } = await own.post(
      '/payments?extCustomerRef=C1',
      pay(amount('10.00') + method),
    );
    t.is(status, 201, body);
    t.is(valueOf(body, 'status'), 'Declined');
    t.is(valueOf(body, 'amount'), '10.00');
    t.is(valueOf(body, 'isSuccess'), 'false');
    t.is(valueOf(body, 'errorCode'), code);
    t.regex(body, /<invoicePayments\/>/);
    t.is(valueOf((await own.get(`/invoice/${invoice}`)).body, 'outstandingBalance'), '10.00');
    t.is((await financialsOf(own))['lastPaymentAmount'], undefined);
  });
}

test('a transient error of the processor is retried within the one call', async (t) => {
  const own = await withCustomer();
  const { body } = await paid(own, pay(amount('10.00') + card({ number: '4000000000000119' })));
  t.is(valueOf(body, 'errorCode'), '0');
});

test('generateInvoice first bills what is due, and the payment pays it', async (t) => {
  const own = await withCustomer();
  const order = '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>';
  t.is((await own.post('/orders?extCustomerRef=C1', order)).status, 201);
  const body = pay(`${amount('78.95')}<generateInvoice>true</generateInvoice>${card()}`);
  t.is(valueOf((await paid(own, body)).body, 'amountApplied'), '78.95');
  t.is(valueOf((await own.get('/invoice?invoiceNumber=1001')).body, 'status'), 'Paid');
});

test('a surcharge is charged on top and applied to nothing', async (t) => {
  const own = await withCustomer();
  await makeInvoice(own, '100.00');
  const { body } = await paid(
    own,
    pay(`${amount('100.00')}<totalSurcharge>2.50</totalSurcharge>${card()}`),
  );
  t.is(valueOf(body, 'amount'), '102.50');
  t.is(valueOf(body, 'secondaryAmount'), '2.50');
  t.is(valueOf(body, 'amountApplied'), '100.00');
  t.is(valueOf(body, 'balance'), '0.00');
  t.like(await financialsOf(own), {
    currentBalance: '0.00',
    lastPaymentAmount: '102.50',
    lifetimePayments: '100.00',
  });
});

test('a check of last week takes effect on its day', async (t) => {
  const own = await withCustomer();
  const day = '<effectiveDate>2026-12-24</effectiveDate>';
  const { body } = await paid(own, pay(`${amount('5')}${day}${check('<notes>By mail.</notes>')}`));
  t.is(valueOf(body, 'effectiveDate'), '2026-12-24');
  t.is(valueOf(body, 'dateCreated'), '2027-01-01');
  t.is(valueOf(body, 'notes'), 'By mail.');
});

test('the customer is named by the body, the query, or both if they agree; under either prefix', async (t) => {
  const own = await api.another();
  const id = await makeCustomer(own);
  const reference = `<customer id="${id}"/>`;
  t.is((await own.post('/payments', pay(reference + amount('1') + cash()))).status, 201);
  t.is(
    (await own.post('/payments?extCustomerRef=C1', pay(reference + amount('1') + cash()))).status,
    201,
  );
  const answer = await send(own.port, {
    method: 'POST',
    path: '/rest_v1/payments?extCustomerRef=C1',
    host: `${own.label}.localhost`,
    auth: `api@test:${PASSWORD}`,
    body: pay(amount('1') + cash()),
  });
  t.is(answer.status, 201);
  t.is(valuesOf((await own.get(`/payments?customerId=${id}`)).body, 'status').length, 3);
});

test('a credit reduces the debt, a negative one increases it; money pays it first', async (t) => {
  const own = await withCustomer();
  await makeInvoice(own, '30.00');
  const credit = await own.post('/credits?extCustomerRef=C1', pay(amount('10.00')));
  t.is(credit.status, 201);
  t.is(valueOf(credit.body, 'paymentType'), 'Credit');
  t.is(valueOf(credit.body, 'amountApplied'), '10.00');
  const body = `<processCredit>${amount('-4.00')}<internalNotes>Fee</internalNotes></processCredit>`;
  const debit = await own.post('/credits?extCustomerRef=C1', body);
  t.is(valueOf(debit.body, 'balance'), '-4.00');
  t.is(valueOf(debit.body, 'notes'), 'Fee');
  t.like(await financialsOf(own), {
    currentBalance: '24.00',
    outstandingBalance: '20.00',
    unappliedBalance: '0.00',
    lifetimePayments: '0.00',
  });
  const payment = await paid(own, pay(amount('10.00') + cash()));
  t.deepEqual(applied(payment.body), [
    ['4.00', '6.00'],
    ['6.00', '0.00'],
  ]);
  t.regex(partOf(payment.body, 'invoicePayment'), /<invoice\/>/);
  const settled = await own.get(`/credit/${idOf(debit)}`);
  t.is(valueOf(settled.body, 'balance'), '0.00');
  t.is(valueOf(partOf(settled.body, 'invoicePayment'), 'payment@id'), idOf(payment));
});

test('a credit with a card charges nobody', async (t) => {
  const own = await withCustomer();
  const { status, body } = await own.post('/credits?extCustomerRef=C1', pay(amount('10') + card()));
  t.is(status, 201);
  t.is(valueOf(body, 'status'), 'Paid');
  const rows = await own.asOwner(
    `select from sandbox_transaction where tenant_id = ${own.tenantId}`,
  );
  t.is(rows.length, 0);
});

test('a refund takes unapplied money first, then opens the invoice again', async (t) => {
  const own = await withCustomer();
  const invoice = await makeInvoice(own, '60.00');
  const payment = idOf(await paid(own, pay(amount('100.00') + card())));
  const first = await own.post('/refunds?extCustomerRef=C1', pay(amount('50.00')));
  t.is(first.status, 201);
  t.is(valueOf(first.body, 'status'), 'Paid');
  t.is(valueOf(first.body, 'amount'), '-50.00');
  t.is(valueOf(first.body, 'paymentType'), 'Refund');
  t.is(valueOf(first.body, 'processorRequestType'), 'refund');
  const { body } = await own.get(`/payment/${payment}`);
  t.deepEqual(applied(body), [
    ['60.00', '-10.00'],
    ['40.00', '50.00'],
  ]);
  t.is(valueOf(body, 'status'), 'Paid');
  t.is(valueOf((await own.get(`/invoice/${invoice}`)).body, 'outstandingBalance'), '10.00');
  t.like(await financialsOf(own), { currentBalance: '10.00', lifetimePayments: '50.00' });
  const rest = `<processRefund>${amount('50.00')}${card()}</processRefund>`;
  t.is((await own.post('/refunds?extCustomerRef=C1', rest)).status, 201);
  t.is(valueOf((await own.get(`/payment/${payment}`)).body, 'status'), 'Refunded');
  t.is((await financialsOf(own))['lifetimePayments'], '0.00');
});

test('a full refund on the same day voids the payment', async (t) => {
  const own = await withCustomer();
  const payment = idOf(await paid(own, pay(amount('10.00') + account())));
  const refund = await own.post('/refunds?extCustomerRef=C1', pay(amount('10.00')));
  t.is(valueOf(refund.body, 'processorRequestType'), 'void');
  const { body } = await own.get(`/payment/${payment}`);
  t.is(valueOf(body, 'status'), 'Voided');
  refused(t, await own.remove(`/payment/${payment}`), 400, 'payment.notCancellable');
});

test('each path serves its own type; another type is 404 there, like an unknown id', async (t) => {
  const own = await withCustomer();
  const ids = {
    payment: idOf(await paid(own, pay(amount('9.00') + cash()))),
    credit: idOf(await paid(own, pay(amount('3.00')), '/credits')),
    refund: idOf(await paid(own, pay(amount('2.00') + cash()), '/refunds')),
  };
  for (const [kind, id] of Object.entries(ids)) {
    for (const path of Object.keys(ids)) {
      const answer = await own.get(`/${path}/${id}`);
      if (path === kind) t.is(answer.status, 200);
      else refused(t, answer, 404, 'payment.unknown');
    }
    t.is(idOf(await own.get(`/${kind}/${id}`)), id);
    if (kind !== 'payment') refused(t, await own.remove(`/payment/${id}`), 404, 'payment.unknown');
  }
  refused(t, await own.get('/payment/77777777'), 404, 'payment.unknown');
  refused(t, await own.remove('/payment/77777777'), 404, 'payment.unknown');
  refused(t, await own.get('/refund/x'), 404, 'object.notFound');
  refused(t, await own.remove(`/credit/${ids.credit}`), 405, 'path.method');
});

test('DELETE takes back what a payment paid, once, and only if it is as it was seen', async (t) => {
  const own = await withCustomer();
  const invoice = await makeInvoice(own, '10.00');
  const payment = await paid(own, pay(amount('15.00') + check()));
  const path = `/payment/${idOf(payment)}`;
  const tag = String((await own.get(path)).headers.etag);
  const late = await own.call('DELETE', path, { headers: { 'if-match': '"99"' } });
  refused(t, late, 412, 'object.changed');
  const answer = await own.call('DELETE', path, { headers: { 'if-match': tag } });
  t.is(answer.status, 200);
  t.is(valueOf(answer.body, 'status'), 'Canceled');
  t.deepEqual(applied(answer.body), [
    ['10.00', '-10.00'],
    ['5.00', '15.00'],
  ]);
  t.is((await own.get(path)).body, answer.body);
  t.is(valueOf((await own.get(`/invoice/${invoice}`)).body, 'status'), 'Outstanding');
  t.like(await financialsOf(own), { currentBalance: '10.00', lifetimePayments: '0.00' });
  refused(t, await own.remove(path), 400, 'payment.notCancellable');
});

test('refunds before a cancellation do not count as lifetime payments', async (t) => {
  const own = await withCustomer();
  const payment = idOf(await paid(own, pay(amount('50.00') + cash())));
  await paid(own, pay(amount('20.00') + cash()), '/refunds');
  t.is((await financialsOf(own))['lifetimePayments'], '30.00');
  t.is((await own.remove(`/payment/${payment}`)).status, 200);
  t.like(await financialsOf(own), {
    currentBalance: '0.00',
    unappliedBalance: '0.00',
    lifetimePayments: '0.00',
  });
});

test('a card with an autopayPreference is on file once its payment is Paid, and not before', async (t) => {
  const own = await withCustomer();
  const first = '<autopayPreference>1</autopayPreference>';
  const declining = card({ number: '4000000000000002', more: first });
  await own.post('/payments?extCustomerRef=C1', pay(amount('1') + declining));
  const list = async () => (await own.get('/customer/autopay?extCustomerRef=C1')).body;
  t.regex(await list(), /<list\/>$/);
  await paid(own, pay(amount('1') + card({ more: first })));
  t.is(valueOf(await list(), 'paymentMethodContext'), 'Visa - *****1111');
  const { body } = await paid(own, payWithAutopay(amount('2')), '/payments/autopay');
  t.is(valueOf(body, 'paymentMethodContext'), 'Visa - *****1111');
});

test('a customer with a payment cannot be deleted', async (t) => {
  const own = await withCustomer();
  await paid(own, pay(amount('1.00') + cash()));
  refused(t, await own.remove('/customer?extCustomerRef=C1'), 400, 'customer.inUse');
});

test('payments of another tenant are unknown, and requests for them count', async (t) => {
  const own = await withCustomer();
  const other = await withCustomer();
  const id = idOf(await paid(own, pay(amount('1.00') + card({ number: VISA }))));
  refused(t, await other.get(`/payment/${id}`), 404, 'payment.unknown');
  refused(t, await other.remove(`/payment/${id}`), 404, 'payment.unknown');
  const attempts = await other.asOwner(
    `select from foreign_attempt where tenant_id = ${other.tenantId}`,
  );
  t.is(attempts.length, 2);
});

test('card numbers in notes and texts are stored masked, in every resource', async (t) => {
  const own = await withCustomer();
  const text = 'card 4111 1111 1111 1111, room 12';
  const kept = 'card *****1111, room 12';
  const { body } = await paid(
    own,
    pay(
      `${amount('1')}<internalNotes>${text}</internalNotes><invoiceText>${text}</invoiceText>` +
        `<purchaseDescription>${text}</purchaseDescription>${cash()}`,
    ),
  );
  t.is(valueOf(body, 'notes'), kept);
  const [row] = await own.asOwner(
    `select invoice_text, purchase_description from payment where id = ${idOf({ body, status: 201, headers: {} })}`,
  );
  t.deepEqual(row, { invoice_text: kept, purchase_description: kept });
  const order = `<subscriptionOrder><contractCode>GOLD</contractCode><notes>${text}</notes></subscriptionOrder>`;
  t.is(valueOf((await own.post('/orders?extCustomerRef=C1', order)).body, 'notes'), kept);
});

test('card numbers in wrong places are masked in errors too', async (t) => {
  const own = await withCustomer();
  const unknown = await own.get(`/customer?extCustomerRef=${VISA}`);
  t.is(unknown.status, 404);
  const wrong = await own.put(
    '/customer?extCustomerRef=C1',
    `<customer><locale>${VISA}</locale></customer>`,
  );
  refused(t, wrong, 400, 'field.invalid customer/locale');
  const nobody = await own.post(`/payments?extCustomerRef=${VISA}`, pay(amount('1') + cash()));
  refused(t, nobody, 404, 'customer.unknown');
  const long = await own.get(`/customers?status=${'x'.repeat(50)}${VISA}`);
  for (const { body } of [unknown, wrong, nobody, long]) {
    t.notRegex(body, /41111/);
  }
  t.regex(wrong.body, /value="\*\*\*\*\*1111"/);
});
