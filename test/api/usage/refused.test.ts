/** What uploads of usage are refused for: each code, with its record, its element and its text. */
import test from 'ava';
import { refused, startTenantApi, valueOf, type TenantApi } from '../tenant-api.ts';
import { customerOf, lineIn, listOf, minute, ofOrder, order, withOrder } from './bodies.ts';

const api = await startTenantApi();

interface Shop {
  readonly own: TenantApi;
  readonly order: string;
  readonly line: string;
  /** Of the order 1002: CALLS, DATA, AGREED and SHARE. */
  readonly mixed: string;
}

/** The order 1001 of METERED and the order 1002 of MIXED, both of C1; C2 has no order. */
async function open(): Promise<Shop> {
  const { own, ...first } = await withOrder(api);
  await own.post('/customers', customerOf('C2'));
  const mixed = await order(own, '<contractCode>MIXED</contractCode>');
  return { own, ...first, mixed };
}

const shop = await open();
const { own } = shop;
const ofMixed = (code: string, inner: string) =>
  `<orderNumber>1002</orderNumber><priceCode>${code}</priceCode>${inner}`;
const one = '<quantity>1</quantity>';

const refusals: readonly (readonly [rule: string, record: string, error: string])[] = [
  ['neither quantity nor amount', ofOrder(''), 'field.required quantity'],
  ['a quantity in words', ofOrder('<quantity>many</quantity>'), 'field.invalid quantity'],
  ['seven decimals', ofOrder('<quantity>1.1234567</quantity>'), 'field.invalid quantity'],
  ['a negative quantity', ofOrder('<quantity>-1</quantity>'), 'field.invalid quantity'],
  ['a negative amount', ofOrder('<amount>-1</amount>'), 'field.invalid amount'],
  ['half a cent', ofOrder('<amount>0.005</amount>'), 'field.invalid amount'],
  ['a negative price', ofOrder(`${one}<unitPrice>-1</unitPrice>`), 'field.invalid unitPrice'],
  ['no such day', ofOrder(`${one}<chargeDate>2027-02-30</chargeDate>`), 'field.invalid chargeDate'],
  [
    'a day past the calendar of orders',
    ofOrder(`${one}<chargeDate>3000-01-01</chargeDate>`),
    'field.invalid chargeDate',
  ],
  [
    'an end before its day',
    ofOrder(`${one}<chargeDate>2027-01-06</chargeDate><chargeEndDate>2027-01-05</chargeEndDate>`),
    'field.invalid chargeEndDate',
  ],
  [
    'an end before today',
    ofOrder(`${one}<chargeEndDate>2026-12-31</chargeEndDate>`),
    'field.invalid chargeEndDate',
  ],
  ['a long reference', minute('x'.repeat(256)), 'field.tooLong extRefId'],
  ['an unknown element', ofOrder(`${one}<units>1</units>`), 'field.unknown units'],
  ['a repeated element', ofOrder(one + one), 'field.repeated quantity'],
  ['no name', one, 'field.required extCustomerRef'],
  ['a customer alone', `<extCustomerRef>C1</extCustomerRef>${one}`, 'field.required priceCode'],
  ['no price for an agreed one', ofMixed('AGREED', one), 'field.required unitPrice'],
  ['no amount for a percentage', ofMixed('SHARE', one), 'field.required amount'],
  ['an unknown line', `<orderLineItem id="999999"/>${one}`, 'activity.reference orderLineItem/@id'],
  ['an unknown order', `<order id="999999"/>${one}`, 'activity.reference order/@id'],
  [
    'an unknown order number',
    `<orderNumber>A7</orderNumber>${one}`,
    'activity.reference orderNumber',
  ],
  [
    'an unknown customer',
    `<customer id="999999"/><priceCode>DATA</priceCode>${one}`,
    'activity.reference customer/@id',
  ],
  [
    'an unknown reference',
    `<extCustomerRef>C9</extCustomerRef><priceCode>DATA</priceCode>${one}`,
    'activity.reference extCustomerRef',
  ],
  [
    'another customer’s order',
    `<extCustomerRef>C2</extCustomerRef>${ofOrder(one)}`,
    'activity.reference extCustomerRef',
  ],
  [
    'another order’s line',
    `<orderNumber>1002</orderNumber><orderLineItem id="${shop.line}"/>${one}`,
    'activity.reference orderNumber',
  ],
  [
    'another line’s price',
    `<priceCode>DATA</priceCode><orderLineItem id="${shop.line}"/>${one}`,
    'activity.reference priceCode',
  ],
  [
    'an order without the price',
    ofOrder(`<priceCode>DATA</priceCode>${one}`),
    'activity.noMatch priceCode',
  ],
  [
    'a customer without orders',
    `<extCustomerRef>C2</extCustomerRef><priceCode>DATA</priceCode>${one}`,
    'activity.noMatch priceCode',
  ],
  [
    'an order with several usage lines',
    `<orderNumber>1002</orderNumber>${one}`,
    'activity.severalMatches orderNumber',
  ],
  [
    'a line of no usage',
    ofOrder(`<priceCode>LINE</priceCode>${one}`),
    'activity.notTaken priceCode',
  ],
  [
    'a day before the order',
    ofOrder(`${one}<chargeDate>2026-12-31</chargeDate>`),
    'activity.outsideTerm chargeDate',
  ],
  [
    'a correction of nothing',
    ofOrder('<quantity>-1</quantity><correctsExtRefId>none</correctsExtRefId>'),
    'activity.correction correctsExtRefId',
  ],
  [
    'a correction that adds',
    ofOrder(`${one}<correctsExtRefId>none</correctsExtRefId>`),
    'field.invalid quantity',
  ],
  [
    'a correction with a positive amount',
    ofOrder('<quantity>-1</quantity><amount>1</amount><correctsExtRefId>none</correctsExtRefId>'),
    'field.invalid amount',
  ],
];

