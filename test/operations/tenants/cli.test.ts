/** `npm run tenant` as its callers see it: its output and its exit code. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { writeEndpoints } from '../../../providers/embedded/endpoints.ts';
import { processStartedAt } from '../../../providers/embedded/process.ts';
import { secretKeyFile } from '../../../providers/embedded/running-system.ts';
import { alone, command, type Ended } from '../../support/commands.ts';
import { testDatabase } from '../../support/database.ts';
import { callbackSecret, root, secretKey, smallest, textOf } from './support.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables that it may use, and none of our own environment. */
const withoutOurs = {
  DATABASE_URL: undefined,
  SECRET_KEY: undefined,
  DEMO_CALLBACK_SECRET: undefined,
};

const tenant = (
  args: readonly string[],
  variables: Variables,
  run: typeof command = command,
): Promise<Ended> => run({ entry: 'cli/tenant.ts', args, env: { ...withoutOurs, ...variables } });

async function folder(t: ExecutionContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'sundial-tenant-'));
  t.teardown(() => rm(path, { recursive: true }));
  return path;
}

/** The audit log's commands: by whom, which, and whether the entry has the plan GOLD among its changes. */
async function commandsIn(ownerUrl: string): Promise<string[]> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ text: string }>(
      `select username || ' ' || path || ' '
         || coalesce(changes @> '[{"field": "plans[GOLD]"}]', false)::text as text
       from audit_log where action = 'command' order by id`,
    );
    return rows.map(({ text }) => text);
  } finally {
    await client.end();
  }
}

const demo = join(root, 'tenants/demo.yaml');

test('apply prints the changes, then that nothing changed; list shows the tenant', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  const variables = {
    DATABASE_URL: ownerUrl,
    SECRET_KEY: secretKey,
    DEMO_CALLBACK_SECRET: callbackSecret,
    OPERATOR: 'Anna',
  };
  const first = await tenant(['apply', demo], variables, alone);
  t.is(first.code, 0, first.stderr);
  t.true(first.stdout.startsWith('tenant demo: created\n'));
  t.true(first.stdout.includes('plan GOLD: version 1\n'));
  const second = await tenant(['apply', demo], variables);
  t.is(second.stdout, 'nothing changed\n');
  t.is(second.stderr, first.stderr);
  const again = await tenant(['apply', demo, '--json', '--dry-run'], variables);
  t.deepEqual(JSON.parse(again.stdout), {
    dryRun: true,
    isValid: true,
    tenant: 'demo',
    changes: [],
    warnings: [],
    remarks: [],
    notInForce: [],
  });
  t.deepEqual(await commandsIn(ownerUrl), ['Anna tenant apply true', 'Anna tenant apply false']);
  const listed = await tenant(['list', '--json'], variables, alone);
  t.deepEqual(JSON.parse(listed.stdout), [
    {
      tenant: 'demo',
      name: 'Demo Telecom',
      timezone: 'America/New_York',
      currency: 'USD',
      testClock: '2027-01-01T12:00:00.000Z',
      users: 3,
      plans: 4,
    },
  ]);
  const { stdout } = await tenant(['list'], variables);
  t.regex(
    stdout,
    /^TENANT .*\ndemo +Demo Telecom +America\/New_York +USD +2027-01-01T12.* 3 +4\n$/,
  );
});

test('a remark is printed, and the file is applied', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  const file = join(await folder(t), 'metered.yaml');
  const usage = { priceCode: 'MINUTES', chargeType: 'UsageCharge', pricingType: 'FixedPricing' };
  const charges = [{ ...usage, price: '0.10', minQuantity: '10' }];
  const plan = { contractCode: 'METERED', name: 'Metered', billingPeriod: 'Monthly', charges };
  await writeFile(file, textOf({ ...smallest, plans: [plan] }));
  const { code, stderr } = await tenant(['apply', file], { DATABASE_URL: ownerUrl });
  t.is(code, 0);
  t.regex(
    stderr,
    /^remark: line \d+: plans\[0\]\.charges\[0\]\.minQuantity: has no effect on a usage charge\n$/,
  );
});

test('mistakes are printed with path and line, the exit code is 1', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  const variables = { DATABASE_URL: ownerUrl, SECRET_KEY: secretKey };
  const unset = await tenant(['apply', demo, '--strict'], variables, alone);
  t.is(unset.code, 1);
  t.is(unset.stdout, '');
  t.regex(unset.stderr, /line 36: callbacks\[0\]\.secret: the environment variable DEMO_CALLB/);
  t.regex(unset.stderr, /Nothing was applied\.\n$/);
  const file = join(await folder(t), 'bad.yaml');
  await writeFile(file, textOf({ ...smallest, currency: 'EURO', foo: '1' }));
  const bad = await tenant(['apply', file, '--json'], variables);
  t.is(bad.code, 1);
  t.deepEqual(
    JSON.parse(bad.stdout).mistakes.map((it: { readonly path: string }) => it.path),
    ['currency', 'foo'],
  );
  t.is((await tenant(['list', '--json'], variables)).stdout, '[]\n');
});

