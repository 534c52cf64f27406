/** What credit notes give back: by charges, by an amount, or all that stands. */
import test from 'ava';
import {
  notedCharges,
  type NotableCharge,
  type NotableLine,
  type NoteRequest,
} from '../../../domain/billing/credit/note.ts';
import { unusedCredits } from '../../../domain/billing/credit/unused.ts';
import type { DomainError } from '../../../domain/errors.ts';
import { percentOf } from '../../../domain/billing/rate/percent.ts';
import { add, compare, negate, sum } from '../../../domain/money/money.ts';
import { fc, runs } from '../../support/random.ts';
import { storedCharge } from './stored.ts';

type Changes = Partial<NotableCharge>;

const charge = (changes: Changes): NotableCharge => ({
  ...storedCharge(changes),
  unitOfMeasure: null,
  quantityCredited: '0',
  ...changes,
});

const days = { from: '2027-01-15', to: '2027-02-14', periodIndex: 0 };

/** Installation 49.00 and the fee of 29.95 with 10 percent off, 8.875 percent of the fee's rest. */
const gold: readonly Changes[] = [
  {
    id: 1,
    position: 1,
    kind: 'oneTime',
    amount: '49.00',
    unitPrice: '49',
    billed: { ...days, periodId: 1 },
  },
  {
    id: 2,
    position: 2,
    kind: 'discount',
    isPercent: true,
    unitPrice: '10',
    quantity: null,
    amount: '-4.90',
    billed: { ...days, periodId: 1 },
  },
  { id: 3, position: 3, amount: '29.95', unitPrice: '29.95', billed: { ...days, periodId: 2 } },
  {
    id: 4,
    position: 4,
    kind: 'discount',
    isPercent: true,
    unitPrice: '10',
    quantity: null,
    amount: '-3.00',
    billed: { ...days, periodId: 2 },
  },
  {
    id: 5,
    position: 5,
    kind: 'tax',
    isPercent: true,
    unitPrice: '8.875',
    quantity: null,
    amount: '2.39',
    billed: null,
    basePositions: [3, 4],
    orderLineId: null,
  },
];

const line = (charges: readonly Changes[], isProvided = false): NotableLine => ({
  invoicedOn: '2027-01-15',
  isProvided,
  charges: charges.map(charge),
});

const whole = (of: NotableLine, reserved = '0') => ({ lines: [of], currency: 'USD', reserved });

/** `3: 10.00` of each charge, and `x 1` if it goes back by its quantity. */
function texts(of: NotableLine, request: NoteRequest): string[] {
  return notedCharges(whole(of), request).map(
    ({ charge: { id }, amount, quantity }) =>
      `${id}: ${Number(amount).toFixed(2)}${quantity === null ? '' : ` x ${Number(quantity)}`}`,
  );
}

/** The line after notes. */
function after(of: NotableLine, request: NoteRequest): NotableLine {
  const noted = new Map(notedCharges(whole(of), request).map((each) => [each.charge.id, each]));
  return {
    ...of,
    charges: of.charges.map((each) => {
      const back = noted.get(each.id);
      if (back === undefined) return each;
      return {
        ...each,
        credited: add(each.credited, back.amount),
        noted: add(each.noted, back.amount),
        quantityCredited: add(each.quantityCredited, back.quantity ?? '0'),
      };
    }),
  };
}

const named = (id: number, how: { quantity?: string; amount?: string } = {}): NoteRequest => ({
  of: 'charges',
  charges: [{ id, quantity: how.quantity ?? null, amount: how.amount ?? null }],
});

test('an amount of a charge takes its discount and its tax with it, and a reason alone the rest', (t) => {
  const invoice = line(gold);
  const part = named(3, { amount: '10.00' });
  t.deepEqual(texts(invoice, part), ['3: 10.00', '4: -1.00', '5: 0.80']);
  t.deepEqual(texts(after(invoice, part), { of: 'all' }), [
    '1: 49.00 x 1',
    '2: -4.90',
    '3: 19.95',
    '4: -2.00',
    '5: 1.59',
  ]);
});

test('an amount of the invoice is shared out, and the largest charge has the cents that are left', (t) => {
  t.deepEqual(texts(line(gold), { of: 'amount', amount: '20.00' }), [
    '1: 13.34',
    '2: -1.33',
    '3: 8.16',
    '4: -0.82',
    '5: 0.65',
  ]);
  const thirds = line([1, 2, 3].map((id) => ({ id, position: id, amount: '1.00', billed: null })));
  t.deepEqual(texts(thirds, { of: 'amount', amount: '1.00' }), ['1: 0.34', '2: 0.33', '3: 0.33']);
  // 2.99 of 3.00: the shares of 0.9966... round to the whole, and one gives a cent less.
  t.deepEqual(texts(thirds, { of: 'amount', amount: '2.99' }), ['1: 0.99', '2: 1.00', '3: 1.00']);
});

