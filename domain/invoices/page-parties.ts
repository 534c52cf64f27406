/** The two parties of an invoice's document: their addresses, whom to ask, and where to pay. */
import { addressLines, type PostalAddress } from '../customers/postal-address.ts';
import { shownIban } from '../money/bank-account.ts';
import type { TaxCategory } from '../tax/rates.ts';
import type { Formats } from './formats.ts';
import type { InvoiceWords } from '../text/messages.ts';
import { fill } from '../text/fill.ts';

export interface SourceCustomer {
  readonly name: string;
  readonly extCustomerRef: string | null;
  readonly locale: string | null;
  /** As it was resolved; versions of before have none. */
  readonly documentLocale?: string | null;
  readonly taxId: string | null;
  /** Versions of before have none. */
  readonly electronicAddress?: string | null;
  readonly buyerReference?: string | null;
  readonly billingContact: {
    readonly firstName: string | null;
    readonly lastName: string | null;
    readonly companyName: string | null;
    readonly address: PostalAddress;
  } | null;
}

/** As the tenant file has it. */
export interface SourceSender {
  readonly name: string;
  readonly address: PostalAddress | null;
  /** The VAT number, with the prefix of its country. */
  readonly taxId: string | null;
  /** The usual locale of its country, as it was resolved; versions of before have none. */
  readonly documentLocale?: string | null;
  /** Versions of before have neither. */
  readonly electronicAddress?: string | null;
  /** What is said of charges without tax. */
  readonly untaxed?: {
    readonly category?: TaxCategory;
    readonly exemptionReason?: string;
  } | null;
  readonly logo: string | null;
  readonly contact: {
    readonly name?: string;
    readonly phone?: string;
    readonly email?: string;
  } | null;
  readonly bankAccount: {
    /** The sender itself by default. */
    readonly holder?: string;
    readonly iban?: string;
    readonly bic?: string;
    readonly note?: string;
  } | null;
}

/** Whom an invoice bills, as its document says. */
export interface BillTo {
  readonly name: string;
  readonly address: PostalAddress | null;
  readonly taxId: string | null;
  readonly extCustomerRef: string | null;
}

/** @example billToOf(customer).address // { street1: '1 Main St', city: 'Albany', state: 'NY', … } */
export function billToOf({ name, billingContact, taxId, extCustomerRef }: SourceCustomer): BillTo {
  return { name, address: billingContact?.address ?? null, taxId, extCustomerRef };
}

export interface Party {
  readonly name: string;
  readonly lines: readonly string[];
}

/** A few lines at the foot of the document. */
export interface FootPart {
  readonly label: string;
  readonly lines: readonly string[];
}

export interface PartyWording {
  readonly words: InvoiceWords;
  readonly formats: Formats;
}

/** @example senderOf(sender, wording).lines // ['Am Markt 1', '10115 Berlin', 'USt-IdNr.: DE123456789'] */
export function senderOf(
  { name, address, taxId, logo }: SourceSender,
  { words, formats }: PartyWording,
): Party & { readonly logo: string | null } {
  const lines = addressLines(address ?? {}, formats.country);
  return { name, lines: [...lines, ...taxIdLines(taxId, words)], logo };
}

/** @example recipientOf(customer, wording).lines // ['Ada Lovelace', '1 Main St', 'Albany, NY 12207'] */
export function recipientOf(customer: SourceCustomer, { words, formats }: PartyWording): Party {
  const contact = customer.billingContact;
  const person = [contact?.firstName, contact?.lastName].filter(Boolean).join(' ');
  const names = [contact?.companyName ?? '', person].filter(
    (name) => name !== '' && name !== customer.name,
  );
  const address = contact === null ? [] : addressLines(contact.address, formats.country);
  const lines = [...new Set(names), ...address, ...taxIdLines(customer.taxId, words)];
  return { name: customer.name, lines };
}

/**
 * Whom to ask, and where to pay. A credit note asks for no payment.
 *
 * @example footOf(sender, { words, isCreditNote: true }) // [{ label: 'Contact', lines: ['Ada'] }]
 */
export function footOf(
  { name, contact, bankAccount }: SourceSender,
  { words, isCreditNote }: { readonly words: InvoiceWords; readonly isCreditNote: boolean },
): FootPart[] {
  const parts: FootPart[] = [];
  if (contact !== null) {
    const lines = [contact.name, contact.phone, contact.email];
    parts.push({ label: words.contact, lines: lines.filter((line) => line !== undefined) });
  }
  if (bankAccount !== null && !isCreditNote) {
    const { holder = name, iban, bic, note } = bankAccount;
    const lines = [
      holder,
      iban === undefined ? undefined : `IBAN ${shownIban(iban)}`,
      bic === undefined ? undefined : `BIC ${bic}`,
      note,
    ];
    parts.push({ label: words.bankAccount, lines: lines.filter((line) => line !== undefined) });
  }
  return parts;
}

function taxIdLines(taxId: string | null, words: InvoiceWords): string[] {
  return taxId === null ? [] : [fill(words.taxId, { taxId })];
}
