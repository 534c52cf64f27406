/** How many forms of hosted pages wait for what they have begun. */
import test from 'ava';
import { createPageWaits } from '../../../api/http/incoming.ts';

test('a tenant’s 65th form is answered at once, and one of another tenant still waits', async (t) => {
  const waits = createPageWaits();
  const { promise: paid, resolve: pay } = Promise.withResolvers<undefined>();
  let begun = 0;
  const wait = (tenantId: number): Promise<unknown> =>
    waits(tenantId, async () => {
      begun += 1;
      await paid;
    });
  const waiting = Array.from({ length: 64 }, () => wait(1));
  await wait(1);
  t.is(begun, 64);
  const other = wait(2);
  t.is(begun, 65);
  pay(undefined);
  await Promise.all([...waiting, other]);
  await wait(1);
  t.is(begun, 66);
});
