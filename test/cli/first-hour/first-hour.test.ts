/** A newcomer's first hour with one system: what the start says, the README, the demo, an own tenant. */
import test, { type ExecutionContext } from 'ava';
import { execFile, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { done, text } from '../../../cli/rest.ts';
import { childEnvironment } from '../../../config.ts';
import { readEndpoints } from '../../../providers/embedded/endpoints.ts';
import { choosePort } from '../../../providers/embedded/ports.ts';
import { testFolder } from '../../support/folder.ts';
import { isLong } from '../../support/random.ts';
import { NPM_START, startProcess, type StartProcess } from '../../support/start-process.ts';
import { until } from '../../support/until.ts';
import { blocksOf, compact, patternOf, readmeSteps, stepsOf } from './blocks.ts';
import { openShell, type Shell } from './shell.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const LINE_LENGTH_MAX = 100;

interface System {
  readonly start: StartProcess;
  readonly apiUrl: string;
  readonly env: NodeJS.ProcessEnv;
}

const ends: (() => unknown)[] = [];
const untilEnd = { teardown: (end: () => unknown) => void ends.push(end) };

let system: System | undefined;

const DEMO = 'npm run demo';

/** What the demo told when it was pasted from the README. */
let firstStory = '';

function started(): System {
  if (!system) throw new Error('the system has not started');
  return system;
}

test.before('the system starts on a folder of its own', async () => {
  const folder = testFolder(untilEnd);
  // Another test starts by npm, with a worker that bundles the workflows itself.
  const start = startProcess(untilEnd, folder, isLong ? { command: NPM_START } : {});
  await start.said(/Ctrl-C stops everything/);
  const apiUrl = readEndpoints(folder)?.apiUrl ?? '';
  // The README's own address is answered by this system, whatever its port.
  writeFileSync(join(folder, '.curlrc'), `connect-to = "::127.0.0.1:${new URL(apiUrl).port}"\n`);
  const env = childEnvironment({
    DATA_DIR: folder,
    CURL_HOME: folder,
    DATABASE_URL: undefined,
    TEMPORAL_ADDRESS: undefined,
    FORCE_COLOR: undefined,
    NO_COLOR: undefined,
  });
  system = { start, apiUrl, env };
});

test.after.always('it stops', async () => {
  for (const end of ends.toReversed()) await end();
});

test.serial(
  'every address that the start prints answers, and so does its first call',
  async (t) => {
    const said = started().start.output();
    const resolve = /\((?:needs curl )(--resolve \S+)\)/.exec(said)?.[1] ?? '';
    for (const [what, status] of [
      ['Documentation', '200'],
      ['Temporal Web UI', '200'],
      // Without credentials.
      ['API', '401'],
    ] as const) {
      const address = new RegExp(`^${what} +(http\\S+)$`, 'm').exec(said)?.[1] ?? '';
      const curl = `curl -sL -o /dev/null -w '%{http_code}' ${resolve} ${address}`;
      t.is((await run('sh', ['-c', curl])).stdout, status, curl);
    }
    const curl = /^ {2}(curl .*)$/m.exec(said)?.[1] ?? '';
    const { stdout } = await run('sh', ['-c', `${curl} -fsS`]);
    t.regex(stdout, /^ +<contractCode>GOLD<\/contractCode>$/m);
  },
);

test.serial(
  'the README pastes as it stands, after the demo and, in the long run, without it',
  async (t) => {
    const steps = readmeSteps();
    t.true(steps.filter(({ shown }) => shown !== undefined).length >= 8, 'most show an answer');
    const shell = openShell(t, { cwd: root, env: started().env });
    const target = {
      apiUrl: started().apiUrl,
      hostName: 'tour.localhost',
      username: 'api@tour',
      password: 'tour-secret',
    };
    const withoutDemo = steps.filter(({ commands }) => commands !== DEMO);
    for (const walk of isLong ? [withoutDemo, steps] : [steps]) {
      for (const { commands, shown } of walk) {
        const pasted = await shell.paste(commands);
        t.is(pasted.code, 0, `${commands}\n${pasted.stderr}`);
        if (commands === DEMO) firstStory = pasted.stdout;
        const answer = await settled(shell, pasted.stdout);
        if (shown === undefined) t.notRegex(answer, /<success>false|^curl: /m, commands);
        else {
          // The walk is in the year that its clock shows.
          const clock = await done(target, 'GET', '/rest/testClock');
          const year = Number(text(clock, 'now').slice(0, 4));
          t.regex(compact(answer), patternOf(shown, year), commands);
        }
      }
    }
  },
);

/** A call that takes longer than its limit answers 202: the rest happens meanwhile. */
async function settled(shell: Shell, answer: string, tenant = 'sundial "$tour'): Promise<string> {
  let last = answer;
  if (last.includes('<status>Advancing</status>')) {
    await until('the clock is there', async () => {
      last = (await shell.paste(`${tenant}/testClock"`)).stdout;
      return last.includes('<status>Ready</status>');
    });
  }
  const payment = /<payment id="(\d+)">.*<status>Pending</s.exec(last)?.[1];
  if (payment === undefined) return last;
  await until('the payment is final', async () => {
    last = (await shell.paste(`${tenant}/payment/${payment}"`)).stdout;
    return !last.includes('<status>Pending</status>');
  });
  return last;
}

test.serial('the guide “Your own tenant” pastes as it stands', async (t) => {
  const folder = testFolder(t);
  const port = await choosePort({ variable: 'PORT', wanted: undefined });
  /** Its files are in a folder of the test, and its receiver has a free port. */
  const ours = (text: string): string =>
    text.replaceAll(/(shop\.yaml|invoice\.pdf)/g, `${folder}/$1`).replaceAll('9090', String(port));
  const blocks = blocksOf('docs/guides/own-tenant.md');
  const [file = ''] = blocks.flatMap(({ language, text: yaml }) =>
    language === 'yaml' ? [yaml] : [],
  );
  writeFileSync(join(folder, 'shop.yaml'), ours(file));
  const receiver = blocks.find(({ language }) => language === '')?.text ?? '';
  const heard = spawn('sh', ['-c', `exec ${ours(receiver)}`], { cwd: root });
  t.teardown(() => heard.kill());
  let events = '';
  heard.stdout.setEncoding('utf8').on('data', (words: string) => (events += words));
  await until('the receiver listens', () => Promise.resolve(events.includes('ready')));
  const steps = stepsOf(blocks.filter(({ language }) => ['sh', 'xml'].includes(language)));
  t.true(steps.length >= 10);
  const shell = openShell(t, { cwd: root, env: started().env });
  for (const { commands, shown } of steps) {
    const pasted = await shell.paste(ours(commands));
    t.is(pasted.code, 0, `${commands}\n${pasted.stderr}`);
    const answer = await settled(shell, pasted.stdout, 'call "$shop');
    if (shown === undefined) t.notRegex(answer, /<success>false|^curl: /m, commands);
    else t.regex(compact(answer), patternOf(shown, 2027), commands);
  }
  // Three months and a credit note.
  await until('the events have come', () =>
    Promise.resolve(events.split('invoice.created').length > 4),
  );
  t.is(readFileSync(join(folder, 'invoice.pdf')).subarray(0, 5).toString(), '%PDF-');
});

const demo = (env: NodeJS.ProcessEnv) =>
  run('npm', ['run', '--silent', 'demo'], { cwd: root, env });

test.serial('the demo tells a story, again and again, in lines that fit a terminal', async (t) => {
  const { env } = started();
  const stories = isLong ? [firstStory, (await demo(env)).stdout] : [firstStory];
  const starts = stories.map((story) => /stands at (\S+)\./.exec(story)?.[1] ?? '');
  t.deepEqual(starts, [...new Set(starts)].toSorted(), 'each goes on from where the clock stands');
  for (const story of stories) {
    const headings = [...story.matchAll(/^(.+)\n═+$/gm)].map(([, words]) => words);
    t.deepEqual(headings, [
      'A demo of Sundial',
      'Seven customers order',
      'A quote, and the order that it binds',
      'Moving in from another system',
      'A bank that asks its customer',
      'Four months pass',
      'The invoices',
      'Ada Lovelace',
      'Bell Voice Ltd',
      'Cassini Observatory',
      'Dirac Instruments',
      'Euler Print',
      'Fourier Sound',
      'Galois Algebra',
      'What became of the quote',
      'An upgrade in the middle of a month',
      'Usage, in time, late and corrected',
      'Payments, credits and refunds',
      'A debt, and a payment plan',
      'What the sales agent has earned',
      'What the customers owe',
      'Trials, and a new card',
      'The callbacks',
      'The audit',
      'The aged list, and the revenue of the month',
      'Where to look',
    ]);
    t.regex(story, /\nNo inconsistencies found\.\n/);
    t.true(story.trimEnd().endsWith('npm run demo'));
    const wide = story.split('\n').filter((line) => line.length > LINE_LENGTH_MAX);
    t.deepEqual(wide, []);
    t.false(story.includes('\u001B'), 'no colour where there is no terminal');
    await isTrue(t, story);
    areQuoted(t, story);
    isMetered(t, story);
    isSold(t, story);
    // 49.00 + 29.95, and 8.875 percent of the latter: 81.61.
    t.regex(story, /payment\s+\d+\s+of\s+81\.61\s+USD\s+is\s+ActionRequired/);
    t.regex(story, /“Confirm\s+and\s+pay\s+\$81\.61”[^]*payment\s+\d+\s+is\s+Paid\./);
    const [, came = '', expected = ''] = /It got\s+(\d+)\s+of\s+(\d+)\s+events/.exec(story) ?? [];
    t.is(came, expected);
    t.true(Number(came) > 10, `${came} callbacks`);
  }
});

/** What the agent has earned sums up, with the bonus of each order. */
function isStatement(t: ExecutionContext, story: string): void {
  const [, told = ''] = story.split('What the sales agent has earned\n');
  const rows = [...told.matchAll(/^\d{4}-\d\d-\d\d .* (-?\d+\.\d\d)$/gm)].map(([, amount = '']) =>
    Number(amount.replace('.', '')),
  );
  const [, total = ''] = /Statement from \S+ to \S+ +(-?\d+\.\d\d)$/m.exec(told) ?? [];
  t.true(rows.length > 8);
  t.is(
    Number(total.replace('.', '')),
    rows.reduce((sum, amount) => sum + amount, 0),
  );
  t.true(told.includes('STD-REC') && told.includes('STD-SIGN'));
}

/** A trial is billed from the day after its end on, the one that ended is not, and the new card pays. */
function isSold(t: ExecutionContext, story: string): void {
  const day = String.raw`(\d{4}-\d\d-\d\d)`;
  const [, to = '', first = ''] =
    new RegExp(`^Hertz Radio +\\d+ +Active +${day} +${day} +\\d+$`, 'm').exec(story) ?? [];
  t.is(first, Temporal.PlainDate.from(to).add({ days: 1 }).toString());
  t.regex(story, new RegExp(`^Ives Interiors +\\d+ +Complete +${day} +0$`, 'm'));
  t.regex(story, new RegExp(`^Joule Heating +\\d+ +Active +${day} +${day} +\\d+$`, 'm'));
}

/** The balances follow from what is told, and the links lead to what they name. */
async function isTrue(t: ExecutionContext, story: string): Promise<void> {
  const [, balances = '', aged = ''] = story.split(/What the customers owe|The aged list, and/);
  const rows = rowsOf(balances);
  t.is(rows.length, 8);
  for (const [invoiced = 0, paid = 0, credited = 0, refunded = 0, balance] of rows) {
    t.is(balance, invoiced - paid - credited + refunded);
    t.true(invoiced > 0);
  }
  // By days past due, without what is nothing: the ledger comes to the same balances.
  const owed = rows.slice(0, -1).map((row) => row.at(-1));
  t.deepEqual(
    rowsOf(aged).map((row) => row.at(-1)),
    owed.filter((balance) => balance !== 0),
  );
  t.true(story.includes('declined: '), 'a card declines');
  const steps = [...story.matchAll(/^\d{4}-\d\d-\d\d {2}Dirac Instruments {2,}(\S+ → \S+)$/gm)];
  t.deepEqual(
    steps.map(([, step]) => step),
    ['Active → Overdue1', 'Overdue1 → Overdue2', 'Overdue2 → Suspended1', 'Suspended1 → Active'],
  );
  t.true(story.includes('4 installments of 60.00; 0 remain'));
  isStatement(t, story);
  const [, number, page = ''] = /Invoice (\d+) as a page.*\n +(\S+)/.exec(story) ?? [];
  const curl = [
    '-fsS',
    '-u',
    'api@demo:demo-secret',
    '--resolve',
    `${new URL(page).host}:127.0.0.1`,
  ];
  const { stdout } = await run('curl', [...curl, page]);
  t.regex(stdout, /^<!doctype html>/i);
  t.true(stdout.includes(number ?? 'none'));
  const workflow = /Order \d+ in the Temporal Web UI.*\n +(\S+)/.exec(story)?.[1] ?? '';
  t.regex(workflow, /\/namespaces\/default\/workflows\/order%2Fdemo%2F\d+$/);
  t.is((await fetch(workflow)).status, 200);
}

/** The amounts of each customer, and of all, in cents. */
const rowsOf = (table: string): number[][] =>
  [...table.matchAll(/^(?:Ada|Bell|Cassini|Dirac|Euler|Fourier|Galois|All) .*$/gm)].map(([row]) =>
    amountsIn(row).map((amount) => Number(amount.replace('.', ''))),
  );

const amountsIn = (words: string): string[] => words.match(/-?\d+\.\d\d\b/g) ?? [];

/** Two of GOLD with WELCOME10, and 8.875 percent of tax on its fee: by hand. */
function areQuoted(t: ExecutionContext, story: string): void {
  const [, quoted = ''] = story.split('A quote, and the order that it binds');
  const items = quoted.split('The order is posted')[0] ?? '';
  t.deepEqual(amountsIn(items), ['49.00', '-4.90', '59.90', '-5.99', '4.78', '102.79']);
  const [, became = ''] = story.split('What became of the quote');
  const rows = became
    .split('An upgrade in the middle of a month')[0]
    ?.split('\n')
    .filter((row) => /^(?:\d|All)/.test(row));
  t.deepEqual(rows?.map(amountsIn), [
    ['108.90', '-10.89', '4.78', '102.79'],
    ['59.90', '-5.99', '4.78', '58.69'],
    ['59.90', '-5.99', '4.78', '58.69'],
    // The coupon is for three periods. 8.875 percent of 59.90 is 5.32.
    ['59.90', '0.00', '5.32', '65.22'],
    ['59.90', '0.00', '5.32', '65.22'],
    ['348.50', '-22.87', '24.98', '350.61'],
  ]);
  t.true(became.includes('The quote said 102.79, and the first invoice is 102.79.'));
}

/** Of 180 minutes in the first month; of 130, and -20 of the 70, in the second one. */
function isMetered(t: ExecutionContext, story: string): void {
  const [, told = ''] = story.split('Usage, in time, late and corrected');
  const [records = '', charges = ''] = told
    .split('Payments, credits and refunds')[0]
    ?.split('Usage on invoice') ?? ['', ''];
  const rows = records.split('\n').filter((row) => /^\d+-calls-/.test(row));
  t.deepEqual(rows.flatMap(amountsIn), ['6.38', '10.02', '3.82', '8.58', '-1.82']);
  t.deepEqual(amountsIn(charges), ['-1.82', '10.00', '2.40', '10.58']);
}

test.serial('the demo is in colour on a terminal, unless NO_COLOR is set', async (t) => {
  const { env } = started();
  const onTerminal = async (extra: Record<string, string>): Promise<string> => {
    const command = ['-qec', `${process.execPath} cli/demo.ts`, '/dev/null'];
    // Node takes the terminal of a CI for one without colour.
    const colourful = { ...env, TERM: 'xterm-256color', CI: undefined };
    const options = { cwd: root, env: { ...colourful, ...extra } };
    const demoOnTerminal = spawn('script', command, {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for await (const chunk of demoOnTerminal.stdout.setEncoding('utf8')) {
      said += chunk;
      // The first paragraph is enough, and a demo of its own takes long.
      if (said.includes('Amounts are in')) break;
    }
    demoOnTerminal.kill();
    return said;
  };
  const coloured = await onTerminal({});
  t.true(coloured.includes('\u001B[1m'), coloured);
  const plain = await onTerminal({ NO_COLOR: '1' });
  t.true(plain.includes('A demo of Sundial'));
  t.false(plain.includes('\u001B['));
});
