/**
 * Orders, payments, usage, changes, imports, sign-ups, callbacks and advances of clocks, while parts
 * are killed and restarted, networks stall, a disk fills, and what is outside fails, hangs and lies.
 * At the end the books are right, and agree with what others know. The run of all tests kills each
 * part once; `npm run chaos -- --minutes 10 --seed 7` goes on for longer.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { openDatabase } from '../../../db/connection/database.ts';
import { patientSession } from '../../support/database.ts';
import { minutesOfRun, seedOfRun } from '../../support/minutes.ts';
import { isLong } from '../../support/random.ts';
import { chargeTwice, forgetACallback } from './broken.ts';
import { endOf, type Place } from './checks.ts';
import { againBy, openShops, startLoad } from './load.ts';
import { startMachine } from './machine.ts';
import { openOutside } from './outside.ts';
import { trouble } from './run.ts';
import { shortSchedule, troubleAt, type Trouble } from './schedule.ts';

/** In the long run. */
const LONG_MINUTES = 10;
const MINUTE_MS = 60_000;
const minutes = minutesOfRun ?? (isLong ? LONG_MINUTES : undefined);
const seed = seedOfRun;

test('the same seed gives the same troubles in the same order, and another gives others', (t) => {
  const of = (own: number) =>
    Array.from({ length: 200 }, (_, nth) => troubleAt(nth, { seed: own, hasSmallDisk: true }));
  t.deepEqual(of(7), of(7));
  t.notDeepEqual(of(7), of(8));
  t.deepEqual(shortSchedule(7), shortSchedule(7));
  const killed = shortSchedule(7).filter(({ what }) => what.startsWith('kill '));
  t.deepEqual(killed.map(({ what }) => what).toSorted(), [
    'kill api',
    'kill postgres',
    'kill temporal',
    'kill worker',
  ]);
});

test('after troubles everything that was answered is there once, and a fault that is built in is found', async (t) => {
  t.timeout(((minutes ?? 5) + 25) * MINUTE_MS);
  const outside = await openOutside();
  t.teardown(outside.stop);
  const machine = await startMachine(t, {
    SMTP_URL: outside.inbox.url,
    CALLBACK_ALLOW_PRIVATE: 'true',
    PAYMENT_WAIT_SECONDS: '2',
    LOG_LEVEL: 'info',
  });
  const { parts } = machine;
  const session = { ...patientSession, url: parts.ownerUrl, poolMax: 3, name: 'test' };
  const db = await openDatabase({ ...session, role: 'sundial_app' });
  const relayDb = await openDatabase({ ...session, role: 'sundial_relay' });
  t.teardown(async () => void (await Promise.all([db.close(), relayDb.close()])));
  for (const { pool } of [db, relayDb]) pool.on('error', () => undefined);
  const shops = await openShops({ db, outside });
  const place: Place = { parts, db, relayDb, outside, shops };

  const options = { db, apiUrl: parts.apiUrl, outside, seed };
  const load = startLoad(options, shops);
  t.teardown(load.giveUp);
  const until = Date.now() + (minutes ?? 0) * MINUTE_MS;
  const short = shortSchedule(seed).values();
  const hasSmallDisk = machine.hasSmallDisk;
  let nth = 0;
  const next = (): Trouble | undefined => {
    if (minutes === undefined) return short.next().value;
    return Date.now() < until ? troubleAt((nth += 1), { seed, hasSmallDisk }) : undefined;
  };
  const happened: string[] = [];
  const { counts, ended } = await trouble(
    { machine, outside },
    { next, say: (line) => happened.push(line) },
  );
  await load.end();
  const { faults, figures } = await endOf(place);
  const wrong = [...load.findings, ...faults];
  t.log(`seed ${seed}: ${told(counts)}; ended by themselves: ${ended.join(', ') || 'none'}`);
  t.log(`answered: ${told(load.done)}; sent again: ${load.again()}`);
  t.log(told(new Map(Object.entries(figures))));
  if (!hasSmallDisk)
    t.log('LEFT OUT: a full disk, because no small file system can be mounted here');
  for (const what of everyDay) t.true((load.done.get(what) ?? 0) > 0, `no ${what} was answered`);
  t.deepEqual(
    wrong,
    [],
    `${happened.join('\n')}\n${logsOf(parts.folder)}\n${failuresOf(parts.folder)}`,
  );

  await forgetACallback(parts.ownerUrl);
  await chargeTwice(parts.ownerUrl);
  await againBy(options, shops);
  const broken = await endOf(place, 0);
  t.true(broken.faults.some((fault) => fault.startsWith('sandbox.payment: ')));
  t.true(broken.faults.some((fault) => fault.endsWith('never came to its receiver')));
});

/** What a load must have had, or its run says little. */
const everyDay = 'customer order payment refund usage change cancellation finalize'.split(' ');

const told = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([what, count]) => `${what} ${count}`).join(', ');

const SHOWN = 6_000;

/** The last of what the parts said. */
const logsOf = (folder: string): string =>
  ['api', 'worker']
    .map((name) => readFileSync(join(folder, `${name}.log`), 'utf8').slice(-SHOWN))
    .join('\n');

/** What the API said of calls that it answered with 500. */
function failuresOf(folder: string): string {
  const lines = readFileSync(join(folder, 'api.log'), 'utf8').split('\n');
  const failed = lines
    .filter((line) => line.includes('"status":500'))
    .flatMap((line) => /"requestId":"([^"]+)"/.exec(line)?.slice(1) ?? []);
  return lines
    .filter((line) => failed.some((id) => line.includes(id)))
    .join('\n')
    .slice(0, SHOWN);
}
