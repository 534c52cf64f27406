/** A tenant whose taxes AvaTax knows, with 120 customers in New York, each with an order. */
import type { ExecutionContext } from 'ava';
import { inTenant, type Tx } from '../../../db/connection/tenancy.ts';
import type { Database } from '../../../db/connection/database.ts';
import { inOperation } from '../../../operations/context/context.ts';
import { raise } from '../../../operations/events/raise.ts';
import { createOrder } from '../../../operations/orders/create.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { avataxAccount, portland, type AvataxDouble } from '../../support/avatax.ts';
import { suffix } from '../../support/temporal.ts';
import { makeTenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';

export const ORDERS = 120;

const { street2: _none, ...address } = portland;
const noFlags = { generateInvoice: false, forceInvoiceGeneration: false };

export type TaxedTenant = Awaited<ReturnType<typeof openTaxedTenant>>;

/** The orders begin on 1 February, for 36.00 a month; of that 3.20 are taxes. */
export async function openTaxedTenant(db: Database, double: AvataxDouble) {
  const dependencies = { db, realNow: Date.now };
  const { id: tenantId, label } = await makeTenant(dependencies, {
    label: `taxes-${suffix()}`,
    testClock: '2027-01-15T12:00:00Z',
    timezone: 'UTC',
    plans: [recurring('P', 36, { ...prepaid, taxCodes: ['STANDARD'] })],
    file: { address, tax: { type: 'avatax', ...avataxAccount, url: double.url } },
  });
  for (let made = 1; made <= ORDERS; made += 1) {
    await inOperation(dependencies, tenantId, async (context) => {
      const id = await newCustomer(context.tx, `C-${made}`);
      raise(context, [{ type: 'customer.created', customerId: id, objectId: id }]);
      const order = { customerId: id, contractCode: 'P', startDate: '2027-02-01' };
      await createOrder(dependencies, context, order, noFlags);
    });
  }
  const sql = <Row extends object>(text: string, ...values: readonly unknown[]) =>
    inTenant(db, tenantId, (tx) => tx.query<Row & Record<string, unknown>>(text, values));

  async function states(): Promise<Record<string, number>> {
    const rows = await sql<{ state: string; count: number }>(
      'select state, count(*)::int as count from tax_record group by state',
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  }

  return {
    dependencies,
    tenantId,
    label,
    sql,
    states,
    /** The invoices of a day. */
    billedOn: async (day: string): Promise<number> => {
      const [row] = await sql<{ count: number }>(
        'select count(*)::int as count from invoice where invoice_date = $1',
        day,
      );
      return row?.count ?? 0;
    },
    isReady: () =>
      until('the clock is Ready', async () => {
        return (await sql(`select from test_clock where status = 'Ready'`)).length === 1;
      }),
    /** What a dead worker has under way, or has put off, is due at once. */
    hurry: () =>
      sql(
        `update tax_record set next_attempt_at = next_attempt_at - interval '20 minutes',
           leased_until = leased_until - interval '20 minutes'
         where state in ('toRecord', 'toVoid')`,
      ),
    allRecorded: () =>
      until('nothing is to be recorded', async () => {
        const { toRecord = 0, toVoid = 0 } = await states();
        return toRecord + toVoid === 0;
      }),
    /** Each order has one invoice of that day, of 39.20 with its three taxes, recorded once. */
    async isWhole(t: ExecutionContext, day: string, orders = ORDERS): Promise<void> {
      const rows = await sql<{ id: number; text: string; orders: number }>(
        `select i.id, count(distinct l.order_id)::int as orders,
           round(i.current_amount_due, 2) || ': ' || string_agg(
             c.kind || ' ' || round(c.amount, 2), ', ' order by c.position) as text
         from invoice i join invoice_line l on l.invoice_id = i.id
         join invoice_charge c on c.invoice_line_id = l.id
         where i.invoice_date = $1 group by i.id, i.current_amount_due`,
        day,
      );
      t.is(rows.length, orders);
      t.deepEqual(
        [...new Set(rows.map(({ text }) => text))],
        ['39.20: period 36.00, tax 1.44, tax 1.62, tax 0.14'],
      );
      const [billed] = await sql<{ orders: number }>(
        `select count(distinct l.order_id)::int as orders from invoice i
         join invoice_line l on l.invoice_id = i.id where i.invoice_date = $1`,
        day,
      );
      t.is(billed?.orders, orders);
      const wrong = rows.filter(({ id }) => {
        const record = double.records.get(String(id));
        return record?.status !== 'Committed' || record.total !== 36 || record.tax !== 3.2;
      });
      t.deepEqual(wrong, []);
    },
  };
}

async function newCustomer(tx: Tx, reference: string): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    `insert into customer (tenant_id, name, status, ext_customer_ref, currency, created_at,
       updated_at)
     values ($1, 'A customer', 'Active', $2, 'USD', now(), now()) returning id`,
    [tx.tenantId, reference],
  );
  const id = row?.id ?? 0;
  await tx.query(
    `insert into contact (tenant_id, customer_id, kind, street1, city, state, zip, country_code)
     values ($1, $2, 'billing', '350 5th Ave', 'New York', 'NY', '10118', 'US')`,
    [tx.tenantId, id],
  );
  return id;
}
