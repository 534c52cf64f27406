/** The page of a sign-up: what it shows in each state, its two steps, and where it leads. */
import test from 'ava';
import { refused } from '../tenant-api.ts';
import {
  ada,
  card,
  faultsIn,
  fill,
  gold,
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
} from './page-calls.ts';
import { start } from './calls.ts';

const api = await openPages();

const monthly = {
  chargeType: 'RecurringCharge',
  pricingType: 'FixedPricing',
  isPrepaid: true,
} as const;
/** A base fee with seats, storage that is sold in parts, and a club that has one price. */
const seatPlans = [
  {
    contractCode: 'TEAM',
    name: 'Team',
    billingPeriod: 'Monthly',
    charges: [
      { ...monthly, priceCode: 'BASE', price: 49, followsQuantity: false },
      { ...monthly, priceCode: 'SEAT', price: 8 },
      { priceCode: 'SETUP', chargeType: 'OneTimeCharge', pricingType: 'FixedPricing', price: 10 },
    ],
  },
  {
    contractCode: 'PARTS',
    name: 'Parts',
    billingPeriod: 'Monthly',
    charges: [{ ...monthly, priceCode: 'STORE', price: 8, decimals: true, minQuantity: 0.5 }],
  },
  {
    contractCode: 'CLUB',
    name: 'Club',
    productOffering: 'CLUB',
    billingPeriod: 'Monthly',
    charges: [{ ...monthly, priceCode: 'CLUB', price: 19, followsQuantity: false }],
  },
];
const seatFile = {
  ...withPages.file,
  coupons: [],
  commissionPlans: [],
  salesAgents: [],
  productOfferings: [{ sku: 'CLUB', name: 'Club' }],
};

test('step 1 asks for customer and order, prefilled with what the link has', async (t) => {
  const { path } = await linkOf(api, { ...ada, contractCode: 'GOLD', country: 'us' });
  const page = await visit(api, path);
  t.is(page.status, 200, page.body);
  t.is(valueIn(page, 'firstName'), 'Ada');
  t.is(valueIn(page, 'country'), 'US');
  t.is(valueIn(page, 'contractCode'), 'GOLD');
  t.is(valueIn(page, 'quantity'), '1');
  t.is(valueIn(page, 'passwd'), '');
  t.is(valueIn(page, 'extCustomerRef'), undefined);
  t.is(valueIn(page, 'startDate'), undefined);
  t.is(valueIn(page, 'cardNumber'), undefined);
  const policy = String(page.headers['content-security-policy']);
  t.true(policy.includes("form-action 'self' https://www.demo.example;"), policy);
});

test('step 1 has no field that the link hides, and no login if it came with a password', async (t) => {
  const customer = { ...ada, extCustomerRef: 'C-1', hideCustomerFields: 'true' };
  const order = await visit(api, (await linkOf(api, customer)).path);
  t.is(valueIn(order, 'firstName'), undefined);
  t.is(valueIn(order, 'login'), undefined);
  t.is(valueIn(order, 'quantity'), '1');
  const only = await visit(api, (await linkOf(api, { ...gold, hideOrderFields: 'true' })).path);
  t.is(valueIn(only, 'quantity'), undefined);
  t.is(valueIn(only, 'login'), '');
  const login = { login: 'ada.field.1', passwd: 'Secret-123' };
  const withPassword = await visit(api, (await linkOf(api, login)).path);
  t.is(valueIn(withPassword, 'login'), undefined);
  t.is(valueIn(withPassword, 'firstName'), '');
});

test('a link that hides all begins with the price, which is the quote with tax', async (t) => {
  const { path } = await linkOf(api, { ...hidden, extCustomerRef: 'C-price' });
  const page = await visit(api, path);
  t.is(page.status, 200, page.body);
  for (const says of [
    'From then on: $29.95 a month, before discounts and taxes, and without usage.',
    'Coupon WELCOME10 holds until April 14, 2027.',
    'the subscription is renewed after each billing period, until it is cancelled.',
    'To cancel it, contact Test tenant.',
  ]) {
    t.true(page.body.includes(says), says);
  }
  for (const amount of ['44.10', '29.34', '73.44'])
    t.true(page.body.includes(`$${amount}`), amount);
  t.is(valueIn(page, 'cardNumber'), '');
  t.false(page.body.includes('step=details'));
  const german = await visit(api, path, { 'accept-language': 'de-AT' });
  t.true(german.body.includes('<html lang="de">'));
  t.regex(german.body, /73,44/);
});

