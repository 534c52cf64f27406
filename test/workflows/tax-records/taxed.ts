/** A tenant of a worker's harness whose invoices AvaTax taxes. */
import { inTenant } from '../../../db/connection/tenancy.ts';
import { withTaxes } from '../../../operations/billing/asking.ts';
import { createOrder } from '../../../operations/orders/create.ts';
import { taxRecordNudge } from '../../../operations/feed/numbered-hooks.ts';
import { avataxFile, gold, newYorker } from '../../operations/support/avatax-tenant.ts';
import { type Harness, openTenant } from '../harness.ts';

/** @param url the address of its AvaTax */
export async function openTaxed(harness: Harness, url: string) {
  const books = await openTenant(harness, {
    testClock: '2027-01-15T12:00:00Z',
    timezone: 'UTC',
    plans: [gold],
    file: avataxFile(url),
  });
  const { tenantId } = books;
  const { dependencies } = harness;
  const sql = <Row extends object>(text: string, ...values: readonly unknown[]) =>
    inTenant(dependencies.db, tenantId, (tx) =>
      tx.query<Row & Record<string, unknown>>(text, values),
    );
  return {
    books,
    sql,
    workflow: books.workflow(taxRecordNudge),
    /** Of 39.20, to a new customer in New York. */
    invoice: async (): Promise<void> => {
      const order = { customerId: await newYorker(books), contractCode: 'GOLD' };
      const flags = { generateInvoice: true, forceInvoiceGeneration: false };
      await withTaxes(dependencies, tenantId, () =>
        books.work((its) => createOrder(dependencies, its, order, flags)),
      );
    },
    /** `1001 recorded 1`: number, state, attempts. */
    async records(): Promise<string[]> {
      const rows = await sql<{ text: string }>(
        `select concat_ws(' ', i.number_value, r.state, r.attempts) as text
         from tax_record r join invoice i on i.id = r.invoice_id order by i.number_value`,
      );
      return rows.map(({ text }) => text);
    },
    /** What is open is due at once, and the workflow looks again. */
    again: async (): Promise<void> => {
      await sql(
        `update tax_record set next_attempt_at = now() where state in ('toRecord', 'toVoid')`,
      );
      await books.start(taxRecordNudge);
    },
  };
}
