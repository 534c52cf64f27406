/** The page of the payment methods on file: what it shows, and what its form puts there. */
import test from 'ava';
import { GatewayError } from '../../../providers/gateway/gateway.ts';
import type { Received } from '../support.ts';
import { startTenantApi } from '../tenant-api.ts';
import { faultsIn, submit, valueIn } from '../signups/page-calls.ts';
import { sessionsOf, setTimes, SITE, visit, withProfiles } from './calls.ts';
import {
  card,
  filedOf,
  keyOf,
  onFile,
  payerOf,
  problemIn,
  sessionOf,
  type Fields,
  type Payer,
} from './pay-calls.ts';

/** Tenants whose gateway does not answer. */
const silent = new Set<number>();
const api = await startTenantApi({
  ...withProfiles,
  gateways: (real) => ({
    ...real,
    async ofTenant(id) {
      const gateway = await real.ofTenant(id);
      const refuse = () => Promise.reject(new GatewayError('unavailable', 'breaker_open'));
      return {
        ...gateway,
        name: gateway.name,
        validate: (call) => (silent.has(id) ? refuse() : gateway.validate(call)),
      };
    },
  }),
});

const { method: _method, ...typed } = { ...card, preference: '1' };
const MASTERCARD = '5555555555554444';
/** The vault takes it, and its validation is declined. */
const refusedCard = { ...typed, cardNumber: '4000000000000002' };

const pathOf = ({ home }: Payer): string => `${home}/card`;

async function put(payer: Payer, fields: Fields): Promise<Received> {
  const formKey = keyOf(await visit(payer.own, pathOf(payer)));
  return submit(payer.own, pathOf(payer), { formKey, ...fields });
}

const declinesOf = async ({ own }: Payer): Promise<string> => {
  const [row] = await own.asOwner<{ count: number }>(
    `select count(*)::int as count from card_decline where tenant_id = ${own.tenantId}`,
  );
  const sessions = await sessionsOf(own);
  return `${row?.count}, sessions ${sessions.map(({ declines }) => String(declines)).join(' ')}`;
};

test('a card is validated and put on file, and the page says so', async (t) => {
  const payer = await payerOf(api);
  const empty = await visit(payer.own, pathOf(payer));
  t.is(empty.status, 200);
  t.regex(empty.body, /No payment method is saved\./);
  t.is(valueIn(empty, 'preference'), '1');
  const answer = await put(payer, typed);
  t.is(answer.status, 303, answer.body);
  t.is(answer.headers.location, `${pathOf(payer)}?saved=1`);
  const page = await visit(payer.own, `${pathOf(payer)}?saved=1`);
  t.regex(page.body, /<p class="message" role="status">Your card has been saved\.<\/p>/);
  t.regex(page.body, /Visa ending in 1111 <span class="note">expires 12\/2029</);
  t.false(page.body.includes('4111'));
  t.is(await filedOf(payer), '1 1111');
  const [validated] = await payer.own.asOwner(
    `select operation, status from sandbox_transaction where tenant_id = ${payer.own.tenantId}`,
  );
  t.deepEqual(validated, { operation: 'validate', status: 'Approved' });
});

test('the page says which method is used first, which a card replaces, and which has expired', async (t) => {
  const payer = await payerOf(api);
  await onFile(payer, 1);
  const old = await onFile(payer, 2, { number: MASTERCARD });
  await payer.own.asOwner(`update payment_method set expiry = '2026-12-31' where id = ${old}`);
  const page = await visit(payer.own, pathOf(payer));
  t.regex(page.body, /1111[^]*used first[^]*4444[^]*used second/);
  t.regex(page.body, /<span class="badge is-alarm">expired 12\/2026<\/span>/);
  t.regex(page.body, /<option value="1">First \(replaces Visa ending in 1111\)<\/option>/);
  t.is(valueIn(page, 'preference'), '3');
  t.is((await put(payer, { ...typed, preference: '2' })).status, 303);
  t.is(await filedOf(payer), '1 1111, 2 1111');
});

test('faults show the form again, without number, expiry and code', async (t) => {
  const payer = await payerOf(api);
  const wrong = { ...typed, preference: '4', cardNumber: '4111111111111112' };
  const answer = await put(payer, wrong);
  t.is(answer.status, 400);
  t.deepEqual(faultsIn(answer), ['preference', 'cardNumber']);
  t.is(valueIn(answer, 'cardNumber'), '');
  t.is(valueIn(answer, 'cvv'), '');
  t.is(valueIn(answer, 'cardholderName'), 'Ada Field');
  t.false(answer.body.includes('4111'));
  t.is(await filedOf(payer), 'none');
});