const amounts: readonly (readonly [displayAmount: string, shown: string[], hidden: string[]])[] = [
  ['oneTimeChargesOnly', ['44.10'], ['29.34', '73.44']],
  ['none', [], ['44.10', '29.34', '73.44']],
];

for (const [displayAmount, present, absent] of amounts) {
  test(`displayAmount=${displayAmount} shows no other amount`, async (t) => {
    const page = await visit(api, (await linkOf(api, { ...hidden, displayAmount })).path);
    t.is(page.status, 200, page.body);
    for (const each of present) t.true(page.body.includes(each), each);
    for (const each of absent) t.false(page.body.includes(each), each);
    t.regex(page.body, /<input id="cardNumber"[^]*?required/);
  });
}

test('what starts later costs nothing today, and needs no card', async (t) => {
  const link = await linkOf(api, { ...hidden, startDate: '2027-02-01' });
  const page = await visit(api, link.path);
  t.true(page.body.includes('$0.00'));
  t.notRegex(page.body, /<input id="cardNumber"[^>]*? required/);
  const answer = await fill(api, link.path, {});
  t.is(answer.status, 303, answer.body);
  t.is(await stateOf(api, link), 'DRAFT: 1 submitted');
});

test('step 1 stores what was entered, and leads to step 2 and back', async (t) => {
  const link = await linkOf(api);
  const login = { login: 'ada.enters', passwd: 'Secret-123' };
  const answer = await fill(
    api,
    link.path,
    {
      ...ada,
      ...gold,
      quantity: ' 02 ',
      email: ' ada@enters.example ',
      country: 'at',
      ...login,
    },
    { 'accept-language': 'de' },
  );
  t.is(answer.status, 303, answer.body);
  t.is(answer.headers.location, `${link.path}?step=review`);
  const row = await rowOf(api, link);
  t.like(row, {
    first_name: 'Ada',
    email: 'ada@enters.example',
    country: 'AT',
    login: 'ada.enters',
    contract_code: 'GOLD',
    quantity: '2.000000',
    coupon_code: 'WELCOME10',
    locale: 'de_AT',
    has_details: true,
  });
  t.regex(String(row['password_hash']), /^\$argon2id\$/);
  const review = await visit(api, String(answer.headers.location));
  t.is(valueIn(review, 'cardNumber'), '');
  t.true(review.body.includes(`href="${link.path}?step=details"`));
  const back = await visit(api, `${link.path}?step=details`);
  t.is(valueIn(back, 'email'), 'ada@enters.example');
  t.is(valueIn(back, 'passwd'), '');
  const again = await fill(api, `${link.path}?step=details`, {
    ...ada,
    ...gold,
    login: 'ada.enters',
  });
  t.is(again.status, 303, again.body);
  const after = await rowOf(api, link);
  t.is(after['password_hash'], row['password_hash']);
  t.is(after['quantity'], '1.000000');
});

test('what the link hides keeps its value, whatever a form sends', async (t) => {
  const link = await linkOf(api, { ...ada, extCustomerRef: 'C-1', hideCustomerFields: 'true' });
  const foreign = { firstName: 'Eve', email: 'eve@evil.example', login: 'eve.evil', passwd: 'Ab1' };
  const sent = { ...gold, ...foreign, extCustomerRef: 'C-2', startDate: '2027-03-01' };
  t.is((await fill(api, link.path, sent)).status, 303);
  t.like(await rowOf(api, link), {
    first_name: 'Ada',
    email: 'ada@field.example',
    login: null,
    password_hash: null,
    ext_customer_ref: 'C-1',
    start_date: null,
    contract_code: 'GOLD',
  });
  const other = await linkOf(api, { ...gold, hideOrderFields: 'true' });
  const order = { contractCode: 'ANNUAL', quantity: '7', couponCode: 'X' };
  t.is((await fill(api, other.path, { ...ada, ...order })).status, 303);
  t.like(await rowOf(api, other), { contract_code: 'GOLD', coupon_code: 'WELCOME10' });
});