for (const [rule, record, error] of refusals) {
  test(`${rule} is refused, and nothing of the upload is stored`, async (t) => {
    const [code, element = ''] = error.split(' ');
    const answer = await own.post('/activities', listOf(minute(`OF ${rule}`), record));
    refused(t, answer, 400, `${code} list/activity[2]/${element}`);
    t.regex(answer.body, /<error [^>]*>activity 2: /);
    refused(
      t,
      await own.remove(`/activity?extRefId=${encodeURIComponent(`OF ${rule}`)}`),
      404,
      'activity.unknown',
    );
  });
}

test('the error has the record, the element and the value in its text', async (t) => {
  const { body } = await own.post(
    '/activities',
    listOf(ofOrder(one), ofOrder('<quantity>many</quantity>')),
  );
  t.true(
    body.includes(
      '<error code="field.invalid" path="list/activity[2]/quantity" value="many">activity 2: ' +
        'quantity must be a decimal of at most 12 digits before the point and 6 after it, not ' +
        '&quot;many&quot;</error>',
    ),
    body,
  );
});

test('every faulty record is listed, faults of form first and alone', async (t) => {
  const faulty = [
    ofOrder(''),
    `<orderNumber>none</orderNumber>${one}`,
    ofOrder('<quantity>many</quantity><amount>x</amount>'),
    ofOrder(one),
  ];
  refused(
    t,
    await own.post('/activities', listOf(...faulty)),
    400,
    'field.required list/activity[1]/quantity',
    'field.invalid list/activity[3]/quantity',
    'field.invalid list/activity[3]/amount',
  );
  const unknown = Array.from({ length: 150 }, () => `<orderNumber>none</orderNumber>${one}`);
  const many = await own.post('/activities', listOf(...unknown));
  t.is(many.body.match(/<error /g)?.length, 100);
  const formless = await own.post(
    '/activities',
    listOf(...unknown.map(() => '<amount>x</amount>')),
  );
  t.is(formless.body.match(/<error /g)?.length, 100);
});

test('an upload has 1 to 1,000 records', async (t) => {
  refused(t, await own.post('/activities', '<list/>'), 400, 'field.required list');
  refused(t, await own.post('/activities', '<list></list>'), 400, 'field.required list');
  refused(t, await own.post('/activities'), 400, 'document.empty');
  refused(t, await own.post('/activities', '<activities/>'), 400, 'document.root activities');
  const records = Array.from({ length: 1_000 }, (_, n) =>
    ofMixed('CALLS', `<quantity>${n}</quantity>`),
  );
  const tooMany = await own.post('/activities', listOf(...records, ofOrder(one)));
  refused(t, tooMany, 400, 'activity.tooMany list');
  const made = await own.post('/activities', listOf(...records));
  t.is(made.status, 201);
  t.is(made.body.match(/<activity /g)?.length, 1_000);
});

test('a reference is taken once in the tenant', async (t) => {
  t.is((await own.post('/activities', listOf(minute('TAKEN')))).status, 201);
  refused(
    t,
    await own.post('/activities', listOf(minute('TAKEN'), minute('NEW'), minute('NEW'))),
    400,
    'activity.refTaken list/activity[1]/extRefId',
    'activity.refTaken list/activity[3]/extRefId',
  );
});

