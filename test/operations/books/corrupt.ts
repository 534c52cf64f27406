/** Breaks books in ways that the service cannot. */
import { bulkhead } from 'cockatiel';
import { Client } from 'pg';
import type { Fault } from '../../../operations/books/report.ts';
import type { Books } from '../support/books.ts';

/** The tenant whose books are broken. */
export const own = `tenant_id = current_setting('app.tenant')::bigint`;

/**
 * A statement that a trigger forbids: credits of charges are voided, and never changed. One query is
 * one transaction, so no other test has the trigger back in between.
 */
export const unguarded = (
  statement: string,
  [table, trigger]: readonly [table: string, trigger: string] = [
    'charge_credit',
    'charge_credit_void_only',
  ],
): string[] => [
  `alter table ${table} disable trigger ${trigger};
   ${statement};
   alter table ${table} enable trigger ${trigger}`,
];

const ofLedger: readonly string[] = ['ledger.entry', 'ledger.balance', 'ledger.open'];

/** The faults of the books: what breaks them breaks the ledger, too, which is derived from them. */
export const besideLedger = (faults: readonly Fault[]): Fault[] =>
  faults.filter(({ check }) => !ofLedger.includes(check));

/** One at a time in a process: two that drop the same constraint, or trigger, would meet. */
const turns = bulkhead(1, Infinity);

/** Runs with the owner's rights; row-level security and the ledger's trigger bind the owner too. */
export const corrupt = (
  books: Pick<Books, 'db' | 'tenantId'>,
  statements: readonly string[],
): Promise<void> => turns.execute(() => asOwner(books, statements));

async function asOwner(
  books: Pick<Books, 'db' | 'tenantId'>,
  statements: readonly string[],
): Promise<void> {
  const client = new Client({ connectionString: books.db.ownerUrl });
  await client.connect();
  try {
    await client.query(`select set_config('app.tenant', $1, false)`, [String(books.tenantId)]);
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
