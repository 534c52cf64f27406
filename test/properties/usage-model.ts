/**
 * What windows of usage cost, computed record by record: prices and amounts are whole numbers in
 * memory, and each form is written as `docs/rules/usage.md` says it. It shares no code with billing.
 */
import type { IsoDate } from '../../domain/calendar/calendar.ts';

/** Millionths of a unit, of a currency unit or of a percent. */
const MICRO = 1_000_000n;
/** A quantity times a price, in cents. */
const PER_CENT = (MICRO * MICRO) / 100n;

export interface ModelTier {
  readonly upTo: number | null;
  /** A price, or a percentage. */
  readonly rate: number;
}

export interface ModelCharge {
  readonly priceCode: string;
  readonly form: 'Fixed' | 'Tiered' | 'Volume' | 'Bulk' | 'UserEntered' | 'percent';
  readonly included: number;
  readonly tiers: readonly ModelTier[];
}

export interface ModelRecord {
  readonly id: number;
  readonly day: IsoDate;
  readonly quantity: bigint;
  /** In cents; null if the window prices it. */
  readonly amount: bigint | null;
  readonly unitPrice: bigint | null;
  /** Of the record that it corrects, if that was billed: the percentage, 0 without one. */
  readonly correctsBilledAt: bigint | null;
}

export interface ModelWindow {
  /** In cents, in the order of the invoice, without what corrections give back of a percentage. */
  readonly charges: readonly bigint[];
  readonly subTotal: bigint;
  /** Of all records. */
  readonly quantity: bigint;
  /** At which the supplied amounts were billed; null if whole. */
  readonly percent: bigint | null;
  /** By record, in cents. */
  readonly amounts: ReadonlyMap<number, bigint>;
}

const ofAgreed = 2_500_000n;
/** The price of the order line, for UserEnteredPricing. */
export const AGREED_PRICE = '2.50';

/** Prices that leave fractions of a cent to be rounded. */
export const charges: readonly ModelCharge[] = [
  {
    priceCode: 'TIERED',
    form: 'Tiered',
    included: 0,
    tiers: [
      { upTo: 10, rate: 0.333 },
      { upTo: 40, rate: 0.125 },
      // Above it, its price holds.
      { upTo: 100, rate: 0.0475 },
    ],
  },
  { priceCode: 'FIXED', form: 'Fixed', included: 25, tiers: [{ upTo: null, rate: 0.377 }] },
  {
    priceCode: 'VOLUME',
    form: 'Volume',
    included: 2.5,
    tiers: [
      { upTo: 20, rate: 1.2375 },
      { upTo: null, rate: 0.911 },
    ],
  },
  {
    priceCode: 'BULK',
    form: 'Bulk',
    included: 5,
    tiers: [
      { upTo: 20, rate: 20.01 },
      { upTo: null, rate: 30.03 },
    ],
  },
  { priceCode: 'AGREED', form: 'UserEntered', included: 3, tiers: [] },
  {
    priceCode: 'PERCENT',
    form: 'percent',
    included: 0,
    tiers: [
      { upTo: 10, rate: 5 },
      { upTo: null, rate: 2.5 },
    ],
  },
];

/** Their plan, as the tenant file writes it. */
export const plan = {
  contractCode: 'USED',
  name: 'Every form of usage',
  billingPeriod: 'Monthly',
  billingAlignment: 'DayOfMonth',
  alignmentDay: 1,
  charges: charges.map(({ priceCode, form, included, tiers }) => ({
    priceCode,
    chargeType: 'UsageCharge',
    pricingType: form === 'percent' ? 'VolumePricing' : `${form}Pricing`,
    standardQuantity: included,
    taxCodes: ['STANDARD'],
    ...(form === 'UserEntered'
      ? {}
      : {
          tiers: tiers.map(({ upTo, rate }, index) => ({
            unitsFrom: index === 0 ? 0 : tiers[index - 1]?.upTo,
            ...(upTo === null ? {} : { unitsTo: upTo }),
            [form === 'percent' ? 'percent' : 'price']: rate,
          })),
        }),
  })),
};

const micro = (value: number): bigint => BigInt(Math.round(value * 1_000_000));
const total = (values: readonly bigint[]): bigint => values.reduce((sum, each) => sum + each, 0n);
const quantityOf = (records: readonly ModelRecord[]) => total(records.map((each) => each.quantity));
const amountOf = (records: readonly ModelRecord[]) =>
  total(records.map((each) => each.amount ?? 0n));