test('orders that do not serve yet, and lines that are not active, take no records', async (t) => {
  const { own: other } = await withOrder(api);
  const mixed = '<contractCode>MIXED</contractCode>';
  const later = await order(other, `${mixed}<startDate>2027-02-10</startDate>`);
  const draft = await order(other, `${mixed}<orderStatus>Draft</orderStatus>`);
  const made = await order(other, mixed);
  await other.asOwner(
    `update order_line set is_active = false where id = ${lineIn(made, 'CALLS')}`,
  );
  const named = (body: string) => `<orderLineItem id="${lineIn(body, 'CALLS')}"/>${one}`;
  refused(
    t,
    await other.post(
      '/activities',
      listOf(
        `<orderNumber>1002</orderNumber>${one}`,
        named(later),
        `<orderNumber>1003</orderNumber><priceCode>DATA</priceCode>${one}`,
        named(draft),
        named(made),
        `<orderNumber>1004</orderNumber><priceCode>CALLS</priceCode>${one}`,
      ),
    ),
    400,
    'activity.notTaken list/activity[1]/orderNumber',
    'activity.notTaken list/activity[2]/orderLineItem/@id',
    'activity.notTaken list/activity[3]/orderNumber',
    'activity.notTaken list/activity[4]/orderLineItem/@id',
    'activity.notTaken list/activity[5]/orderLineItem/@id',
    'activity.notTaken list/activity[6]/priceCode',
  );
});

test('the order of a call must exist, and must be that of its records', async (t) => {
  const record = listOf(one);
  refused(t, await own.post('/order/999999/activities', record), 404, 'order.unknown');
  refused(t, await own.post('/order/activities?orderNumber=9', record), 404, 'order.unknown');
  refused(t, await own.post('/order/activities?orderNumber=A', record), 404, 'order.unknown');
  refused(t, await own.post('/order/activities', record), 400, 'query.required orderNumber');
  refused(
    t,
    await own.post(
      `/order/${shop.order}/activities`,
      listOf(`<orderNumber>1002</orderNumber><priceCode>DATA</priceCode>${one}`, one),
    ),
    400,
    'activity.reference list/activity[1]/orderNumber',
  );
  const several = await own.post('/order/activities?orderNumber=1002', record);
  refused(t, several, 400, 'activity.severalMatches list/activity[1]/orderNumber');
});

test('a correction is of one line’s records, and takes away at most their quantity', async (t) => {
  const ten = (ref: string, code = 'CALLS') =>
    ofMixed(code, `<extRefId>${ref}</extRefId><quantity>10</quantity>`);
  const less = (ref: string, quantity: string, more = '') =>
    `<quantity>-${quantity}</quantity><correctsExtRefId>${ref}</correctsExtRefId>${more}`;
  const made = await own.post(
    '/activities',
    listOf(ten('TEN'), less('TEN', '4', '<extRefId>LESS</extRefId>'), ten('DATA', 'DATA')),
  );
  t.is(made.status, 201, made.body);
  refused(
    t,
    await own.post(
      '/activities',
      listOf(
        less('TEN', '6'),
        less('TEN', '0.5'),
        less('LESS', '1'),
        less('TEN', '1', `<orderLineItem id="${lineIn(shop.mixed, 'DATA')}"/>`),
      ),
    ),
    400,
    'activity.correction list/activity[2]/correctsExtRefId',
    'activity.correction list/activity[3]/correctsExtRefId',
    'activity.correction list/activity[4]/correctsExtRefId',
  );
});

test('a window has at most 500 agreed prices', async (t) => {
  const { own: other } = await withOrder(api);
  await order(other, '<contractCode>MIXED</contractCode>');
  const priced = (price: number) =>
    ofMixed('AGREED', `${one}<unitPrice>${price}</unitPrice><chargeDate>2027-01-06</chargeDate>`);
  const prices = Array.from({ length: 499 }, (_, n) => priced(n + 1));
  const first = await other.post('/activities', listOf(...prices));
  t.is(first.status, 201, first.body.slice(0, 500));
  refused(
    t,
    await other.post('/activities', listOf(priced(1), priced(600), priced(601), priced(600))),
    400,
    'field.invalid list/activity[3]/unitPrice',
  );
  const february = ofMixed(
    'AGREED',
    `${one}<unitPrice>601</unitPrice><chargeDate>2027-02-06</chargeDate>`,
  );
  const made = await other.post('/activities', listOf(february, priced(600)));
  t.is(made.status, 201, made.body);
  t.is(valueOf(made.body, 'unitPrice'), '601.00');
});
