/** Processes of several releases on one database, one Temporal and one mailbox. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import {
  call,
  parse,
  text,
  type RestAnswer,
  type RestTarget,
  type Xml,
} from '../../../cli/rest.ts';
import { openLogFile } from '../../../cli/start/log-file.ts';
import { startNodeChild } from '../../../cli/start/node-child.ts';
import { childEnvironment, loadConfig } from '../../../config.ts';
import { choosePort } from '../../../providers/embedded/ports.ts';
import { temporalBinary } from '../../../providers/temporal/binary.ts';
import { startTemporal } from '../../../providers/temporal/server.ts';
import { autopay, card } from '../../api/payments/bodies.ts';
import { openInbox } from '../../providers/mail/inbox.ts';
import { testDatabase } from '../../support/database.ts';
import { testFolder } from '../../support/folder.ts';
import { administer } from '../../support/template.ts';
import { SECRET_KEY } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import type { Release } from './releases.ts';

export interface Part {
  readonly stop: () => Promise<void>;
  /** SIGKILL; resolves when the process is gone. */
  readonly kill: () => Promise<void>;
  /** The file of its log. */
  readonly log: string;
}

export interface Api extends Part {
  readonly url: string;
}

export type Fleet = Awaited<ReturnType<typeof openFleet>>;

type Settings = Readonly<Record<string, string>>;

/** What the processes of a fleet share. */
export interface Servers {
  readonly ownerUrl: string;
  readonly engine: { readonly address: string; readonly namespace: string };
  /** How processes reach the servers, and other settings of theirs. */
  readonly settings: Settings;
}

export interface ServersOptions {
  readonly folder: string;
  readonly signal: AbortSignal;
}

const namespace = 'default';
const quiet = (): void => undefined;

/** The database is empty: a release makes the schema. Temporal is the development server. */
async function developmentServers(
  t: ExecutionContext,
  { folder, signal }: ServersOptions,
): Promise<Servers> {
  const { ownerUrl } = await testDatabase(t);
  await administer(ownerUrl, 'drop schema public cascade', 'create schema public');
  const { temporalCliPath: cliPath, searchPath, cacheDir } = loadConfig();
  const binary = await temporalBinary({ cliPath, searchPath, cacheDir, signal, onProgress: quiet });
  const port = await choosePort({ variable: 'TEMPORAL_PORT', wanted: undefined });
  const temporal = await startTemporal({ binary, folder, headless: true, namespace, port, signal });
  t.teardown(() => temporal.stop());
  const engine = { address: temporal.address, namespace };
  return { ownerUrl, engine, settings: { DATABASE_URL: ownerUrl, SECRET_KEY } };
}

export async function openFleet(t: ExecutionContext, open = developmentServers) {
  const folder = testFolder(t);
  const stopping = new AbortController();
  const { signal } = stopping;
  const { ownerUrl, engine, settings } = await open(t, { folder, signal });
  const inbox = await openInbox();
  const parts = new Set<Part>();
  // Before the servers are stopped: what is registered later ends first.
  t.teardown(async () => {
    await Promise.all([...parts].map((part) => part.stop()));
    await inbox.close();
    stopping.abort();
  });
  const env = (own: Settings = {}) =>
    childEnvironment({
      TEMPORAL_ADDRESS: engine.address,
      TEMPORAL_NAMESPACE: engine.namespace,
      DATA_DIR: folder,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      SMTP_URL: inbox.url,
      WORKFLOW_BUNDLE: undefined,
      ...settings,
      ...own,
    });
  let started = 0;
  const start = async (release: Release, entry: string, own: Settings = {}): Promise<Part> => {
    started += 1;
    const name = `${started}-${entry.replaceAll('/', '-')}`;
    const file = join(folder, `${name}.log`);
    const log = openLogFile(file, quiet);
    const child = { name, entry: join(release.root, entry), env: env(own), log, signal };
    const part = await startNodeChild({ ...child, say: quiet, onProcess: quiet });
    const kept: Part = {
      log: file,
      async stop() {
        if (parts.delete(kept)) await part.stop();
      },
      async kill() {
        parts.delete(kept);
        part.server.child.kill('SIGKILL');
        await part.server.exited;
      },
    };
    parts.add(kept);
    return kept;
  };
  return {
    ownerUrl,
    engine,
    inbox,
    worker: (release: Release, own?: Settings) => start(release, 'activities/worker.ts', own),
    /** @param port a free one by default */
    async api(release: Release, port?: number): Promise<Api> {
      const own = port ?? (await choosePort({ variable: 'PORT', wanted: undefined }));
      const part = await start(release, 'api/main.ts', { PORT: String(own) });
      return { ...part, url: `http://127.0.0.1:${own}` };
    },
    /** What a command prints; rejects with what it says if it fails. */
    async command(release: Release, entry: string, ...args: readonly string[]): Promise<string> {
      const options = { cwd: release.root, env: env() };
      const run = promisify(execFile)(
        process.execPath,
        [join(release.root, entry), ...args],
        options,
      );
      return (await run).stdout;
    },
  };
}