/** Rounds half away from zero. */
export function rounded(numerator: bigint, denominator: bigint): bigint {
  const isNegative = numerator < 0n;
  const whole = isNegative ? -numerator : numerator;
  const result = (2n * whole + denominator) / (2n * denominator);
  return isNegative ? -result : result;
}

/** What the records of one window cost, and what each of them. */
export function priced(charge: ModelCharge, records: readonly ModelRecord[]): ModelWindow {
  const corrections = records.filter((each) => each.correctsBilledAt !== null);
  const own = records.filter((each) => each.correctsBilledAt === null);
  const sharing = own.filter((each) => each.amount === null);
  const supplied = own.filter((each) => each.amount !== null);
  const plain = corrections.filter((each) => each.correctsBilledAt === 0n);
  const ofCorrections = plain.length === 0 ? [] : [amountOf(plain)];
  const ofQuantity = sharing.length === 0 ? [] : costOf(charge, sharing);
  const percent =
    charge.form === 'percent' && supplied.length > 0
      ? micro(tierOf(charge, quantityOf(own)).rate)
      : null;
  const ofAmounts =
    supplied.length === 0
      ? []
      : [percent === null ? amountOf(supplied) : percentOf(percent, amountOf(supplied))];
  const all = [...ofCorrections, ...ofQuantity, ...ofAmounts];
  return {
    charges: all,
    subTotal: total(all),
    quantity: quantityOf(records),
    percent,
    amounts: new Map([
      ...[...corrections, ...supplied].map(({ id, amount }) => [id, amount ?? 0n] as const),
      ...sharesOf(sharing, total(ofQuantity)),
    ]),
  };
}

export const percentOf = (percent: bigint, amount: bigint) =>
  rounded(percent * amount, 100n * MICRO);

function tierOf({ tiers }: ModelCharge, quantity: bigint): ModelTier {
  const found = tiers.find(({ upTo }) => upTo === null || quantity <= micro(upTo)) ?? tiers.at(-1);
  if (found === undefined) throw new Error('a charge without tiers');
  return found;
}

function costOf(charge: ModelCharge, records: readonly ModelRecord[]): readonly bigint[] {
  const included = micro(charge.included);
  if (charge.form === 'UserEntered') return agreedCost(included, records);
  const used = quantityOf(records);
  const rest = used > included ? used - included : 0n;
  const price = micro(tierOf(charge, rest).rate);
  if (charge.form === 'Bulk') return [rest === 0n ? 0n : rounded(price * MICRO, PER_CENT)];
  if (charge.form !== 'Tiered') return [rounded(price * rest, PER_CENT)];
  const parts: bigint[] = [];
  let below = 0n;
  for (const [index, { upTo, rate }] of charge.tiers.entries()) {
    if (index > 0 && rest <= below) break;
    const isLast = index === charge.tiers.length - 1;
    const top = isLast || upTo === null || micro(upTo) > rest ? rest : micro(upTo);
    parts.push(rounded((top - below) * micro(rate), PER_CENT));
    below = top;
  }
  return parts;
}

/** The included units are those of the lowest price. */
function agreedCost(units: bigint, records: readonly ModelRecord[]): readonly bigint[] {
  let included = units;
  return [...Map.groupBy(records, (each) => each.unitPrice ?? ofAgreed)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([price, all]) => {
      const used = quantityOf(all);
      const rest = used > included ? used - included : 0n;
      included -= used - rest;
      return rounded(price * rest, PER_CENT);
    });
}

/** The last record by day, then id, takes what rounding leaves. */
function sharesOf(
  records: readonly ModelRecord[],
  amount: bigint,
): readonly (readonly [number, bigint])[] {
  const whole = quantityOf(records);
  const inOrder = records.toSorted((one, other) =>
    one.day === other.day ? one.id - other.id : one.day < other.day ? -1 : 1,
  );
  let left = amount;
  return inOrder.map(({ id, quantity }, index) => {
    const share = whole === 0n ? 0n : rounded(amount * quantity, whole);
    const taken = index === inOrder.length - 1 ? left : share;
    left -= taken;
    return [id, taken] as const;
  });
}
