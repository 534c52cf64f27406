/** What the tests of this folder share: a whole system, a shop, a browser, and a window of it. */
import { Client } from 'pg';
import type { Browser, Frame } from 'playwright-core';
import type { Mailer, OutgoingMail } from '../../../providers/mail/mailer.ts';
import { send, type Received } from '../../api/support.ts';
import { unsentMail } from '../../support/mail.ts';
import { startSystem, type TestSystem } from '../../support/system.ts';
import { PASSWORD } from '../../support/tenants.ts';
import { openShop, type Shop } from './shop.ts';
import { openBrowser, openWindow, type Window } from './window.ts';

export interface Place {
  readonly system: TestSystem;
  readonly shop: Shop;
  readonly browser: Browser;
  /** Of a phone, with scripts. */
  readonly window: Window;
  /** What was sent, in order. */
  readonly mails: readonly OutgoingMail[];
  /** The frame of the shop, which shows the address. */
  readonly framed: (address: string, window?: Window) => Promise<Frame>;
  /** A call of the tenant's own server, or, to an address of its pages, one without a browser. */
  readonly call: (label: string, path: string, more?: CallOptions) => Promise<Received>;
  /** A statement by the owner of the schema, whose transaction is open during `use`. */
  readonly asOwner: <Row extends object>(
    sql: string,
    use?: (client: Client) => Promise<unknown>,
  ) => Promise<Row[]>;
  /** Nothing is stored in the table meanwhile, so that pages wait for it. */
  readonly whileLocked: (table: string, use: () => Promise<void>) => Promise<unknown>;
}

export interface CallOptions {
  readonly method?: string;
  readonly body?: string;
}

let shared: Promise<Place> | undefined;

/** One for all files of this process, whose tests have tenants of their own. */
export function openPlace(): Promise<Place> {
  shared ??= open();
  return shared;
}

async function open(): Promise<Place> {
  const mails: OutgoingMail[] = [];
  const [system, shop, browser] = await Promise.all([
    // So short that pages which wait are seen, and so long that most are not.
    startSystem({ paymentWaitSeconds: 2, mail: { ...unsentMail(), mailer: keeping(mails) } }),
    openShop(),
    openBrowser(),
  ]);
  const window = await openWindow(browser);
  const port = Number(new URL(system.apiUrl).port);
  return {
    system,
    shop,
    browser,
    window,
    mails,
    framed: (address, own = window) =>
      own.open(`${shop.origin}/frame?address=${encodeURIComponent(address)}`),
    call(label, path, { method = 'GET', body } = {}) {
      const isRest = path.startsWith('/rest/');
      return send(port, {
        method,
        path,
        host: `${label}.localhost`,
        auth: isRest ? `api@test:${PASSWORD}` : null,
        ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/xml' } }),
      });
    },
    asOwner: (sql, use) => asOwner(system, sql, use),
    whileLocked: (table, use) =>
      asOwner(system, `begin; lock table ${table} in share mode`, async (client) => {
        await use();
        await client.query('commit');
      }),
  };
}

export async function closePlace(): Promise<void> {
  await (await shared)?.browser.close();
}

function keeping(mails: OutgoingMail[]): Mailer {
  return {
    destination: 'the tests',
    check: () => Promise.resolve(null),
    send(mail) {
      mails.push(mail);
      return Promise.resolve({ outcome: 'sent' });
    },
    close: () => undefined,
  };
}

async function asOwner<Row extends object>(
  { ownerUrl }: TestSystem,
  sql: string,
  use: (client: Client) => Promise<unknown> = () => Promise.resolve(),
): Promise<Row[]> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(sql);
    await use(client);
    return rows;
  } finally {
    await client.end();
  }
}
