/** What cancelled orders and changes give back of a provider's taxes, and what the provider is told. */
import test from 'ava';
import { voidTaxRecord } from '../../../db/queries/tax-records/records.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { TaxProviderError } from '../../../providers/tax/tax-provider.ts';
import { openAvatax } from '../../support/avatax.ts';
import { sharedDatabase } from '../support/books.ts';
import { openTaxShop, type TaxShop } from './shop.ts';

const db = await sharedDatabase();
const credits = { settings: { creditUnusedOnCancel: true } };

/** SILVER for 31.00 from 2027-01-15 on, billed, and 10 of its 31 days used. */
async function silver(shop: TaxShop): Promise<number> {
  const order = { customerId: await shop.customer(), contractCode: 'SILVER' };
  const id = await shop.asked(() => shop.books.order(order, { generateInvoice: true }));
  await shop.pass();
  return id;
}

const amounts = (shop: TaxShop, invoiceNumber: number): Promise<string[]> =>
  shop
    .sql<{ text: string }>(
      `select concat_ws(' ', c.kind, coalesce(o.invoice_text, c.invoice_text, c.price_code), round(c.amount, 2)) as text
       from invoice i join invoice_line l on l.invoice_id = i.id
       join invoice_charge c on c.invoice_line_id = l.id
       left join charge_credit k on k.credit_charge_id = c.id
       left join invoice_charge o on o.id = k.invoice_charge_id
       where i.number_value = $1 order by l.position, c.position`,
      invoiceNumber,
    )
    .then((rows) => rows.map(({ text }) => text));

test('a change to the same plan costs 0.00 where 80 percent of amounts are taxable', async (t) => {
  const { double, provider } = await openAvatax(t);
  double.tax({ taxable: 0.8 });
  const shop = await openTaxShop(db, provider);
  const id = await silver(shop);
  t.deepEqual(await shop.records(), ['1001 recorded 1 31 2.2 of 31 2.2']);
  shop.books.jump('2027-01-25');
  await shop.asked(() => shop.books.change(id, { contractCode: 'SILVER' }, { bills: true }));
  // Of 0.99, 1.12 and 0.09 go 21 of 31 days back; of 21.00 the taxes are as much.
  t.deepEqual(await amounts(shop, 1002), [
    'credit SILVER -21.00',
    'credit NY STATE TAX -0.67',
    'credit NY CITY TAX -0.76',
    'credit NY SPECIAL TAX -0.06',
    'period SILVER 21.00',
    'tax NY STATE TAX 0.67',
    'tax NY CITY TAX 0.76',
    'tax NY SPECIAL TAX 0.06',
  ]);
  await shop.pass();
  t.is((await shop.records())[1], '1002 recorded 1 0 0 of 0 0');
  t.deepEqual(await shop.faults(), []);
});

test('a change on the first day gives a flat fee back whole, and bills it again', async (t) => {
  const { double, provider } = await openAvatax(t);
  double.tax({ flat: 0.27 });
  const shop = await openTaxShop(db, provider);
  const id = await silver(shop);
  await shop.asked(() => shop.books.change(id, { contractCode: 'SILVER' }, { bills: true }));
  const flat = (await amounts(shop, 1002)).filter((text) => text.includes('DELIVERY'));
  t.deepEqual(flat, ['credit DELIVERY FEE -0.27', 'tax DELIVERY FEE 0.27']);
  t.deepEqual(
    await shop.sql(
      'select round(current_amount_due, 2)::text as due from invoice where number_value = 1002',
    ),
    [{ due: '0.00' }],
  );
  t.deepEqual(await shop.faults(), []);
});

