/** The counts of a billing run: a failed write loses none, and writes do not overlap. */

import test from 'ava';
import { makeBeat } from '../../../operations/due/billing-run.ts';
import type { RunCounts } from '../../../db/queries/due/billing-runs.ts';

const one: RunCounts = { customers: 1, orders: 2, invoices: 3 };

/** A day's counts, whose writes end when the test says so. */
function day() {
  let total: RunCounts = { customers: 0, orders: 0, invoices: 0 };
  const underWay: { readonly end: () => void; readonly fail: () => void }[] = [];
  const write = (more: RunCounts) =>
    new Promise<RunCounts>((resolve, reject) => {
      underWay.push({
        end() {
          total = {
            customers: total.customers + more.customers,
            orders: total.orders + more.orders,
            invoices: total.invoices + more.invoices,
          };
          resolve(total);
        },
        fail: () => reject(new Error('the database is away')),
      });
    });
  return { write, underWay };
}

test('the next write adds what a failed one did not', async (t) => {
  const { write, underWay } = day();
  const beat = makeBeat(write);
  beat.add(one);
  beat.beat();
  beat.add(one);
  underWay[0]?.fail();
  const total = beat.flush();
  await new Promise(setImmediate);
  underWay[1]?.end();
  t.deepEqual(await total, { customers: 2, orders: 4, invoices: 6 });
});

test('invoices billed during a write are counted once, by the next write', async (t) => {
  const { write, underWay } = day();
  const beat = makeBeat(write);
  beat.add(one);
  beat.beat();
  beat.add(one);
  underWay[0]?.end();
  const total = beat.flush();
  await new Promise(setImmediate);
  underWay[1]?.end();
  t.deepEqual(await total, { customers: 2, orders: 4, invoices: 6 });
});

test('a beat during a write is skipped, and the last one waits', async (t) => {
  const { write, underWay } = day();
  const beat = makeBeat(write);
  beat.add(one);
  beat.beat();
  beat.beat();
  const total = beat.flush();
  await new Promise(setImmediate);
  t.is(underWay.length, 1);
  underWay[0]?.end();
  await new Promise(setImmediate);
  t.is(underWay.length, 2);
  underWay[1]?.end();
  t.deepEqual(await total, one);
});

test('a failed last write throws, and loses nothing either', async (t) => {
  const { write, underWay } = day();
  const beat = makeBeat(write);
  beat.add(one);
  const failed = beat.flush();
  underWay[0]?.fail();
  await t.throwsAsync(failed, { message: 'the database is away' });
  const total = beat.flush();
  await new Promise(setImmediate);
  underWay[1]?.end();
  t.deepEqual(await total, one);
});
