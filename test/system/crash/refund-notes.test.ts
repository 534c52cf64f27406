/**
 * The API and the worker are killed with SIGKILL among credit notes that refund what was paid. Sent
 * again under their keys, and carried on, each note is there once, with one refund that went back once.
 */
import test from 'ava';
import type { Received } from '../../api/support.ts';
import { isLong } from '../../support/random.ts';
import { suffix } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { auditIsClean, endConnections } from './aftermath.ts';
import { startParts } from './parts.ts';
import { openTestDatabase, openTill } from './till.ts';

const NOTES = isLong ? 100 : 6;
/** So many answers come before a kill. */
const ANSWERED_BEFORE = Math.ceil(NOTES / 4);

const parts = await startParts({ PAYMENT_WAIT_SECONDS: '20' });
const db = await openTestDatabase(parts, 'sundial_app');
const relayDb = await openTestDatabase(parts, 'sundial_relay');
const till = await openTill(parts, db, {
  label: `crash-${suffix()}`,
  testClock: '2027-01-01T12:00:00Z',
});

test.after.always(async () => {
  await parts.stop();
  for (const opened of [db, relayDb]) await opened.close();
});

const note = '<creditNote><reason>Line was down</reason><amount>4.00</amount></creditNote>';

interface Numbers {
  readonly notes: number;
  readonly refunds: number;
  readonly sandbox: number;
  readonly invoices: string;
}

const sums = async (): Promise<Numbers | undefined> => {
  const [row] = await till.read<Numbers>(
    `select (select count(*) from invoice where credit_note_of is not null
              and current_amount_due = -4 and refund_id is not null)::int as notes,
       (select count(*) from payment where payment_type = 'Refund' and status = 'Paid'
          and amount = -4)::int as refunds,
       (select count(*) from sandbox_transaction where operation = 'refund'
          and status = 'Approved')::int as sandbox,
       (select string_agg(distinct status || ' ' || round(outstanding_balance, 2), ', ')
        from invoice where credit_note_of is null) as invoices`,
  );
  return row;
};

test('after kills among notes with refunds each is there once, and went back once', async (t) => {
  t.timeout(10 * 60_000);
  const customers: number[] = [];
  for (let n = 0; n < NOTES; n += 1) customers.push(await till.customer());
  // A hundred calls at once are more than the service takes, and it answers some with 503.
  const pays = async (id: number) => (await till.pay(id, { key: `payment ${id}` })).status < 300;
  await Promise.all(customers.map((id) => until('the customer pays', () => pays(id))));
  await till.settled(...customers);
  const invoices = await till.read<{ id: number }>('select id from invoice order by id');
  let answered = 0;
  let killing: Promise<unknown> | undefined;
  const send = async (id: number): Promise<Received | null> => {
    const path = `/invoice/${id}/creditNote?refund=true`;
    const answer = await till.call('POST', path, note, `note ${id}`).catch(() => null);
    if (answer?.status === 201) answered += 1;
    if (answered >= ANSWERED_BEFORE) {
      killing ??= Promise.all([parts.api.kill(), parts.worker.kill()]);
    }
    return answer;
  };
  await Promise.all(invoices.map(({ id }) => send(id)));
  await killing;
  await Promise.all([endConnections(parts, 'api'), endConnections(parts, 'worker')]);
  await Promise.all([parts.api.start(), parts.worker.start()]);
  await Promise.all(
    invoices.map(({ id }) =>
      until('the note is there', async () => (await send(id))?.status === 201),
    ),
  );
  await till.settled(...customers);
  t.deepEqual(await sums(), {
    notes: NOTES,
    refunds: NOTES,
    sandbox: NOTES,
    invoices: 'Paid 0.00',
  });
  await auditIsClean(t, parts, { db, relayDb });
});
