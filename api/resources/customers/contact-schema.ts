/** A customer's billing or sales contact, with its address. */
import { z } from 'zod';
import { compile } from '../../xml/codec.ts';
import { accepting, id, password, root, text } from '../../xml/types.ts';
import { mailAddress } from '../shared-schema.ts';

const addressShape = {
  street1: text().nullish(),
  street2: text().nullish(),
  city: text().nullish(),
  state: text().nullish(),
  zip: text().nullish(),
  country: text().nullish(),
  countryCode: text().nullish(),
};

const contactShape = {
  username: text().nullish(),
  passwd: password().nullish(),
  firstName: text().nullish(),
  lastName: text().nullish(),
  companyName: text().nullish(),
  emailPrimary: mailAddress().nullish(),
  workPhone: text().nullish(),
  address: z.strictObject(addressShape).nullish(),
};

/** The contact as returned, without the password. */
export const contactSchema = z.strictObject({ id: id(), ...contactShape });
export const contactInputSchema = accepting(contactSchema, contactShape);
export type ContactInput = z.output<typeof contactInputSchema>;
export type ContactDocument = z.output<typeof contactSchema>;

export const contactCodecs = {
  billingContact: {
    request: compile(root('billingContact', contactInputSchema)),
    response: compile(root('billingContact', contactSchema)),
  },
  salesContact: {
    request: compile(root('salesContact', contactInputSchema)),
    response: compile(root('salesContact', contactSchema)),
  },
} as const;
