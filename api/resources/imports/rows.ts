/** The columns of the files that batch imports take, whose cells are those elements elsewhere. */
import { z } from 'zod';
import type { CustomerRow, InvoiceRow, LineRow } from '../../../domain/imports/rows.ts';
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
import { contactInputSchema, customerCreateSchema } from '../customers/schema.ts';
import { POSITION_MAX } from '../invoices/schema.ts';
import { unitsOfTerms } from '../shared-schema.ts';
import { convert } from '../../xml/decode.ts';
import { ErrorList, explain } from '../../xml/explain.ts';
import { type ObjectPlan, compileNode, schemaOf } from '../../xml/plan.ts';
import { isForbiddenCharacter } from '../../xml/scan.ts';
import type { ErrorCode } from '../../calls/catalogue.ts';
import type { FieldError } from '../../calls/errors.ts';

const INVOICE_NUMBER_LENGTH_MAX = 20;

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

/* Reads the cells of a CSV row by the types of elements, with the same errors. */

/** What is wrong with a cell. */
interface CellFault {
  readonly code: ErrorCode;
  readonly column: string;
  readonly message: string;
}

/** A row as a value, or all that is wrong with its cells. */
type ReadRow<T> =
  | { readonly value: T; readonly faults: null }
  | { readonly value: null; readonly faults: readonly CellFault[] };

interface RowDecoder<T> {
  /** The columns that a file may have. */
  readonly columns: readonly string[];
  /** Cells in the order of the columns of their file; an empty one is null, as an empty element. */
  readonly read: (columns: readonly string[], cells: readonly string[]) => ReadRow<T>;
}

/**
 * Compiles a flat schema of scalars at the first row, as most processes read none; each column that
 * is absent in a file counts as empty.
 */
function compileRow<S extends z.ZodObject>(schema: S): RowDecoder<z.output<S>> {
  const known = Object.keys(schema.shape);
  const empty = Object.fromEntries(known.map((column) => [column, null]));
  let compiled: ObjectPlan | undefined;
  return {
    columns: known,
    read(columns, cells) {
      const plan = (compiled ??= planOf(schema));
      const errors = new ErrorList();
      const value: Record<string, unknown> = { ...empty };
      for (const [index, column] of columns.entries()) {
        const field = plan.elements.get(column)?.plan;
        const cell = cells[index] ?? '';
        if (field?.kind !== 'scalar') throw new Error(`${column} is no column of these rows`);
        if (isForbiddenCharacter(cell)) {
          const message = `${column} contains a control character`;
          errors.add('document.character', column, message);
        } else {
          value[column] = convert(field, cell);
        }
      }
      const judged = schema.safeParse(value);
      if (!judged.success) explain(plan, '', value, judged.error.issues, errors);
      if (judged.success && errors.isEmpty) return { value: judged.data, faults: null };
      return { value: null, faults: errors.toArray().map(atColumn) };
    },
  };
}

function planOf(schema: z.ZodObject): ObjectPlan {
  const plan = compileNode(schemaOf(schema));
  if (plan.kind !== 'object') throw new Error('the cells of a row form an object');
  return plan;
}

const atColumn = ({ code, path = '', message }: FieldError): CellFault => ({
  code,
  column: path.replace(/^\//, ''),
  message,
});
