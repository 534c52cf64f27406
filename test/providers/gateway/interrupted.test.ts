/** Answers of the sandbox that come late or never, and its status of the call meanwhile. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import test from 'ava';
import { administer } from '../../support/template.ts';
import { until } from '../../support/until.ts';
import { guarded } from '../../../providers/gateway/adapters.ts';
import {
  askedFor,
  card,
  chargeOf,
  endless,
  failure,
  openBench,
  openPool,
  patience,
  pauses,
  returnOf,
  secretKey,
  sharedDatabase,
  type Bench,
  validationOf,
} from './support.ts';

const shared = await sharedDatabase();

const visa = '4111111111111111';
const heldBy = (name: string) => card(visa, { cardholderName: name });

/** Resolves once the sandbox has logged a call of the key. */
async function logging(bench: Bench, key: string): Promise<void> {
  await until('the sandbox has logged it', async () => Boolean(await bench.logged(key)));
}

test('LOST ANSWER: the charge is made, its answer never comes, and the status shows it', async (t) => {
  const bench = await openBench(shared);
  const token = await bench.tokenOf(heldBy('LOST ANSWER'));
  // The caller's time ends as soon as the charge is in the log.
  const limits: (() => void)[] = [];
  const startLimit = (_ms: number, onOver: () => void) => {
    limits.push(onOver);
    return () => {};
  };
  const gateway = guarded(bench.sandbox, { timeLimitMs: 1, now: () => 0, startLimit });
  const call = failure(gateway.charge(chargeOf('k', token)));
  await logging(bench, 'k');
  limits[0]?.();
  t.is(await call, 'unknown timeout');
  const found = await gateway.status('charge', askedFor('k'));
  t.like(found, { outcome: 'approved', errorCode: '0' });
  // A repeated call with the key is answered at once and charges nothing more.
  t.deepEqual(await gateway.charge(chargeOf('k', token)), found);
  t.like(await bench.logged('k'), { status: 'Approved', calls: 2 });
});

test('the card that times out ends declined, which only its status shows', async (t) => {
  const bench = await openBench(shared);
  const token = await bench.tokenOf(card('4000000000000044'));
  t.is((await bench.sandbox.validate(validationOf('v', token), endless)).outcome, 'approved');
  const caller = patience();
  const call = failure(bench.sandbox.charge(chargeOf('k', token), caller.signal));
  await logging(bench, 'k');
  caller.abort();
  t.is(await call, 'unknown timeout');
  const found = await bench.sandbox.status('charge', askedFor('k'), endless);
  t.like(found, { outcome: 'declined', errorCode: 'gateway_timeout', isHardDecline: false });
});

test('SLOW ANSWER: the charge is made at once, and answered after the seconds', async (t) => {
  const bench = await openBench(shared);
  const { pause, begun, end } = pauses();
  const sandbox = bench.sandboxOf({ pause });
  const token = await bench.tokenOf(heldBy('SLOW ANSWER 7'));
  const call = sandbox.charge(chargeOf('k', token), endless);
  t.is(await begun, 7_000);
  t.like(await sandbox.status('charge', askedFor('k'), endless), { outcome: 'approved' });
  end();
  t.is((await call).outcome, 'approved');
});

test('SLOW CHARGE: until its seconds are over, everybody sees the charge as processing', async (t) => {
  const bench = await openBench(shared);
  const { pause, begun, end } = pauses();
  const sandbox = bench.sandboxOf({ pause });
  const elsewhere = bench.sandboxOf({ db: await openPool(bench.ownerUrl) });
  const token = await bench.tokenOf(heldBy('slow charge'));
  const caller = patience();
  const call = sandbox.charge(chargeOf('k', token), caller.signal);
  t.is(await begun, 5_000);
  t.like(await bench.logged('k'), { status: 'Processing', calls: 1 });
  t.is(await elsewhere.status('charge', askedFor('k'), endless), 'processing');
  t.is(await failure(elsewhere.charge(chargeOf('k', token), endless)), 'unknown processing');
  // A caller that stops waiting does not stop the charge.
  caller.abort();
  t.is(await elsewhere.status('charge', askedFor('k'), endless), 'processing');
  end();
  t.is((await call).outcome, 'approved');
  t.like(await elsewhere.status('charge', askedFor('k'), endless), { outcome: 'approved' });
  t.like(await bench.logged('k'), { status: 'Approved', calls: 1 });
});