test('a declined card counts once, however often its form is sent; the third ends it', async (t) => {
  const payer = await payerOf(api);
  await onFile(payer, 1, { number: MASTERCARD });
  const formKey = keyOf(await visit(payer.own, pathOf(payer)));
  for (const _ of [1, 2]) {
    const answer = await submit(payer.own, pathOf(payer), { formKey, ...refusedCard });
    t.is(answer.status, 400, answer.body);
    t.deepEqual(faultsIn(answer), ['cardNumber']);
    t.is(await declinesOf(payer), '1, sessions 1');
  }
  for (const _ of [2, 3]) t.is((await put(payer, refusedCard)).status, 400);
  t.is(await declinesOf(payer), '3, sessions 3');
  const over = await visit(payer.own, pathOf(payer));
  t.regex(String(problemIn(over)), /^Three payments were declined\./);
  t.is(keyOf(over), '');
  // Of a page from before.
  const answer = await submit(payer.own, pathOf(payer), { formKey, ...typed });
  t.is(answer.status, 429);
  t.is(await filedOf(payer), '1 4444');
});

test('cards that are tried at once are no more than the session has left', async (t) => {
  const payer = await payerOf(api);
  const forms = [1, 2, 3, 4, 5, 6];
  const keys = await Promise.all(
    forms.map(async () => keyOf(await visit(payer.own, pathOf(payer)))),
  );
  const answers = await Promise.all(
    keys.map((formKey) => submit(payer.own, pathOf(payer), { formKey, ...refusedCard })),
  );
  t.deepEqual(
    answers.map(({ status }) => status).toSorted((one, other) => one - other),
    [400, 400, 400, 429, 429, 429],
  );
  t.is(await declinesOf(payer), '3, sessions 3');
  const [tried] = await payer.own.asOwner(
    `select count(*)::int as count from sandbox_transaction where tenant_id = ${payer.own.tenantId}`,
  );
  t.deepEqual(tried, { count: 3 });
});

test('the limit of the customer is 429 with the time to wait', async (t) => {
  const payer = await payerOf(api);
  await payer.own.asOwner(
    `insert into card_decline (tenant_id, network, customer_id, declined_at)
     select ${payer.own.tenantId}, 'x', ${payer.id}, now() - interval '1 hour'
     from generate_series(1, 10)`,
  );
  const answer = await put(payer, typed);
  t.is(answer.status, 429);
  const wait = Number(answer.headers['retry-after']);
  t.true(wait > 82_700 && wait <= 82_800, `${wait}: a day after the tenth newest`);
  t.is(await filedOf(payer), 'none');
});

test('a gateway that does not answer shows the form again, and stores nothing', async (t) => {
  const payer = await payerOf(api);
  silent.add(payer.own.tenantId);
  const answer = await put(payer, typed);
  t.is(answer.status, 503);
  t.regex(String(problemIn(answer)), /^This did not work just now/);
  t.is(await filedOf(payer), 'none');
  t.is(await declinesOf(payer), '0, sessions 0');
});

test('a repeated form stores its card once, and leads where the first one led', async (t) => {
  const payer = await payerOf(api);
  const formKey = keyOf(await visit(payer.own, pathOf(payer)));
  const send = () => submit(payer.own, pathOf(payer), { formKey, ...typed });
  const answers = [...(await Promise.all([send(), send()])), await send()];
  for (const { status, headers } of answers) {
    t.is(status, 303);
    t.is(headers.location, `${pathOf(payer)}?saved=1`);
  }
  const [kept] = await payer.own.asOwner(
    `select count(*)::int as count from payment_method where tenant_id = ${payer.own.tenantId}`,
  );
  t.deepEqual(kept, { count: 1 });
});

test('the page is 403 if payments are off, and needs its own form', async (t) => {
  const off = await payerOf(api, {}, { allowPayments: 'false' });
  t.is((await visit(off.own, pathOf(off))).status, 403);
  t.is((await submit(off.own, pathOf(off), { formKey: 'x', ...typed })).status, 403);
  const payer = await payerOf(api);
  const formKey = keyOf(await visit(payer.own, pathOf(payer)));
  const other = { ...payer, ...(await sessionOf(payer.own, payer.id)) };
  t.is((await submit(payer.own, pathOf(other), { formKey, ...typed })).status, 403);
  t.is((await submit(payer.own, pathOf(payer), { formKey: 'x', ...typed })).status, 403);
  t.is(await filedOf(payer), 'none');
});

test('an ended session leads to the login, and stores nothing', async (t) => {
  const payer = await payerOf(api);
  const formKey = keyOf(await visit(payer.own, pathOf(payer)));
  await setTimes(payer.own, `ended_at = now() - interval '1 second'`);
  const answer = await submit(payer.own, pathOf(payer), { formKey, ...typed });
  t.is(answer.status, 303);
  t.is(answer.headers.location, `${SITE}/login`);
  t.is(await filedOf(payer), 'none');
});
