/** What the migration makes of books that were kept before: their ledger is that of the day. */
import test from 'ava';
import { Client } from 'pg';
import { migrate } from '../../../db/connection/migrate.ts';
import { batchInit, everything } from '../support/batch-init.ts';
import { ownDatabase } from '../support/books.ts';
import { bookedOf } from '../support/ledger.ts';
import { gold, openGold } from './gold.ts';

const db = await ownDatabase();

const undone = `
  drop function oldest_transaction_ms();
  drop table accounting_codes;
  drop index ledger_entry_written, invoice_payment_written, carry_over_written, ledger_entry_day;
  alter table invoice_payment drop column applied_on;
  alter table ledger_entry disable trigger ledger_append_only;
  alter table invoice_payment disable trigger application_append_only;
  alter table carry_over disable trigger carry_over_append_only;
  update ledger_entry set written_in = null;
  update invoice_payment set written_in = null;
  update invoice_charge set tax_jurisdiction = null where kind = 'tax';
  delete from carry_over;
  alter table ledger_entry enable trigger ledger_append_only;
  alter table invoice_payment enable trigger application_append_only;
  alter table carry_over enable trigger carry_over_append_only;
  delete from migration where name = '0230-ledger'`;

test('facts of before get what they lack: transactions, days, jurisdictions, what was carried over', async (t) => {
  const { books, customerId } = await openGold(db);
  await books.order({ customerId, ...gold }, { generateInvoice: true });
  await books.paid({ customerId, amount: '60' });
  const other = await books.customer();
  await books.paid({ customerId: other, amount: '12' });
  books.jump('2027-01-20');
  await batchInit(books, { ...everything, zeroOutCustomerBalance: true });
  const before = await bookedOf(books);
  t.true(before.includes('CarriedOver: carriedOver 1290 debit 13.44'));
  const owner = new Client({ connectionString: db.ownerUrl });
  await owner.connect();
  t.teardown(() => owner.end());
  await owner.query(`select set_config('app.tenant', $1, false)`, [String(books.tenantId)]);
  await owner.query(undone);
  await migrate(db.ownerUrl);
  t.deepEqual((await bookedOf(books)).toSorted(), before.toSorted());
  t.deepEqual(await bookedOf(books, { from: '2027-01-16', entryType: 'CarriedOver' }), [
    'CarriedOver: carriedOver 1290 debit 13.44',
    'CarriedOver: receivables 1200 credit 13.44',
  ]);
  t.deepEqual(await books.faults(), []);
});
