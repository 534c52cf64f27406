/** The ledger: what each fact of the books debits and credits. */
import { z } from 'zod';
import { entryTypes, ledgerAccounts } from '../../../domain/ledger/accounts.ts';
import { placeOf, type LedgerPlace } from '../../../domain/ledger/cursor.ts';
import { formatAmount } from '../../../domain/money/money.ts';
import { inSnapshot } from '../../../db/connection/snapshot.ts';
import {
  everyRow,
  readLedger,
  type LedgerQuery,
  type LedgerRow,
} from '../../../operations/ledger/read.ts';
import type { TenantInfo } from '../../../operations/context/context.ts';
import type { StreamedAnswer } from '../../calls/answer.ts';
import { columnsOf, csvOf, refusePage } from '../../calls/csv.ts';
import { badRequest } from '../../calls/errors.ts';
import { byCustomer, customerFilterOf, objectId, page } from '../../calls/queries.ts';
import { type Route, route } from '../../calls/route.ts';
import { type RouteDependencies, readingMore } from '../../calls/services.ts';
import { CURRENCY_LENGTH_MAX, date, enumeration, formed, text } from '../../xml/types.ts';
import { once } from '../../calls/lists.ts';
import { CURSOR_LENGTH_MAX, ledgerEntry, ledgerList, type LedgerEntryDocument } from './schema.ts';

const ledgerQuery = z.object({
  after: text(CURSOR_LENGTH_MAX).optional().meta({
    description: 'The cursor of the last row that was read: the rows after it follow.',
  }),
  max: page.max,
  from: date().optional().meta({ description: 'The first date of the entries.' }),
  to: date().optional().meta({ description: 'The last date of the entries.' }),
  ...byCustomer(),
  account: enumeration(ledgerAccounts).optional(),
  accountingCode: text().optional(),
  entryType: enumeration(entryTypes).optional(),
  invoiceNumber: text().optional(),
  paymentId: objectId().optional(),
  currency: formed(/^[A-Z]{3}$/, 'a code of three capital letters', CURRENCY_LENGTH_MAX).optional(),
});

const columns = once(() => columnsOf(ledgerEntry));

export function ledgerRoutes(dependencies: RouteDependencies): Route[] {
  return [
    route({
      method: 'GET',
      path: '/ledger',
      summary: 'The rows of the ledger, oldest booked first',
      right: 'read',
      query: ledgerQuery,
      response: ledgerList,
      async handler({ tenant, query, noteMiss }) {
        const asked = queryOf(query);
        const { rows, closedTo } = await readingMore(dependencies, tenant, (tx) =>
          readLedger(dependencies, tenant, tx, asked),
        );
        if (rows.length === 0 && asked.customerId !== null) noteMiss('customer', asked.customerId);
        return {
          ...(closedTo === null ? {} : { closedTo }),
          ledgerEntry: rows.map(entryDocument),
        };
      },
      streams: {
        csv({ tenant, query, url }) {
          refusePage(url);
          return ledgerFile(dependencies, tenant, queryOf(query));
        },
      },
    }),
  ];
}

/** All rows that the query leaves, as CSV. */
export function ledgerFile(
  { db }: Pick<RouteDependencies, 'db'>,
  { id }: Pick<TenantInfo, 'id'>,
  query: LedgerQuery,
): Promise<StreamedAnswer> {
  const rows = inSnapshot(db, id, (tx) => everyRow(tx, query));
  return csvOf({ name: 'ledger', columns: columns(), view: entryDocument }, rows);
}

function queryOf(query: z.output<typeof ledgerQuery>): LedgerQuery {
  const { after, max, from = null, to = null, account = null, accountingCode = null } = query;
  const { entryType = null, invoiceNumber = null, paymentId = null, currency = null } = query;
  if (from !== null && to !== null && to < from) {
    throw badRequest('query.invalid', 'to is before from', 'to', to);
  }
  return {
    after: after === undefined ? null : placeAfter(after),
    max,
    from,
    to,
    ...customerFilterOf(query),
    account,
    accountingCode,
    entryType,
    invoiceNumber,
    paymentId,
    currency,
  };
}

function placeAfter(cursor: string): LedgerPlace {
  const place = placeOf(cursor);
  if (place !== null) return place;
  throw badRequest('query.invalid', 'after is the cursor of a row of the ledger', 'after', cursor);
}

const objectOf = (id: number | null): { id: number } | null => (id === null ? null : { id });

function entryDocument(row: LedgerRow): LedgerEntryDocument {
  const { entryId, invoiceId, paymentId, customerId, taxBase, debit, credit, currency } = row;
  return {
    cursor: row.cursor,
    entry: { id: entryId },
    date: row.date,
    entryType: row.entryType,
    documentNumber: row.documentNumber,
    invoice: objectOf(invoiceId),
    payment: objectOf(paymentId),
    customer: { id: customerId },
    extCustomerRef: row.extCustomerRef,
    account: row.account,
    accountingCode: row.accountingCode,
    taxName: row.taxName,
    taxPercent: row.taxPercent,
    jurisdiction: row.jurisdiction,
    taxCategory: row.taxCategory,
    taxBase: taxBase === null ? null : formatAmount(currency, taxBase),
    gateway: row.gateway,
    paymentMethodType: row.paymentMethodType,
    debit: formatAmount(currency, debit),
    credit: formatAmount(currency, credit),
    currency: { id: currency },
  };
}
