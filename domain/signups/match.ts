/** By what a sign-up finds a customer that exists already. */

/** What a sign-up says of its customer, as it was sent. */
export interface MatchFields {
  readonly extCustomerRef: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** What is compared; each finds a customer only if those before it find none. */
export interface MatchKeys {
  readonly extCustomerRef: string | null;
  /** In small letters. */
  readonly email: string | null;
  /** Its digits. */
  readonly phone: string | null;
}

const PHONE_DIGITS_MIN = 7;

/**
 * An extCustomerRef is compared as it is, an e-mail address without case, and a phone by its digits,
 * if it has 7 or more. A column of contacts has the same keys.
 *
 * @example matchKeys({ extCustomerRef: null, email: 'Ada@X.org', phone: '+1 (555) 01-00' })
 *   // { extCustomerRef: null, email: 'ada@x.org', phone: '15550100' }
 */
export function matchKeys({ extCustomerRef, email, phone }: MatchFields): MatchKeys {
  const digits = (phone ?? '').replaceAll(/[^0-9]/g, '');
  return {
    extCustomerRef: extCustomerRef || null,
    email: email?.toLowerCase() || null,
    phone: digits.length < PHONE_DIGITS_MIN ? null : digits,
  };
}

/**
 * The names under which sign-ups wait for each other that may find, or make, one customer: in one
 * order, so that no two wait for each other.
 *
 * @example matchNames({ extCustomerRef: null, email: 'ada@x.org', phone: null }) // ['email ada@x.org']
 */
export function matchNames({ extCustomerRef, email, phone }: MatchKeys): readonly string[] {
  return [
    ...(email === null ? [] : [`email ${email}`]),
    ...(phone === null ? [] : [`phone ${phone}`]),
    ...(extCustomerRef === null ? [] : [`ref ${extCustomerRef}`]),
  ];
}
