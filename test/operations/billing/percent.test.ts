/** Percentages and penalties of a plan, from the tenant file to the invoice. */
import test from 'ava';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';

const db = await sharedDatabase();

const fee = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing', ...prorated };
const percent = (
  priceCode: string,
  value: string,
  more: Readonly<Record<string, unknown>> = {},
) => ({
  priceCode,
  ...fee,
  tiers: [{ unitsFrom: 0, percent: value }],
  ...more,
});

/** A fee of 31.00, an installation of 49.00, and percentages of them. */
function planWith(...more: readonly Readonly<Record<string, unknown>>[]) {
  const plan = recurring('P', 31, prorated);
  const setup = { priceCode: 'SETUP', ...fee, chargeType: 'OneTimeCharge', price: 49 };
  return { ...plan, charges: [...plan.charges, setup, ...more] };
}

/** `oneTime SETUP 1 x 49 = 49.00`, for a percentage `percent CARE 7.5% = 6.00`; by position. */
function charges(books: Books, invoiceNumber: number): Promise<string[]> {
  return books.read(async (tx) => {
    const rows = await tx.query<{ text: string }>(
      `select concat(c.kind, ' ', c.price_code, ' ',
         case when c.is_percent then trim_scale(c.unit_price) || '%'
              else trim_scale(c.quantity) || ' x ' || trim_scale(c.unit_price) end,
         ' = ', round(c.amount, 2)) as text
       from invoice_charge c
       join invoice_line l on l.tenant_id = c.tenant_id and l.id = c.invoice_line_id
       join invoice i on i.tenant_id = l.tenant_id and i.id = l.invoice_id
       where i.number_value = $1 order by l.position, c.position`,
      [invoiceNumber],
    );
    return rows.map((row) => row.text);
  });
}

test('a percentage bills the order’s other charges on the invoice, without taxes', async (t) => {
  const plans = [
    planWith(
      percent('CARE', '7.5'),
      percent('FIRST', '10', { chargeType: 'OneTimeCharge' }),
      percent('VAT', '20', { isTax: true }),
      { priceCode: 'STAMP', ...fee, isTax: true, price: 2 },
    ),
  ];
  const books = await openBooks(db, { today: '2027-01-01', plans });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  // Another order of the customer is on the invoice, but not part of the percentages.
  await books.order({ customerId, contractCode: 'P', orderLineItems: [{ priceCode: 'P' }] });
  await books.advance('2027-02-01');
  t.deepEqual(await charges(books, 1001), [
    'period P 1 x 31 = 31.00',
    'oneTime SETUP 1 x 49 = 49.00',
    // 7.5 and 10 percent of 80.00, 20 percent of 94.00.
    'percent CARE 7.5% = 6.00',
    'percent FIRST 10% = 8.00',
    'tax VAT 20% = 18.80',
    'tax STAMP 1 x 2 = 2.00',
  ]);
  t.deepEqual(await charges(books, 1003), [
    'period P 1 x 31 = 31.00',
    'percent CARE 7.5% = 2.33',
    'tax VAT 20% = 6.67',
    'tax STAMP 1 x 2 = 2.00',
    'period P 1 x 31 = 31.00',
  ]);
  t.is(await books.orderNow(id), 'Active next 2027-03-01 bills 2027-03-01');
  t.deepEqual((await books.audit()).faults, []);
});

test('a backdated order bills a percentage of each month once', async (t) => {
  const books = await openBooks(db, {
    today: '2027-03-15',
    plans: [planWith(percent('CARE', '10'))],
  });
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'P', startDate: '2027-01-01' };
  await books.order(order, { generateInvoice: true });
  t.deepEqual(await charges(books, 1001), [
    'period P 1 x 31 = 31.00',
    'period P 1 x 31 = 31.00',
    'period P 1 x 31 = 31.00',
    'oneTime SETUP 1 x 49 = 49.00',
    'percent CARE 10% = 8.00',
    'percent CARE 10% = 3.10',
    'percent CARE 10% = 3.10',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a percentage is rolled back and billed again with its invoice', async (t) => {
  const books = await openBooks(db, {
    today: '2027-01-01',
    plans: [planWith(percent('CARE', '10'))],
  });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  await books.cancelInvoice(1001, { rollbackBillingPeriod: true });
  await books.advance('2027-01-02');
  t.deepEqual(await charges(books, 1002), await charges(books, 1001));
  t.deepEqual((await books.audit()).faults, []);
});

test('a percentage in arrears bills the day after its period, and is zero without a base', async (t) => {
  const late = percent('CARE', '10', { isPrepaid: false });
  const plans = [{ ...recurring('P', 31), charges: [late] }, planWith(late)];
  const books = await openBooks(db, { today: '2027-01-01', plans: plans.slice(0, 1) });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'P' });
  await books.advance('2027-02-01');
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-02-01 due 2027-03-03 Paid 0.00: CARE 2027-01-01 2027-01-31 0.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('an Active customer is billed no penalty, named or not', async (t) => {
  const late = { priceCode: 'LATE', ...fee, isPenalty: true, isMandatory: true, price: 5 };
  const once = { ...late, priceCode: 'REMINDER', chargeType: 'OneTimeCharge', isMandatory: false };
  const books = await openBooks(db, { today: '2027-01-01', plans: [planWith(late, once)] });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  const orderLineItems = [{ priceCode: 'LATE' }, { priceCode: 'REMINDER' }];
  const named = await books.order(
    { customerId, contractCode: 'P', orderLineItems },
    { generateInvoice: true },
  );
  t.is(await books.orderNow(named), 'Active');
  await books.advance('2027-02-01');
  t.deepEqual(await charges(books, 1001), [
    'period P 1 x 31 = 31.00',
    'oneTime SETUP 1 x 49 = 49.00',
  ]);
  t.deepEqual(await charges(books, 1002), ['period P 1 x 31 = 31.00']);
  t.is((await books.invoices()).length, 2);
  const lines = await books.read((tx) =>
    tx.query<{ lines: number }>(
      'select count(*)::int as lines from order_line group by order_id order by order_id',
    ),
  );
  t.deepEqual(
    lines.map((row) => row.lines),
    [2, 2],
  );
  t.deepEqual((await books.audit()).faults, []);
});

test('charges made by hand have their own kind', async (t) => {
  const books = await openBooks(db, { today: '2027-01-01' });
  const customerId = await books.customer();
  const invoiceLineItemCharges = [
    { priceCode: 'A', amount: '40' },
    { priceCode: 'B', unitPrice: '10', isPercent: true },
  ];
  await books.manualInvoice(customerId, { invoiceLineItems: [{ invoiceLineItemCharges }] });
  t.deepEqual(await charges(books, 1001), ['manual A  = 40.00', 'manual B 10% = 4.00']);
  t.deepEqual((await books.audit()).faults, []);
});