test('1.000 on a German page is a thousand, which is more than GOLD has', async (t) => {
  const { path } = await linkOf(api);
  const german = { 'accept-language': 'de' };
  const typed = { ...ada, ...gold, country: 'DE', quantity: '1.000' };
  const answer = await fill(api, path, typed, german);
  t.is(answer.status, 400);
  t.true(answer.body.includes('in dieser Menge'), answer.body);
  t.is(valueIn(answer, 'quantity'), '1.000');
});

test('a page has no field for a quantity that nothing follows, and shows none', async (t) => {
  const own = await api.another({ ...withPages, file: { ...seatFile, plans: seatPlans } });
  const { path } = await linkOf(own, { sku: 'CLUB' });
  const page = await visit(own, path);
  t.is(valueIn(page, 'quantity'), undefined);
  const answer = await fill(own, path, { ...ada, contractCode: 'CLUB', country: 'US' });
  t.is(answer.status, 303, answer.body);
  const review = await visit(own, `${path}?step=review`);
  t.false(review.body.includes('fact-quantity'));
  t.true(review.body.includes('$19.00'));
  // In a list with others it has the field, which the script hides.
  const mixed = await visit(own, (await linkOf(own)).path);
  t.is(valueIn(mixed, 'quantity'), '1');
  t.regex(mixed.body, /id="plan-2" data-no-quantity name="contractCode" value="CLUB"/);
});

test('plans are listed as the file has them, with the prices of quantity 1', async (t) => {
  const own = await api.another({ ...withPages, file: { ...seatFile, plans: seatPlans } });
  const listed = async (more: Parameters<typeof linkOf>[1]) => {
    const { body } = await visit(own, (await linkOf(own, more)).path);
    const texts = body.matchAll(/<span class="plan-name">([^<]*)<\/span>(.*?)<\/label>/g);
    return [...texts].map(
      ([, name, rest]) => `${name}: ${rest?.replaceAll(/<[^>]*>/g, '').trim()}`,
    );
  };
  const all = [
    'Team: $57.00 a month + $10.00 once',
    'Parts: $8.00 a month',
    'Club: $19.00 a month',
  ];
  t.deepEqual(await listed({ quantity: '8' }), all);
  t.deepEqual(await listed({ displayAmount: 'oneTimeChargesOnly' }), [
    'Team: $10.00 once',
    'Parts: ',
    'Club: ',
  ]);
  t.deepEqual(await listed({ displayAmount: 'none' }), ['Team: ', 'Parts: ', 'Club: ']);
  const turned = { ...seatFile, plans: seatPlans.toReversed() };
  await api.another({ ...withPages, label: own.label, file: turned });
  t.deepEqual(await listed({}), all.toReversed());
});

test('quantities are whole, linked or typed, unless what is ordered may have parts', async (t) => {
  const own = await api.another({ ...withPages, file: { ...seatFile, plans: seatPlans } });
  const linked = await start(own, { contractCode: 'TEAM', quantity: '1.5' });
  refused(t, linked, 400, 'quantity.outOfRange quantity');
  t.is((await start(own, { contractCode: 'PARTS', quantity: '1.5' })).status, 200);
  const { path } = await linkOf(own, { quantity: '1.5' });
  const typed = { ...ada, contractCode: 'TEAM' };
  const answer = await fill(own, path, { ...typed, quantity: '1.5' });
  t.is(answer.status, 400);
  t.deepEqual(faultsIn(answer), ['quantity']);
  t.true(answer.body.includes('not available in this quantity'));
  t.is((await fill(own, path, { ...typed, contractCode: 'PARTS', quantity: '0.4' })).status, 400);
  t.is((await fill(own, path, { ...typed, contractCode: 'PARTS', quantity: '1.5' })).status, 303);
  const review = await visit(own, `${path}?step=review`);
  t.true(review.body.includes('$12.00'));
  const eight = await fill(own, `${path}?step=details`, { ...typed, quantity: '8' });
  t.is(eight.status, 303, eight.body);
  // 49.00 + 8 x 8.00.
  t.true((await visit(own, `${path}?step=review`)).body.includes('$113.00'));
});

