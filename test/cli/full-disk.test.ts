/** `npm start` on a disk that runs full: nothing ends for good, and nothing is left behind. */
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { call } from '../../cli/rest.ts';
import { openLogFile } from '../../cli/start/log-file.ts';
import { readEndpoints } from '../../providers/embedded/endpoints.ts';
import { fillDisk, smallDisk, whyNoMount } from '../support/disk.ts';
import { testFolder } from '../support/folder.ts';
import { processesOf, startProcess } from '../support/start-process.ts';
import { until } from '../support/until.ts';

/** A cluster with our database, Temporal's database and the logs take some 110 MB. */
const DISK_MB = 256;
const demo = { hostName: 'demo.localhost', username: 'api@demo', password: 'demo-secret' };
const customer = (name: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<customer><extCustomerRef>${name}</extCustomerRef>` +
  '<billingContact><firstName>Ada</firstName><lastName>Byron</lastName></billingContact></customer>';

const reason = whyNoMount();
const where = reason === undefined ? test.serial : test.serial.skip;

where(
  reason === undefined
    ? 'nothing that ends on a full disk runs again before there is room, then all does, and a stop leaves nothing'
    : `LEFT OUT, because no small file system can be mounted here (${reason}): a full disk`,
  async (t) => {
    const folder = smallDisk(t, DISK_MB);
    const start = startProcess(t, folder);
    await start.said(/^ {2}(curl .*)$/m);
    const before = readEndpoints(folder);
    const target = { ...demo, apiUrl: before?.apiUrl ?? '' };
    const post = (name: string) => call(target, 'POST', '/rest/customers', customer(name));
    t.is((await post('Before')).status, 201);

    const makeRoom = fillDisk(folder);
    // PostgreSQL may live on a full disk for long, or recover from any number of its crashes.
    process.kill(before?.processes['postgres']?.pid ?? 0, 'SIGKILL');
    await start.said(/PostgreSQL ended unexpectedly/);
    await start.said(/The disk is full: .* has \d+ MB left, and 32 MB are needed\. What has ended/);
    t.is((await post('Meanwhile')).status, 503);
    // What PostgreSQL writes and removes may leave some room. The worker logs all the time that it has no database.
    fillDisk(folder);
    await start.said(/worker\.log cannot be written, lines are lost: ENOSPC/);
    for (const name of ['worker', 'temporal', 'api']) {
      process.kill(before?.processes[name]?.pid ?? 0, 'SIGKILL');
    }
    for (const name of ['worker', 'Temporal', 'api']) {
      await start.said(new RegExp(`${name} ended unexpectedly`));
    }
    t.notRegex(start.output(), /runs again|giving up/);

    makeRoom();
    await start.said(/The disk has room again/);
    for (const name of ['PostgreSQL', 'Temporal', 'worker', 'api']) {
      await start.said(new RegExp(`${name} runs again`));
    }
    await start.said(/worker\.log is written again; lines lost: [1-9]/);
    const health = () => fetch(`${target.apiUrl}/healthz`).catch(() => undefined);
    await until('it is healthy', async () => (await health())?.status === 200);
    t.is((await post('Afterwards')).status, 201);
    const { body } = await call(target, 'GET', '/rest/customers');
    t.deepEqual(
      ['Before', 'Meanwhile', 'Afterwards'].map((name) =>
        body.includes(`>${name}</extCustomerRef>`),
      ),
      [true, false, true],
    );
    const after = readEndpoints(folder);
    t.is(after?.apiUrl, before?.apiUrl);
    t.not(after?.processes['worker']?.pid, before?.processes['worker']?.pid);

    start.child.kill('SIGTERM');
    t.is(await start.ended, 0);
    t.deepEqual(processesOf(folder), []);
    t.is(readEndpoints(folder), undefined);
  },
);

test('a log whose lines cannot be written loses them, says so once, and goes on with the next', async (t) => {
  const path = join(testFolder(t), 'worker.log');
  // The kernel's own full disk.
  symlinkSync('/dev/full', path);
  const said: string[] = [];
  let heard = Promise.withResolvers<void>();
  const log = openLogFile(path, (line) => {
    said.push(line);
    heard.resolve();
  });
  log.add('lost');
  await heard.promise;
  t.deepEqual(said, [
    `${path} cannot be written, lines are lost: ENOSPC: no space left on device, write`,
  ]);
  rmSync(path);
  heard = Promise.withResolvers();
  log.add('kept');
  await heard.promise;
  t.regex(said[1] ?? '', /^worker\.log is written again; lines lost: 1$/);
  t.is(readFileSync(path, 'utf8'), '\nkept\n');
});
