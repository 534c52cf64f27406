/** Discounts and taxes by rate of an invoice's document, read from the books. */
import { freezeTenant } from '../../../db/queries/parties/parties.ts';
import test from 'ava';
import { invoicePage } from '../../../domain/invoices/page.ts';
import { messages } from '../../../messages/messages.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { readInvoiceSource } from '../../../operations/invoices/page-source.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';
import { upload } from '../support/uploads.ts';

const db = await sharedDatabase();

async function pageOf(books: Books, number: number) {
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const source = await books.read((tx) =>
    readInvoiceSource(tx, tenant, { number: String(number) }),
  );
  if (!source) throw new Error(`there is no invoice ${number}`);
  return invoicePage(source, messages);
}

const chargesOf = ({ lines }: Awaited<ReturnType<typeof pageOf>>) =>
  lines.flatMap(({ charges }) =>
    charges.map(({ description, detail, amount }) => [description, detail, amount].join(' | ')),
  );

const us = { country: 'US', taxCode: 'STANDARD' };
const file = {
  coupons: [{ code: 'TEN', percent: 10, periods: 1 }],
  tax: {
    type: 'table',
    rates: [
      { ...us, percent: 10, name: 'VAT' },
      { ...us, percent: 0, name: 'Export tax', category: 'G' },
    ],
  },
};
const plans = [recurring('P', 31, { ...prorated, taxCodes: ['STANDARD'] })];

/** A fee of 31.00 with 3.10 off, taxed at 10% and at 0%: 30.69. */
async function billed() {
  const books = await openBooks(db, { today: '2027-01-15', plans, file });
  const customerId = await books.customer({ address: { countryCode: 'US', state: 'NY' } });
  const order = { customerId, contractCode: 'P', couponCode: 'TEN' };
  await books.order(order, { generateInvoice: true });
  return { books, customerId };
}

test('31.00 less 10% is 27.90, of which the document shows 10% and 0% with its reason', async (t) => {
  const { books } = await billed();
  const page = await pageOf(books, 1001);
  t.deepEqual(chargesOf(page), [
    'P |  | $31.00',
    'Discount TEN | 10% off | -$3.10',
    'VAT | 10% of $27.90 | $2.79',
    'Export tax | 0% of $27.90 | $0.00',
  ]);
  t.deepEqual(page.taxes, [
    { name: 'VAT', reason: null, percent: '10%', base: '$27.90', amount: '$2.79' },
    { name: 'Export tax', reason: 'Export', percent: '0%', base: '$27.90', amount: '$0.00' },
  ]);
});

/** Half of each charge of invoice 1001, as a later invoice is to carry it. */
const credits = `
  with line as (
    select n.id from invoice_line n join invoice i on i.id = n.invoice_id
    where i.number_value = 1002),
  made as (
    insert into invoice_charge (tenant_id, invoice_line_id, position, kind, is_percent, charge_date,
      order_line_id, price_code, invoice_text, amount)
    select o.tenant_id, line.id, 10 + o.position, 'credit', false, '2027-02-15', o.order_line_id,
           o.price_code, o.invoice_text, -round(o.amount / 2, 2)
    from invoice_charge o, line where o.invoice_line_id <> line.id and o.amount <> 0
    returning tenant_id, id, position, amount)
  insert into charge_credit (tenant_id, credit_charge_id, invoice_charge_id, amount, unused_from)
  select m.tenant_id, m.id, o.id, -m.amount, '2027-02-15'
  from made m join invoice_charge o on o.position = m.position - 10
  where o.invoice_line_id not in (select id from line)`;

test('a later invoice that credits charges and their tax deducts both from its own', async (t) => {
  const { books } = await billed();
  await books.advance('2027-02-15');
  await books.work(({ tx }) => tx.query(credits));
  const page = await pageOf(books, 1002);
  t.deepEqual(chargesOf(page), [
    'P |  | $31.00',
    'VAT | 10% of $31.00 | $3.10',
    'Export tax | 0% of $31.00 | $0.00',
    'P |  | -$15.50',
    'TEN |  | $1.55',
    'VAT | 10% of -$13.95 | -$1.40',
  ]);
  t.like(page.taxes[0], { name: 'VAT', base: '$17.05', amount: '$1.70' });
});

test('one correction of two invoices shows each of their taxes with its own base', async (t) => {
  const units = {
    priceCode: 'UNITS',
    chargeType: 'UsageCharge',
    pricingType: 'FixedPricing',
    price: 0.5,
    taxCodes: ['STANDARD'],
  };
  const monthly = { billingPeriod: 'Monthly', billingAlignment: 'DayOfMonth', alignmentDay: 1 };
  const plan = { contractCode: 'UNITS', name: 'Units', ...monthly, charges: [units] };
  const books = await openBooks(db, { today: '2027-01-01', plans: [plan], file });
  const customerId = await books.customer({ address: { countryCode: 'US', state: 'NY' } });
  const orderId = await books.order({ customerId, contractCode: 'UNITS' });
  const send = (...records: Parameters<typeof upload>[1]) => upload(books, records, { orderId });
  await send({ extRefId: 'A', quantity: '50', chargeDate: '2027-01-06' });
  await send({ extRefId: 'B', quantity: '20', chargeDate: '2027-02-06' });
  await books.advance('2027-03-01');
  await send(
    { correctsExtRefId: 'A', quantity: '-50', chargeDate: '2027-03-06' },
    { correctsExtRefId: 'B', quantity: '-20', chargeDate: '2027-03-06' },
  );
  await books.advance('2027-04-01');
  const page = await pageOf(books, 1003);
  const shown = chargesOf(page).filter((text) => text.startsWith('VAT'));
  t.deepEqual(shown, ['VAT | 10% of -$25.00 | -$2.50', 'VAT | 10% of -$10.00 | -$1.00']);
  t.like(page.taxes[0], { name: 'VAT', base: '-$35.00', amount: '-$3.50' });
});

test('a percentage of the plan that is a tax is none by rate', async (t) => {
  const plan = recurring('P', 31, prorated);
  const share = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing', isTax: true };
  const charges = [
    ...plan.charges,
    { ...share, priceCode: 'LEVY', isPrepaid: true, tiers: [{ unitsFrom: 0, percent: 3 }] },
  ];
  const books = await openBooks(db, { today: '2027-01-15', plans: [{ ...plan, charges }] });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  const page = await pageOf(books, 1001);
  t.deepEqual(chargesOf(page), ['P |  | $31.00', 'LEVY | 3% of the other charges | $0.93']);
  t.deepEqual(page.taxes, []);
});

test("contact and bank account of the tenant's file and the customer's tax id are on the document", async (t) => {
  const { books, customerId } = await billed();
  await books.work(({ tx }) =>
    tx.query(`update customer set tax_id = 'DE123456789' where id = $1`, [customerId]),
  );
  await books.work(async ({ tx }) => {
    await tx.query(`update tenant set file = file || $1`, [
      JSON.stringify({
        contact: { email: 'a@b.example' },
        bankAccount: { holder: 'A', bic: 'COBADEFF' },
      }),
    ]);
    await freezeTenant(tx);
  });
  await books.manualInvoice(customerId, {
    invoiceLineItems: [{ invoiceLineItemCharges: [{ amount: '1' }] }],
  });
  const page = await pageOf(books, 1002);
  t.is(page.recipient.lines.at(-1), 'Tax ID: DE123456789');
  t.deepEqual(
    page.foot.map(({ lines }) => lines),
    [['a@b.example'], ['A', 'BIC COBADEFF']],
  );
});
