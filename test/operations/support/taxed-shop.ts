/** A tenant whose invoices AvaTax taxes, with customers in New York. */
import { newYork } from '../../support/avatax.ts';
import type { TaxProvider } from '../../../providers/tax/tax-provider.ts';
import { avataxFile, gold, newYorker } from './avatax-tenant.ts';
import { openBooks, type BooksOptions, type SharedDatabase } from './books.ts';
import { prepaid, recurring } from './plans.ts';

export type TaxedShop = Awaited<ReturnType<typeof openTaxedShop>>;

/** Plans: GOLD for 36.00 a month, which is taxed, and PLAIN for 10.00, which is not. */
export async function openTaxedShop(
  db: SharedDatabase,
  taxProvider: TaxProvider,
  options: Partial<BooksOptions> = {},
) {
  const books = await openBooks(db, {
    today: '2027-01-15',
    plans: [gold, recurring('PLAIN', 10, prepaid)],
    file: avataxFile(),
    taxProvider,
    ...options,
  });

  /** Moves a customer, to an address in New York by default. */
  async function move(customerId: number, to: Partial<typeof newYork> = {}): Promise<void> {
    const { street1, city, zip, state } = { ...newYork, ...to };
    await books.work(({ tx }) =>
      tx.query(
        `update contact set street1 = $2, city = $3, zip = $4, state = $5 where customer_id = $1`,
        [customerId, street1, city, zip, state],
      ),
    );
  }

  return {
    ...books,
    move,
    /** A customer in New York; returns its id. */
    resident: () => newYorker(books),
    /** `23 tries 2 timeout` for each customer that waits. */
    waits: () =>
      books.read(async (tx) => {
        const rows = await tx.query<{ customerId: number; tries: number; code: string }>(
          'select customer_id, tries, code from tax_wait where tenant_id = $1 order by 1',
          [tx.tenantId],
        );
        return rows.map(({ customerId, tries, code }) => `${customerId} tries ${tries} ${code}`);
      }),
    /** `tax.refused: The address ..`; null if the customer is not held. */
    holdOf: (customerId: number) =>
      books.read(async (tx) => {
        const [row] = await tx.query<{ code: string | null; text: string | null }>(
          `select billing_held_code as code, billing_held_text as text from customer where id = $1`,
          [customerId],
        );
        return row?.code == null ? null : `${row.code}: ${row.text}`;
      }),
  };
}
