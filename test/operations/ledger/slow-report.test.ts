/** A report that takes too long is refused: here it waits for a table that another transaction holds. */
import test from 'ava';
import { Client } from 'pg';
import { readReport } from '../../../operations/ledger/report.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { openBooks, ownDatabase } from '../support/books.ts';
import { refused } from '../support/refused.ts';

const db = await ownDatabase();

test('a report over its time is refused, and given once there is time', async (t) => {
  const { dependencies, tenantId } = await openBooks(db, { today: '2027-01-15' });
  const tenant = await tenantInfo(dependencies, tenantId);
  const asked = { name: 'agedReceivables', from: null, to: null } as const;
  const read = (limit: { readonly timeoutMs?: number } = {}) =>
    readReport(dependencies, tenant, asked, ({ why }) => new Error(why), limit);
  const holder = new Client({ connectionString: db.ownerUrl });
  await holder.connect();
  try {
    await holder.query('begin; lock table invoice in access exclusive mode');
    await refused(t, read({ timeoutMs: 50 }), 'report.tooLarge');
  } finally {
    await holder.end();
  }
  t.deepEqual((await read()).rows, []);
});
