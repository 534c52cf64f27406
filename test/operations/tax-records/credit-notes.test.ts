/** Credit notes of invoices that a tax provider taxed: what goes back, and what the provider is told. */
import test from 'ava';
import { createCreditNote } from '../../../operations/refunds/credit-note.ts';
import { openAvatax } from '../../support/avatax.ts';
import { sharedDatabase } from '../support/books.ts';
import { openTaxShop } from './shop.ts';

const db = await sharedDatabase();

test('a note is recorded after its invoice as a return of it, with its own sums', async (t) => {
  const { double, provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider);
  await shop.invoice();
  double.be('unavailable');
  const amount = '9.80';
  await shop.books.work((its) =>
    createCreditNote(its, { number: '1001' }, { reason: 'Line was down', amount }),
  );
  // A quarter of 36.00 and of 1.44, 1.62 and 0.14 of tax; the fee, as the largest, gives a cent less.
  t.deepEqual(await shop.records(), [
    '1001 toRecord 0 of 36 3.2',
    '1002 toRecord 0 of -8.99 -0.81',
  ]);
  await shop.pass();
  await shop.soon();
  t.deepEqual(
    (await shop.records()).map((text) => text.split(' ', 3).join(' ')),
    ['1001 toRecord 1', '1002 toRecord 0'],
  );
  double.be('well');
  await shop.pass();
  await shop.soon();
  await shop.pass();
  t.deepEqual(await shop.records(), [
    '1001 recorded 2 36 3.2 of 36 3.2',
    '1002 recorded 1 -8.99 -0.81 of -8.99 -0.81',
  ]);
  const [invoice, note, ...others] = [...double.records];
  t.deepEqual(others, []);
  t.like(note?.[1], {
    type: 'ReturnInvoice',
    referenceCode: invoice?.[0],
    status: 'Committed',
    total: -8.99,
    tax: -0.81,
  });
  t.deepEqual(await shop.faults(), []);
});
