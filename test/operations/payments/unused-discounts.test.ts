/** Credits for the unused days of discounted and taxed orders, from the rows of their invoices. */
import test from 'ava';
import type { InvoiceCharge } from '../../../domain/billing/charges.ts';
import type { Decimal } from '../../../domain/model.ts';
import { openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';
import { sharedDatabase } from '../support/books.ts';
import { recurring } from '../support/plans.ts';
import { billWith } from '../support/priced-by-hand.ts';

const db = await sharedDatabase();
const file = { settings: { creditUnusedOnCancel: true } };
const byDays = { isPrepaid: true, isProrated: true };
const setup = { priceCode: 'SETUP', chargeType: 'OneTimeCharge', pricingType: 'FixedPricing' };
const fee = recurring('FEE', 29.95, byDays);
const gold = { ...fee, contractCode: 'GOLD', charges: [...fee.charges, { ...setup, price: 49 }] };

/** A coupon, in percent or of 5.00. */
async function couponOf({ work }: PaymentBooks, percent: Decimal | null): Promise<number> {
  const rows = await work(({ tx }) =>
    tx.query<{ id: number }>(
      `insert into coupon (tenant_id, code, version, is_newest, percent, amount, currency, is_once,
         created_at)
       values ($1, 'WELCOME', 1, true, $2, $3, $4, false, now()) returning id`,
      [tx.tenantId, percent, percent === null ? '5' : null, percent === null ? 'USD' : null],
    ),
  );
  return rows[0]?.id ?? 0;
}

/** A discount of a fee's or an installation's period. */
function discount(of: InvoiceCharge, id: number, percent: Decimal | null, amount: Decimal) {
  if (!('due' in of)) throw new Error('not of a period');
  const coupon = { id, code: 'WELCOME', percent };
  return { kind: 'discount', coupon, discounts: of.due, amount } as const;
}

const rate = {
  name: 'NY sales tax',
  percent: '8.875',
  taxCode: 'STANDARD',
  category: 'S',
  exemptionReason: null,
} as const;

async function credited({ read }: PaymentBooks): Promise<string[]> {
  const rows = await read((tx) =>
    tx.query<{ text: string }>(
      `select concat_ws(' ', c.price_code, round(r.amount, 2), 'from', r.unused_from,
                'to ' || r.unused_to) as text
       from charge_credit r
       join invoice_charge c on c.tenant_id = r.tenant_id and c.id = r.invoice_charge_id
       order by c.position`,
    ),
  );
  return rows.map(({ text }) => text);
}

test('a cancelled order is credited net of its discount in percent, with its tax', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15', plans: [fee], file });
  const couponId = await couponOf(books, '10');
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'FEE' });
  await billWith(books, customerId, ([first, ...others]) => {
    if (first === undefined) return others;
    const less = discount(first, couponId, '10', '-3.00');
    const base = [first, less];
    return [...base, { kind: 'tax', rate, base, amount: '2.39' }];
  });
  await books.advance('2027-01-31');
  await books.put(id, { orderStatus: 'Canceled' });
  // 17 of 31 days are used: 16.42, -1.64 and 8.875 percent of 14.78 stand.
  t.deepEqual(await credited(books), [
    'FEE 13.53 from 2027-02-01 to 2027-02-14',
    'DISCOUNT -1.36 from 2027-02-01 to 2027-02-14',
    'TAX 1.08 from 2027-02-01',
  ]);
  t.deepEqual(await books.payments(), ['#1 Credit Paid 13.25']);
  t.deepEqual(await books.balances(), ['16.09 USD']);
  t.deepEqual(await books.faults(), []);
});

test('the discount of a fixed amount goes by days, but not that of a one-time charge', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15', plans: [gold], file });
  const couponId = await couponOf(books, null);
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD' });
  await billWith(books, customerId, (charges) =>
    charges.flatMap((charge) => {
      const amount = charge.kind === 'oneTime' ? '-3.10' : '-1.90';
      return [charge, discount(charge, couponId, null, amount)];
    }),
  );
  await books.advance('2027-01-31');
  await books.put(id, { orderStatus: 'Canceled' });
  // 1.90 x 17/31 = 1.04 of the fee's stands.
  t.deepEqual(await credited(books), [
    'FEE 13.53 from 2027-02-01 to 2027-02-14',
    'DISCOUNT -0.86 from 2027-02-01 to 2027-02-14',
  ]);
  t.deepEqual(await books.payments(), ['#1 Credit Paid 12.67']);
  t.deepEqual(await books.faults(), []);
});
