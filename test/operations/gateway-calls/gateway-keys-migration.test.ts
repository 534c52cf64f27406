/** Calls that were under way when keys got their random part continue with their old key. */

import test from 'ava';
import { migrate } from '../../../db/connection/migrate.ts';
import { administer } from '../../support/template.ts';
import { sharedDatabase } from '../support/books.ts';
import { card, openPaymentBooks } from '../support/payment-books.ts';

const db = await sharedDatabase();

/** The tables of the previous version; a simultaneous test would not find its columns. */
const before = [
  'drop table gateway_finding',
  'alter table payment drop column gateway_key',
  'alter table refund_share drop column gateway_key',
  `delete from migration where name = '0007-gateway-keys'`,
];

test.serial('calls under way keep their key, others get a random one', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const [one, two, three] = [
    await books.customer(),
    await books.customer(),
    await books.customer(),
  ];
  await books.paid({ customerId: one, amount: '40', method: card('tok') });
  await books.pay({ customerId: two, amount: '9' });
  await books.advance('2027-01-16');
  books.gateway.onReturn('loseCall');
  const refund = await books.refund({ customerId: one, amount: '30' });
  books.gateway.onCharge('lost', 'loseCall');
  const charging = await books.pay({ customerId: two, amount: '5', method: card('lost') });
  for (const each of [refund, charging]) await books.carry(each);
  const waiting = await books.pay({ customerId: three, amount: '7', method: card('tok') });
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 40.00 CreditCard left 40.00 back 30.00',
    '#2 Payment Paid 9.00 Cash left 9.00',
    '#3 Refund Pending Charging -30.00',
    '#4 Payment Pending Charging 5.00 CreditCard',
    '#5 Payment Pending Waiting 7.00 CreditCard',
  ]);
  // Both calls have arrived under the old keys, and their answers were lost.
  await administer(
    db.ownerUrl,
    ...before,
    `update sandbox_transaction s set idempotency_key = t.label || '/' || p.id
     from payment p join tenant t on t.id = p.tenant_id
     where p.tenant_id = s.tenant_id and p.transaction_id = s.id::text`,
    `insert into sandbox_transaction (tenant_id, idempotency_key, operation, charge_id, amount,
       currency, status)
     select p.tenant_id, t.label || '/' || p.id, 'charge', null, p.amount, p.currency, 'Approved'
     from payment p join tenant t on t.id = p.tenant_id where p.id = ${charging}
     union all
     select s.tenant_id, t.label || '/' || s.id, s.way, p.transaction_id, s.amount, p.currency,
            'Approved'
     from refund_share s join tenant t on t.id = s.tenant_id
     join payment p on p.tenant_id = s.tenant_id and p.id = s.payment_id`,
  );
  await migrate(db.ownerUrl);
  const keys = await books.read((tx) =>
    tx.query<{ id: number; key: string | null }>(
      `select id, gateway_key as key from payment
       union all select id, gateway_key from refund_share order by id`,
    ),
  );
  const keyOf = (id: number) => keys.find((each) => each.id === id)?.key;
  t.is(keyOf(charging), `${books.label}/${charging}`);
  t.is(keyOf(refund), null);
  const ofToday = keys.filter(({ id, key }) => key === `${books.label}/${id}`);
  t.is(ofToday.length, 3, 'the Paid one, the Charging one, and the share of the refund');
  t.regex(keyOf(waiting) ?? '', new RegExp(`^${books.label}/${waiting}/[0-9a-f-]{36}$`));
  // Row-level security is forced again.
  const others = await books.read((tx) =>
    tx.query('select from payment where tenant_id <> $1', [books.tenantId]),
  );
  t.deepEqual(others, []);

  const asked = books.gateway.calls.length;
  await books.settle();
  t.deepEqual(books.gateway.calls.slice(asked), [
    'status refund: approved',
    'status charge: approved',
    'charge tok 7.00: approve',
  ]);
  t.deepEqual(await books.faults(), []);
});

test.serial(
  'a process of the previous version, which writes no key, cannot begin a call',
  async (t) => {
    const books = await openPaymentBooks(db, { today: '2027-01-15' });
    const customerId = await books.customer();
    const id = await books.pay({ customerId, amount: '7', method: card('tok') });
    const begun = books.work(({ tx }) =>
      tx.query(`update payment set gateway_key = null, phase = 'Charging' where id = $1`, [id]),
    );
    await t.throwsAsync(begun, { code: '23514' });
  },
);
