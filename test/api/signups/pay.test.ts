/** Step 2 of a sign-up: the card's faults, the price, the vault, and what is stored of it. */
import test from 'ava';
import type { TenantApi } from '../tenant-api.ts';
import { GatewayError } from '../../../providers/gateway/gateway.ts';
import { noteAsserted } from '../../support/asserted.ts';
import {
  card,
  faultsIn,
  fill,
  hidden,
  keyIn,
  linkOf,
  openPages,
  rowOf,
  setRow,
  stateOf,
  submit,
  titleOf,
  valueIn,
  visit,
  withPages,
  type Link,
} from './page-calls.ts';

/** What the vault answers next instead of the sandbox. */
const answers: Error[] = [];
const api = await openPages({
  gateways: (real) => ({
    ...real,
    async ofTenant(id) {
      const gateway = await real.ofTenant(id);
      return {
        ...gateway,
        name: gateway.name,
        store: async (details, key) => {
          const error = answers.pop();
          if (error !== undefined) throw error;
          return gateway.store(details, key);
        },
      };
    },
  }),
});

const faults: readonly (readonly [
  what: string,
  change: Readonly<Record<string, string>>,
  ...fields: string[],
])[] = [
  ['no number', { cardNumber: '' }, 'cardNumber'],
  ['a wrong check digit', { cardNumber: '4111111111111112' }, 'cardNumber'],
  ['too few digits', { cardNumber: '411111111111111' }, 'cardNumber'],
  ['a letter in its number', { cardNumber: '4111-1111-1111-111x' }, 'cardNumber'],
  ['no month', { expiryMonth: '' }, 'expiryMonth'],
  ['a 13th month', { expiryMonth: '13' }, 'expiryMonth'],
  ['a month that is over', { expiryMonth: '12', expiryYear: '2026' }, 'expiryMonth'],
  ['no year', { expiryYear: '' }, 'expiryYear'],
  ['a year far ahead', { expiryYear: '2048' }, 'expiryYear'],
  ['a year of two digits', { expiryYear: '29' }, 'expiryYear'],
  ['no code', { cvv: '' }, 'cvv'],
  ['a code that is too short', { cvv: '12' }, 'cvv'],
  ['a code that is too long', { cvv: '1234' }, 'cvv'],
  ['the code of another brand', { cardNumber: '378282246310005', cvv: '123' }, 'cvv'],
  ['no name', { cardholderName: '' }, 'cardholderName'],
  ['its number as the name', { cardholderName: '4111111111111111' }, 'cardholderName'],
  ['a control character in the name', { cardholderName: 'a\u0000' }, 'cardholderName'],
  ['neither number nor code', { cardNumber: '', cvv: '' }, 'cardNumber', 'cvv'],
];

for (const [what, change, ...fields] of faults) {
  test.serial(`a card with ${what} reaches no vault`, async (t) => {
    const link = await linkOf(api, hidden);
    answers.push(new Error('the vault was asked'));
    const answer = await fill(api, link.path, { ...card, ...change, savePaymentMethod: 'true' });
    answers.length = 0;
    t.is(answer.status, 400, answer.body);
    t.deepEqual(faultsIn(answer), fields);
    t.is(valueIn(answer, 'cardNumber'), '');
    t.is(valueIn(answer, 'cvv'), '');
    t.is(valueIn(answer, 'expiryMonth'), '');
    t.regex(answer.body, /id="savePaymentMethod"[^>]*? checked/);
    t.notRegex(answer.body, /4111|378282/);
    t.is(await stateOf(api, link), 'DRAFT: ');
  });
}

test.serial('terms have to be accepted where there are any', async (t) => {
  const tosLink = 'https://terms.example/tos';
  const link = await linkOf(api, { ...hidden, tosLink });
  const answer = await fill(api, link.path, card);
  t.is(answer.status, 400);
  t.deepEqual(faultsIn(answer), ['tosAccepted']);
  t.is((await fill(api, link.path, { ...card, tosAccepted: 'true' })).status, 303);
  t.like(await rowOf(api, link), { tos_accepted: true });
  const without = await linkOf(api, hidden);
  t.is((await fill(api, without.path, { ...card, tosAccepted: 'true' })).status, 303);
  t.like(await rowOf(api, without), { tos_accepted: false });
});

/** Everything that was stored of the signup and its tries, as text. */
async function storedOf(own: TenantApi, { tracking }: Link): Promise<string> {
  const [row] = await own.asOwner<{ text: string }>(
    `select concat(s::text, (select string_agg(t::text, ' ') from signup_try t
       where t.signup_id = s.id)) as text from signup s where tracking = '${tracking}'`,
  );
  return row?.text ?? '';
}

test.serial('a card goes to the vault, and its token, brand and end into the try', async (t) => {
  const link = await linkOf(api, hidden);
  const language = { 'accept-language': 'de-AT' };
  const answer = await fill(api, link.path, { ...card, savePaymentMethod: 'true' }, language);
  t.is(answer.status, 303, answer.body);
  t.is(answer.headers.location, link.path);
  t.is(await stateOf(api, link), 'DRAFT: 1 submitted');
  t.like(await rowOf(api, link), {
    card_type: 'Visa',
    cardholder_name: 'Ada Field',
    save_payment_method: true,
    locale: 'de_AT',
  });
  const stored = await storedOf(api, link);
  t.regex(stored, /sandbox,CreditCard,[\w-]+,Visa,1111,2029-12-31/);
  t.false(stored.includes('4111'));
  const page = await visit(api, link.path);
  t.is(page.status, 200);
  t.regex(page.body, /<meta http-equiv="refresh" content="3">/);
  t.true(page.body.includes(`<a href="${link.path}">`));
  const [counted] = await api.asOwner<{ count: number }>(
    `select count(*)::int from audit_log where tenant_id = ${api.tenantId}
     and method = 'POST' and path = '/signup/:token' and request_id is not null`,
  );
  t.true((counted?.count ?? 0) >= 2);
});

