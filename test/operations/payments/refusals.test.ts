/** Refused payments name the element, charge nobody and change nothing. */

import test from 'ava';
import type { DomainErrorCode } from '../../../domain/errors.ts';
import { deleteCustomer } from '../../../operations/customers/delete.ts';
import { sharedDatabase } from '../support/books.ts';
import {
  card,
  cash,
  check,
  onFile,
  openPaymentBooks,
  type PaymentBooks,
  type PaymentSent,
} from '../support/payment-books.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();

/** It is 15 January; 50 was paid by the card that ends in 1111. */
interface World {
  readonly books: PaymentBooks;
  readonly customerId: number;
  /** Over 100, of which 50 is open. */
  readonly open: number;
  readonly paid: number;
  readonly cancelled: number;
  readonly euros: number;
  readonly foreign: number;
}

async function opened(): Promise<World> {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const [customerId, other] = [await books.customer(), await books.customer()];
  const paid = await books.bill(customerId, '20', { dueDate: '2027-01-16' });
  await books.paid({ customerId, amount: '20', method: card('tok') });
  const cancelled = await books.bill(customerId, '7', { dueDate: '2027-01-17' });
  await books.cancelInvoice(1002);
  const open = await books.bill(customerId, '100', { dueDate: '2027-01-18' });
  await books.paid({ customerId, amount: '50', method: card('tok') });
  const euros = await books.bill(customerId, '30', { currency: 'EUR' });
  const foreign = await books.bill(other, '10');
  return { books, customerId, open, paid, cancelled, euros, foreign };
}

type Sent = Partial<PaymentSent>;

const wrong: readonly [
  rule: string,
  sent: Sent | ((world: World) => Sent),
  code: DomainErrorCode,
  element: string,
][] = [
  ['an amount of zero', { amount: '0.00' }, 'payment.amount', 'amount'],
  ['a negative payment', { amount: '-5' }, 'payment.amount', 'amount'],
  ['a negative refund', { type: 'Refund', amount: '-5' }, 'payment.amount', 'amount'],
  ['a credit of zero', { type: 'Credit', amount: '0' }, 'payment.amount', 'amount'],
  ['three decimals', { amount: '5.001' }, 'payment.amount', 'amount'],
  ['any decimals of yen', { amount: '5.5', currencyCode: 'JPY' }, 'payment.amount', 'amount'],
  ['a negative surcharge', { totalSurcharge: '-1' }, 'payment.amount', 'totalSurcharge'],
  [
    'a surcharge of a tenth of a cent',
    { totalSurcharge: '0.001' },
    'payment.amount',
    'totalSurcharge',
  ],
  [
    'a surcharge of a credit',
    { type: 'Credit', totalSurcharge: '1' },
    'payment.amount',
    'totalSurcharge',
  ],
  [
    'a surcharge of a refund',
    { type: 'Refund', totalSurcharge: '1' },
    'payment.amount',
    'totalSurcharge',
  ],
  [
    'a refund that has invoices made',
    { type: 'Refund', method: null, generateInvoice: true },
    'field.invalid',
    'generateInvoice',
  ],
  ['an unknown currency', { currencyCode: 'XXZ' }, 'payment.currency', 'currencyCode'],
  ['a payment without a method', { method: null }, 'payment.method', 'paymentMethodDTO'],
  ['a day ahead', { effectiveDate: '2027-01-16' }, 'payment.date', 'effectiveDate'],
  [
    'a credit of a day ahead',
    { type: 'Credit', effectiveDate: '2027-01-16' },
    'payment.date',
    'effectiveDate',
  ],
  [
    'a card charged yesterday',
    { method: card('tok'), effectiveDate: '2027-01-14' },
    'payment.date',
    'effectiveDate',
  ],
  [
    'a refund of yesterday',
    { type: 'Refund', method: cash, effectiveDate: '2027-01-14' },
    'payment.date',
    'effectiveDate',
  ],
  ['nothing on file', { method: onFile(2) }, 'paymentMethod.unknown', 'autopayPreference'],
  [
    'a refund to nothing on file',
    { type: 'Refund', method: onFile(1) },
    'paymentMethod.unknown',
    'autopayPreference',
  ],
  [
    'a refund above what was paid',
    { type: 'Refund', amount: '70.01' },
    'payment.refundTooHigh',
    'amount',
  ],
  [
    'a refund in a currency in which nothing was paid',
    { type: 'Refund', currencyCode: 'EUR' },
    'payment.refundTooHigh',
    'amount',
  ],
  [
    'a refund to a card that paid nothing',
    { type: 'Refund', method: card('tok', null, '2222') },
    'payment.refundTooHigh',
    'amount',
  ],
  ['an invoice that is none', { invoiceIds: [4711] }, 'payment.invoice', 'invoices/invoice[1]/@id'],
  [
    'an invoice of another customer',
    ({ open, foreign }) => ({ invoiceIds: [open, foreign] }),
    'payment.invoice',
    'invoices/invoice[2]/@id',
  ],
  [
    'a paid invoice',
    ({ paid }) => ({ invoiceIds: [paid] }),
    'payment.invoice',
    'invoices/invoice[1]/@id',
  ],
  [
    'a cancelled invoice',
    ({ cancelled }) => ({ invoiceIds: [cancelled] }),
    'payment.invoice',
    'invoices/invoice[1]/@id',
  ],
  [
    'an invoice named twice',
    ({ open }) => ({ invoiceIds: [open, open] }),
    'payment.invoice',
    'invoices/invoice[2]/@id',
  ],
  [
    'an invoice in another currency',
    ({ euros }) => ({ invoiceIds: [euros] }),
    'payment.currency',
    'invoices/invoice[1]/@id',
  ],
  [
    'an invoice in the customer’s currency, paid in another',
    ({ open }) => ({ invoiceIds: [open], currencyCode: 'EUR' }),
    'payment.currency',
    'invoices/invoice[1]/@id',
  ],
  [
    'a refund above what was paid on the invoice that it names',
    ({ open }) => ({ type: 'Refund', amount: '50.01', invoiceIds: [open] }),
    'payment.refundTooHigh',
    'amount',
  ],
  [
    'an invoice named by a debit',
    ({ open }) => ({ type: 'Credit', amount: '-1', invoiceIds: [open] }),
    'payment.invoice',
    'invoices',
  ],
  [
    'a payment that would have had invoices made',
    ({ foreign }) => ({ generateInvoice: true, invoiceIds: [foreign] }),
    'payment.invoice',
    'invoices/invoice[1]/@id',
  ],
];

