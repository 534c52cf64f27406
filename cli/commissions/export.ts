/** Writes commissions as CSV, page by page, without holding all of them. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Database } from '../../db/connection/database.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { BYTE_ORDER_MARK, csvLine } from '../../domain/text/csv.ts';
import {
  allCommissions,
  type CommissionFilter,
  type CommissionView,
} from '../../operations/commissions/statement.ts';

export interface Export {
  readonly filter: CommissionFilter;
  /** The standard output by default. */
  readonly out?: string | undefined;
}

/** The elements of a commission, in the order of the interface. */
const columns = [
  'id',
  'dateEarned',
  'agentCode',
  'orderNumber',
  'invoiceNumber',
  'priceCode',
  'commissionCode',
  'code',
  'baseAmount',
  'amount',
  'currency',
  'reversalOf',
] as const satisfies readonly (keyof CommissionView)[];

/** All rows are of one snapshot. Returns how many there are. */
export function exportCommissions(
  db: Database,
  tenantId: number,
  { filter, out }: Export,
): Promise<number> {
  let count = 0;
  const options = { readOnly: true, snapshot: true } as const;
  return inTenant(
    db,
    tenantId,
    async (tx) => {
      async function* lines(): AsyncGenerator<string> {
        yield BYTE_ORDER_MARK + csvLine(columns);
        for await (const page of allCommissions(tx, filter)) {
          count += page.length;
          yield page.map((row) => csvLine(columns.map((name) => row[name]))).join('');
        }
      }
      if (out === undefined) await pipeline(Readable.from(lines()), process.stdout, { end: false });
      else await intoFile(Readable.from(lines()), out);
      return count;
    },
    options,
  );
}

/** What is incomplete never has the name of the file. */
async function intoFile(lines: Readable, out: string): Promise<void> {
  const part = `${out}.part`;
  const file: Writable = createWriteStream(part);
  try {
    await pipeline(lines, file);
    await rename(part, out);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
