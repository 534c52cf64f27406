/** Breaks payments of self-service, and expects the audit to report it; and how declines count. */
import test from 'ava';
import type { MethodChoice } from '../../../operations/payment-methods/choice.ts';
import { payByPage } from '../../../operations/self-service/pay.ts';
import { sharedDatabase } from '../support/books.ts';
import { card, openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';
import { corrupt, own } from './corrupt.ts';

const db = await sharedDatabase();

/** A customer, who owes 30.00, and its session. */
async function opened() {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  const invoiceId = await books.bill(customerId, '30');
  const sessionId = await books.work(async ({ tx, realNow }) => {
    const [made] = await tx.query<{ id: number }>(
      `insert into self_service_session (tenant_id, customer_id, token_hash, css_url, login_url,
         show_navigation_bar, show_statements, show_payments, allow_payments, allow_profile_edit,
         edit_order_options, pdf_mode, started_at, expires_at)
       values ($1, $2, sha256('x'), '/css/signup.css', 'https://shop.example/', true, true, true,
         true, false, '{}', false, $3, $3::timestamptz + interval '30 minutes') returning id`,
      [tx.tenantId, customerId, realNow],
    );
    return made?.id ?? 0;
  });
  let forms = 0;
  const pay = (method = card('tok'), formKey = `form ${(forms += 1)}`) =>
    books.work((context) =>
      payByPage(books.dependencies, context, {
        payer: { sessionId, customerId, network: '192.0.2.1' },
        ownerId: customerId,
        ids: [invoiceId],
        isShown: (invoices) => invoices.length === 1,
        formKey,
        method,
        returnSealed: () => null,
      }),
    );
  return { books, customerId, pay };
}

const only = (onlyMethodId: number): MethodChoice => ({
  by: 'preference',
  preference: 1,
  onlyMethodId,
});

const counted = ({ read }: PaymentBooks): Promise<string> =>
  read(async (tx) => {
    const [row] = await tx.query<{ text: string }>(
      `select (select declines from self_service_session) || ' of the session, '
         || (select count(*) from card_decline) || ' of the customer' as text`,
    );
    return row?.text ?? '';
  });

test('a decline of a page counts once, for its session and its customer; others do not', async (t) => {
  const { books, customerId, pay } = await opened();
  books.gateway.onCharge('bad', 'decline', 'loseDecline');
  await pay(card('bad'));
  await books.settle();
  t.is(await counted(books), '1 of the session, 1 of the customer');
  const { paymentId } = await pay(card('bad'));
  await books.settle();
  // The answer was lost; the gateway is asked how the call has ended.
  await books.carry(paymentId, 1);
  t.is(await counted(books), '2 of the session, 2 of the customer');
  books.gateway.onCharge('other', 'decline');
  await books.paid({ customerId, amount: '30', method: card('other') });
  t.is(await counted(books), '2 of the session, 2 of the customer');
  await pay();
  await books.settle();
  t.is(await counted(books), '2 of the session, 2 of the customer');
  t.deepEqual(await books.faults(), []);
});

test('the method that was chosen is charged alone, and refused once another has its place', async (t) => {
  const { books, customerId, pay } = await opened();
  const first = await books.file(customerId, 1, { token: 'tok_1' });
  await books.file(customerId, 2, { token: 'tok_2' });
  books.gateway.onCharge('tok_1', 'decline');
  await pay(only(first));
  await books.settle();
  t.deepEqual(await books.payments(), ['#1 Payment Declined 30.00 CreditCard by 1']);
  await books.file(customerId, 1, { token: 'tok_3' });
  await t.throwsAsync(pay(only(first)), {
    message: /names no payment method/,
  });
  t.is((await books.payments()).length, 1);
});

test('a form makes one payment, and a second form none beside it', async (t) => {
  const { books, pay } = await opened();
  const { paymentId } = await pay(card('tok'), 'form a');
  t.deepEqual(await pay(card('tok'), 'form a'), { paymentId, isRepeat: true });
  await t.throwsAsync(pay(card('tok'), 'form b'), { message: /underWay/ });
  await books.settle();
  await t.throwsAsync(pay(card('tok'), 'form b'), { message: /moved/ });
  t.deepEqual(await books.payments(), ['#1 Payment Paid 30.00 CreditCard']);
});

for (const [rule, statement, detail] of [
  [
    'a payment over more than its page showed',
    `update self_service_payment set shown_amount = 29.99 where ${own}`,
    'is over 30, but its page showed 29.99',
  ],
  [
    'a payment of another customer than that of its session',
    `update self_service_session set customer_id = (select max(id) from customer where ${own})
     where ${own}`,
    /^is of customer \d+, but its session of customer \d+$/,
  ],
] as const) {
  test(`the audit finds ${rule}`, async (t) => {
    const { books, pay } = await opened();
    await books.customer();
    await pay();
    await books.settle();
    t.deepEqual(await books.faults(), []);
    await corrupt(books, [statement]);
    const [fault] = (await books.faults()).filter(({ check }) => check === 'selfService.payment');
    if (typeof detail === 'string') t.is(fault?.detail, detail);
    else t.regex(String(fault?.detail), detail);
  });
}
