/** Breaks payments of pay links, and expects the audit to report it. */
import test from 'ava';
import { payByPage } from '../../../operations/self-service/pay.ts';
import { sharedDatabase } from '../support/books.ts';
import { card, openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';
import { corrupt, own } from './corrupt.ts';

const db = await sharedDatabase();

/** A customer who owes 20.00, and then 30.00, of which a link pays the latter. */
async function opened() {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.bill(customerId, '20');
  const invoiceId = await books.bill(customerId, '30');
  let forms = 0;
  const pay = (method = card('tok')) =>
    books.work((context) =>
      payByPage(books.dependencies, context, {
        payer: { network: '192.0.2.1', customerId: null, invoiceId },
        ownerId: customerId,
        ids: [invoiceId],
        isShown: (invoices) => invoices.length === 1,
        formKey: `form ${(forms += 1)}`,
        method,
        returnSealed: () => null,
      }),
    );
  return { books, customerId, invoiceId, pay };
}

const declines = ({ read }: PaymentBooks): Promise<string> =>
  read(async (tx) => {
    const [row] = await tx.query<{ text: string }>(
      `select count(invoice_id) || ' of invoices, ' || count(customer_id) || ' of customers' as text
       from card_decline`,
    );
    return row?.text ?? '';
  });

test('a decline counts for the invoice alone, and once if its answer was lost', async (t) => {
  const { books, pay } = await opened();
  books.gateway.onCharge('bad', 'decline', 'loseDecline');
  await pay(card('bad'));
  await books.settle();
  t.is(await declines(books), '1 of invoices, 0 of customers');
  const { paymentId } = await pay(card('bad'));
  await books.settle();
  await books.carry(paymentId, 1);
  t.is(await declines(books), '2 of invoices, 0 of customers');
  await pay();
  await books.settle();
  t.is(await declines(books), '2 of invoices, 0 of customers');
  t.deepEqual(await books.faults(), []);
});

test('money beyond the invoice, which others have paid meanwhile, may go on to another', async (t) => {
  const { books, customerId, invoiceId, pay } = await opened();
  books.gateway.onCharge('slow', 'process');
  const { paymentId } = await pay(card('slow'));
  await books.carry(paymentId);
  await books.pay({ customerId, amount: '30', invoiceIds: [invoiceId] });
  await books.gateway.finish('Approved');
  await books.settle();
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 30.00 CreditCard left 10.00',
    '#2 Payment Paid 30.00 Cash',
  ]);
  t.deepEqual(await books.faults(), []);
});

const toOther = [
  'alter table invoice_payment disable trigger application_append_only',
  `update invoice_payment set invoice_id = (select min(id) from invoice where ${own}) where ${own}`,
  'alter table invoice_payment enable trigger application_append_only',
];

for (const [rule, statement, detail] of [
  [
    'a payment over more than its page showed',
    `update self_service_payment set shown_amount = 29.99 where ${own}`,
    'is over 30, but its page showed 29.99',
  ],
  [
    'a payment that names another invoice',
    `update payment set named_invoice_ids = '{}' where ${own}`,
    'does not name invoice 1002 alone, whose link made it',
  ],
  ['money that went to another invoice', toOther, 'went past invoice 1002, whose link made it'],
] as const) {
  test(`the audit finds ${rule}`, async (t) => {
    const { books, pay } = await opened();
    await pay();
    await books.settle();
    t.deepEqual(await books.faults(), []);
    await corrupt(books, [statement].flat());
    const found = (await books.faults()).filter(({ check }) => check === 'payLink.payment');
    t.deepEqual(
      found.map((fault) => fault.detail),
      [detail],
    );
  });
}