test('a quantity costs its part of the amount, the last of it whatever stands', (t) => {
  const three = line([
    { id: 1, amount: '93.00', quantity: '3', unitPrice: '31' },
    {
      id: 2,
      position: 2,
      kind: 'tax',
      isPercent: true,
      unitPrice: '21',
      quantity: null,
      amount: '19.53',
      billed: null,
      basePositions: [1],
      orderLineId: null,
    },
  ]);
  t.deepEqual(texts(three, named(1, { quantity: '1' })), ['1: 31.00 x 1', '2: 6.51']);
  const odd = line([{ id: 1, amount: '10.00', quantity: '3', unitPrice: '3.333333' }]);
  t.deepEqual(texts(odd, named(1, { quantity: '1' })), ['1: 3.33 x 1']);
  const twice = after(after(odd, named(1, { quantity: '1' })), named(1, { quantity: '1' }));
  t.deepEqual(texts(twice, named(1, { quantity: '1' })), ['1: 3.34 x 1']);
  // After an amount, a quantity may cost more than stands.
  const little = after(odd, named(1, { amount: '9.00' }));
  t.is(
    codeOf(little, named(1, { quantity: '1' })),
    'creditNote.tooHigh creditNote/invoiceLineItemCharges/invoiceLineItemCharge[1]/quantity',
  );
  t.deepEqual(texts(little, named(1, { quantity: '3' })), ['1: 1.00 x 3']);
});

test('a charge that goes back whole at once keeps its quantity, and the percentage of others stands', (t) => {
  const support = {
    id: 6,
    position: 6,
    kind: 'percent',
    isPercent: true,
    unitPrice: '20',
    amount: '5.39',
    basePositions: [3, 4],
    billed: { ...days, periodId: 3 },
  } as const;
  t.deepEqual(texts(line([...gold, support]), named(3)), ['3: 29.95 x 1', '4: -3.00', '5: 2.39']);
});

test("a provider's tax goes back in proportion, a fixed discount too", (t) => {
  const provided = line(gold, true);
  // 2.39 x 9.00 / 26.95 = 0.798...
  t.deepEqual(texts(provided, named(3, { amount: '10.00' })), ['3: 10.00', '4: -1.00', '5: 0.80']);
  const fixed = line([
    { id: 1, amount: '30.00', unitPrice: '30', billed: { ...days, periodId: 1 } },
    {
      id: 2,
      position: 2,
      kind: 'discount',
      isPercent: false,
      unitPrice: null,
      quantity: null,
      amount: '-5.00',
      billed: { ...days, periodId: 1 },
    },
  ]);
  t.deepEqual(texts(fixed, named(1, { amount: '10.00' })), ['1: 10.00', '2: -1.67']);
});

const codeOf = (of: NotableLine, request: NoteRequest): string => {
  try {
    notedCharges(whole(of), request);
    return 'none';
  } catch (error) {
    const { code, path } = error as DomainError;
    return [code, path].filter(Boolean).join(' ');
  }
};

test('unused days go back of what notes have left', (t) => {
  // 15 of 31 days are used, so 7.50 of the 15.50 that stand: 8.00 goes back.
  const half = charge({ credited: '15.50', noted: '15.50' });
  const view = {
    unusedFrom: '2027-01-30',
    schedule: { billingPeriod: 'Monthly', anchor: '2027-01-15', alignmentDay: null },
    pauses: [],
    currency: 'USD',
  } as const;
  const unused = (each: NotableCharge) =>
    unusedCredits({ invoicedOn: '2027-01-15', isProvided: false, charges: [each] }, view);
  t.deepEqual(
    unused(half).map(({ amount }) => amount),
    ['8.00'],
  );
  t.deepEqual(
    unused(charge({})).map(({ amount }) => amount),
    ['16.00'],
  );
  t.deepEqual(unused(charge({ credited: '31.00', noted: '31.00' })), []);
});

test('what cannot be named, and more than stands, is refused with its place', (t) => {
  const invoice = line(gold);
  const at = 'creditNote/invoiceLineItemCharges/invoiceLineItemCharge[1]';
  for (const id of [2, 5, 9]) t.is(codeOf(invoice, named(id)), `field.invalid ${at}`);
  const twice = {
    of: 'charges',
    charges: [1, 1].map((id) => ({ id, quantity: null, amount: null })),
  } as const;
  t.is(codeOf(invoice, twice), `field.invalid ${at.replace('[1]', '[2]')}`);
  t.is(codeOf(invoice, named(3, { amount: '29.96' })), `creditNote.tooHigh ${at}/amount`);
  t.is(codeOf(invoice, named(3, { quantity: '2' })), `creditNote.tooHigh ${at}/quantity`);
  t.is(codeOf(invoice, { of: 'amount', amount: '73.45' }), 'creditNote.tooHigh creditNote/amount');
  t.is(codeOf(after(invoice, { of: 'all' }), { of: 'all' }), 'creditNote.nothingLeft');
  t.is(codeOf(after(invoice, named(3)), named(3)), 'creditNote.nothingLeft');
  t.is(
    codeOf(line([{ amount: '5.00', quantity: null }]), named(11, { quantity: '1' })),
    `field.invalid ${at}/quantity`,
  );
});

