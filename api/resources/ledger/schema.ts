/** The ledger in XML. */
import { z } from 'zod';
import { entryTypes, ledgerAccounts } from '../../../domain/ledger/accounts.ts';
import { paymentMethodTypes } from '../../../domain/payments/allocation.ts';
import { taxCategories } from '../../../domain/tax/rates.ts';
import { gatewayNames } from '../../../providers/gateway/gateway.ts';
import { compile } from '../../xml/codec.ts';
import {
  attribute,
  currency,
  date,
  decimal,
  enumeration,
  id,
  reference,
  repeated,
  root,
  sum,
  text,
  REFERENCE_LENGTH_MAX,
} from '../../xml/types.ts';

/** The longest names the transactions that were under way. */
export const CURSOR_LENGTH_MAX = 4_000;

export const ledgerEntry = z.strictObject({
  cursor: text(CURSOR_LENGTH_MAX),
  entry: z.strictObject({ id: id() }),
  date: date(),
  entryType: enumeration(entryTypes),
  documentNumber: text(),
  invoice: reference().nullable(),
  payment: reference().nullable(),
  customer: reference(),
  extCustomerRef: text(REFERENCE_LENGTH_MAX).nullable(),
  account: enumeration(ledgerAccounts),
  accountingCode: text(),
  taxName: text().nullable(),
  taxPercent: decimal().nullable(),
  jurisdiction: text().nullable(),
  taxCategory: enumeration(taxCategories).nullable(),
  taxBase: sum().nullable(),
  gateway: enumeration(gatewayNames).nullable(),
  paymentMethodType: enumeration(paymentMethodTypes).nullable(),
  debit: sum(),
  credit: sum(),
  currency: currency(),
});

export type LedgerEntryDocument = z.output<typeof ledgerEntry>;

export const ledgerList = compile(
  root(
    'list',
    z.strictObject({
      closedTo: attribute(date()).optional(),
      ledgerEntry: repeated('ledgerEntry', ledgerEntry),
    }),
  ),
);
