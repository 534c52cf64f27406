/**
 * Numbers of cards and accounts and security codes are in no answer, log line, row or stored
 * answer.
 */
import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import test from 'ava';
import pino from 'pino';
import { describeError } from '../../../operations/context/describe-error.ts';
import { account, amount, autopay, card, check, dto, makeCustomer, pay, token } from './bodies.ts';
import { leaksIn, withoutMeasures } from '../../support/leaks.ts';
import { startTenantApi, valueOf } from '../tenant-api.ts';

const lines: string[] = [];
const destination = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(chunk.toString());
    done();
  },
});

/** Throws an error like a driver that quotes its input. */
let isBroken = false;

const api = await startTenantApi({
  ownDatabase: true,
  log: pino({ level: 'trace', serializers: { error: describeError } }, destination),
  gateways: (real) => ({
    ...real,
    async ofTenant(tenantId) {
      const gateway = await real.ofTenant(tenantId);
      return {
        ...gateway,
        store: (details, key) =>
          isBroken ? Promise.reject(new TypeError('the vault broke')) : gateway.store(details, key),
      };
    },
  }),
});
await makeCustomer(api);

/** Not numbers of the sandbox, so that they are found nowhere by chance. */
const CARD = '4929420573595709';
const ACCOUNT = '88000445566778899';
const ROUTING = '121000358';
const CODE = '739';
const TOKEN = 'tok_9d1c77e2';

const cardOf = (number: string, code = CODE): string =>
  card({ number }).replace('<cvv>123</cvv>', `<cvv>${code}</cvv>`);

const mistaken = [
  cardOf(`${CARD}1`),
  cardOf(CARD, `${CODE}9`),
  card({ number: CARD, expiry: CARD }),
  card({ number: CARD, more: `<cardType>${CARD}</cardType>` }),
  card({ number: CARD, more: `<cvv>${CODE}</cvv>` }),
  card({ number: CARD, more: `<number>${CARD}</number>` }),
  dto('CreditCard', `<creditCardPaymentMethod number="${CARD}">${CARD}</creditCardPaymentMethod>`),
  dto(CARD, ''),
  account(ACCOUNT, `${ROUTING}1`),
  account(`${ACCOUNT}0`, ROUTING),
  account(ACCOUNT, ROUTING, `<autopayPreference>${CARD}</autopayPreference>`),
  token(TOKEN, '<gateway>x</gateway>'),
  `${cardOf(CARD)}${account(ACCOUNT, ROUTING)}`,
  `${cardOf(CARD)}<${'x'.repeat(20)}>`,
  `<paymentMethodDTO><creditCardPaymentMethod><cardNumber>${CARD}</card>`,
];

test('no answer repeats a number, whether the request is valid or not', async (t) => {
  const answers: string[] = [];
  const call = async (method: string, path: string, body: string, key?: string): Promise<void> => {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    answers.push(withoutMeasures((await api.call(method, path, { body, headers })).body));
  };
  for (const [index, inner] of [
    ...mistaken,
    cardOf(CARD),
    account(ACCOUNT, ROUTING),
    token(TOKEN),
  ].entries()) {
    await call('POST', '/payments?extCustomerRef=C1', pay(amount('1.00') + inner), `pay ${index}`);
    await call('POST', '/refunds?extCustomerRef=C1', pay(amount('1.00') + inner));
    await call('POST', '/credits?extCustomerRef=C1', pay(amount('1.00') + inner));
    await call('PUT', '/customer/autopay?extCustomerRef=C1', autopay(inner), `put ${index}`);
  }
  // Other numbers in a text are not secret; the number of the request's own account is.
  const telling = `<internalNotes>by phone: ${ACCOUNT}, as 8800 0445 5667 78899</internalNotes>`;
  const byAccount = account(ACCOUNT, ROUTING);
  const byCheck = check(`<accountNumber>${ACCOUNT}</accountNumber><notes>${ACCOUNT}</notes>`);
  for (const inner of [telling + byAccount, byCheck]) {
    const body = pay(amount('1.00') + inner + `<invoiceText>${ACCOUNT}</invoiceText>`);
    await call('POST', '/payments?extCustomerRef=C1', body);
    t.is(valueOf(answers.at(-1) ?? '', 'paymentType'), 'Payment');
  }
  t.is(valueOf(answers.at(-2) ?? '', 'notes'), 'by phone: *****8899, as *****8899');
  isBroken = true;
  await call('POST', '/payments?extCustomerRef=C1', pay(amount('1.00') + cardOf(CARD)));
  t.is(valueOf(answers.at(-1) ?? '', 'success'), 'false');
  await call('GET', '/payments', '');
  await call('GET', '/customer/autopay?extCustomerRef=C1', '');
  const rows: string[] = [];
  for (const table of [
    'idempotency_key',
    'payment',
    'payment_method',
    'audit_log',
    'outbox',
    'sandbox_method',
    'sandbox_transaction',
    'processor_result',
  ]) {
    const found = await api.asOwner<{ row: string }>(`select r::text as row from ${table} r`);
    // The vault protects what a token stands for; the token itself is stored.
    rows.push(...found.map(({ row }) => row.replaceAll(TOKEN, '')));
  }
  // Most digits of a card are known, so a hash of all digits reveals the others.
  const sent = `POST\n/rest/payments?extCustomerRef=C1\n${pay(amount('1.00') + cardOf(CARD))}`;
  const hash = createHash('sha256').update(sent).digest('hex');
  t.false(rows.some((row) => row.includes(hash)));
  t.true(answers.length > 60 && rows.length > 20 && lines.length > 60);
  for (const text of [...answers, ...lines, ...rows]) {
    for (const number of [CARD, ACCOUNT, ROUTING]) t.false(text.includes(number), text);
    t.deepEqual(leaksIn(text, { numbers: [CARD, ACCOUNT], codes: [CODE, `${CODE}9`] }), [], text);
  }
  for (const text of [...answers, ...lines]) t.false(text.includes(TOKEN), text);
});
