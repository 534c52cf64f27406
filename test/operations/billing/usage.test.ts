/** When usage is billed, and what becomes of its records: the examples of the specification. */
import test from 'ava';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';

const db = await sharedDatabase();

const metered = {
  contractCode: 'METERED',
  name: 'Metered voice',
  billingPeriod: 'Monthly',
  billingAlignment: 'DayOfMonth',
  alignmentDay: 1,
  charges: [
    {
      priceCode: 'MINUTES',
      chargeType: 'UsageCharge',
      pricingType: 'TieredPricing',
      unitOfMeasure: 'minute',
      tiers: [
        { unitsFrom: 0, unitsTo: 100, price: 0.1 },
        { unitsFrom: 100, unitsTo: 1000, price: 0.08 },
        { unitsFrom: 1000, price: 0.05 },
      ],
    },
  ],
};

async function story(today = '2027-01-01', file: object = {}) {
  const books = await openBooks(db, { today, plans: [metered], ...file });
  const customerId = await books.customer();
  const orderId = await books.order({ customerId, contractCode: 'METERED' });
  return { books, customerId, orderId };
}

interface Record {
  readonly on: string;
  readonly period: number;
  readonly quantity: string;
  readonly amount?: string;
}

function used(books: Books, orderId: number, records: readonly Record[]) {
  return books.work(({ tx }) =>
    tx.query(
      `with line as (select l.id, o.customer_id from order_line l
           join subscription_order o on o.tenant_id = l.tenant_id and o.id = l.order_id
           where l.tenant_id = $1 and l.order_id = $2),
         made as (insert into usage_window (tenant_id, order_line_id, period_index)
           select distinct $1::bigint, line.id, r.period from line,
             json_to_recordset($3) as r(period int)
           on conflict (tenant_id, order_line_id, period_index) do update set period_index = excluded.period_index
           returning id, period_index)
       insert into activity (tenant_id, batch_id, customer_id, order_line_id, window_id, quantity,
         amount, charge_date, created_at)
       select $1, 1, line.customer_id, line.id, made.id, r.quantity, r.amount, r."on", now()
       from line, json_to_recordset($3) as r("on" date, period int, quantity numeric, amount numeric)
       join made on made.period_index = r.period`,
      [tx.tenantId, orderId, JSON.stringify(records)],
    ),
  );
}

test('usage is billed at 00:00 of the day after the period, and its records share the amount', async (t) => {
  const { books, orderId } = await story();
  await used(books, orderId, [
    { on: '2027-01-06', period: 0, quantity: '70' },
    { on: '2027-01-20', period: 0, quantity: '110' },
  ]);
  t.is(await books.orderNow(orderId), 'Active next 2027-02-01 bills 2027-02-01');
  await books.advance('2027-02-01');
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-02-01 due 2027-03-03 Outstanding 16.40: MINUTES 2027-01-01 2027-01-31 10.00, ' +
      'MINUTES 2027-01-01 2027-01-31 6.40, MINUTES 2027-01-01 2027-01-31 16.40',
  ]);
  const [window] = await books.read((tx) =>
    tx.query('select * from usage_window order by period_index'),
  );
  t.like(window, { shared_quantity: '180', shared_amount: '16.4000', last_amount: '10.0200' });
  t.deepEqual((await books.audit()).faults, []);
});