test('what notes to come have reserved is gone for others, in the shares that they will take', (t) => {
  const back = (request: NoteRequest, reserved: string) =>
    notedCharges(whole(line(gold), reserved), request).map(
      ({ charge: { id }, amount }) => `${id}: ${Number(amount).toFixed(2)}`,
    );
  // 20.00 are 13.34 - 1.33 + 8.16 - 0.82 + 0.65.
  t.deepEqual(back({ of: 'all' }, '20.00'), [
    '1: 35.66',
    '2: -3.57',
    '3: 21.79',
    '4: -2.18',
    '5: 1.74',
  ]);
  const refusal = (request: NoteRequest, reserved: string) =>
    t.throws<DomainError>(() => notedCharges(whole(line(gold), reserved), request))?.code;
  t.is(refusal({ of: 'amount', amount: '53.45' }, '20.00'), 'creditNote.tooHigh');
  t.is(refusal(named(3, { amount: '21.80' }), '20.00'), 'creditNote.tooHigh');
  t.is(refusal({ of: 'all' }, '73.44'), 'creditNote.nothingLeft');
  // Unused days may have taken of it since.
  t.is(refusal({ of: 'all' }, '80.00'), 'creditNote.nothingLeft');
});

/** An invoice line: fees with discounts in percent, and a tax of all of them. */
const anyLine = fc
  .array(
    fc.record({
      cents: fc.integer({ min: 1, max: 20_000 }),
      quantity: fc.integer({ min: 1, max: 5 }),
      off: fc.option(fc.integer({ min: 1, max: 100 })),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .chain((fees) => fc.integer({ min: 1, max: 300 }).map((tenths) => ({ fees, tenths })))
  .map(({ fees, tenths }) => {
    const charges: Changes[] = [];
    for (const [index, { cents, quantity, off }] of fees.entries()) {
      const amount = (cents / 100).toFixed(2);
      const billed = { ...days, periodId: index };
      const position = charges.length + 1;
      charges.push({ id: position, position, amount, quantity: String(quantity), billed });
      if (off === null) continue;
      const discount = { kind: 'discount', isPercent: true, unitPrice: String(off) } as const;
      const taken = negate(percentOf(String(off), amount, 'USD'));
      const place = { id: position + 1, position: position + 1, billed };
      charges.push({ ...discount, ...place, quantity: null, amount: taken });
    }
    const base = sum(charges.map(({ amount = '0' }) => amount));
    const percent = String(tenths / 10);
    const id = charges.length + 1;
    return line([
      ...charges,
      {
        id,
        position: id,
        kind: 'tax',
        isPercent: true,
        unitPrice: percent,
        quantity: null,
        amount: percentOf(percent, base, 'USD'),
        billed: null,
        basePositions: charges.map(({ position = 0 }) => position),
        orderLineId: null,
      },
    ]);
  });

const anyRequest = fc.oneof(
  fc.constant<NoteRequest>({ of: 'all' }),
  fc
    .integer({ min: 1, max: 10_000 })
    .map((cents): NoteRequest => ({ of: 'amount', amount: (cents / 100).toFixed(2) })),
  fc
    .record({
      id: fc.integer({ min: 1, max: 8 }),
      cents: fc.option(fc.integer({ min: 1, max: 5_000 })),
    })
    .map(({ id, cents }) => named(id, cents === null ? {} : { amount: (cents / 100).toFixed(2) })),
  fc
    .record({ id: fc.integer({ min: 1, max: 8 }), quantity: fc.integer({ min: 1, max: 3 }) })
    .map(({ id, quantity }) => named(id, { quantity: String(quantity) })),
);

test('whatever notes come, no charge gives back more than it is, and all of them come to the whole', (t) => {
  fc.assert(
    fc.property(anyLine, fc.array(anyRequest, { maxLength: 6 }), (billedLine, requests) => {
      let left = billedLine;
      let back: string = '0';
      for (const request of [...requests, { of: 'all' } as const]) {
        let noted;
        try {
          noted = notedCharges(whole(left), request);
        } catch (error) {
          t.regex((error as DomainError).code, /^(creditNote\.|field\.invalid)/);
          continue;
        }
        const total = sum(noted.map(({ amount }) => amount));
        t.is(compare(total, '0'), 1, 'a note gives something back');
        if (request.of === 'amount') t.is(compare(total, request.amount), 0);
        back = add(back, total);
        left = after(left, request);
        for (const { amount, credited } of left.charges) {
          // Between nothing and the charge, on its side of zero.
          const stands = add(amount, negate(credited));
          t.true(compare(stands, '0') * compare(amount, '0') >= 0, 'nothing falls below zero');
          t.true(compare(credited, '0') * compare(amount, '0') >= 0, 'nothing is added');
        }
      }
      const billed = sum(billedLine.charges.map(({ amount }) => amount));
      const standing = left.charges.map(({ amount, credited }) => add(amount, negate(credited)));
      t.is(compare(add(back, sum(standing)), billed), 0);
      // Unless a discount of everything left nothing to give back.
      if (compare(billed, '0') > 0)
        t.deepEqual(
          standing.filter((each) => compare(each, '0') !== 0),
          [],
        );
    }),
    { numRuns: runs(75) },
  );
});
