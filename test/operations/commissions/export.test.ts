/** `npm run commissions -- export`: what agents have earned, as CSV. */
import test from 'ava';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command, type Ended } from '../../support/commands.ts';
import { OPERATOR, commandsOf } from '../../support/tenant-command.ts';
import { sharedDatabase } from '../support/books.ts';
import { openAgentShop } from './shop.ts';

const db = await sharedDatabase();
const env = { DATABASE_URL: db.ownerUrl, OPERATOR };
const exported = (...args: readonly string[]): Promise<Ended> =>
  command({ entry: 'cli/commissions.ts', args, env });

/** Two agents of one invoice, which is paid, opened by a refund, and paid again. */
async function openExported() {
  const shop = await openAgentShop(db);
  const customerId = await shop.customer();
  const id = await shop.order({ customerId, contractCode: 'GOLD' });
  await shop.link(id, 'ADA', 'BOB');
  await shop.generate(id);
  await shop.pay({ customerId, amount: '29.95' });
  await shop.advance('2027-02-10');
  await shop.refunded({ customerId, amount: '29.95' });
  return shop;
}

const header =
  '\uFEFFid,dateEarned,agentCode,orderNumber,invoiceNumber,priceCode,commissionCode,code,baseAmount,' +
  'amount,currency,reversalOf';

/** The cells after the id, which differs; a reversal names the row of a number. */
function shown(csv: string): string[] {
  const [first, ...lines] = csv.split('\r\n').filter(Boolean);
  const ids = lines.map((line) => line.split(',')[0]);
  return [
    first ?? '',
    ...lines.map((line) => {
      const cells = line.split(',').slice(1);
      const of = ids.indexOf(cells.at(-1));
      return [...cells.slice(0, -1), of === -1 ? '' : `row ${of + 1}`].join(',');
    }),
  ];
}

test('the export is in the audit log with who asked for it; what is refused is not', async (t) => {
  const shop = await openAgentShop(db);
  await exported('export', shop.label, '--from', '2027-02-30');
  await exported('export', shop.label);
  t.deepEqual(await commandsOf(shop), ['Anna: commissions export']);
});

test('the export lists what was earned and taken back, with a header and CRLF', async (t) => {
  const { label } = await openExported();
  const { stdout } = await exported('export', label);
  t.true(stdout.endsWith('\r\n'));
  t.deepEqual(shown(stdout), [
    header,
    '2027-01-15,ADA,1001,1001,GOLD,STD,REC,29.95,3.00,USD,',
    '2027-01-15,BOB,1001,1001,GOLD,STD,REC,29.95,3.00,USD,',
    '2027-02-10,ADA,1001,1001,GOLD,STD,REC,-29.95,-3.00,USD,row 1',
    '2027-02-10,BOB,1001,1001,GOLD,STD,REC,-29.95,-3.00,USD,row 2',
  ]);
});

test('agent and days choose the rows; a file appears when it is complete', async (t) => {
  const { label } = await openExported();
  const folder = await mkdtemp(join(tmpdir(), 'sundial-export-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const out = join(folder, 'bob.csv');
  const days = ['--from', '2027-02-01', '--to', '2027-02-28'];
  const { stdout } = await exported('export', label, '--agent', 'BOB', ...days, '--out', out);
  t.is(stdout, `1 commissions are in ${out}\n`);
  t.deepEqual(await readdir(folder), ['bob.csv']);
  t.deepEqual(shown(await readFile(out, 'utf8')), [
    header,
    '2027-02-10,BOB,1001,1001,GOLD,STD,REC,-29.95,-3.00,USD,',
  ]);
});

test('an unknown tenant, a day that does not exist and days in the wrong order are refused', async (t) => {
  const { label } = await openAgentShop(db);
  const refusals: readonly (readonly [readonly string[], RegExp])[] = [
    [['export', 'nobody'], /^There is no tenant nobody\.\n$/],
    [['export', label, '--from', '2027-02-30'], /--from must be a date that exists/],
    [['export', label, '--from', '2027-02-02', '--to', '2027-02-01'], /--from is after --to/],
    [['show', label], /^npm run commissions -- export TENANT/],
    [['export', label, '--out', '/nowhere/a.csv'], /ENOENT/],
  ];
  for (const [args, said] of refusals) {
    const { stderr, stdout } = await exported(...args);
    t.regex(stderr, said);
    t.notRegex(stderr, /^\s+at /m);
    t.is(stdout, '');
  }
  t.deepEqual(shown((await exported('export', label)).stdout), [header]);
});
