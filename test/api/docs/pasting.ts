/** Pastes the examples of a page into a shell, each into one of its own, against a new tenant. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { registerCompletionHandler } from 'ava';
import { parse } from 'yaml';
import { ID_FIRST } from '../../../api/docs/examples/examples.ts';
import { call } from '../../../cli/rest.ts';
import { makeTenant } from '../../support/tenants.ts';
import type { TestSystem } from '../../support/system.ts';
import { CLOCK } from '../tenant-api.ts';

/** What a page shows of an example. */
export interface Pasted {
  readonly name: string;
  /** Whose customer it has: a page of a call has examples of each of its forms. */
  readonly page: string;
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
  readonly errors: string;
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

export interface Shell {
  readonly paste: (scripts: readonly string[]) => Promise<Said[]>;
  /** A page of the documentation, read at the tenant's own address. */
  readonly read: (path: string) => Promise<string>;
}

export interface ShellOptions {
  readonly testClock?: string;
  readonly auth?: string;
  /** The reader names no tenant: the page has the address at which it was read. */
  readonly isAtOwnAddress?: boolean;
}

/** A new tenant like demo, and the shell in which one pastes. */
export async function openShell(system: TestSystem, options: ShellOptions = {}): Promise<Shell> {
  const { testClock = CLOCK, auth = 'api@demo:demo-secret', isAtOwnAddress = false } = options;
  const { label } = await makeTenant(system.dependencies, { testClock, file: demo });
  const { port } = new URL(system.apiUrl);
  const hostName = `${label}.localhost`;
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    CURL_HOME: curlHome,
    ...(isAtOwnAddress ? {} : { BASE: `http://${hostName}:${port}/rest` }),
    AUTH: auth,
  };
  return {
    async read(path) {
      const nobody = { username: '', password: '' };
      return (await call({ apiUrl: system.apiUrl, hostName, ...nobody }, 'GET', path)).body;
    },
    async paste(scripts) {
      const steady = steadyIds();
      const said: Said[] = [];
      for (const script of scripts) {
        // An error of the preparation ends the script with a failure.
        const { stdout, stderr } = await run('bash', ['-c', script], { env }).catch(
          (failed: Printed) => failed,
        );
        const statuses = [...stderr.matchAll(/^status (\d+)$/gm)].map(([, status]) =>
          Number(status),
        );
        said.push({ statuses, answer: steady(stdout), errors: stderr });
      }
      return said;
    },
  };
}

/** What a failed command has printed. */
interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** Of a file. */
const SHOWN_ADDRESS = 'https://demo.example.com/rest/file?token=TOKEN';

const SHOWN_PAGE = 'https://demo.example.com/$1/TOKEN';

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
      .replaceAll(
        /<(id|parentBatchProcess)>(\d+)</g,
        (_, name: string, id: string) => `<${name}>${steadily(id)}<`,
      )
      .replaceAll(/>erased-(\d+)</g, (_, id: string) => `>erased-${steadily(id)}<`)
      .replaceAll(/<jobId>report-(\d+)</g, (_, id: string) => `<jobId>report-${steadily(id)}<`)
      .replaceAll(/http:\/\/[\w.:]+\/rest\/file\?token=[\w.-]+/g, SHOWN_ADDRESS)
      .replaceAll(
        /http:\/\/[\w.:]+\/(signup|widget\/customerHome|pay|action)\/[\w-]{43}/g,
        SHOWN_PAGE,
      )
      .replaceAll(/<validUntil>[\d-]{10}T[\d:]{8}Z</g, '<validUntil>2027-04-15T15:00:00Z<')
      .replaceAll(/<tracking>[\w-]{22}</g, '<tracking>Zk3PqV8mT1xXr0bYw5nJcA<')
      .replaceAll(/<cursor>[\w-]+</g, '<cursor>k3x9<')
      .replaceAll(/<responseTimeMilliSec>\d+</g, '<responseTimeMilliSec>240<')
      .replaceAll(/<auditEntry>.*?<\/auditEntry>/gs, steadyEntry)
      .trimEnd();
}

/** An entry of the audit log has times, addresses and hashes. */
const steadyEntry = (entry: string): string =>
  entry
    .replace(/<sequence>\d+</, '<sequence>7<')
    .replace(/<at>[^<]+</, '<at>2027-01-15T15:00:03.120Z<')
    .replace(/<requestId>[^<]+</, '<requestId>3f0c6e2a<')
    .replace(/<address>[^<]+</, '<address>203.0.113.7<')
    .replaceAll(/>[\da-f]{64}</g, `>${'0'.repeat(64)}<`);

/** The examples of a page as it is served. */
export function examplesShown(html: string): Pasted[] {
  return html.split(/(?=<section class="example")/).flatMap((part) => {
    const [, name, page] =
      /^<section class="example" id="([^"]+)" data-page="([^"]+)"/.exec(part) ?? [];
    if (name === undefined || page === undefined) return [];
    const codes = [...part.matchAll(/<pre [^>]*><code>(.*?)<\/code><\/pre>/gs)];
    const [preparation = '', call = '', answer = ''] = codes.map(([, code = '']) => textOf(code));
    const status = Number(/data-status="(\d+)"/.exec(part)?.[1]);
    return [{ name, page, script: `${preparation}\n\n${call}\n`, status, answer }];
  });
}

export const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
