/** When orders follow a billing run: never at the same instant, and not as a herd. */

import test from 'ava';
import { at, openTenant } from './harness.ts';
import { startHarness } from './setup.ts';

const newYork = 'America/New_York';
const harness = await startHarness();
const { services } = harness;

/** Seconds after 00:00 of its due day at which each order's workflow wakes. */
async function delays(billingWindow: string, customers: number): Promise<number[]> {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const books = await openTenant(harness, { file: { settings: { billingWindow } } });
  const found: number[] = [];
  for (let count = 0; count < customers; count += 1) {
    const orderId = await books.order({
      customerId: await books.customer(),
      contractCode: 'GOLD',
    });
    const asked = services.realNow();
    const followed = await books.follow({ orderId, yields: 0 });
    const wakeAt = asked + (followed.waitMs ?? 0);
    found.push((wakeAt - (followed.next?.at ?? 0)) / 1_000);
  }
  return found;
}

test.serial('a small tenant follows a minute after its run', async (t) => {
  for (const seconds of await delays('0s', 5)) {
    // What passes between asking for the time and reading it comes off.
    t.true(seconds > 30 && seconds <= 60, String(seconds));
  }
});

test.serial(
  'a billing window spreads the wakes over all of it, a minute after the run',
  async (t) => {
    const found = (await delays('2h', 40)).toSorted((a, b) => a - b);
    t.true(found.every((seconds) => seconds > 30 && seconds < 60 + 7_200));
    const quarters = found.map((seconds) => Math.max(0, Math.floor((seconds - 60) / 1_800)));
    // 40 customers one after the other: each half hour has about ten of them.
    for (const quarter of [0, 1, 2, 3]) {
      const share = quarters.filter((each) => each === quarter).length;
      t.true(share >= 5 && share <= 15, `${share} in quarter ${quarter}`);
    }
  },
);
