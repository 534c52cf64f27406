/** The documents of hosted sign-ups: the record, and the link to its page. */
import { z } from 'zod';
import { ADDRESS_LENGTH_MAX } from '../../../domain/hosted-pages/address.ts';
import { signupStatuses } from '../../../domain/signups/signup.ts';
import { compile } from '../../xml/codec.ts';
import {
  boolean,
  date,
  decimal,
  enumeration,
  id,
  reference,
  root,
  sum,
  text,
} from '../../xml/types.ts';

const address = () => text(ADDRESS_LENGTH_MAX);

const signupSchema = z.strictObject({
  id: id(),
  status: enumeration(signupStatuses),
  tracking: text(),
  companyName: text().nullable(),
  firstName: text().nullable(),
  lastName: text().nullable(),
  extCustomerRef: text().nullable(),
  email: text().nullable(),
  phone: text().nullable(),
  street: text().nullable(),
  city: text().nullable(),
  state: text().nullable(),
  zipcode: text().nullable(),
  country: text().nullable(),
  hideCustomerFields: boolean(),
  login: text().nullable(),
  savePaymentMethod: boolean(),
  orderNumber: text().nullable(),
  contractCode: text().nullable(),
  quantity: decimal(),
  startDate: date().nullable(),
  invoiceNumber: text().nullable(),
  paymentAmount: sum().nullable(),
  paymentApprovalCode: text().nullable(),
  billerCode: text().nullable(),
  couponCode: text().nullable(),
  sku: text().nullable(),
  tosAccepted: boolean(),
  tosLink: address().nullable(),
  hideOrderFields: boolean(),
  cardType: text().nullable(),
  expiry: date().nullable(),
  cardholderName: text().nullable(),
  successURL: address(),
  failURL: address(),
  cssURL: address(),
  dateCreated: date(),
  customer: reference().nullable(),
  failureCode: text().nullable(),
});
export type SignupDocument = z.output<typeof signupSchema>;

export const signupCodec = compile(root('signup', signupSchema));

const linkSchema = z.strictObject({ url: address(), signup: signupSchema });
export type SignupLinkDocument = z.output<typeof linkSchema>;

export const signupLinkCodec = compile(root('signupLink', linkSchema));
