/** The lines of a new order, and which input is refused. */
import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import { orderLinesFor, type RequestedLine } from '../../../domain/orders/lines.ts';
import type { Charge } from '../../../domain/plans/plan.ts';
import { percentage } from '../billing/rated.ts';
import { chargeWith, planWith, tiersOf } from '../fixtures.ts';

const setup = chargeWith({
  id: 101,
  priceCode: 'SETUP',
  chargeType: 'OneTimeCharge',
  isMandatory: true,
});
const fee = chargeWith({
  id: 102,
  priceCode: 'FEE',
  standardQuantity: '2',
  minQuantity: '1',
  maxQuantity: '100',
});
const seats = chargeWith({
  id: 103,
  priceCode: 'SEAT',
  pricingType: 'VolumePricing',
  tiers: tiersOf([['0', '50', '10.00']]),
});
const support = chargeWith({
  id: 104,
  priceCode: 'SUPPORT',
  pricingType: 'UserEnteredPricing',
  tiers: [],
});
const plan = planWith({ charges: [setup, fee, seats] });
const withSupport = planWith({ charges: [fee, support] });

function request(line: Partial<RequestedLine>): RequestedLine {
  const nothing = { priceCode: null, chargeId: null, position: null, quantity: null };
  return { ...nothing, unitPrice: null, invoiceText: null, isActive: null, ...line };
}

const shown = (lines: ReturnType<typeof orderLinesFor>) =>
  lines.map((line) => `${line.position} ${line.charge.priceCode} ${line.quantity}`);

test('an order without lines has every charge at its standard quantity', (t) => {
  const lines = orderLinesFor(plan, [], 'USD');
  t.deepEqual(shown(lines), ['1 SETUP 1', '2 FEE 2', '3 SEAT 1']);
  t.true(lines.every((line) => line.isActive));
});

test('a mandatory charge that was omitted is added, an optional one is not', (t) => {
  t.deepEqual(shown(orderLinesFor(plan, [request({ priceCode: 'FEE', quantity: '7.5' })], 'USD')), [
    '1 FEE 7.5',
    '2 SETUP 1',
  ]);
});

test('penalties wait for ageing: none is added, and one that is named is on the order', (t) => {
  const late = chargeWith({ id: 105, priceCode: 'LATE', isPenalty: true, isMandatory: true });
  const withPenalty = planWith({ charges: [late, fee] });
  t.deepEqual(shown(orderLinesFor(withPenalty, [], 'USD')), ['1 FEE 2']);
  t.deepEqual(shown(orderLinesFor(withPenalty, [request({ priceCode: 'FEE' })], 'USD')), [
    '1 FEE 2',
  ]);
  t.deepEqual(shown(orderLinesFor(withPenalty, [request({ priceCode: 'LATE' })], 'USD')), [
    '1 LATE 1',
  ]);
});

test('a line may name its charge by id, and positions fill the gaps between given ones', (t) => {
  const requested = [
    request({ chargeId: 103, quantity: '5', isActive: false }),
    request({ priceCode: 'SETUP', position: 1 }),
    request({ priceCode: 'SEAT', invoiceText: 'Seats of the second floor' }),
  ];
  const lines = orderLinesFor(plan, requested, 'USD');
  t.deepEqual(shown(lines), ['2 SEAT 5', '1 SETUP 1', '3 SEAT 1']);
  t.deepEqual(
    lines.map(({ isActive }) => isActive),
    [false, true, true],
  );
  t.is(lines[2]?.invoiceText, 'Seats of the second floor');
});

test('an agreed price is accepted if the plan leaves the price open', (t) => {
  const lines = orderLinesFor(
    withSupport,
    [request({ priceCode: 'SUPPORT', unitPrice: '90' })],
    'USD',
  );
  t.deepEqual(
    lines.map(({ unitPrice }) => unitPrice),
    ['90'],
  );
});

