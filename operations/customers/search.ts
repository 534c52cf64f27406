/** The search text of a customer, in lower case, and the patterns of a search term. */
import { containing } from '../context/listing.ts';

export interface SearchableContact {
  readonly firstName?: string | null | undefined;
  readonly lastName?: string | null | undefined;
  readonly companyName?: string | null | undefined;
  readonly emailPrimary?: string | null | undefined;
  readonly workPhone?: string | null | undefined;
}

/** Names, reference, e-mails and phones, one per line; phones as sent and as digits. */
export function searchTextOf(
  customer: { readonly name: string; readonly extCustomerRef?: string | null | undefined },
  contacts: readonly SearchableContact[],
): string {
  const lines = contacts.flatMap((contact) => [
    [contact.firstName, contact.lastName].filter(Boolean).join(' '),
    contact.companyName,
    contact.emailPrimary,
    contact.workPhone,
    digitsOf(contact.workPhone ?? ''),
  ]);
  const all = [customer.name, customer.extCustomerRef, ...lines];
  return folded([...new Set(all.filter(Boolean))].join('\n'));
}

const DIGITS_MIN = 3;

/** For `like`: the term itself, and its digits if it looks like a phone number. */
export function searchPatterns(term: string): { pattern: string; otherPattern: string | null } {
  const pattern = containing(folded(term));
  // A leading zero in one and a country code in the other: the rest of the digits match.
  const digits = digitsOf(term).replace(/^0+/, '');
  const isPhone = /^[\d\s()+/.-]+$/.test(term) && digits.length >= DIGITS_MIN;
  return { pattern, otherPattern: isPhone && digits !== term ? containing(digits) : null };
}

/** `+49 (0)30 123-45` → `493012345`. */
function digitsOf(phone: string): string {
  return phone.replaceAll('(0)', '').replaceAll(/\D/g, '');
}

// This is not done in the database, whose collation may not know letters beyond ASCII.
function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
