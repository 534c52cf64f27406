/** Runs each program in examples/ as it is, if its language is installed. */
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { PASSWORD } from '../../support/tenants.ts';
import { startTenantApi, valueOf } from '../../api/tenant-api.ts';
import { java } from './java.ts';

const api = await startTenantApi();
const folder = join(import.meta.dirname, '../../../examples');
const run = promisify(execFile);

interface Program {
  readonly language: string;
  readonly command: readonly [string, ...string[]];
  /** The command that must exist to run the program. */
  readonly needs: readonly (readonly [string, ...string[]])[];
}

const programs: readonly Program[] = [
  {
    language: 'curl',
    command: ['bash', join(folder, 'first-order.sh')],
    needs: [
      ['bash', '--version'],
      ['curl', '--version'],
    ],
  },
  {
    language: 'TypeScript',
    command: [process.execPath, join(folder, 'first-order.ts')],
    needs: [],
  },
  {
    language: 'Python',
    command: ['python3', join(folder, 'first_order.py')],
    needs: [['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 9))']],
  },
  {
    language: 'Java',
    command: [...java, join(folder, 'FirstOrder.java')],
    needs: [['java', '--list-modules']],
  },
];

const isThere = ([command, ...rest]: readonly [string, ...string[]]): boolean =>
  spawnSync(command, rest, { stdio: 'ignore' }).status === 0;

for (const { language, command, needs } of programs) {
  const missing = needs.filter((need) => !isThere(need)).map(([name]) => name);
  const title = `the first order in ${language}`;
  if (missing.length > 0) {
    // Printed with the results, so that a skipped language is visible.
    test.skip(`${title} is left out: ${missing.join(', ')} is not here or too old`, () =>
      undefined);
    continue;
  }
  test(`${title} says how it is used when it is called otherwise`, async (t) => {
    const [program, ...first] = command;
    for (const wrong of [[], ['http://127.0.0.1:8080', 'demo.localhost', 'api@demo']]) {
      const failure: unknown = await run(program, [...first, ...wrong]).catch((error) => error);
      const ended = failure as {
        readonly code: number;
        readonly stdout: string;
        readonly stderr: string;
      };
      t.is(ended.code, 2);
      t.is(ended.stdout, '');
      const [usage = '', example = '', ...more] = ended.stderr.split('\n');
      t.regex(usage, /^usage: \w+ [\w.-]+ ADDRESS HOST USER PASSWORD$/);
      t.regex(example, /^for example: \w+ [\w.-]+ http:\S+ demo\.localhost api@demo demo-secret$/);
      t.deepEqual(more, ['']);
    }
  });
  test(title, async (t) => {
    const own = await api.another();
    const [program, ...first] = command;
    const rest = [`http://127.0.0.1:${own.port}`, `${own.label}.localhost`, 'api@test', PASSWORD];
    const { stdout, stderr } = await run(program, [...first, ...rest]);
    const list = (await own.get('/customers')).body;
    t.is(
      stdout,
      `customer ${valueOf(list, 'customer@id')}\norder 1001\n` +
        'invoice 1001 of 2027-01-01 over 78.95, due 2027-01-31\n',
    );
    t.is(stderr, '');
    const refused = [`http://127.0.0.1:${own.port}`, `${own.label}.localhost`, 'api@test', 'wrong'];
    const failure: unknown = await run(program, [...first, ...refused]).catch((error) => error);
    const { code, stderr: said } = failure as { readonly code?: number; readonly stderr?: string };
    t.truthy(code);
    t.regex(String(said), /401/);
    t.false(String(said).includes('wrong'));
  });
}