test('values that the plan does not allow are refused with the path of the element', (t) => {
  const second = (line: Partial<RequestedLine>) => [request({ priceCode: 'SETUP' }), request(line)];
  const cases = [
    [plan, second({ priceCode: 'GONE' }), 'priceCode.unknown', 'priceCode'],
    [plan, second({ chargeId: 104 }), 'priceCode.unknown', 'contractCharge/@id'],
    [plan, second({ chargeId: 102, priceCode: 'SEAT' }), 'priceCode.unknown', 'priceCode'],
    [plan, second({}), 'field.required', 'priceCode'],
    [plan, second({ priceCode: 'FEE', quantity: '0.999999' }), 'quantity.outOfRange', 'quantity'],
    [plan, second({ priceCode: 'FEE', quantity: '100.5' }), 'quantity.outOfRange', 'quantity'],
    [plan, second({ priceCode: 'SEAT', quantity: '-1' }), 'quantity.outOfRange', 'quantity'],
    [plan, second({ priceCode: 'SEAT', quantity: '51' }), 'quantity.outOfRange', 'quantity'],
    [plan, second({ priceCode: 'FEE', unitPrice: '1' }), 'field.invalid', 'unitPrice'],
    [
      planWith({ charges: [setup, support] }),
      second({ priceCode: 'SUPPORT' }),
      'order.unitPriceMissing',
      'unitPrice',
    ],
  ] as const;
  for (const [ordered, lines, code, element] of cases) {
    const error = t.throws(() => orderLinesFor(ordered, lines, 'USD'), { instanceOf: DomainError });
    t.is(error?.code, code);
    t.is(error?.path, `subscriptionOrder/orderLineItems/orderLineItem[2]/${element}`);
    t.is(error?.kind, 'invalid');
  }
  const twice = [
    request({ priceCode: 'FEE', position: 4 }),
    request({ priceCode: 'SEAT', position: 4 }),
  ];
  t.like(
    t.throws(() => orderLinesFor(plan, twice, 'USD'), { instanceOf: DomainError }),
    {
      code: 'field.invalid',
      path: 'subscriptionOrder/orderLineItems/orderLineItem[2]/position',
      value: '4',
    },
  );
});

test('the bounds of a usage charge hold for nothing: its plan can be ordered whole, and its line take any units', (t) => {
  const minutes = chargeWith({
    id: 106,
    priceCode: 'MINUTES',
    chargeType: 'UsageCharge',
    standardQuantity: '0',
    minQuantity: '10',
    maxQuantity: '20',
  });
  const metered = planWith({ charges: [fee, minutes] });
  t.deepEqual(shown(orderLinesFor(metered, [], 'USD')), ['1 FEE 2', '2 MINUTES 0']);
  const included = [request({ priceCode: 'MINUTES', quantity: '50' })];
  t.deepEqual(shown(orderLinesFor(metered, included, 'USD')), ['1 MINUTES 50']);
  const negative = [request({ priceCode: 'MINUTES', quantity: '-1' })];
  t.throws(() => orderLinesFor(metered, negative, 'USD'), { code: 'quantity.outOfRange' });
});

test('a plan with a charge that has no price in the currency accepts no order', (t) => {
  t.throws(() => orderLinesFor(plan, [], 'EUR'), { code: 'order.priceMissing' });
  t.throws(() => orderLinesFor(withSupport, [], 'USD'), { code: 'order.unitPriceMissing' });
});

test("percentages count towards the price limit of an order's lines", (t) => {
  const dear = chargeWith({ priceCode: 'DEAR', tiers: tiersOf([['0', null, '500000000000']]) });
  const all = (...more: readonly Charge[]) =>
    orderLinesFor(planWith({ charges: [dear, ...more] }), [], 'USD');
  const care = percentage('100', { id: 2, priceCode: 'CARE' });
  t.notThrows(() => all(care));
  // The tax includes the percentage.
  const vat = percentage('0.000001', { id: 3, priceCode: 'VAT', isTax: true });
  t.like(
    t.throws(() => all(care, vat), { instanceOf: DomainError }),
    { code: 'order.priceTooHigh' },
  );
});

test('the lines of an order together cost at most 1,000,000,000,000 for one period', (t) => {
  const agreed = (unitPrice: string, quantity: string, position: number) =>
    request({ priceCode: 'SUPPORT', unitPrice, quantity, position });
  const lines = (...asked: RequestedLine[]) =>
    orderLinesFor(planWith({ charges: [support] }), asked, 'USD');
  t.notThrows(() => lines(agreed('1000000', '1000000', 1)));
  const over = [agreed('1000000', '1000000', 1), agreed('-0.01', '1', 2)];
  for (const [asked, index] of [
    [[agreed('1000000.01', '1000000', 1)], 1],
    [over, 2],
  ] as const) {
    const error = t.throws(() => lines(...asked), { instanceOf: DomainError });
    t.is(error?.code, 'order.priceTooHigh');
    t.is(error?.path, `subscriptionOrder/orderLineItems/orderLineItem[${index}]/unitPrice`);
  }
});
