/**
 * Kills the worker with SIGKILL in the middle of closing the usage of 100 orders, and the API in the
 * middle of uploads, alone and beside a run. The test makes sure that it is the middle: it keeps half
 * of the customers locked, and gates hold processes that have written charges of usage, or records,
 * but not committed them. Afterwards every record is stored once and billed once.
 */
import test from 'ava';
import { until } from '../../support/until.ts';
import { auditIsClean, endConnections } from './aftermath.ts';
import { gateAt, gateOn } from './gate.ts';
import { bodyOf, openMetered, ORDERS, type Sent } from './metered.ts';
import { startParts } from './parts.ts';
import { openTestDatabase } from './till.ts';

const parts = await startParts();
const db = await openTestDatabase(parts, 'sundial_app');
const relayDb = await openTestDatabase(parts, 'sundial_relay');
const tenant = await openMetered(parts, db);
const charges = await gateAt('usageSubTotal', parts.ownerUrl);
const records = await gateOn('activity', parts.ownerUrl);

test.after.always(async () => {
  await charges.end();
  await records.end();
  await parts.stop();
  for (const opened of [db, relayDb]) await opened.close();
});

test.afterEach.always(async () => {
  await charges.open();
  await records.open();
});

const customers = Array.from({ length: ORDERS }, (_, index) => index + 1);

test.serial('the worker dies amid its writes: each window is billed once', async (t) => {
  // 70 + 130 - 20 minutes of each: 10.00 and 6.40.
  const sent = customers.flatMap((nth): Sent[] => [
    { ref: `A-${nth}`, nth, quantity: 70, on: '2027-01-01' },
    { ref: `B-${nth}`, nth, quantity: 130, on: '2027-01-20' },
    { nth, quantity: -20, on: '2027-01-21', corrects: `B-${nth}` },
  ]);
  await tenant.upload(sent);
  const letGo = await tenant.lockHalf(t);
  await tenant.advance('2027-02-01');
  const isHalf = async () => (await tenant.billedOn('2027-02-01')) === ORDERS / 2;
  await until('half of the orders are billed', isHalf);
  await charges.close();
  await letGo();
  await charges.reached();
  await parts.worker.kill();
  await endConnections(parts, 'worker');
  await charges.open();
  t.true(await isHalf());
  await parts.worker.start();
  await tenant.arrived();
  const billed = await tenant.read(
    `select b.charges, count(*)::int as windows, count(distinct b.customer_id)::int as customers
     from (select w.id, i.customer_id,
             string_agg(round(c.amount, 2)::text, ' ' order by c.position) as charges
           from usage_window w join invoice i on i.id = w.invoice_id
           join invoice_charge c on c.usage_window_id = w.id
           where i.invoice_date = '2027-02-01' group by 1, 2) b
     group by 1`,
  );
  t.deepEqual(billed, [{ charges: '10.00 6.40 16.40', windows: ORDERS, customers: ORDERS }]);
  t.like(await tenant.sums(), {
    records: 3 * ORDERS,
    unbilled: 0,
    lost: 0,
    quantity: String(180 * ORDERS),
    billedQuantity: String(180 * ORDERS),
    invoices: ORDERS,
    span: ORDERS,
  });
  await auditIsClean(t, parts, { db, relayDb });
});

/** Uploads of five records each; those of every second one have no reference, but a key. */
const SIZE = 5;
interface Batch {
  readonly name: string;
  readonly records: readonly Sent[];
  readonly isKeyed: boolean;
}

function batchesOf(
  name: string,
  count: number,
  { on, first }: { readonly on: string; readonly first: number },
): readonly Batch[] {
  return Array.from({ length: count }, (_, nth): Batch => {
    const isKeyed = nth % 2 === 0;
    const own = `${name}-${nth}`;
    const all = Array.from({ length: SIZE }, (_each, place): Sent => {
      const customer = ((nth * SIZE + place) % (ORDERS / 2)) + first;
      const record = { nth: customer, quantity: 1, on };
      return isKeyed ? record : { ...record, ref: `${own}-${place}` };
    });
    return { name: own, records: all, isKeyed };
  });
}

