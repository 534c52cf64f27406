/** A gate keeps a process until the test opens it, however long its statement may take. */
import test from 'ava';
import { Client } from 'pg';
import { testDatabase } from '../../support/database.ts';
import { administer } from '../../support/template.ts';
import { gateAtCommit, gateWhere } from './gate.ts';

const { ownerUrl } = await testDatabase();
await administer(ownerUrl, 'create table passed (who text not null)');

/** Ends the statement of the process, as the limit of its time does. */
const overdue = (pid: number): Promise<unknown> =>
  administer(ownerUrl, `select pg_cancel_backend(${pid})`);

for (const [where, gateOf] of [
  ['after a row', () => gateWhere('passed', `new.who = 'row'`, ownerUrl)],
  ['at a commit', () => gateAtCommit('insert on passed', `new.who = 'commit'`, ownerUrl)],
] as const) {
  test.serial(`a statement whose time is over waits at a gate ${where} as before`, async (t) => {
    const gate = await gateOf();
    await gate.close();
    const client = new Client({ connectionString: ownerUrl });
    await client.connect();
    const who = where === 'after a row' ? 'row' : 'commit';
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const passes = client.query('insert into passed values ($1)', [who]);
    await gate.reached();
    await overdue(rows[0]?.pid ?? 0);
    await gate.reached();
    await gate.open();
    t.is((await passes).rowCount, 1);
    await client.end();
    await gate.end();
  });
}
