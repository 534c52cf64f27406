/** The rules of a row of customers that depend on nothing stored. */
import { negate, signOf, type Decimal } from '../money/money.ts';
import {
  currencyFaults,
  invalid,
  keyFaults,
  precisionFaults,
  required,
  type CustomerRow,
  type RowFault,
} from './rows.ts';

/**
 * The faults of a row. A new customer has a first and a last name, and an address for mails; of a
 * known one any cell may be empty.
 *
 * @param currency the tenant's, which a new customer has by default
 * @example customerFaults({ ...row, updateMode: 'U', outstandingBalance: '1' }, 'USD') // one
 */
export function customerFaults(row: CustomerRow, currency: string): RowFault[] {
  const faults = [
    ...keyFaults('extCustomerRef', row.extCustomerRef),
    ...keyFaults('username', row.username),
  ];
  if (row.updateMode === 'I') {
    for (const column of ['firstName', 'lastName', 'emailPrimary'] as const) {
      if (row[column] === null) faults.push(required(column));
    }
  } else if (row.outstandingBalance !== null) {
    faults.push(invalid('outstandingBalance', 'a known customer gets no opening balance'));
  }
  if (row.passwd !== null && row.username === null) {
    faults.push(required('username', 'username is required with passwd'));
  }
  if (row.username !== null && row.passwd === null) {
    faults.push(required('passwd', 'passwd is required with username'));
  }
  if (row.passwd !== null && isHash(row.passwd)) {
    const message = 'passwd must be the password itself: a hash of it would become the password';
    faults.push(invalid('passwd', message));
  }
  const unknown = currencyFaults(row.currency);
  faults.push(...unknown);
  const { outstandingBalance: balance } = row;
  if (balance !== null && unknown.length === 0) {
    faults.push(...precisionFaults('outstandingBalance', balance, row.currency ?? currency));
  }
  return faults;
}

/** Hashes as systems export them: bcrypt, Argon2, crypt, LDAP, Django, digests. */
const hashes = [
  /^\$[\w-]+\$.{8,}$/,
  /^\{[A-Z][\w-]+\}.{8,}$/i,
  /^[a-z][a-z\d_-]+\$(?:[^$]+\$){1,3}[^$]{20,}$/i,
  /^(?:0x)?(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{56}|[\da-f]{64}|[\da-f]{96}|[\da-f]{128})$/i,
];

const isHash = (passwd: string): boolean => hashes.some((form) => form.test(passwd));

/** What a customer owed, or had paid too much, in the books before. */
export type OpeningBalance =
  | {
      readonly kind: 'debit';
      /** Below zero, as debits are. */
      readonly amount: Decimal;
      /** The entry openingBalance. */
      readonly ledger: Decimal;
    }
  | {
      readonly kind: 'credit';
      /** Above zero, and not applied yet. */
      readonly amount: Decimal;
      readonly ledger: Decimal;
    };

/**
 * The debit or credit of an outstandingBalance; null for none.
 *
 * @example openingBalance('12.34') // { kind: 'debit', amount: '-12.34', ledger: '12.34' }
 */
export function openingBalance(outstanding: Decimal | null): OpeningBalance | null {
  const sign = outstanding === null ? 0 : signOf(outstanding);
  if (outstanding === null || sign === 0) return null;
  const amount = negate(outstanding);
  return { kind: sign > 0 ? 'debit' : 'credit', amount, ledger: outstanding };
}
