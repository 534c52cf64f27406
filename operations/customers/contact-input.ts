/** What a caller sends of a contact; undefined is absent and stays, null is empty and clears. */
import { hashTurns } from '../access/hash-turns.ts';
import { hashPassword } from '../access/passwords.ts';
import type { HashCost } from '../access/passwords.ts';

type Text = string | null | undefined;

export interface ContactInput {
  readonly username?: Text;
  readonly passwd?: Text;
  readonly firstName?: Text;
  readonly lastName?: Text;
  readonly companyName?: Text;
  readonly emailPrimary?: Text;
  readonly workPhone?: Text;
  readonly address?: AddressInput | null | undefined;
}

interface AddressInput {
  readonly street1?: Text;
  readonly street2?: Text;
  readonly city?: Text;
  readonly state?: Text;
  readonly zip?: Text;
  readonly country?: Text;
  readonly countryCode?: Text;
}

/** The columns of a contact that were sent, by their names in the table. */
export type ContactColumns = Readonly<Record<string, string | null>>;

const columnOf = {
  username: 'username',
  firstName: 'first_name',
  lastName: 'last_name',
  companyName: 'company_name',
  emailPrimary: 'email_primary',
  workPhone: 'work_phone',
} as const;

const addressColumnOf = {
  street1: 'street1',
  street2: 'street2',
  city: 'city',
  state: 'state',
  zip: 'zip',
  country: 'country',
  countryCode: 'country_code',
} as const;

/** What hashing costs, and whose turn it takes. */
export interface Hashing {
  readonly hashCost: HashCost;
  readonly tenant: { readonly id: number };
}

/** Hashes the password, which takes its time: called before a transaction begins. */
export async function contactColumns(
  input: ContactInput,
  hashing: Hashing,
): Promise<ContactColumns> {
  const columns: Record<string, string | null> = {
    ...sent(columnOf, input),
    // An empty address clears all of it.
    ...(input.address === null ? cleared(addressColumnOf) : sent(addressColumnOf, input.address)),
  };
  if (input.passwd !== undefined) {
    columns['password_hash'] =
      input.passwd === null ? null : await hashInTurn(input.passwd, hashing);
  }
  return columns;
}

async function hashInTurn(password: string, { hashCost, tenant }: Hashing): Promise<string> {
  const leave = await hashTurns.take(String(tenant.id));
  try {
    return await hashPassword(password, hashCost);
  } finally {
    leave();
  }
}

function sent(
  names: Readonly<Record<string, string>>,
  input: object | undefined,
): Record<string, string | null> {
  const values = new Map<string, unknown>(Object.entries(input ?? {}));
  const columns: Record<string, string | null> = {};
  for (const [key, column] of Object.entries(names)) {
    const value = values.get(key);
    if (typeof value === 'string' || value === null) columns[column] = value;
  }
  return columns;
}

function cleared(names: Readonly<Record<string, string>>): Record<string, null> {
  return Object.fromEntries(Object.values(names).map((column) => [column, null]));
}
