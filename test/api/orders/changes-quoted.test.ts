/** Changes that a quote binds: the hash of their preview, or that of a quote of the same terms. */
import test from 'ava';
import { demoPlan, makeTenant } from '../../support/tenants.ts';
import { CLOCK, startTenantApi, valueOf, type TenantApi } from '../tenant-api.ts';
import { goldFor, idIn, newCustomer, newOrder, orderOf, rowsOf } from './change-calls.ts';

const welcome = (percent: number) => ({ coupons: [{ code: 'WELCOME', percent }] });
const plans = ['GOLD', 'METERED'].map(demoPlan);
const options = { plans, file: welcome(10) };
const api = await startTenantApi(options);

/** A tenant with a billed order of GOLD; returns the address of its change. */
async function withGold(inner = ''): Promise<{ own: TenantApi; path: string }> {
  const own = await api.another(options);
  await newCustomer(own, 'C1');
  const id = await newOrder(own, `<contractCode>GOLD</contractCode>${inner}`);
  return { own, path: `/changeOrder?currentOrderId=${id}` };
}

const held = (hash: string | undefined, inner: string) =>
  orderOf(`${inner}<quoteHash>${hash}</quoteHash>`);
const hashOf = async (own: TenantApi, query: string) =>
  valueOf((await own.get(`/quote?${query}`)).body, 'hash');
const textOf = (body: string) => /<error code="quote.moved"[^>]*>([^<]*)</.exec(body)?.[1];

test('a preview shows the hash of the change, which the change and further previews take', async (t) => {
  const { own, path } = await withGold();
  const shown = await own.post(`${path}&preview=true`, orderOf(goldFor(2)));
  t.is(shown.status, 200);
  t.regex(shown.body, /<list quoteHash="[0-9a-f]{64}"><invoice>/);
  const body = held(valueOf(shown.body, 'list@quoteHash'), goldFor(2));
  const again = await own.post(`${path}&preview=true`, body);
  t.deepEqual([again.status, again.body], [200, shown.body]);
  const other = held(valueOf(shown.body, 'list@quoteHash'), goldFor(3));
  const before = await rowsOf(own);
  const refused = await own.post(path, other);
  t.is(refused.status, 409);
  t.is(
    textOf(refused.body),
    'the change does not cost what the quote said: plan, quantities, prices, coupon or tax rates differ',
  );
  t.deepEqual(await rowsOf(own), before);
  t.is(idIn(await own.post(path, body)).length > 0, true);
});

test('a plan that was applied after the preview is another price', async (t) => {
  const { own, path } = await withGold();
  const shown = await own.post(`${path}&preview=true`, orderOf(goldFor(2)));
  const dearer = plans.map((plan) => ({ ...plan, notes: 'Dearer' }));
  const { db, label } = own;
  await makeTenant(
    { db, realNow: Date.now },
    { label, testClock: CLOCK, plans: dearer, file: welcome(10) },
  );
  const body = held(valueOf(shown.body, 'list@quoteHash'), goldFor(2));
  t.is((await own.post(path, body)).status, 409);
});

test('the hash of a quote is taken where the change has the same terms', async (t) => {
  const { own, path } = await withGold();
  const metered = '<contractCode>METERED</contractCode>';
  const hash = await hashOf(own, 'contractCode=METERED');
  const shown = await own.post(`${path}&preview=true`, held(hash, metered));
  t.is(valueOf(shown.body, 'list@quoteHash'), hash);
  const next = idIn(await own.post(path, held(hash, metered)));
  t.truthy(next);
});

test('where a one-time charge was billed before, the quote of the plan has it, which the error says', async (t) => {
  const { own, path } = await withGold();
  const hash = await hashOf(own, 'contractCode=GOLD&quantity=2');
  const refused = await own.post(path, held(hash, goldFor(2)));
  t.is(refused.status, 409);
  t.is(
    textOf(refused.body),
    'the change does not cost what the quote said: it does not bill GOLD-SETUP',
  );
  const setup = '<orderLineItem><priceCode>GOLD-SETUP</priceCode></orderLineItem></orderLineItems>';
  const both = goldFor(2).replace('</orderLineItems>', setup);
  t.is((await own.post(path, held(hash, both))).status, 201);
});

test('the order goes on with its own terms of a coupon, or without: the error says so', async (t) => {
  const { own, path } = await withGold('<couponCode>WELCOME</couponCode>');
  const { db, label } = own;
  await makeTenant(
    { db, realNow: Date.now },
    { label, testClock: CLOCK, plans, file: welcome(20) },
  );
  const hash = await hashOf(own, 'contractCode=GOLD&quantity=2&promo=WELCOME');
  const setup = 'it does not bill GOLD-SETUP, and ';
  const named = `${goldFor(2)}<couponCode>WELCOME</couponCode>`;
  const cases = [
    [held(hash, named), `${setup}it goes on with the order's terms of WELCOME`],
    [
      held(await hashOf(own, 'contractCode=GOLD&quantity=2'), named),
      `${setup}it has coupon WELCOME, the quote no coupon`,
    ],
  ] as const;
  for (const [body, why] of cases) {
    const refused = await own.post(path, body);
    t.is(refused.status, 409);
    t.is(textOf(refused.body), `the change does not cost what the quote said: ${why}`);
  }
});