/** Undefined if the API dies. */
const send = ({ name, records: all, isKeyed }: Batch) =>
  isKeyed
    ? tenant.call('POST', '/activities', bodyOf(all), name).catch(() => undefined)
    : tenant.call('POST', '/activities?onDuplicate=skip', bodyOf(all)).catch(() => undefined);

/** Sends batches in lanes until all are answered, or the API dies; returns the answered ones. */
async function sendAll(batches: readonly Batch[], answered: Set<Batch>, lanes = 4): Promise<void> {
  const left = batches.values();
  const lane = async (): Promise<void> => {
    for (const batch of left) {
      const answer = await send(batch);
      if (answer?.status === 201) answered.add(batch);
      if (answer === undefined) return;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Of each upload whose first record is of a day. */
const sizesOf = async (on: string): Promise<readonly number[]> => {
  const rows = await tenant.read<{ size: number }>(
    `select count(*)::int as size from activity where charge_date = $1 group by batch_id`,
    on,
  );
  return rows.map(({ size }) => size);
};

test.serial('the API dies amid uploads: retries store each record once', async (t) => {
  const on = '2027-02-01';
  const batches = batchesOf('U', 60, { on, first: 1 });
  const answered = new Set<Batch>();
  const sending = sendAll(batches, answered);
  await until('some are answered', () => Promise.resolve(answered.size >= 12));
  await records.close();
  await records.reached();
  await parts.api.kill();
  await sending;
  await endConnections(parts, 'api');
  await records.open();
  t.true(answered.size < batches.length);
  const sizes = await sizesOf(on);
  t.true(sizes.length >= answered.size);
  t.deepEqual(
    sizes.filter((size) => size !== SIZE),
    [],
  );
  await parts.api.start();
  for (const batch of batches) t.is((await send(batch))?.status, 201);
  t.deepEqual(
    await sizesOf(on),
    batches.map(() => SIZE),
  );
  const { records: all, refs, unbilled } = await tenant.sums();
  t.is(all, 3 * ORDERS + SIZE * batches.length);
  t.is(refs, 2 * ORDERS + (SIZE * batches.length) / 2);
  t.is(unbilled, SIZE * batches.length);
  await auditIsClean(t, parts, { db, relayDb });
});

test.serial('worker and API die beside each other: each record is billed once', async (t) => {
  // They are dated in the period that the run bills: those of the first half of the orders wait for it.
  const on = '2027-02-28';
  const waiting = batchesOf('V', 20, { on, first: 1 });
  const others = batchesOf('W', 40, { on, first: ORDERS / 2 + 1 });
  const answered = new Set<Batch>();
  const letGo = await tenant.lockHalf(t);
  await charges.close();
  await tenant.advance('2027-03-01');
  await charges.reached();
  const sending = [sendAll(waiting, new Set(), 1), sendAll(others, answered)];
  await until('some are answered', () => Promise.resolve(answered.size >= 8));
  await records.close();
  await records.reached();
  await parts.worker.kill();
  await parts.api.kill();
  await Promise.all(sending);
  await endConnections(parts, 'worker');
  await endConnections(parts, 'api');
  await charges.open();
  await records.open();
  await letGo();
  t.is(await tenant.billedOn('2027-03-01'), 0);
  await parts.api.start();
  await parts.worker.start();
  const batches = [...waiting, ...others];
  for (const batch of batches) t.is((await send(batch))?.status, 201);
  await tenant.arrived();
  t.deepEqual(
    await sizesOf(on),
    batches.map(() => SIZE),
  );
  t.like(await tenant.sums(), { lost: 0 });
  await auditIsClean(t, parts, { db, relayDb });
  await tenant.advance('2027-04-01');
  await tenant.arrived();
  const sums = await tenant.sums();
  t.like(sums, { records: 3 * ORDERS + 2 * SIZE * batches.length, unbilled: 0, lost: 0 });
  t.is(sums.billedQuantity, sums.quantity);
  t.is(sums.span, sums.invoices);
  await auditIsClean(t, parts, { db, relayDb });
});
