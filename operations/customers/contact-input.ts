/** The contact fields of a request; undefined is absent and keeps, null is empty and clears. */
import { hashInTurn, type Hashing } from '../access/hash-turns.ts';

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

export interface AddressInput {
  readonly street1?: Text;
  readonly street2?: Text;
  readonly city?: Text;
  readonly state?: Text;
  readonly zip?: Text;
  readonly country?: Text;
  readonly countryCode?: Text;
}

const ownFields = [
  'username',
  'firstName',
  'lastName',
  'companyName',
  'emailPrimary',
  'workPhone',
] as const;
export const addressFields = [
  'street1',
  'street2',
  'city',
  'state',
  'zip',
  'country',
  'countryCode',
] as const;

export const contactFieldNames = [...ownFields, ...addressFields, 'passwordHash'] as const;

/** The contact fields of a request, by the names of the entity. */
export type ContactFields = Readonly<
  Partial<Record<(typeof contactFieldNames)[number], string | null>>
>;

/** A contact without any fields. */
export const noContactFields = cleared(contactFieldNames);

/** Hashes the password, which is slow, so it is called before the transaction. */
export async function contactFields(input: ContactInput, hashing: Hashing): Promise<ContactFields> {
  const fields = {
    ...sent(ownFields, input),
    // An empty address clears all of it.
    ...(input.address === null ? cleared(addressFields) : sentAddress(input.address ?? {})),
  };
  if (input.passwd === undefined) return fields;
  const passwordHash = input.passwd === null ? null : await hashInTurn(input.passwd, hashing);
  return { ...fields, passwordHash };
}

/** The fields of an address that a request sends. */
export const sentAddress = (input: AddressInput) => sent(addressFields, input);

function sent<Name extends string>(
  names: readonly Name[],
  input: Readonly<Partial<Record<Name, Text>>>,
): Partial<Record<Name, string | null>> {
  const fields: Partial<Record<Name, string | null>> = {};
  for (const name of names) {
    const value = input[name];
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

function cleared<Name extends string>(names: readonly Name[]): Record<Name, null> {
  return Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>;
}