test('a cancelled order gives back its taxes in proportion, as a return of its invoice', async (t) => {
  const { double, provider } = await openAvatax(t);
  double.tax({ taxable: 0.8, flat: 0.31 });
  const shop = await openTaxShop(db, provider, { file: credits });
  const id = await silver(shop);
  await shop.nudged();
  shop.books.jump('2027-01-24');
  await shop.books.put(id, { orderStatus: 'Canceled' });
  // 21 of 31 days: 21.00, and 0.67 + 0.76 + 0.06 + 0.21 of tax.
  t.deepEqual(await shop.sql('select round(amount, 2)::text as amount from payment'), [
    { amount: '22.70' },
  ]);
  t.true(await shop.nudged());
  t.deepEqual(await shop.records(), [
    '1001 recorded 1 31 2.51 of 31 2.51',
    '1001 return toRecord 0 of -21 -1.7',
  ]);
  t.deepEqual(await shop.faults(), []);
  t.like(await shop.pass(), { recorded: 1, open: 0 });
  const [invoice, returned, ...others] = [...double.records];
  t.deepEqual(others, []);
  t.regex(returned?.[0] ?? '', new RegExp(`^${invoice?.[0]}-[0-9]+$`));
  t.like(returned?.[1], {
    type: 'ReturnInvoice',
    referenceCode: invoice?.[0],
    status: 'Committed',
    date: '2027-01-24',
    total: -21,
    tax: -1.7,
  });
  t.like(await shop.pass(), { recorded: 0, open: 0 });
  t.deepEqual(await shop.sql('select from tax_record where document is not null'), []);
  t.deepEqual(await shop.faults(), []);
});

test('a return whose answer is lost is sent again, and is there once', async (t) => {
  const { double, provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider, { file: credits });
  const id = await silver(shop);
  shop.books.jump('2027-01-24');
  await shop.books.put(id, { orderStatus: 'Canceled' });
  shop.at.provider = {
    ...provider,
    async record(document) {
      await provider.record(document);
      throw new TaxProviderError('silent', 'timeout');
    },
  };
  const progress = await shop.pass();
  t.like(progress, { failed: 1, open: 1 });
  t.like(progress.troubles[0], { isReturn: true, state: 'toRecord', code: 'timeout' });
  shop.at.provider = provider;
  await shop.soon();
  t.like(await shop.pass(), { recorded: 1, open: 0 });
  t.is(double.calls.get('createoradjust'), 3);
  t.is(double.records.size, 2);
  t.deepEqual((await shop.records())[1], '1001 return recorded 2 -21 -1.87 of -21 -1.87');
  t.deepEqual(await shop.faults(), []);
});

test('two periods of an invoice are one return; without a tax code there is none', async (t) => {
  const { provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider, { file: credits });
  const customerId = await shop.customer();
  const order = { customerId, contractCode: 'SILVER', startDate: '2026-12-15' };
  const free = await shop.books.order({ customerId, contractCode: 'FREE' });
  const id = await shop.asked(() => shop.books.order(order, { generateInvoice: true }));
  shop.books.jump('2027-01-24');
  await shop.books.put(free, { orderStatus: 'Canceled' });
  await shop.books.put(id, { orderStatus: 'Canceled' });
  // 21.00 of 62.00, and of 2.48, 2.80 and 0.24 of tax 0.84, 0.95 and 0.08.
  t.deepEqual(await shop.records(), [
    '1001 toRecord 0 of 62 5.52',
    '1001 return toRecord 0 of -21 -1.87',
  ]);
  t.like(await shop.pass(), { recorded: 2, open: 0 });
  t.deepEqual(await shop.faults(), []);
});

test('what was given back stays: its invoice cannot be cancelled, and a void is of both', async (t) => {
  const { double, provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider, { file: credits });
  const id = await silver(shop);
  shop.books.jump('2027-01-24');
  await shop.books.put(id, { orderStatus: 'Canceled' });
  await shop.pass();
  await t.throwsAsync(shop.books.cancelInvoice(1001), { message: /were credited/ });
  // The provider voids a return by its type.
  const [invoice] = await shop.sql<{ id: number }>('select id from invoice');
  await inTenant(db.app, shop.books.tenantId, (tx) =>
    Promise.resolve(voidTaxRecord(tx, invoice?.id ?? 0)),
  );
  t.like(await shop.pass(), { voided: 2, open: 0 });
  t.deepEqual(
    [...double.records.values()].map(({ status }) => status),
    ['Cancelled', 'Cancelled'],
  );
});

test('a tenant that has left its provider still tells it what it gives back', async (t) => {
  const { double, provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider, { file: credits });
  const id = await silver(shop);
  await shop.leave(credits);
  shop.books.jump('2027-01-24');
  await shop.books.put(id, { orderStatus: 'Canceled' });
  t.like(await shop.pass(), { recorded: 1, open: 0 });
  t.is([...double.records.values()][1]?.tax, -1.87);
});
