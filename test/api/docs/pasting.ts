/** Pastes the examples of a page into a shell, each into one of its own, against a new tenant. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { registerCompletionHandler } from 'ava';
import { parse } from 'yaml';
import { ID_FIRST } from '../../../api/docs/examples.ts';
import { makeTenant } from '../../support/tenants.ts';
import type { TestSystem } from '../../support/system.ts';
import { CLOCK } from '../tenant-api.ts';

/** What a page shows of an example. */
export interface Pasted {
  readonly name: string;
  /** What its button copies. */
  readonly script: string;
  readonly status: number;
  readonly answer: string;
}

/** What the shell said. */
export interface Said {
  /** Of all calls of the script. */
  readonly statuses: readonly number[];
  /** As it was printed, with ids counted from 2001. */
  readonly answer: string;
}

const demoFile = join(import.meta.dirname, '../../../tenants/demo.yaml');
const { tenant: _label, callbacks: _callbacks, ...demo } = parse(readFileSync(demoFile, 'utf8'));

/** Makes each call say its status, and nothing of its progress. */
const curlHome = mkdtempSync(join(tmpdir(), 'sundial-curl-'));
registerCompletionHandler(() => rmSync(curlHome, { recursive: true, force: true }));
writeFileSync(
  join(curlHome, '.curlrc'),
  'silent\nshow-error\nnoproxy = "*"\nwrite-out = "%{stderr}status %{http_code}\\n"\n',
);

const run = promisify(execFile);

/** A new tenant like demo, and the shell in which one pastes. */
export async function openShell(
  system: TestSystem,
): Promise<(scripts: readonly string[]) => Promise<Said[]>> {
  const { label } = await makeTenant(system.dependencies, { testClock: CLOCK, file: demo });
  const { port } = new URL(system.apiUrl);
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    CURL_HOME: curlHome,
    BASE: `http://${label}.localhost:${port}/rest`,
    AUTH: 'api@demo:demo-secret',
  };
  return async (scripts) => {
    const steady = steadyIds();
    const said: Said[] = [];
    for (const script of scripts) {
      const { stdout, stderr } = await run('bash', ['-c', script], { env });
      const statuses = [...stderr.matchAll(/^status (\d+)$/gm)].map(([, status]) => Number(status));
      said.push({ statuses, answer: steady(stdout) });
    }
    return said;
  };
}

/** What differs from run to run as the documents show it. */
function steadyIds(): (answer: string) => string {
  const known = new Map<string, string>();
  const steadily = (id: string): string => {
    if (!known.has(id)) known.set(id, String(ID_FIRST + known.size));
    return String(known.get(id));
  };
  return (answer) =>
    answer
      .replaceAll(/ id="(\d+)"/g, (_, id: string) => ` id="${steadily(id)}"`)
      .replaceAll(
        /<(transactionId|approvalCode)>0*(\d+)</g,
        (_, name: string, id: string) => `<${name}>${steadily(`gateway ${id}`).padStart(6, '0')}<`,
      )
      .replaceAll(/<responseTimeMilliSec>\d+</g, '<responseTimeMilliSec>240<')
      .trimEnd();
}

/** The examples of a page as it is served. */
export function examplesShown(html: string): Pasted[] {
  return html.split(/(?=<section class="example")/).flatMap((part) => {
    const [, name] = /^<section class="example" id="([^"]+)"/.exec(part) ?? [];
    if (name === undefined) return [];
    const codes = [...part.matchAll(/<pre [^>]*><code>(.*?)<\/code><\/pre>/gs)];
    const [preparation = '', call = '', answer = ''] = codes.map(([, code = '']) => textOf(code));
    const status = Number(/data-status="(\d+)"/.exec(part)?.[1]);
    return [{ name, script: `${preparation}\n\n${call}\n`, status, answer }];
  });
}

export const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
