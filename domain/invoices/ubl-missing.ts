/** What an electronic invoice needs and its invoice does not say: each place by its path. */
import { electronicAddressOf } from '../customers/electronic-address.ts';
import { isCountry, type PostalAddress } from '../customers/postal-address.ts';
import { DomainError } from '../errors.ts';
import { minorDigits } from '../money/money.ts';
import type { TaxCategory } from '../tax/rates.ts';
import { countryCodeOf, isRegistered, vatOf } from './ubl-parties.ts';
import { buyerReferenceOf, isCreditNote, ublLines, type UblSource } from './ubl.ts';

/** EN 16931 rounds to two decimals. */
const DECIMALS_MAX = 2;

/** A path, and what it lacks. */
type Missing = readonly [path: string, text: string];

const NEEDED = 'is needed for an electronic invoice';

/**
 * The refusals, in the order of seller, buyer, invoice; none if the document can be written.
 *
 * @example missingOf(source).map(({ path }) => path) // ['tenant/electronicAddress']
 */
export function missingOf(source: UblSource): DomainError[] {
  const lines = ublLines(source);
  const categories = new Set(lines.map(({ tax }) => tax.category));
  const missing = [
    ...ofSeller(source, categories),
    ...ofSellersCountry(source, categories),
    ...ofBuyer(source, categories),
    ...ofInvoice(source, categories),
  ];
  return missing.map(([path, text]) => new DomainError('invoice.ubl', `${path} ${text}`, { path }));
}

function* ofSeller(
  { sender }: UblSource,
  categories: ReadonlySet<TaxCategory>,
): Generator<Missing> {
  const endpoint = electronicAddressOf(sender.electronicAddress);
  if (lacksCountry(sender.address)) yield ['tenant/address/countryCode', NEEDED];
  if (endpoint === null) yield ['tenant/electronicAddress', NEEDED];
  const isOutside = categories.size > 0 && [...categories].every((category) => category === 'O');
  // Outside of the scope of tax, the number of a register is enough.
  const needsTaxId = !isOutside || !isRegistered(endpoint);
  if (needsTaxId && vatOf(sender.taxId) === null) yield ['tenant/taxId', NEEDED];
}

/** What the rules of its country add. */
function* ofSellersCountry(
  source: UblSource,
  categories: ReadonlySet<TaxCategory>,
): Generator<Missing> {
  const { sender, customer, credited } = source;
  const country = countryCodeOf(sender.address);
  const buyersAddress = customer.billingContact?.address ?? null;
  const own = { path: 'tenant/address', address: sender.address };
  const buyers = { path: 'customer/billingContact/address', address: buyersAddress };
  const needed = `is needed for an electronic invoice of a seller in ${country}`;
  switch (country) {
    case 'DE': {
      const { name, phone, email } = sender.contact ?? {};
      if ([name, phone, email].includes(undefined)) {
        yield ['tenant/contact', `with name, phone and email ${needed}`];
      }
      yield* lackingIban(sender, needed);
      yield* lacking(own, ['city', 'zip'], needed);
      yield* lacking(buyers, ['city', 'zip'], needed);
      // Their rules ask for a percentage, which what is outside of the scope of tax may not have.
      if (categories.has('O') && countryCodeOf(buyersAddress) === 'DE') {
        yield ['invoice/invoiceLineItems', 'has no tax: in DE a rate of category E says why'];
      }
      break;
    }
    case 'NL': {
      yield* lacking(own, ['street1', 'city', 'zip'], needed);
      if (countryCodeOf(buyersAddress) === 'NL') {
        yield* lacking(buyers, ['street1', 'city', 'zip'], needed);
      }
      const scheme = electronicAddressOf(sender.electronicAddress)?.scheme;
      if (scheme !== undefined && scheme !== '0106' && scheme !== '0190') {
        yield ['tenant/electronicAddress', 'must have the scheme 0106 or 0190 of a seller in NL'];
      }
      yield* lackingIban(sender, needed);
      if (isCreditNote(source) && credited.length === 0) {
        yield ['invoice/creditNoteOf', 'is needed for a credit note of a seller in NL'];
      }
      break;
    }
    case 'IT':
      yield* lacking(own, ['street1', 'city', 'zip'], needed);
      break;
    default:
  }
}

function* lackingIban({ bankAccount }: UblSource['sender'], needed: string): Generator<Missing> {
  if (bankAccount?.iban === undefined) yield ['tenant/bankAccount', `with an IBAN ${needed}`];
}

interface Place {
  readonly path: string;
  readonly address: PostalAddress | null;
}

function* lacking(
  { path, address }: Place,
  keys: readonly (keyof PostalAddress)[],
  text: string,
): Generator<Missing> {
  for (const key of keys) {
    if ((address?.[key] ?? '').trim() === '') yield [`${path}/${key}`, text];
  }
}

function* ofBuyer(source: UblSource, categories: ReadonlySet<TaxCategory>): Generator<Missing> {
  const { customer, invoice, sender } = source;
  if (electronicAddressOf(customer.electronicAddress) === null) {
    yield ['customer/electronicAddress', NEEDED];
  }
  if (lacksCountry(customer.billingContact?.address)) {
    yield ['customer/billingContact/address/countryCode', NEEDED];
  }
  // A purchase order names it as well, though not to buyers of a seller in Germany.
  const isNamed = invoice.purchaseOrder !== null && countryCodeOf(sender.address) !== 'DE';
  if (buyerReferenceOf(source) === null && !isNamed) yield ['customer/buyerReference', NEEDED];
  const needsTaxId = categories.has('AE') || categories.has('K');
  if (needsTaxId && vatOf(customer.taxId) === null) {
    yield ['customer/taxId', 'is needed for reverse charge and for supplies within the Union'];
  }
}

function* ofInvoice(source: UblSource, categories: ReadonlySet<TaxCategory>): Generator<Missing> {
  const { currency } = source.invoice;
  const lines = ublLines(source);
  if (lines.length === 0) yield ['invoice/invoiceLineItems', NEEDED];
  if (minorDigits(currency) > DECIMALS_MAX) {
    yield ['invoice/currency', `${currency} has more than ${DECIMALS_MAX} decimals`];
  }
  for (const { charge } of lines) {
    if ((source.charges.get(charge.id)?.rates.length ?? 0) > 1) {
      const name = charge.priceCode ?? charge.invoiceText ?? charge.id;
      yield [`invoice/invoiceLineItems/${name}`, 'has several rates, and a line has one'];
    }
  }
  if (categories.has('O') && categories.size > 1) {
    yield ['invoice/invoiceLineItems', 'has charges outside of the scope of tax beside others'];
  }
}

function lacksCountry(address: PostalAddress | null | undefined): boolean {
  const code = countryCodeOf(address);
  return code === null || !isCountry(code);
}
