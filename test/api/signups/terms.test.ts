/** What the review of a sign-up signs: whatever differs at the submit is shown first, due or not. */
import test from 'ava';
import type { Received } from '../support.ts';
import { makeTenant } from '../../support/tenants.ts';
import {
  ada,
  fill,
  gold,
  keyIn,
  linkOf,
  openPages,
  rowOf,
  stateOf,
  submit,
  visit,
  withPages,
  type Link,
} from './page-calls.ts';

const api = await openPages();

/** Nothing is due before February. */
const later = { startDate: '2027-02-01' } as const;

interface Reviewed {
  readonly own: typeof api;
  readonly link: Link;
  readonly formKey: string;
}

/** A review of GOLD at 26.95 and 2.39 a month, with nothing due today. */
async function reviewed(own = api): Promise<Reviewed> {
  const link = await linkOf(own, { ...ada, ...gold, ...later });
  const entered = await fill(own, link.path, { ...ada, ...gold });
  const review = await visit(own, String(entered.headers.location));
  return { own, link, formKey: keyIn(review) };
}

const isMovedTo = (answer: Received, ...amounts: readonly string[]): boolean =>
  answer.status === 409 &&
  answer.body.includes('The price or the terms have changed.') &&
  amounts.every((amount) => answer.body.includes(amount));

/** What another tab enters between the review and its submit, and what is then shown. */
const entered: readonly (readonly [
  what: string,
  change: Readonly<Record<string, string>>,
  ...amounts: string[],
])[] = [
  // 10 x 29.95 = 299.50, less 10%.
  ['another quantity', { quantity: '10' }, '$299.50', '-$29.95'],
  ['another plan', { contractCode: 'SEATS', couponCode: '' }],
  ['no coupon', { couponCode: '' }, '$29.95'],
  // New Jersey: without the tax of New York.
  ['another place of tax', { state: 'NJ', city: 'Newark', zipcode: '07102' }],
];

for (const [what, change, ...amounts] of entered) {
  test(`${what} of another tab is shown first, though nothing is due today`, async (t) => {
    const { own, link, formKey } = await reviewed();
    const other = await fill(own, `${link.path}?step=details`, { ...ada, ...gold, ...change });
    t.is(other.status, 303, other.body);
    const answer = await submit(own, link.path, { formKey });
    t.true(isMovedTo(answer, ...amounts), answer.body);
    t.is(await stateOf(own, link), 'DRAFT: ');
    t.is((await submit(own, link.path, { formKey: keyIn(answer) })).status, 303);
    t.not(await stateOf(own, link), 'DRAFT: ');
  });
}

test('the same details of another tab change nothing', async (t) => {
  const { own, link, formKey } = await reviewed();
  t.is((await fill(own, `${link.path}?step=details`, { ...ada, ...gold })).status, 303);
  t.is((await submit(own, link.path, { formKey })).status, 303);
  t.is(await stateOf(own, link), 'DRAFT: 1 submitted');
});

/** What the tenant applies meanwhile. */
const applied: readonly (readonly [what: string, file: (own: Plans) => object, amount: string])[] =
  [
    ['price', ({ plans }) => ({ plans: plans.map(raised) }), '$39.95'],
    ['rate of tax', ({ tax }) => ({ tax: { ...tax, rates: [doubled] } }), '$5.39'],
  ];

interface Plans {
  readonly tax: object;
  readonly plans: readonly { readonly contractCode: string; readonly charges: readonly object[] }[];
}

const raised = (plan: Plans['plans'][number]) => ({
  ...plan,
  charges: plan.charges.map((charge) =>
    'price' in charge && charge.price === 29.95 ? { ...charge, price: 39.95 } : charge,
  ),
});

/** Of 26.95: 5.39. */
const doubled = { country: 'US', state: 'NY', taxCode: 'STANDARD', percent: 20, name: 'NY tax' };

for (const [what, file, amount] of applied) {
  test(`another ${what} that the tenant applies meanwhile is shown first`, async (t) => {
    const own = await api.another(withPages);
    const { link, formKey } = await reviewed(own);
    const before = withPages.file as unknown as Plans & Record<string, unknown>;
    await makeTenant(
      { db: own.db, realNow: Date.now },
      { label: own.label, testClock: '2027-01-15T17:00:00Z', file: { ...before, ...file(before) } },
    );
    const answer = await submit(own, link.path, { formKey });
    t.true(isMovedTo(answer, amount), answer.body);
    t.is((await rowOf(own, link))['order_id'], null);
    t.is(await stateOf(own, link), 'DRAFT: ');
  });
}
