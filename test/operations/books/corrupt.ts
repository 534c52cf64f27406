/** Breaks books in ways that the service cannot. */
import { Client } from 'pg';
import type { Books } from '../support/books.ts';

/** Runs with the owner's rights; row-level security and the ledger's trigger bind the owner too. */
export async function corrupt(
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
