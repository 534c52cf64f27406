/** When orders wake after a billing run: spread over time, and not at the same instant. */

import test from 'ava';
import { at, openTenant } from '../harness.ts';
import { sharedHarness } from '../setup.ts';

const newYork = 'America/New_York';
const harness = await sharedHarness('set');
const { dependencies } = harness;

interface Delay {
  readonly least: number;
  readonly most: number;
}

/**
 * Seconds after 00:00 of its due day at which each order's workflow wakes. The exact number depends
 * on the moment at which the time was read.
 */
async function delays(billingWindow: string, customers: number): Promise<Delay[]> {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const books = await openTenant(harness, { file: { settings: { billingWindow } } });
  const found: Delay[] = [];
  for (let count = 0; count < customers; count += 1) {
    const orderId = await books.order({
      customerId: await books.customer(),
      contractCode: 'GOLD',
    });
    const asked = dependencies.realNow();
    const woken = await books.wake({ orderId, yields: 0 });
    const answered = dependencies.realNow();
    const after = (read: number): number =>
      (read + (woken.waitMs ?? 0) - (woken.next?.at ?? 0)) / 1_000;
    found.push({ least: after(asked), most: after(answered) });
  }
  return found;
}

test.serial('the orders of a small tenant wake a minute after its run', async (t) => {
  for (const { least, most } of await delays('0s', 5)) {
    t.true(least <= 60 && most >= 60, `${least} to ${most}`);
  }
});

test.serial(
  'a billing window spreads the wakes over all of it, a minute after the run',
  async (t) => {
    const found = await delays('2h', 40);
    t.true(found.every(({ least, most }) => least < 60 + 7_200 && most >= 60));
    const quarters = found.map(({ most }) => Math.min(3, Math.floor((most - 60) / 1_800)));
    // 40 customers one after the other: each half hour has about ten of them.
    for (const quarter of [0, 1, 2, 3]) {
      const share = quarters.filter((each) => each === quarter).length;
      t.true(share >= 5 && share <= 15, `${share} in quarter ${quarter}`);
    }
  },
);
