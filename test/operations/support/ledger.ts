/** The ledger of a test's books as text. */
import { formatAmount } from '../../../domain/money/money.ts';
import { placeOf } from '../../../domain/ledger/cursor.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import {
  readLedger,
  wholeLedger,
  type LedgerPage,
  type LedgerQuery,
  type LedgerRow,
} from '../../../operations/ledger/read.ts';
import type { Books } from './books.ts';

type LedgerBooks = Pick<Books, 'read' | 'dependencies' | 'tenantId'>;

export interface LedgerAsked extends Partial<Omit<LedgerQuery, 'after'>> {
  readonly after?: string | undefined;
}

export async function ledgerPage(
  { dependencies, tenantId, read }: LedgerBooks,
  { after, ...asked }: LedgerAsked = {},
): Promise<LedgerPage> {
  const tenant = await tenantInfo(dependencies, tenantId);
  const place = after === undefined ? null : placeOf(after);
  return read((tx) =>
    readLedger(dependencies, tenant, tx, { ...wholeLedger, max: 1000, ...asked, after: place }),
  );
}

export const ledgerRows = async (
  books: LedgerBooks,
  asked: LedgerAsked = {},
): Promise<readonly LedgerRow[]> => (await ledgerPage(books, asked)).rows;

/** `2027-01-15 Invoice 1001: receivables 1200 debit 73.44`, with what is said of taxes and cash. */
export const ledgerOf = async (books: LedgerBooks, asked: LedgerAsked = {}): Promise<string[]> =>
  (await ledgerRows(books, asked)).map(textOf);

/** The same without the day and the document: `Invoice: receivables 1200 debit 73.44`. */
export const bookedOf = async (books: LedgerBooks, asked: LedgerAsked = {}): Promise<string[]> =>
  (await ledgerRows(books, asked)).map((row) => `${row.entryType}: ${sideOf(row)}`);

function textOf(row: LedgerRow): string {
  return `${row.date} ${row.entryType} ${row.documentNumber}: ${sideOf(row)}`;
}

function sideOf(row: LedgerRow): string {
  const { account, accountingCode, debit, credit, currency, taxBase } = row;
  const isDebit = debit !== '0';
  const money = formatAmount(currency, isDebit ? debit : credit);
  const { taxName, taxPercent, jurisdiction, taxCategory, gateway, paymentMethodType } = row;
  const base = taxBase === null ? null : `of ${formatAmount(currency, taxBase)}`;
  const more = [taxName, taxPercent, jurisdiction, taxCategory, base, gateway, paymentMethodType];
  const said = more.filter((each) => each !== null).join(' ');
  return `${account} ${accountingCode} ${isDebit ? 'debit' : 'credit'} ${money}${said && ` (${said})`}`;
}