test.serial('a form that is sent twice makes one try, and both lead to the page', async (t) => {
  const link = await linkOf(api, hidden);
  const formKey = keyIn(await visit(api, link.path));
  const sent = await Promise.all([1, 2, 3].map(() => submit(api, link.path, { formKey, ...card })));
  for (const { status, headers } of sent) {
    t.is(status, 303);
    t.is(headers.location, link.path);
  }
  t.is(await stateOf(api, link), 'DRAFT: 1 submitted');
});

test.serial(
  'another price than the shown one shows the page again, and stores nothing',
  async (t) => {
    const link = await linkOf(api, hidden);
    const formKey = keyIn(await visit(api, link.path));
    await setRow(api, link, 'quantity = 2');
    const answer = await submit(api, link.path, { formKey, ...card });
    t.is(answer.status, 409, answer.body);
    t.regex(answer.body, /The price or the terms have changed/);
    t.is(await stateOf(api, link), 'DRAFT: ');
    t.is((await submit(api, link.path, { formKey: keyIn(answer), ...card })).status, 303);
    t.is(await stateOf(api, link), 'DRAFT: 1 submitted');
  },
);

test.serial(
  'a card that the vault refuses, or that it cannot take now, may be mended',
  async (t) => {
    const cases = [
      [
        new GatewayError('invalid', 'incorrect_cvc', { field: 'cvv' }),
        '1 returned field.invalid cvv',
        ['cvv'],
      ],
      [
        new GatewayError('invalid', 'card_not_supported'),
        '1 returned paymentMethod.declined cardNumber',
        ['cardNumber'],
      ],
      [new GatewayError('unavailable', 'closed'), '1 returned service.unavailable', []],
    ] as const;
    for (const [error, state, fields] of cases) {
      const link = await linkOf(api, hidden);
      const formKey = keyIn(await visit(api, link.path));
      answers.push(error);
      const answer = await submit(api, link.path, { formKey, ...card });
      t.is(answer.status, 303, answer.body);
      t.is(await stateOf(api, link), `DRAFT: ${state}`);
      const page = await visit(api, link.path);
      t.deepEqual(faultsIn(page), [...fields]);
      t.regex(page.body, /id="problems"/);
      t.is(valueIn(page, 'cardholderName'), 'Ada Field');
      t.is((await fill(api, link.path, card)).status, 303);
      t.is(await stateOf(api, link), `DRAFT: ${state}, 2 submitted`);
    }
  },
);

test.serial('a try whose card was not stored within a minute is open again', async (t) => {
  const link = await linkOf(api, hidden);
  const shownKey = keyIn(await visit(api, link.path));
  await fill(api, link.path, card);
  const age = (seconds: number) =>
    api.asOwner(
      `update signup_try t set status = 'storing', created_at = now() - interval '${seconds} seconds'
       from signup s where s.id = t.signup_id and s.tracking = '${link.tracking}' and t.number = 1`,
    );
  await age(30);
  t.is(keyIn(await visit(api, link.path)), '');
  t.is((await submit(api, link.path, { formKey: shownKey, ...card })).status, 303);
  await age(61);
  t.is((await fill(api, link.path, card)).status, 303);
  t.is(await stateOf(api, link), 'DRAFT: 1 returned service.unavailable, 2 submitted');
});

test.serial('a decline says how many tries are left, and leaves the card to change', async (t) => {
  const link = await linkOf(api, { ...hidden, hideOrderFields: 'false' });
  t.is((await fill(api, link.path, hidden)).status, 303);
  await fill(api, link.path, card);
  await api.asOwner(
    `update signup_try t set status = 'declined', code = 'card_declined', ended_at = now()
     from signup s where s.id = t.signup_id and s.tracking = '${link.tracking}'`,
  );
  const page = await visit(api, link.path);
  t.is(page.status, 200, page.body);
  t.regex(page.body, /id="problems"[^]*declined/);
  t.is(valueIn(page, 'cardNumber'), '');
});

test.serial('too many declined cards of a network are 429', async (t) => {
  const own = await api.another(withPages);
  const link = await linkOf(own, hidden);
  await own.asOwner(
    `insert into card_decline (tenant_id, network, declined_at)
     select ${own.tenantId}, '127.0.0.1', now() - n * interval '2 minutes'
     from generate_series(1, 25) n`,
  );
  const answer = await fill(own, link.path, card);
  t.is(answer.status, 429, answer.body);
  // Once the 20th newest, of 40 minutes ago, is an hour old.
  const wait = Number(answer.headers['retry-after']);
  t.true(wait > 1_100 && wait <= 1_200, String(wait));
  t.is(titleOf(answer), 'Too many tries');
  t.is(await stateOf(own, link), 'DRAFT: ');
  noteAsserted('card.tooManyDeclines');
});