test('the samples apply as they are: an unset secret of a callback is a warning', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  const ended = await tenant(['apply', demo], { DATABASE_URL: ownerUrl });
  t.is(ended.code, 0);
  t.regex(
    ended.stderr,
    /^warning: line 36: callbacks\[0\]\.secret: [^\n]* this callback stays off\n$/,
  );
  for (const name of ['acme', 'tour']) {
    const { code, stderr } = await tenant(['apply', join(root, `tenants/${name}.yaml`)], {
      DATABASE_URL: ownerUrl,
    });
    t.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  }
});

test('show prints what is in force: a file, once its secrets are filled in', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  const variables = { DATABASE_URL: ownerUrl, SECRET_KEY: secretKey };
  const secrets = { ...variables, DEMO_CALLBACK_SECRET: callbackSecret };
  await tenant(['apply', demo], variables);
  t.regex((await tenant(['show', 'demo'], variables)).stdout, / secret: # not set, so this one is/);
  await tenant(['apply', demo], secrets);
  const { code, stdout } = await tenant(['show', 'demo'], variables);
  t.is(code, 0);
  for (const secret of [callbackSecret, 'demo-secret', 'clerk-secret', 'sealed', 'scrypt']) {
    t.false(stdout.includes(secret), secret);
  }
  t.regex(stdout, /^tenant: demo\nname: Demo Telecom\n/);
  t.regex(stdout, /\nselfServiceProfiles:\n/);
  const filled = stdout
    .replace('secret: # set', `secret: ${callbackSecret}`)
    .replace('password: # set', 'password: demo-secret')
    .replace('password: # set', 'password: clerk-secret')
    .replace('password: # set', 'password: admin-secret');
  const file = join(await folder(t), 'shown.yaml');
  await writeFile(file, filled);
  const again = await tenant(['apply', file], variables);
  t.is(again.stdout, 'nothing changed\n', again.stderr);
  const json = JSON.parse((await tenant(['show', 'demo', '--json'], variables)).stdout);
  t.deepEqual(json.users[0].password, { withheld: 'set' });
  const missing = await tenant(['show', 'nobody'], variables);
  t.is(missing.code, 1);
  t.is(missing.stderr, 'There is no tenant nobody.\n');
});

test('without SECRET_KEY a file with secrets to store is refused, one without is not', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  const variables = { DATABASE_URL: ownerUrl, DEMO_CALLBACK_SECRET: callbackSecret };
  const refused = await tenant(['apply', demo], variables);
  t.is(refused.code, 1);
  t.regex(refused.stderr, /^SECRET_KEY is not set/);
  t.is((await tenant(['apply', join(root, 'tenants/acme.yaml')], variables)).code, 0);
});

test('the running embedded system is found without any setting', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  const dataDir = await folder(t);
  const missing = await tenant(['list'], { DATA_DIR: dataDir });
  t.is(missing.code, 1);
  t.regex(missing.stderr, /^No system runs in .*npm start/);
  const self = { pid: process.pid, startedAt: processStartedAt(process.pid) ?? '' };
  writeEndpoints(dataDir, {
    status: 'ready',
    databaseUrl: ownerUrl,
    processes: { start: self },
  });
  await writeFile(secretKeyFile(dataDir), secretKey);
  const variables = { DATA_DIR: dataDir, DEMO_CALLBACK_SECRET: callbackSecret };
  const applied = await tenant(['apply', demo], variables);
  t.is(applied.code, 0, applied.stderr);
  t.regex((await tenant(['list'], variables)).stdout, /\ndemo /);
});

test('apply creates a missing schema, and other commands report that it is missing', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query('drop schema public cascade; create schema public');
  await owner.end();
  const acme = join(root, 'tenants/acme.yaml');
  for (const args of [['list'], ['apply', acme, '--dry-run']]) {
    const ended = await tenant(args, { DATABASE_URL: ownerUrl });
    t.is(ended.code, 1);
    t.regex(ended.stderr, /has no schema yet/);
  }
  t.is((await tenant(['apply', acme], { DATABASE_URL: ownerUrl })).code, 0);
});

test('failures are reported in words, with exit code 1', async (t) => {
  const nowhere = 'postgres://someone:hidden-word@127.0.0.1:1/none';
  const cases = [
    { args: [], says: /npm run tenant -- COMMAND/ },
    { args: ['aply', demo], says: /^Unknown command aply/ },
    { args: ['apply'], says: /^apply takes one FILE/ },
    { args: ['show'], says: /^show takes one LABEL/ },
    { args: ['apply', demo, '--dryrun'], says: /Unknown option '--dryrun'/ },
    { args: ['apply', 'none.yaml'], says: /^none\.yaml cannot be read/ },
    {
      args: ['list'],
      says: /^The database at 127\.0\.0\.1:1\/none cannot be used: .*ECONNREFUSED/,
    },
  ];
  for (const { args, says } of cases) {
    const ended = await tenant(args, { DATABASE_URL: nowhere });
    t.is(ended.code, 1);
    t.regex(ended.stderr, says);
    t.false(ended.stderr.includes('hidden-word'));
  }
  t.is((await tenant(['--help'], {})).code, 0);
});
