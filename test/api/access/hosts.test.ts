/**
 * How hosts find their tenants: at once after a tenant is applied, and with bounded lookups of
 * unknown hosts.
 */
import test from 'ava';
import { batched, tenantFinder } from '../../../api/access/store.ts';
import { openTestDatabase, startApi } from '../support.ts';
import { makeTenant } from '../../support/tenants.ts';

const db = await openTestDatabase();
const api = await startApi(db, () => []);
test.after.always(() => api.stop());

test('a new tenant answers at once, also to a client that called before', async (t) => {
  const call = { path: '/rest/plans', host: 'late.localhost', auth: 'nobody:x' };
  t.regex((await api.send(call)).body, /code="host.unknown"/);
  await makeTenant({ db, realNow: Date.now }, { label: 'late' });
  const known = await api.send(call);
  t.is(known.status, 401);
  t.regex(known.body, /code="auth.invalid"/);
});

test('unknown hosts are looked up by one statement at a time, whatever their number', async (t) => {
  let [asked, atOnce, most] = [0, 0, 0];
  const counting = {
    ...db,
    async ask<Row>(...parameters: Parameters<typeof db.ask>): Promise<Row[]> {
      asked += 1;
      atOnce += 1;
      most = Math.max(most, atOnce);
      const rows = await db.ask(...parameters);
      atOnce -= 1;
      return rows as Row[];
    },
  };
  const find = tenantFinder({ db: counting, realNow: Date.now });
  const labels = Array.from({ length: 2_500 }, (_, index) => `nobody-${index}`);
  const found = await Promise.all(labels.map((label) => find(label)));
  t.true(found.every((tenant) => tenant === undefined));
  t.is(most, 1);
  // First one label alone, then those that arrived meanwhile, 1,000 in each statement.
  t.is(asked, 4);
});

test('a lookup that runs does not answer callers that arrive after it', async (t) => {
  const asked: string[][] = [];
  const pending: ((answers: ReadonlyMap<string, number>) => void)[] = [];
  const find = batched<number>((keys) => {
    asked.push([...keys]);
    return new Promise((resolve) => pending.push(resolve));
  }, 2);
  const answerNext = async (answers: Readonly<Record<string, number>>): Promise<void> => {
    pending.shift()?.(new Map(Object.entries(answers)));
    await new Promise((resolve) => setImmediate(resolve));
  };
  const before = find('a');
  const after = [find('a'), find('b'), find('a'), find('c')];
  t.deepEqual(asked, [['a']]);
  await answerNext({});
  t.is(await before, undefined);
  t.deepEqual(asked.at(-1), ['a', 'b']);
  await answerNext({ a: 1 });
  t.deepEqual(asked.at(-1), ['c']);
  await answerNext({ c: 3 });
  t.deepEqual(await Promise.all(after), [1, undefined, 1, 3]);
});

test('a failed lookup fails for its own callers only', async (t) => {
  let isDown = true;
  const find = batched<number>(async (keys) => {
    if (isDown) throw new Error('down');
    return new Map(keys.map((key) => [key, key.length]));
  }, 10);
  await Promise.all(['a', 'bb'].map((key) => t.throwsAsync(find(key), { message: 'down' })));
  isDown = false;
  t.is(await find('bb'), 2);
});