test('the seconds of a name are 5 by default, and 60 at most', async (t) => {
  const bench = await openBench(shared);
  const names = [
    ['Slow Answer', 5_000],
    [' SLOW ANSWER 60 ', 60_000],
    ['SLOW CHARGE 99', 60_000],
    ['SLOW CHARGE 1', 1_000],
  ] as const;
  for (const [name, ms] of names) {
    const { pause, begun, end } = pauses();
    const token = await bench.tokenOf(heldBy(name));
    const call = bench.sandboxOf({ pause }).charge(chargeOf(name, token), endless);
    t.is(await begun, ms, name);
    end();
    await call;
  }
});

test('a process killed in a SLOW CHARGE leaves no answer; a call with the same key then charges once', async (t) => {
  const bench = await openBench(shared);
  const token = await bench.tokenOf(heldBy('SLOW CHARGE 60'));
  const given = { url: bench.ownerUrl, tenantId: bench.tenant.id, secretKey };
  const script = join(import.meta.dirname, 'charging-process.ts');
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'inherit', 'inherit'] });
  const ended = once(child, 'exit');
  child.stdin.end(JSON.stringify({ ...given, call: chargeOf('k', token) }));
  await logging(bench, 'k');
  t.is(await bench.sandbox.status('charge', askedFor('k'), endless), 'processing');
  child.kill('SIGKILL');
  await ended;
  // The server frees the lock of a connection when it notices that the client is gone.
  const status = () => bench.sandbox.status('charge', askedFor('k'), endless);
  await until('its lock is free', async () => (await status()) !== 'processing');
  t.is(await bench.sandbox.status('charge', askedFor('k'), endless), 'unknown');
  t.like(await bench.logged('k'), { status: 'Processing' });
  const answer = await bench.sandbox.charge(chargeOf('k', token), endless);
  t.is(answer.outcome, 'approved');
  t.deepEqual(await bench.sandbox.status('charge', askedFor('k'), endless), answer);
  t.like(await bench.logged('k'), { status: 'Approved', calls: 2 });
});

test('an interrupted call and the one that replaces it end in one charge', async (t) => {
  const bench = await openBench(shared);
  const { pause, begun, end } = pauses();
  const token = await bench.tokenOf(heldBy('SLOW CHARGE 30'));
  const first = bench.sandboxOf({ pause }).charge(chargeOf('cut off', token), endless);
  await begun;
  // The connection that holds the key is found by its last statement.
  await administer(
    bench.ownerUrl,
    `select pg_terminate_backend(pid, 60000) from pg_stat_activity
     where query like 'select pg_try_advisory_lock(%' and datname = current_database()
       and pid in (select pid from pg_locks where locktype = 'advisory' and objsubid = 1
                   and (classid::bigint << 32 | objid::bigint) = hashtextextended(
                     'sandbox/${bench.tenant.id}/cut off', 0))`,
  );
  t.is(await bench.sandbox.status('charge', askedFor('cut off'), endless), 'unknown');
  const second = await bench.sandbox.charge(chargeOf('cut off', token), endless);
  t.is(second.outcome, 'approved');
  end();
  t.deepEqual(await first, second);
  t.like(await bench.logged('cut off'), { status: 'Approved', calls: 2 });
});

test('LOST REFUND and SLOW REFUND: the refund is made, whenever it is answered', async (t) => {
  const bench = await openBench(shared);
  const { pause, begun, end } = pauses();
  const sandbox = bench.sandboxOf({ pause });
  const charged = async (name: string) => {
    const token = await bench.tokenOf(heldBy(name));
    return (await sandbox.charge(chargeOf(name, token), endless)).transactionId;
  };
  const [lost, slow] = [await charged('LOST REFUND'), await charged('SLOW REFUND 3')];
  const caller = patience();
  const call = failure(sandbox.refund(returnOf('r', lost), caller.signal));
  await logging(bench, 'r');
  caller.abort();
  t.is(await call, 'unknown timeout');
  t.like(await sandbox.status('refund', askedFor('r'), endless), { outcome: 'approved' });
  t.is((await sandbox.refund(returnOf('r', lost), endless)).outcome, 'approved');
  const voided = sandbox.void(returnOf('v', slow), endless);
  t.is(await begun, 3_000);
  t.like(await sandbox.status('void', askedFor('v'), endless), { outcome: 'approved' });
  end();
  t.is((await voided).outcome, 'approved');
});

test('the status of an unknown key is `unknown`', async (t) => {
  const { sandbox } = await openBench(shared);
  t.is(await sandbox.status('charge', askedFor('none'), endless), 'unknown');
});
