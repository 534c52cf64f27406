/** A tenant on a test clock whose customers' orders have autopay. */
import type { Database } from '../../../db/connection/database.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { suffix } from '../../support/temporal.ts';
import type { Parts } from './parts.ts';
import { APPROVED } from './scenes.ts';
import { openTill, type Till } from './till.ts';
import { until } from '../../support/until.ts';

export interface Shop extends Till {
  /** Each has an order of 10.00 a month from 1 January on, which is not billed yet. */
  readonly customers: readonly number[];
  readonly advance: (to: string) => Promise<void>;
  /** Resolves when the clock has reached the day. */
  readonly arrived: () => Promise<void>;
}

export async function openShop(parts: Parts, db: Database, count: number): Promise<Shop> {
  const till = await openTill(parts, db, {
    label: `shop-${suffix()}`,
    testClock: '2027-01-01T12:00:00Z',
    plans: [recurring('P', 10, prepaid)],
  });
  const customers = await Promise.all(Array.from({ length: count }, () => newCustomer(till)));
  return {
    ...till,
    customers,
    async advance(to) {
      const { status, body } = await till.call('POST', `/testClock?advanceTo=${to}`);
      if (status > 299) throw new Error(body);
    },
    arrived: () =>
      until('the clock is Ready', async () => {
        const ready = await till.read(`select from test_clock where status = 'Ready'`);
        return ready.length === 1;
      }),
  };
}

async function newCustomer(till: Till): Promise<number> {
  const id = await till.customer(false);
  await till.onFile(id, APPROVED);
  const order =
    `<subscriptionOrder><customer id="${id}"/><contractCode>P</contractCode>` +
    '<isAutoPay>true</isAutoPay></subscriptionOrder>';
  const { status, body } = await till.call('POST', '/orders', order);
  if (status !== 201) throw new Error(body);
  return id;
}
