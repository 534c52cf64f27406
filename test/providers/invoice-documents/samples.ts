/** Sample invoices: small by default; a test changes the fields that it needs. */
import type { SourceCharge, SourceLine } from '../../../domain/invoices/page-lines.ts';
import type { InvoiceSource } from '../../../domain/invoices/page.ts';

export interface SourceOptions {
  readonly invoice?: Partial<InvoiceSource['invoice']>;
  readonly customer?: Partial<InvoiceSource['customer']>;
  readonly sender?: Partial<InvoiceSource['sender']>;
  readonly tiers?: InvoiceSource['tiers'];
  readonly settlements?: InvoiceSource['settlements'];
  readonly creditLeft?: InvoiceSource['creditLeft'];
}

export function charge(overrides: Partial<SourceCharge> = {}): SourceCharge {
  return {
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
      ...options.invoice,
    },
    customer: {
      name: 'Lovelace Engines Ltd',
      extCustomerRef: 'C1',
      locale: 'en_US',
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
      ...options.sender,
    },
    tiers: options.tiers ?? new Map(),
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
