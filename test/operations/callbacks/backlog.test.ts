/** A backlog of more deliveries than one statement changes is given up and resumed as a whole. */

import test from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { readOutlook } from '../../../db/queries/callbacks/read.ts';
import { AT_ONCE_MAX } from '../../../db/queries/callbacks/write.ts';
import { sharedDatabase } from '../support/books.ts';
import { openPostOffice } from './support.ts';

const db = await sharedDatabase();

test('a large backlog is given up when its endpoint goes, and resumed when it is back', async (t) => {
  const office = await openPostOffice(t, db);
  const customerId = await office.customer();
  const count = AT_ONCE_MAX + 1;
  const states = async () => {
    const rows = await office.read<{ state: string; count: number }>(
      'select state, count(*) from callback_delivery group by 1',
    );
    return rows.map((row) => `${row.count} ${row.state}`);
  };
  await office.raise(Array.from({ length: count }, () => customerId));
  await office.apply([]);
  await office.deliver();
  t.deepEqual(await states(), [`${count} GivenUp`]);
  await office.apply([office.own]);
  t.deepEqual(await office.resume('it is back'), { events: count });
  t.deepEqual(await states(), [`${count} Waiting`]);
  const outlook = (countedMax: number) =>
    inTenant(db.app, office.tenantId, (tx) => readOutlook(tx, office.endpointId, countedMax));
  t.like(await outlook(count + 1), { waiting: count, givenUp: 0 });
  t.like(await outlook(100), { waiting: 100, givenUp: 0 }, 'it counts no further than asked');
  await office.apply([]);
  const { waiting, givenUp } = await office.deliver();
  t.deepEqual([waiting, givenUp], [0, count]);
  t.deepEqual(await states(), [`${count} GivenUp`]);
});
