/** Electronic invoices for tests: one that is worked out by hand, and random ones of five countries. */
import type { SourceCharge } from '../../../domain/invoices/page-lines.ts';
import type { SourceCustomer, SourceSender } from '../../../domain/invoices/page-parties.ts';
import type { UblSource, UblSourceLine } from '../../../domain/invoices/ubl.ts';
import type { UblCharge, UblTax } from '../../../domain/invoices/ubl-taxes.ts';
import { formatAmount, negate, roundedAmount, sum } from '../../../domain/money/money.ts';
import { usualReason, type TaxCategory } from '../../../domain/tax/rates.ts';
import { fc } from '../random.ts';

export const countries = ['AT', 'BE', 'DE', 'IT', 'NL'] as const;
export type Country = (typeof countries)[number];

/** Companies whose numbers have the check digits that the rules ask for. */
const companies: Readonly<
  Record<Country, { readonly taxId: string; readonly electronicAddress: string }>
> = {
  AT: { taxId: 'ATU13585627', electronicAddress: '9915:b' },
  BE: { taxId: 'BE0202239951', electronicAddress: '0208:0202239951' },
  DE: { taxId: 'DE123456788', electronicAddress: '9930:DE123456788' },
  IT: { taxId: 'IT00743110157', electronicAddress: '0211:IT00743110157' },
  NL: { taxId: 'NL001234567B01', electronicAddress: '0106:27124700' },
};

export const addressIn = (country: Country) => ({
  street1: 'Hoofdstraat 1',
  street2: null,
  city: 'Stad',
  state: null,
  zip: '1012',
  country: null,
  countryCode: country,
});

