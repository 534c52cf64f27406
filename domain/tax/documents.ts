/** What a tax provider is asked about an invoice, and what it answers. */
import type { IsoDate } from '../calendar/calendar.ts';
import type { Decimal } from '../money/money.ts';
import { countryOf, type TaxAddress } from './rates.ts';

/** An address as a tax provider takes it. */
export interface TaxedAddress {
  readonly street1: string | null;
  readonly street2: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip: string | null;
  /** Two capital letters. */
  readonly countryCode: string | null;
}

/** An address as people write it. */
export type WrittenAddress = Omit<TaxedAddress, 'countryCode'> & TaxAddress;

/**
 * What a tax provider is told of an address: nothing of it for an address that is absent.
 *
 * @example taxedAddress({ zip: ' 10118 ', city: '', country: 'us' })
 *   // zip 10118, countryCode US; all others null
 */
export function taxedAddress(address: Partial<WrittenAddress>): TaxedAddress {
  const { street1, street2, city, state, zip, country = null, countryCode = null } = address;
  return {
    street1: written(street1),
    street2: written(street2),
    city: written(city),
    state: written(state),
    zip: written(zip),
    countryCode: countryOf({ country, countryCode }),
  };
}

function written(text: string | null | undefined): string | null {
  return text?.trim() || null;
}

/** A charge of the invoice that has a tax code. */
export interface TaxedLine {
  /** Unique in its document: `1`. */
  readonly number: string;
  /** After its discounts. */
  readonly amount: Decimal;
  readonly taxCode: string;
  /** The charge's own code: `GOLD-FEE`; null of one that was made by hand without any. */
  readonly priceCode: string | null;
}

export interface TaxDocument {
  readonly customerId: number;
  readonly invoiceDate: IsoDate;
  readonly currency: string;
  /** The tenant's. */
  readonly shipFrom: TaxedAddress;
  /** The billing contact's. */
  readonly shipTo: TaxedAddress;
  readonly lines: readonly TaxedLine[];
}

/** A credit on an invoice, with the tax that it carries back: told, and never asked about. */
export interface CreditLine {
  /** Unique in its document, beside those of the lines. */
  readonly number: string;
  /** Of the charges with the code, and of their discounts; negative or zero. */
  readonly amount: Decimal;
  /** Of their taxes; negative or zero. */
  readonly taxAmount: Decimal;
  readonly taxCode: string;
}

/** The tax of one jurisdiction on a line. */
export interface LineTax {
  /** As invoices name it: `NEW YORK STATE TAX`. */
  readonly name: string;
  /** The country, and the jurisdiction's code within it: `US/36`. */
  readonly jurisdiction: string;
  readonly percent: Decimal;
  readonly amount: Decimal;
}

export interface TaxedLineAnswer {
  /** Of the line that was asked about. */
  readonly number: string;
  readonly taxes: readonly LineTax[];
}

/** As many lines as were asked about, in their order. */
export type TaxAnswer = readonly TaxedLineAnswer[];