const faults: readonly (readonly [
  change: Readonly<Record<string, string>>,
  ...fields: string[],
])[] = [
  [{ firstName: '' }, 'firstName'],
  [{ lastName: '  ' }, 'lastName'],
  [{ email: '' }, 'email'],
  [{ email: 'ada@' }, 'email'],
  [{ email: 'ada@field.example, eve@evil.example' }, 'email'],
  [{ firstName: 'x'.repeat(256) }, 'firstName'],
  [{ companyName: 'a\u0000b' }, 'companyName'],
  [{ lastName: 'x'.repeat(61) }, 'lastName'],
  [{ companyName: 'Win at https://evil.example/now' }, 'companyName'],
  [{ firstName: 'evil.example' }, 'firstName'],
  [{ city: 'New\nYork' }, 'city'],
  [{ street: '4111 1111 1111 1111' }, 'street'],
  [{ phone: 'none' }, 'phone'],
  [{ country: 'XX' }, 'country'],
  [{ login: 'short', passwd: 'Secret-123' }, 'login'],
  [{ login: 'ada.field' }, 'passwd'],
  [{ passwd: 'Secret-123' }, 'login'],
  [{ login: 'ada.field', passwd: 'secret-123' }, 'passwd'],
  [{ login: 'ada.field', passwd: 'SECRET-123' }, 'passwd'],
  [{ login: 'ada.field', passwd: 'Secret-abc' }, 'passwd'],
  [{ login: 'ada.field', passwd: 'Abc-123' }, 'passwd'],
  [{ contractCode: '' }, 'contractCode'],
  [{ contractCode: 'NONE' }, 'contractCode'],
  [{ quantity: '' }, 'quantity'],
  [{ quantity: '0' }, 'quantity'],
  [{ quantity: '-1' }, 'quantity'],
  [{ quantity: '1,5' }, 'quantity'],
  [{ quantity: '1e3' }, 'quantity'],
  [{ quantity: '1.5' }, 'quantity'],
  [{ quantity: '0.001' }, 'quantity'],
  [{ quantity: '0.000001' }, 'quantity'],
  [{ quantity: '1.000' }, 'quantity'],
  [{ couponCode: 'NONE' }, 'couponCode'],
  [{ firstName: '', email: 'x', quantity: 'x' }, 'quantity', 'firstName', 'email'],
];

for (const [index, [change, ...fields]] of faults.entries()) {
  // The title has no value: one of them is the number of a card.
  test(`step 1 shows what is at fault: ${fields.join(', ')} (${index + 1})`, async (t) => {
    const link = await linkOf(api);
    const typed = { ...ada, ...gold, companyName: 'Field & "Sons"', ...change };
    const answer = await fill(api, link.path, typed);
    t.is(answer.status, 400, answer.body);
    t.deepEqual(faultsIn(answer), fields);
    t.is(valueIn(answer, 'passwd'), '');
    if (!('companyName' in change)) {
      t.is(valueIn(answer, 'companyName'), 'Field &amp; &quot;Sons&quot;');
    }
    t.false(answer.body.includes('4111'));
    t.like(await rowOf(api, link), { first_name: null, has_details: false });
    t.not(keyIn(answer), '');
  });
}

test('the page does not tell that a user name is that of another customer', async (t) => {
  const contact =
    '<billingContact><firstName>Bea</firstName><username>bea.taken</username></billingContact>';
  const made = await api.post(
    '/customers',
    `<customer><extCustomerRef>BEA</extCustomerRef>${contact}</customer>`,
  );
  t.is(made.status, 201, made.body);
  const typed = { ...ada, ...gold, login: 'bea.taken', passwd: 'Secret-123' };
  for (const login of ['bea.taken', 'bea.free']) {
    const link = await linkOf(api);
    const answer = await fill(api, link.path, { ...typed, login });
    t.is(answer.status, 303, answer.body);
    t.is(answer.headers.location, `${link.path}?step=review`);
  }
});

test('markup in every text reaches the page escaped', async (t) => {
  const evil = `"><script>alert(1)</script><b x='`;
  const link = await linkOf(api);
  const typed = Object.fromEntries(Object.keys(ada).map((name) => [name, evil]));
  const again = await fill(api, link.path, { ...typed, contractCode: evil, couponCode: evil });
  t.is(again.status, 400);
  t.notRegex(again.body, /<script>alert|<b x/);
  const stored = { ...ada, firstName: evil, street: evil, companyName: evil, city: evil };
  t.true(evil.length <= 60);
  t.is((await fill(api, link.path, { ...stored, ...gold })).status, 303);
  for (const step of ['details', 'review']) {
    const page = await visit(api, `${link.path}?step=${step}`);
    t.is(page.status, 200);
    t.notRegex(page.body, /<script>alert|<b x/);
  }
  const name = await fill(api, link.path, { ...card, cardholderName: evil, cvv: '' });
  t.is(name.status, 400);
  t.notRegex(name.body, /<script>alert|<b x/);
});

