/** Sample invoices: small by default; a test changes the fields that it needs. */
import type { SourceCharge, SourceLine } from '../../../domain/invoices/page-lines.ts';
import type { InvoiceSource } from '../../../domain/invoices/page.ts';

export interface SourceOptions {
  readonly invoice?: Partial<InvoiceSource['invoice']>;
  readonly customer?: Partial<InvoiceSource['customer']>;
  readonly sender?: Partial<InvoiceSource['sender']>;
  readonly tiers?: InvoiceSource['tiers'];
  readonly discounts?: InvoiceSource['discounts'];
  readonly taxes?: InvoiceSource['taxes'];
  readonly settlements?: InvoiceSource['settlements'];
  readonly creditLeft?: InvoiceSource['creditLeft'];
}

export function charge(overrides: Partial<SourceCharge> = {}): SourceCharge {
  return {
    id: 0,
    position: 0,
    priceCode: 'GOLD-FEE',
    contractChargeId: 1,
    isPercent: false,
    billingStartDate: '2027-01-01',
    billingEndDate: '2027-01-31',
    unitPrice: '29.95',
    amount: '29.95',
    quantity: '1',
    unitOfMeasure: null,
    orderLineItemId: 2,
    invoiceText: 'Gold monthly fee',
    pricingTierId: null,
    isUsageChargeSubTotal: false,
    ...overrides,
  };
}

export const installation = charge({
  priceCode: 'GOLD-SETUP',
  contractChargeId: 3,
  orderLineItemId: 4,
  billingEndDate: '2027-01-01',
  unitPrice: '49.00',
  amount: '49.00',
  invoiceText: 'Installation',
});

export function line(overrides: Partial<SourceLine> = {}): SourceLine {
  return {
    invoiceText: 'Gold internet',
    billingStartDate: '2027-01-01',
    billingEndDate: '2027-01-31',
    charges: [installation, charge()],
    lineAmountTotal: '78.95',
    orderNumber: '1001',
    contractCode: 'GOLD',
    purchaseOrder: null,
    ...overrides,
  };
}

/** 78.95 after a balance of 20.00 of which 15.00 were paid. */
export function sourceOf(options: SourceOptions = {}): InvoiceSource {
  return {
    invoice: {
      invoiceNumber: '1001',
      status: 'Outstanding',
      invoiceDate: '2027-01-01',
      dueDate: '2027-01-31',
      billingStartDate: '2027-01-01',
      billingEndDate: '2027-01-31',
      currency: 'USD',
      previousBalance: '20.00',
      paymentsAndAdjustments: '-15.00',
      outstandingBalance: '78.95',
      currentAmountDue: '78.95',
      totalDue: '83.95',
      lines: [line()],
      notes: null,
      purchaseOrder: null,
      ...options.invoice,
    },
    customer: {
      name: 'Lovelace Engines Ltd',
      extCustomerRef: 'C1',
      locale: 'en_US',
      taxId: null,
      billingContact: {
        firstName: 'Ada',
        lastName: 'Lovelace',
        companyName: null,
        address: {
          street1: '12 St James Square',
          street2: null,
          city: 'Albany',
          state: 'NY',
          zip: '12207',
          country: null,
          countryCode: 'US',
        },
      },
      ...options.customer,
    },
    sender: {
      name: 'Demo Telecom',
      address: {
        street1: '350 Fifth Avenue',
        city: 'New York',
        state: 'NY',
        zip: '10118',
        countryCode: 'US',
      },
      taxId: null,
      logo: null,
      contact: null,
      bankAccount: null,
      ...options.sender,
    },
    tiers: options.tiers ?? new Map(),
    discounts: options.discounts ?? new Set(),
    taxes: options.taxes ?? [],
    settlements: options.settlements ?? [],
    creditLeft: options.creditLeft ?? null,
  };
}

export const LONG_TEXT =
  'Leased line between the two data centers in Frankfurt and Berlin with round-the-clock support';

/** Figures that leave no room beside them. */
export function wideOptions(): SourceOptions {
  const wide = charge({
    quantity: '1234567.123456',
    unitOfMeasure: 'kWh',
    unitPrice: '1234567.891234',
    amount: '1524157875019.05',
    invoiceText: LONG_TEXT,
  });
  const discount = { quantity: null, unitPrice: null, billingStartDate: null };
  const charges = [wide, charge(), charge({ ...discount, invoiceText: 'Discount' })];
  const total = '1524157875048.00';
  return {
    invoice: {
      currentAmountDue: total,
      outstandingBalance: total,
      totalDue: total,
      previousBalance: '-1524157875053.00',
      lines: [line({ charges, lineAmountTotal: total })],
    },
  };
}

const ofRate = (id: number, invoiceText: string, percent: string, amount: string) =>
  charge({
    id,
    position: id,
    priceCode: 'TAX',
    contractChargeId: null,
    isPercent: true,
    billingStartDate: null,
    billingEndDate: null,
    unitPrice: percent,
    quantity: null,
    orderLineItemId: null,
    invoiceText,
    amount,
  });

const ofCoupon = (id: number, code: string, percent: string | null, amount: string) => ({
  ...charge({ id, position: id, priceCode: 'DISCOUNT', contractChargeId: null, quantity: null }),
  isPercent: percent !== null,
  unitPrice: percent,
  invoiceText: code,
  amount,
});

/**
 * An installation of 49.00 with 5.00 off, and two orders: a fee of 29.95 with 10% off and of 40.00,
 * taxed in the state at 8.875% and, the first, in the county at 0%.
 */
export function pricedOptions(): SourceOptions {
  const charges = [
    { ...installation, id: 1, position: 1 },
    ofCoupon(2, 'FIVEOFF', null, '-5.00'),
    charge({ id: 3, position: 3 }),
    ofCoupon(4, 'WELCOME10', '10', '-3.00'),
    ofRate(5, 'NY sales tax', '8.875', '2.39'),
    ofRate(6, 'Albany county', '0', '0.00'),
  ];
  const support = charge({ id: 11, position: 11, unitPrice: '40.00', amount: '40.00' });
  const second = [support, ofRate(12, 'NY sales tax', '8.875', '3.55')];
  const sales = { name: 'NY sales tax', percent: '8.875', reason: null };
  const county = { name: 'Albany county', percent: '0', reason: 'Export' };
  return {
    invoice: {
      currentAmountDue: '116.89',
      outstandingBalance: '116.89',
      totalDue: '121.89',
      lines: [
        line({ charges, lineAmountTotal: '73.34' }),
        line({ charges: second, lineAmountTotal: '43.55', orderNumber: '1002' }),
      ],
    },
    discounts: new Set([2, 4]),
    taxes: [
      { ...sales, chargeId: 5, basePositions: [3, 4] },
      { ...county, chargeId: 6, basePositions: [3, 4] },
      { ...sales, chargeId: 12, basePositions: [11] },
    ],
    customer: { taxId: '98-7654321' },
    sender: {
      taxId: '12-3456789',
      contact: { name: 'Billing', phone: '+1 212 555 0100', email: 'billing@demo.example' },
      bankAccount: { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', note: 'Quote the number' },
    },
  };
}

export function twoThousandCharges(): SourceLine[] {
  const charges = Array.from({ length: 10 }, (_, index) => charge({ orderLineItemId: index }));
  return Array.from({ length: 200 }, () => line({ charges }));
}

/** The result of the work, and how often other work ran on the event loop meanwhile. */
export async function turnsDuring<Result>(work: Promise<Result>) {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const result = await work.finally(() => (isDone = true));
  return { turns, result };
}
