/** The migration that gives existing charges their kind. */
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

test('existing charges get the kind that they would get today', async (t) => {
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
    `delete from migration where name = '0006-charge-kinds'`,
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