test('an unknown, a mistyped and another tenant’s token are 404', async (t) => {
  const { path } = await linkOf(api);
  const other = await api.another();
  for (const each of [
    `${path}x`,
    path.slice(0, -1),
    path.toUpperCase(),
    `/signup/${'A'.repeat(43)}`,
  ]) {
    t.is((await visit(api, each.replace('SIGNUP', 'signup'))).status, 404, each);
  }
  t.is((await visit(other, path)).status, 404);
  t.is((await submit(other, path, { formKey: keyIn(await visit(api, path)) })).status, 404);
  refused(t, await visit(api, `${path}/`), 404, 'path.unknown');
});

test('a form key of another link is 403, and a used one leads to the page', async (t) => {
  const [one, two] = [await linkOf(api, hidden), await linkOf(api, hidden)];
  const formKey = keyIn(await visit(api, one.path));
  t.is((await submit(api, two.path, { formKey, ...card })).status, 403);
  const details = await linkOf(api);
  const once = keyIn(await visit(api, details.path));
  t.is((await submit(api, details.path, { formKey: once, ...ada, ...gold })).status, 303);
  const changed = { ...ada, ...gold, firstName: 'Eve' };
  t.is((await submit(api, details.path, { formKey: once, ...changed })).status, 303);
  t.like(await rowOf(api, details), { first_name: 'Ada' });
});

test('a form of step 2 before step 1 leads to step 1', async (t) => {
  const link = await linkOf(api, gold);
  const formKey = keyIn(await visit(api, (await linkOf(api, hidden)).path));
  t.is((await submit(api, link.path, { formKey, ...card })).status, 403);
  t.is(titleOf(await visit(api, `${link.path}?step=review`)), titleOf(await visit(api, link.path)));
});

const ended = `ended_at = now(), expires_at = now() + interval '5 minutes'`;
const late = `ended_at = now(), expires_at = now() - interval '5 minutes'`;

test('PROCESSED leads to successURL, FAILED and EXPIRED to failURL, with tracking', async (t) => {
  const cases = [
    [`status = 'PROCESSED', ${ended}`, 'ok?p=1&tracking=TRACKING#top'],
    [`status = 'FAILED', failure_code = 'declined', ${ended}`, 'fail?tracking=TRACKING'],
    [`status = 'EXPIRED', failure_code = 'operator', ${ended}`, 'fail?tracking=TRACKING'],
  ] as const;
  for (const [change, to] of cases) {
    const link = await linkOf(api, {
      ...hidden,
      successURL: 'https://www.demo.example/ok?p=1#top',
    });
    await setRow(api, link, change);
    const answer = await visit(api, link.path);
    t.is(answer.status, 303, answer.body);
    const location = `https://www.demo.example/${to.replace('TRACKING', link.tracking)}`;
    t.is(answer.headers.location, location);
    t.is(answer.headers['referrer-policy'], 'same-origin');
    const posted = await submit(api, link.path, {});
    t.is(posted.headers.location, location);
  }
});

test('after its 30 minutes a link is 410, with the way to the tenant’s site', async (t) => {
  const cases = [
    `expires_at = now() - interval '1 second'`,
    `status = 'EXPIRED', failure_code = 'expired', ${late}`,
    `status = 'FAILED', failure_code = 'declined', ${late}`,
    `cancel_reason = 'by hand'`,
  ];
  for (const change of cases) {
    const link = await linkOf(api, { ...hidden, cssURL: 'https://www.demo.example/own.css' });
    await setRow(api, link, change);
    for (const answer of [await visit(api, link.path), await submit(api, link.path, {})]) {
      t.is(answer.status, 410);
      t.true(
        answer.body.includes(`href="https://www.demo.example/fail?tracking=${link.tracking}"`),
      );
      t.true(answer.body.includes('href="https://www.demo.example/own.css"'));
      t.is(keyIn(answer), '');
    }
  }
});
