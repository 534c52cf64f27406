/** The contact fields of a request; undefined is absent and keeps, null is empty and clears. */
import {
  type AddressField,
  type ContactField,
  type PersonField,
  addressFieldNames,
  addressFields,
  contactFieldNames,
  personFieldNames,
} from '../../db/entities/columns.ts';
import { listedCopies } from '../../domain/mail/kinds.ts';
import { type Hashing, hashInTurn } from '../access/hash-turns.ts';

type Sent<Name extends string> = Readonly<Partial<Record<Name, string | null | undefined>>>;

export type AddressInput = Sent<AddressField>;

export interface ContactInput extends Sent<PersonField | 'passwd'> {
  readonly address?: AddressInput | null | undefined;
}

/** What a contact gets, by the names of the entity. */
export type ContactFields = Readonly<Partial<Record<ContactField | 'passwordHash', string | null>>>;

/** A contact without any fields. */
export const noContactFields = cleared([...contactFieldNames, 'passwordHash']);

/** Hashes the password, which is slow, so it is called before the transaction. */
export async function contactFields(input: ContactInput, hashing: Hashing): Promise<ContactFields> {
  const fields = {
    ...sent(personFieldNames, input),
    ...(input.emailCc == null ? {} : { emailCc: listedCopies(input.emailCc) }),
    // An empty address clears all of it.
    ...(input.address === null ? cleared(addressFieldNames) : sentAddress(input.address ?? {})),
  };
  if (input.passwd === undefined) return fields;
  const passwordHash = input.passwd === null ? null : await hashInTurn(input.passwd, hashing);
  return { ...fields, passwordHash };
}

export const isAddressField = (name: string): name is AddressField => name in addressFields;

/** The fields of an address that a request sends. */
export const sentAddress = (input: AddressInput) => sent(addressFieldNames, input);

/** Those of the fields that an input has, without what is undefined. */
export function sent<Name extends string, Input extends object>(
  names: readonly Name[],
  input: Input,
): { [Key in Name & keyof Input]?: Exclude<Input[Key], undefined> } {
  const entries = names.map((name) => [name, Reflect.get(input, name)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as never;
}

function cleared<Name extends string>(names: readonly Name[]): Record<Name, null> {
  return Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>;
}
