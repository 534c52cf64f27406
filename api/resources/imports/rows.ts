/** The columns of the files that batch imports take, whose cells are those elements elsewhere. */
import { z } from 'zod';
import type { CustomerRow, InvoiceRow, LineRow } from '../../../domain/imports/rows.ts';
import { compileRow, type RowDecoder } from '../../xml/row.ts';
import {
  CURRENCY_LENGTH_MAX,
  ID_MAX,
  REFERENCE_LENGTH_MAX,
  date,
  decimal,
  enumeration,
  formed,
  integer,
  longText,
  text,
} from '../../xml/types.ts';
import { customerCreateSchema, contactInputSchema } from '../customers/schema.ts';
import { POSITION_MAX } from '../invoices/schema.ts';
import { unitsOfTerms } from '../shared-schema.ts';

const INVOICE_NUMBER_LENGTH_MAX = 10;

const contact = contactInputSchema.shape;
const address = contact.address.unwrap().unwrap().shape;
const { locale, paymentTermsValue } = customerCreateSchema.shape;

/** An empty cell has the default. */
const or = <T extends z.ZodType, const D>(schema: T, value: D) =>
  schema.nullable().transform((cell) => cell ?? value);
const currencyCode = () =>
  formed(/^[A-Z]{3}$/, 'a code of three capital letters, for example USD', CURRENCY_LENGTH_MAX);

const customerRow = z.strictObject({
  updateMode: or(enumeration(['I', 'U']), 'I'),
  extCustomerRef: text(REFERENCE_LENGTH_MAX),
  firstName: contact.firstName.unwrap(),
  lastName: contact.lastName.unwrap(),
  companyName: contact.companyName.unwrap(),
  emailPrimary: contact.emailPrimary.unwrap(),
  username: contact.username.unwrap(),
  passwd: contact.passwd.unwrap(),
  street1: address.street1.unwrap(),
  street2: address.street2.unwrap(),
  city: address.city.unwrap(),
  state: address.state.unwrap(),
  zip: address.zip.unwrap(),
  country: address.country.unwrap(),
  countryCode: address.countryCode.unwrap(),
  workPhone: contact.workPhone.unwrap(),
  locale: locale.unwrap(),
  currency: currencyCode().nullable(),
  paymentTermsValue: paymentTermsValue.unwrap(),
  paymentTermsUnits: unitsOfTerms().nullable(),
  outstandingBalance: decimal().nullable(),
});

const invoiceRow = z.strictObject({
  updateMode: or(enumeration(['I']), 'I'),
  invoiceNumber: text(INVOICE_NUMBER_LENGTH_MAX),
  customerId: integer(1, ID_MAX).nullable(),
  extCustomerRef: text(REFERENCE_LENGTH_MAX).nullable(),
  invoiceDate: date(),
  dueDate: date(),
  status: or(enumeration(['Outstanding', 'Paid']), 'Outstanding'),
  currency: currencyCode().nullable(),
  billingStartDate: date().nullable(),
  billingEndDate: date().nullable(),
  currentAmountDue: decimal().nullable(),
  paymentsAndAdjustments: decimal().nullable(),
  notes: longText().nullable(),
});

const lineRow = z.strictObject({
  invoiceNumber: text(INVOICE_NUMBER_LENGTH_MAX),
  position: integer(0, POSITION_MAX),
  invoiceText: longText().nullable(),
  priceCode: text().nullable(),
  contractCode: text().nullable(),
  orderNumber: text().nullable(),
  accountingCode: text().nullable(),
  unitPrice: decimal().nullable(),
  quantity: decimal().nullable(),
  amount: decimal().nullable(),
  billingStartDate: date().nullable(),
  billingEndDate: date().nullable(),
});

export const customerRows: RowDecoder<CustomerRow> = compileRow(customerRow);
export const invoiceRows: RowDecoder<InvoiceRow> = compileRow(invoiceRow);
export const lineRows: RowDecoder<LineRow> = compileRow(lineRow);