test('an error names its element, before and in the write, and changes nothing', async (t) => {
  const world = await opened();
  const { books, customerId } = world;
  await books.order({ customerId, contractCode: 'GOLD' });
  const seen = async (): Promise<unknown> => [
    await books.payments(),
    await books.open(),
    await books.ledger(),
    await books.counters(),
    await books.read((tx) => tx.query('select count(*) from payment_method')),
    books.gateway.calls.length,
  ];
  const before = await seen();
  for (const [rule, given, code, element] of wrong) {
    t.log(rule);
    const sent = {
      customerId,
      amount: '5',
      root: 'processRefund',
      ...(typeof given === 'function' ? given(world) : given),
    };
    await refused(t, books.check(sent), code, `processRefund/${element}`);
    await refused(t, books.create(sent), code, `processRefund/${element}`);
  }
  await refused(t, books.check({ customerId: 4711, amount: '5' }), 'customer.unknown');
  await refused(t, books.create({ customerId: 4711, amount: '5' }), 'customer.unknown');
  t.deepEqual(await seen(), before);
  t.deepEqual(await books.faults(), []);
});

test('payments by hand, and credits, may have an earlier day', async (t) => {
  const { books, customerId } = await opened();
  for (const method of [cash, check]) {
    await books.pay({ customerId, amount: '1', method, effectiveDate: '2026-12-01' });
  }
  await books.credit({ customerId, amount: '1', effectiveDate: '2026-12-02' });
  await books.paid({ customerId, amount: '1', method: card('tok'), effectiveDate: '2027-01-15' });
  const dates = await books.read((tx) =>
    tx.query<{ date: string }>('select effective_date as date from payment order by id offset 2'),
  );
  t.deepEqual(
    dates.map(({ date }) => date),
    ['2026-12-01', '2026-12-01', '2026-12-02', '2027-01-15'],
  );
});

test('a customer with payments cannot be deleted; one without is deleted with its methods', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  const remove = () => books.work((work) => deleteCustomer(work, { id: customerId }));
  const declined = await books.customer();
  books.gateway.onCharge('tok', 'decline');
  await books.paid({ customerId: declined, amount: '5', method: card('tok') });
  await refused(
    t,
    books.work((work) => deleteCustomer(work, { id: declined })),
    'customer.inUse',
  );
  await books.file(customerId, 1, { token: 'tok_1' });
  await remove();
  await refused(t, remove(), 'customer.unknown');
  t.is(await books.filed(customerId), '');
});
