/** The Temporal Web UI's view of two orders of which one replaces the other. */
import test from 'ava';
import { at, attributesOf, detailsOf, isRunning, openTenant, order, until } from '../harness.ts';
import { sharedHarness } from '../setup.ts';

const newYork = 'America/New_York';
const harness = await sharedHarness('set');

test.serial('both workflows name the other order, before the change and after it', async (t) => {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const books = await openTenant(harness, {});
  const customerId = await books.customer();
  const current = await books.order({ customerId, contractCode: 'GOLD' });
  const next = await books.order({ customerId, contractCode: 'GOLD', startDate: '2027-01-20' });
  const set = (id: number, values: string, ...more: readonly unknown[]) =>
    books.work(({ tx }) =>
      tx.query(`update subscription_order set ${values} where id = $1`, [id, ...more]),
    );
  await set(next, `previous_order_id = $2, bill_on = null, transition_on = null`, current);
  await set(current, `change_on = $2, transition_on = $2, bill_on = '2027-02-15'`, '2027-01-20');
  await books.deliver(order(current));
  await books.deliver(order(next));
  await until('the current one waits for its change', async () =>
    (await attributesOf(books.workflow(order(current)))).endsWith('2027-01-20T05:00:00.000Z'),
  );
  const details = await detailsOf(books.workflow(order(current)));
  t.regex(details, /- next: changes on 2027-01-20, waits until /);
  t.true(details.includes('\n- changes to order 1002 on 2027-01-20\n'), details);
  await until('the new one has looked', async () =>
    (await attributesOf(books.workflow(order(next)))).includes('Phase=Provisioning'),
  );
  const waiting = await detailsOf(books.workflow(order(next)));
  // No timer: its day comes with the change of the current order.
  t.true(waiting.includes('\n- next: starts on 2027-01-20\n'), waiting);
  t.true(waiting.includes('\n- replaces order 1001 on 2027-01-20\n'), waiting);

  await set(
    current,
    `status = 'Superseded', change_on = null, bill_on = null, transition_on = null`,
  );
  await set(next, `status = 'Active', bill_on = '2027-02-15'`);
  await books.workflow(order(current)).signal('nudge');
  await books.workflow(order(next)).signal('nudge');
  await until(
    'the current one has ended',
    async () => !(await isRunning(books.workflow(order(current)))),
  );
  const ended = await detailsOf(books.workflow(order(current)));
  t.true(ended.includes('\n- replaced by order 1002 since 2027-01-20\n'), ended);
  await until('the new one bills', async () =>
    (await attributesOf(books.workflow(order(next)))).startsWith('Phase=Active'),
  );
  const begun = await detailsOf(books.workflow(order(next)));
  t.true(begun.includes('\n- replaces order 1001 since 2027-01-20\n'), begun);
  t.true(await isRunning(books.workflow(order(next))));
});