export const LABEL = 'rolling';

/** Prepaid, 10.00 a month, paid by card, with mails of all that happens. */
export const tenantFile = `
tenant: ${LABEL}
name: Rolling
timezone: UTC
currency: USD
testClock: 2027-01-01T12:00:00Z
users:
  - { username: api@test, password: rolling-secret, roles: [ROLE_API] }
notifications:
  from: billing@rolling.example
  enabled: [newInvoice, newOrder, paymentReceived, paymentFailed]
plans:
  - contractCode: P
    name: Plan
    billingPeriod: Monthly
    charges:
      - { priceCode: FEE, invoiceText: Fee, chargeType: RecurringCharge, pricingType: FixedPricing, price: 10.00, isPrepaid: true }
`;

const targetOf = ({ url }: Api): RestTarget => ({
  apiUrl: url,
  hostName: `${LABEL}.localhost`,
  username: 'api@test',
  password: 'rolling-secret',
});

/** As callers do: a call that a busy machine has not taken, which changed nothing, is sent again. */
async function taken(...sent: Parameters<typeof call>): Promise<Xml> {
  let answer: RestAnswer | undefined;
  await until('the call is taken', async () => {
    answer = await call(...sent);
    return !answer.body.includes('service.unavailable');
  });
  const { status = 0, body = '' } = answer ?? {};
  if (status < 200 || status >= 300) throw new Error(`${sent[1]} ${sent[2]}: ${status}: ${body}`);
  return parse(body);
}

/** A customer with a card on file and an order that pays itself, by one call after the other. */
async function placeOrder(api: Api, name: string): Promise<void> {
  const target = targetOf(api);
  const contact = `<firstName>${name}</firstName><emailPrimary>${name}@customer.example</emailPrimary>`;
  const customer = `<customer><billingContact>${contact}</billingContact></customer>`;
  const id = text(await taken(target, 'POST', '/rest/customers', customer), '@id');
  const method = autopay(card({ more: '<autopayPreference>1</autopayPreference>' }));
  await taken(target, 'PUT', `/rest/customer/${id}/autopay`, method);
  const order =
    `<subscriptionOrder><customer id="${id}"/><contractCode>P</contractCode>` +
    '<isAutoPay>true</isAutoPay></subscriptionOrder>';
  await taken(target, 'POST', '/rest/orders?generateInvoice=true', order);
}

/** Orders one after the other, by each API in turn; none may be refused for good. Returns how many. */
export async function placeOrders(
  apis: readonly Api[],
  prefix: string,
  count: number,
): Promise<number> {
  for (let placed = 0; placed < count; placed += 1) {
    const api = apis[placed % apis.length];
    if (api) await placeOrder(api, `${prefix}${placed}`);
  }
  return count;
}

/** Resolves when the clock has reached the day, with all that is due by then. */
export async function advance(api: Api, to: string): Promise<void> {
  const target = targetOf(api);
  await taken(target, 'POST', `/rest/testClock?advanceTo=${to}`);
  await until(`the clock is at ${to}`, async () => {
    const { body } = await call(target, 'GET', '/rest/testClock');
    return /Ready/.test(body);
  });
}
