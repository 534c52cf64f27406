/** A tenant of a worker's harness whose invoices AvaTax taxes. */
import { inTenant } from '../../../db/connection/tenancy.ts';
import { askTaxes } from '../../../operations/billing/tax-answers.ts';
import { UnansweredTaxes } from '../../../operations/billing/taxing.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { createOrder } from '../../../operations/orders/create.ts';
import { taxRecordNudge } from '../../../operations/tax-records/hook.ts';
import type { TaxProvider } from '../../../providers/tax/tax-provider.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { portland } from '../../support/avatax.ts';
import { openTenant, until } from '../harness.ts';
import type { Harness } from '../harness.ts';

export async function openTaxed(harness: Harness, provider: TaxProvider) {
  const books = await openTenant(harness, {
    testClock: '2027-01-15T12:00:00Z',
    timezone: 'UTC',
    plans: [recurring('P', 36, { ...prepaid, taxCodes: ['STANDARD'] })],
    file: { address: { ...portland, street2: undefined } },
  });
  const { tenantId } = books;
  const { dependencies } = harness;
  const sql = <Row extends object>(text: string, ...values: readonly unknown[]) =>
    inTenant(dependencies.db, tenantId, (tx) =>
      tx.query<Row & Record<string, unknown>>(text, values),
    );
  await sql(
    `update tenant set file = jsonb_set(file, '{tax}', '{"type": "avatax"}') where id = $1`,
    tenantId,
  );
  await until('the tenant is taxed', async () => {
    return (await tenantInfo(dependencies, tenantId)).taxProvider !== null;
  });
  return {
    books,
    sql,
    workflow: books.workflow(taxRecordNudge),
    /** Of 39.20, to a new customer in New York. */
    invoice: async (): Promise<void> => {
      const customerId = await books.customer();
      await sql(
        `insert into contact (tenant_id, customer_id, kind, street1, city, state, zip, country_code)
         values ($1, $2, 'billing', '350 5th Ave', 'New York', 'NY', '10118', 'US')`,
        tenantId,
        customerId,
      );
      const order = { customerId, contractCode: 'P' };
      const flags = { generateInvoice: true, forceInvoiceGeneration: false };
      const made = () => books.work((its) => createOrder(dependencies, its, order, flags));
      try {
        await made();
      } catch (error) {
        if (!(error instanceof UnansweredTaxes)) throw error;
        await askTaxes(dependencies.db, { tenantId, provider }, error.documents);
        await made();
      }
    },
    /** `1001 recorded 1`: number, state, attempts. */
    async records(): Promise<string[]> {
      const rows = await sql<{ text: string }>(
        `select concat_ws(' ', i.invoice_number, r.state, r.attempts) as text
         from tax_record r join invoice i on i.id = r.invoice_id order by i.invoice_number`,
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
