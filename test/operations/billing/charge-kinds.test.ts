/** The migrations that give existing charges their kind, and percentages their base. */
import test from 'ava';
import { Client } from 'pg';
import { migrate } from '../../../db/connection/migrate.ts';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';

const db = await sharedDatabase();

async function asOwner(...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: db.ownerUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

test.serial('existing charges get the kind that they would get today', async (t) => {
  const fee = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing', isPrepaid: true };
  const plan = {
    ...recurring('P', 31, prorated),
    charges: [
      { priceCode: 'P', ...fee, price: 31 },
      { priceCode: 'SETUP', ...fee, chargeType: 'OneTimeCharge', price: 49 },
      { priceCode: 'VAT', ...fee, isTax: true, price: 2 },
    ],
  };
  const books = await openBooks(db, { today: '2027-01-15', plans: [plan] });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  await books.manualInvoice(customerId, {
    invoiceLineItems: [{ invoiceLineItemCharges: [{ priceCode: 'WORK', amount: '7' }] }],
  });
  const kinds = () =>
    books.read((tx) =>
      tx.query<{ text: string }>(
        `select price_code || ' ' || kind as text from invoice_charge order by id`,
      ),
    );
  const before = (await kinds()).map((row) => row.text);
  t.deepEqual(before, ['P period', 'SETUP oneTime', 'VAT tax', 'WORK manual']);
  await asOwner(
    'drop table charge_credit',
    'alter table invoice_charge drop column kind cascade',
    'alter table invoice_charge drop column base_positions, drop column coupon_id',
    'alter table invoice_charge drop column tax_category',
    'drop function void_only',
    `delete from migration where name in ('0006-charge-kinds', '0046-charge-references')`,
  );
  await migrate(db.ownerUrl);
  // Connections from before the migration have plans for the dropped column.
  const after = await openBooks(db, { today: '2027-01-15' });
  t.is((await after.invoices()).length, 0);
  t.deepEqual(
    (await kinds()).map((row) => row.text),
    before,
  );
  t.deepEqual((await books.audit()).faults, []);
});

test.serial('existing percentages get the base that they have today', async (t) => {
  const fee = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing' };
  const share = (priceCode: string, percent: number) => ({
    priceCode,
    ...fee,
    tiers: [{ unitsFrom: 0, percent }],
  });
  const plan = recurring('P', 31, prorated);
  const charges = [
    ...plan.charges,
    { priceCode: 'SETUP', ...fee, chargeType: 'OneTimeCharge', price: 49 },
    { ...share('CARE', 10), ...prorated },
    { ...share('REPORT', 3) },
    { ...share('VAT', 19), isTax: true, isPrepaid: true },
  ];
  const books = await openBooks(db, { today: '2027-01-15', plans: [{ ...plan, charges }] });
  const customerId = await books.customer();
  // Some months at once: several periods of each percentage share the other charges.
  const startDate = '2026-11-01';
  await books.order({ customerId, contractCode: 'P', startDate }, { generateInvoice: true });
  const bases = () =>
    books.read((tx) =>
      tx.query<{ text: string }>(
        `select price_code || ' ' || position || ' of ' || base_positions::text as text
         from invoice_charge where is_percent order by position`,
      ),
    );
  const before = (await bases()).map((row) => row.text);
  // Three fees (1 to 3), the setup (4), three CARE (5 to 7), two REPORT (8, 9), three VAT.
  t.deepEqual(before.slice(0, 5), [
    'CARE 5 of {1,4}',
    'CARE 6 of {2}',
    'CARE 7 of {3}',
    'REPORT 8 of {1,2,4}',
    'REPORT 9 of {3}',
  ]);
  t.is(before.length, 8);
  await asOwner(
    'drop index charge_credit_of_charge',
    'alter table charge_credit drop column credit_charge_id, drop column unused_to',
    'alter table charge_credit drop column voided_at cascade, alter payment_id set not null',
    'alter table charge_credit add unique (tenant_id, invoice_charge_id)',
    'alter table invoice_charge drop column base_positions, drop column coupon_id',
    'alter table invoice_charge drop column tax_category',
    'drop trigger charge_credit_void_only on charge_credit',
    'drop function void_only',
    `delete from migration where name = '0046-charge-references'`,
  );
  await migrate(db.ownerUrl);
  t.deepEqual(
    (await bases()).map((row) => row.text),
    before,
  );
  t.deepEqual((await books.audit()).faults, []);
});
