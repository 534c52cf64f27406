/** A change gives back isTax percentages by their base, and the new order bills them on its own. */
import test from 'ava';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';
import type { PlanFile } from '../../support/tenants.ts';

const db = await sharedDatabase();

const monthly = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing', isPrepaid: true };
const once = { ...monthly, chargeType: 'OneTimeCharge' };
const vat = (more: Readonly<Record<string, unknown>> = {}) => ({
  priceCode: 'VAT',
  ...monthly,
  isTax: true,
  tiers: [{ unitsFrom: 0, percent: 20 }],
  ...more,
});

/** A fee of 31.00 by days, unless it is other, with these. */
function planWith(
  fee: Readonly<Record<string, unknown>>,
  ...more: readonly Readonly<Record<string, unknown>>[]
): PlanFile {
  const plan = recurring('P', 31, fee);
  return { ...plan, charges: [...plan.charges, ...more] };
}

interface Changed {
  readonly plan: PlanFile;
  readonly on: string;
  readonly quantity?: string;
}

/** An order from 2027-01-01 that changes to the same plan; returns the books after the change. */
async function changed({ plan, on, quantity = '1' }: Changed): Promise<Books> {
  const books = await openBooks(db, { today: '2027-01-01', plans: [plan] });
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'P' };
  const id = await books.order(order, { generateInvoice: true });
  await books.advance(on);
  const orderLineItems = [{ priceCode: 'P', quantity }, { priceCode: 'VAT' }];
  const input = quantity === '1' ? order : { ...order, orderLineItems };
  await books.change(id, input, { bills: true });
  return books;
}

/** `period P = 31.00`, of the invoices from this number on. */
function charges(books: Books, from: number): Promise<string[]> {
  return books.read(async (tx) => {
    const rows = await tx.query<{ text: string }>(
      `select concat(i.number_value, ' ', c.kind, ' ', c.price_code, ' ', round(c.amount, 2)) as text
       from invoice_charge c
       join invoice_line l on l.tenant_id = c.tenant_id and l.id = c.invoice_line_id
       join invoice i on i.tenant_id = l.tenant_id and i.id = l.invoice_id
       where i.number_value >= $1 order by i.number_value, l.position, c.position`,
      [from],
    );
    return rows.map((row) => row.text);
  });
}

for (const isProrated of [true, false]) {
  test(`a change to the same costs 0.00, with a tax that is prorated: ${isProrated}`, async (t) => {
    const books = await changed({
      plan: planWith(prorated, vat({ isProrated })),
      on: '2027-01-11',
    });
    // 10 of 31 days are used: 10.00 and 2.00 of 31.00 and 6.20 stand, 21.00 and 4.20 are billed anew.
    t.deepEqual(await charges(books, 1002), [
      '1002 credit P -21.00',
      '1002 credit VAT -4.20',
      '1002 period P 21.00',
      '1002 tax VAT 4.20',
    ]);
    await books.advance('2027-02-01');
    t.deepEqual(await charges(books, 1003), ['1003 period P 31.00', '1003 tax VAT 6.20']);
    t.deepEqual((await books.audit()).faults, []);
  });
}

test('the new order is taxed on its own base, whatever the tax of the old one was', async (t) => {
  const plan = planWith(prorated, vat());
  const books = await changed({ plan, on: '2027-01-11', quantity: '3' });
  t.deepEqual(await charges(books, 1002), [
    '1002 credit P -21.00',
    '1002 credit VAT -4.20',
    '1002 period P 63.00',
    '1002 tax VAT 12.60',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a tax of a fee that is not billed again for its period is not billed again either', async (t) => {
  const books = await changed({ plan: planWith(monthly, vat()), on: '2027-01-11' });
  t.deepEqual(await charges(books, 1002), []);
  await books.advance('2027-02-01');
  t.deepEqual(await charges(books, 1002), ['1002 period P 31.00', '1002 tax VAT 6.20']);
  t.deepEqual((await books.audit()).faults, []);
});

test('a tax in arrears is of the days of each order', async (t) => {
  const late = { isPrepaid: false };
  const plan = planWith({ isProrated: true, ...late }, vat(late));
  const books = await changed({ plan, on: '2027-01-11' });
  await books.advance('2027-02-01');
  t.deepEqual(await charges(books, 1001), [
    '1001 period P 10.00',
    '1001 tax VAT 2.00',
    '1002 period P 21.00',
    '1002 tax VAT 4.20',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a tax that is charged once is charged again on what a change bills anew', async (t) => {
  const setup = { priceCode: 'SETUP', ...once, price: 49 };
  const plan = planWith(prorated, setup, vat(once));
  const books = await changed({ plan, on: '2027-01-11' });
  // 16.00 of 80.00 were billed; 11.80 of 59.00 stand.
  t.deepEqual(await charges(books, 1002), [
    '1002 credit P -21.00',
    '1002 credit VAT -4.20',
    '1002 period P 21.00',
    '1002 tax VAT 4.20',
  ]);
  await books.advance('2027-02-01');
  t.deepEqual(await charges(books, 1003), ['1003 period P 31.00']);
  t.deepEqual((await books.audit()).faults, []);
});

test('a change of a change that waits gives back and bills its tax alike', async (t) => {
  const books = await openBooks(db, { today: '2027-01-01', plans: [planWith(prorated, vat())] });
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'P' };
  const id = await books.order(order, { generateInvoice: true });
  const next = await books.change(id, order, { effectiveDate: '2027-01-11' });
  await books.advance('2027-01-21');
  await books.change(next, order, { bills: true });
  t.deepEqual(
    (await charges(books, 1002)).filter((text) => text.includes('VAT')),
    ['1002 credit VAT -4.20', '1002 tax VAT 4.20', '1003 credit VAT -2.20', '1003 tax VAT 2.20'],
  );
  const balances = await books.read((tx) => tx.query('select balance from customer_balance'));
  t.deepEqual(balances, [{ balance: '37.2000' }]);
  t.deepEqual((await books.audit()).faults, []);
});