export const senderIn = (country: Country): SourceSender => ({
  name: 'Demo & Söhne',
  address: addressIn(country),
  ...companies[country],
  logo: null,
  contact: { name: 'Ada', phone: '+49 30 1234', email: 'billing@example.com' },
  bankAccount: { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
});

export const buyerIn = (country: Country): SourceCustomer => ({
  name: 'Käufer <AG>',
  extCustomerRef: 'ADA-1',
  locale: null,
  ...companies[country],
  buyerReference: null,
  billingContact: {
    firstName: 'Bo',
    lastName: 'Example',
    companyName: null,
    address: addressIn(country),
  },
});

let chargeIds = 0;

export function ublCharge(charge: Partial<SourceCharge> & { readonly amount: string }) {
  chargeIds += 1;
  return {
    id: chargeIds,
    position: 1,
    priceCode: 'FEE',
    contractChargeId: null,
    isPercent: false,
    billingStartDate: null,
    billingEndDate: null,
    unitPrice: null,
    quantity: null,
    unitOfMeasure: null,
    orderLineItemId: null,
    invoiceText: 'Fee',
    pricingTierId: null,
    isUsageChargeSubTotal: false,
    ...charge,
  };
}

/** A charge with its rates, or a tax with its own. */
export type Rated = readonly [SourceCharge, UblCharge];

export const taxed = (charge: SourceCharge, ...rates: UblTax[]): Rated => [
  charge,
  { isTax: false, rates },
];
export const taxCharge = (rate: UblTax, amount: string): Rated => [
  ublCharge({ amount, isPercent: true, unitPrice: rate.percent, invoiceText: 'VAT' }),
  { isTax: true, rates: [rate] },
];

export const rateOf = (category: TaxCategory, percent = '0'): UblTax => ({
  category,
  percent,
  reason: usualReason(category) ?? (category === 'E' ? 'Education' : null),
});

export interface SourceParts {
  readonly lines: readonly (readonly Rated[])[];
  readonly seller?: Country;
  readonly buyer?: Country;
  readonly sender?: Partial<SourceSender>;
  readonly customer?: Partial<SourceCustomer>;
  readonly invoice?: Partial<UblSource['invoice']>;
  readonly orders?: readonly (string | null)[];
  readonly credited?: UblSource['credited'];
}

export function ublSource(parts: SourceParts): UblSource {
  const { lines, seller = 'AT', buyer = seller, orders = [], credited = [] } = parts;
  const all = lines.flat();
  const totals = all.filter(([charge]) => !charge.isUsageChargeSubTotal);
  const total = sum(totals.map(([{ amount }]) => amount));
  const shown = lines.map((charges, index): UblSourceLine => ({
    invoiceText: 'Gold internet',
    purchaseOrder: orders[index] ?? null,
    billingStartDate: null,
    billingEndDate: null,
    lineAmountTotal: '0',
    orderNumber: null,
    contractCode: null,
    charges: charges.map(([charge]) => charge),
  }));
  return {
    invoice: {
      invoiceNumber: '1001',
      invoiceDate: '2027-01-18',
      dueDate: '2027-02-17',
      billingStartDate: '2027-01-18',
      billingEndDate: '2027-01-31',
      currency: 'EUR',
      previousBalance: '0',
      paymentsAndAdjustments: '0',
      outstandingBalance: '0',
      currentAmountDue: formatAmount('EUR', total),
      totalDue: '0',
      notes: null,
      purchaseOrder: null,
      lines: shown,
      ...parts.invoice,
    },
    sender: { ...senderIn(seller), ...parts.sender },
    customer: { ...buyerIn(buyer), ...parts.customer },
    charges: new Map(all.map(([{ id }, tax]) => [id, tax])),
    credited,
  };
}

/* Random invoices. */

const cents = (max: number) =>
  fc.integer({ min: 1, max }).map((value) => formatAmount('EUR', formatCents(value)));
const formatCents = (value: number): string =>
  `${Math.trunc(value / 100)}.${String(value % 100).padStart(2, '0')}`;

const days = fc.constantFrom(
  { billingStartDate: '2027-01-18', billingEndDate: '2027-01-31' },
  { billingStartDate: '2027-01-20', billingEndDate: '2027-01-20' },
  // Before the invoice's own days, which a line may not say.
  { billingStartDate: '2026-12-01', billingEndDate: '2027-01-31' },
  { billingStartDate: null, billingEndDate: null },
);

/** By quantity, by a part of its period, as a discount, or as a repeated sum. */
const charges = fc.oneof(
  fc
    .tuple(cents(50_000), fc.constantFrom('1', '3', '0.5', '1234.567'), days)
    .map(([unitPrice, quantity, its]) =>
      ublCharge({
        unitPrice,
        quantity,
        amount: roundedAmount({
          price: unitPrice,
          quantity,
          numerator: 1,
          denominator: 1,
          currency: 'EUR',
        }),
        ...its,
      }),
    ),
  fc
    .tuple(cents(50_000), days)
    .map(([amount, its]) => ublCharge({ unitPrice: '1000000', quantity: '1', amount, ...its })),
  cents(500).map((amount) =>
    ublCharge({ unitPrice: '-10', isPercent: true, amount: `-${amount}`, invoiceText: null }),
  ),
  cents(500).map((amount) => ublCharge({ amount, isUsageChargeSubTotal: true })),
);

/** What taxes the lines of an invoice; without any, it is outside of the scope of tax. */
const ratesOf = (seller: Country, buyer: Country) =>
  fc.constantFrom<readonly UblTax[]>(
    [rateOf('S', '21')],
    [rateOf('S', '21'), rateOf('S', '8.875'), rateOf('Z')],
    [rateOf('S', '10'), rateOf('E')],
    // Not between two companies in Germany.
    ...(seller === 'DE' && buyer === 'DE' ? [] : [[]]),
    ...(seller === buyer ? [] : [[rateOf('K')], [rateOf('AE')], [rateOf('G')]]),
  );

const lineOf = (rates: readonly UblTax[]) =>
  fc
    .array(fc.tuple(charges, fc.nat()), { minLength: 1, maxLength: 5 })
    .map((chosen): readonly Rated[] => {
      // A line that shows repeated sums alone shows nothing.
      const first = ublCharge({ amount: '600.00' });
      const rated = [[first, 0] as const, ...chosen].map(([charge, choice]): Rated => {
        const rate = rates[choice % Math.max(rates.length, 1)];
        return rate === undefined ? taxed(charge) : taxed(charge, rate);
      });
      return [...rated, ...rates.flatMap((rate) => taxesBy(rate, rated))];
    });

/** A tax that is rounded once. */
function taxesBy(rate: UblTax, rated: readonly Rated[]): readonly Rated[] {
  const own = rated.filter(([, { rates }]) => rates[0] === rate);
  if (own.length === 0) return [];
  const bases = own.filter(([charge]) => !charge.isUsageChargeSubTotal);
  const amount = roundedAmount({
    price: sum(bases.map(([charge]) => charge.amount)),
    quantity: rate.percent ?? '0',
    numerator: 1,
    denominator: 100,
    currency: 'EUR',
  });
  return [taxCharge(rate, amount)];
}

const negated = ([charge, tax]: Rated): Rated => [
  { ...charge, amount: formatAmount('EUR', negate(charge.amount)) },
  tax,
];

export const ublSources = fc
  .tuple(fc.constantFrom(...countries), fc.constantFrom(...countries))
  .chain(([seller, buyer]) =>
    fc.record({
      seller: fc.constant(seller),
      buyer: fc.constant(buyer),
      lines: ratesOf(seller, buyer).chain((rates) =>
        fc.array(lineOf(rates), { minLength: 1, maxLength: 3 }),
      ),
      notes: fc.constantFrom(null, '', '  ', 'Thank you.', 'Two\nlines & <more>'),
      orders: fc.constantFrom([], ['PO-1', 'PO-1', 'PO-1'], ['PO-1', 'PO-2', null]),
      isCredit: fc.boolean(),
    }),
  )
  .map(({ seller, buyer, lines, notes, orders, isCredit }) => {
    const numbers = new Set(lines.map((_, index) => orders[index] ?? null));
    const [order = null] = numbers;
    return ublSource({
      seller,
      buyer,
      orders,
      lines: isCredit ? lines.map((line) => line.map(negated)) : lines,
      invoice: { notes, purchaseOrder: numbers.size === 1 ? order : null },
      credited: isCredit ? [{ invoiceNumber: '1000', invoiceDate: '2027-01-01' }] : [],
    });
  });
