/** What a customer is found by: one lower-case text, and the patterns that a term looks for in it. */
import { containing } from '../context/listing.ts';

export interface SearchableContact {
  readonly first_name?: string | null;
  readonly last_name?: string | null;
  readonly company_name?: string | null;
  readonly email_primary?: string | null;
  readonly work_phone?: string | null;
}

/** Names, reference, e-mails and phones, a line each; phones as they were sent and as digits. */
export function searchTextOf(
  customer: { readonly name: string; readonly ext_customer_ref: string | null },
  contacts: readonly SearchableContact[],
): string {
  const lines = contacts.flatMap((contact) => [
    [contact.first_name, contact.last_name].filter(Boolean).join(' '),
    contact.company_name,
    contact.email_primary,
    contact.work_phone,
    digitsOf(contact.work_phone ?? ''),
  ]);
  const all = [customer.name, customer.ext_customer_ref, ...lines];
  return folded([...new Set(all.filter(Boolean))].join('\n'));
}

const DIGITS_MIN = 3;

/** For `like`: the term itself, and where it reads like a phone number its digits. */
export function searchPatterns(term: string): { pattern: string; otherPattern: string | null } {
  const pattern = containing(folded(term));
  // Dialled with a zero here, stored with a country's code there: what follows is the same.
  const digits = digitsOf(term).replace(/^0+/, '');
  const isPhone = /^[\d\s()+/.-]+$/.test(term) && digits.length >= DIGITS_MIN;
  return { pattern, otherPattern: isPhone && digits !== term ? containing(digits) : null };
}

/** `+49 (0)30 123-45` → `493012345`. */
function digitsOf(phone: string): string {
  return phone.replaceAll('(0)', '').replaceAll(/\D/g, '');
}

// Here rather than in the database, whose collation may know no letters beyond ASCII.
function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
