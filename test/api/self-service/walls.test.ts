/**
 * Every page and form below a session's token, whatever it shows: who gets it, what else it refuses,
 * and the headers of each answer. The routes are all that there are.
 */
import test, { type ExecutionContext } from 'ava';
import type { Route } from '../../../api/calls/route-types.ts';
import { allRoutes } from '../../../api/resources/routes.ts';
import { noteAsserted } from '../../support/asserted.ts';
import { keyIn } from '../signups/page-calls.ts';
import { quiet, send, type Received } from '../support.ts';
import { valueOf, type TenantApi } from '../tenant-api.ts';
import { customerOf, openSelfService, pageOf, setTimes, SITE, withProfiles } from './calls.ts';

const api = await openSelfService();
const HOME = '/widget/customerHome/:token';
const below = allRoutes(quiet({ db: api.db, realNow: Date.now })).filter(({ path }) =>
  path.startsWith(HOME),
);
const pages = below.filter(({ method }) => method === 'GET');
const forms = below.filter(({ method }) => method === 'POST');
const LOGIN = `${SITE}/login`;

const everything = {
  allowProfileEdit: 'true',
  showPayments: 'true',
  editOrderOptions: 'Cancel,CancelAtEnd,Upgrade,Downgrade,New',
} as const;
const nothing = {
  showNavigationBar: 'false',
  showStatements: 'false',
  showPayments: 'false',
  allowPayments: 'false',
  allowProfileEdit: 'false',
  editOrderOptions: 'none',
} as const;

interface Opened {
  readonly own: TenantApi;
  /** Of a customer's first page. */
  readonly home: string;
}

async function opened(switches: Readonly<Record<string, string>> = everything): Promise<Opened> {
  const own = await api.another(withProfiles);
  const customerId = await customerOf(own, 'Ada');
  return { own, home: await pageOf(own, { customerId, ...switches }) };
}

interface Asking {
  readonly id?: string;
  readonly formKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function ask(
  { own, home }: Opened,
  { method, path }: Route,
  { id = '1', formKey = '', headers = {} }: Asking = {},
): Promise<Received> {
  const address = path.replace(HOME, home).replace(':id', id);
  const at = { method, path: address, host: `${own.label}.localhost`, auth: null } as const;
  if (method === 'GET') return send(own.port, { ...at, headers });
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams({ formKey }).toString();
  return send(own.port, { ...at, headers: { ...type, ...headers }, body });
}

const named = ({ method, path }: Route): string => `${method} ${path.slice(HOME.length)}`;

async function allAnswer(
  t: ExecutionContext,
  at: Opened,
  routes: readonly Route[],
  expected: readonly [status: number, location?: string],
): Promise<void> {
  t.true(routes.length > 0);
  for (const route of routes) {
    const { status, headers } = await ask(at, route);
    const [wanted, location] = expected;
    t.deepEqual([status, headers.location], [wanted, location], named(route));
  }
}

test('without the token of a session there is nothing, nor on the host of another tenant', async (t) => {
  const at = await opened();
  await allAnswer(t, { ...at, home: HOME.replace(':token', 'x'.repeat(43)) }, below, [404]);
  await allAnswer(t, { ...at, own: await api.another(withProfiles) }, below, [404]);
});

test('once a session has ended, every page and form leads to the login, and after a day to nothing', async (t) => {
  const at = await opened();
  await setTimes(at.own, 'ended_at = now()');
  await allAnswer(t, at, below, [303, LOGIN]);
  await setTimes(
    at.own,
    `ended_at = null, started_at = now() - interval '26 hours',
     expires_at = now() - interval '24 hours 1 second'`,
  );
  await allAnswer(t, at, below, [404]);
});

test('a form needs a key of its own, and an origin of its own', async (t) => {
  const at = await opened();
  const home = pages.find(({ path }) => path === HOME);
  const formKey = home === undefined ? '' : keyIn(await ask(at, home));
  t.not(formKey, '');
  for (const form of forms.filter(({ path }) => !path.endsWith('/logout'))) {
    t.is((await ask(at, form, { formKey })).status, 403, named(form));
  }
  for (const form of forms) {
    t.is((await ask(at, form)).status, 403, named(form));
    const foreign = { headers: { origin: 'https://evil.example' } };
    t.is((await ask(at, form, { ...foreign, formKey })).status, 403, named(form));
    const other = { headers: { 'content-type': 'text/plain' } };
    t.is((await ask(at, form, { ...other, formKey })).status, 415, named(form));
  }
});

/** A payment is also shown to the session that made it. */
const isForOwnPayment = ({ path }: Route): boolean => path.startsWith(`${HOME}/payments/:id`);
const isAlwaysThere = ({ path }: Route): boolean => path === HOME || path.endsWith('/logout');

test('what is switched off is 403, whatever it would show', async (t) => {
  const at = await opened(nothing);
  const off = below.filter((route) => !isAlwaysThere(route) && !isForOwnPayment(route));
  await allAnswer(t, at, off, [403]);
  noteAsserted('page.switchedOff');
  const home = pages.find(({ path }) => path === HOME);
  if (home === undefined) return t.fail();
  const { body } = await ask(at, home);
  const links = [...body.matchAll(/href="([^"]*)"/g)].map(([, to]) => to);
  t.deepEqual([...new Set(links)], ['/css/signup.css', '#content', at.home]);
});

test('the ids of another customer are 404', async (t) => {
  const at = await opened();
  const bea = await customerOf(at.own, 'Bea');
  const { body } = await at.own.post(
    '/orders?generateInvoice=true',
    `<subscriptionOrder><customer id="${bea}"/><contractCode>FEE</contractCode>
     <orderLineItems><orderLineItem><priceCode>FEE</priceCode><quantity>1</quantity>
     </orderLineItem></orderLineItems></subscriptionOrder>`,
  );
  const order = valueOf(body, 'subscriptionOrder@id') ?? body;
  const [invoice] = await at.own.asOwner<{ id: string }>(
    `select id from invoice where customer_id = ${bea}`,
  );
  const paid = await at.own.post(
    '/payments',
    `<processPayment><customer id="${bea}"/><amount>1.00</amount>
     <paymentMethodDTO type="Cash"><cashPaymentMethod/></paymentMethodDTO></processPayment>`,
  );
  const ids = {
    orders: order,
    invoices: invoice?.id ?? '',
    payments: valueOf(paid.body, 'payment@id') ?? '',
  };
  for (const id of Object.values(ids)) t.regex(id, /^\d+$/);
  for (const page of pages.filter(({ path }) => path.includes(':id'))) {
    for (const [kind, id] of Object.entries(ids)) {
      if (page.path.startsWith(`${HOME}/${kind}/`))
        t.is((await ask(at, page, { id })).status, 404, named(page));
    }
    t.is((await ask(at, page, { id: 'x' })).status, 404, named(page));
  }
  t.pass();
});

test('every page has the headers of hosted pages, names the customer, and sets no cookie', async (t) => {
  const at = await opened();
  for (const page of pages.filter(({ path }) => !path.includes(':id'))) {
    const { status, headers, body } = await ask(at, page);
    t.is(status, 200, named(page));
    t.like(headers, {
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    });
    t.is(headers['set-cookie'], undefined, named(page));
    t.regex(String(headers['content-security-policy']), /^default-src 'none'; base-uri 'none'; /);
    t.true(body.includes('<p class="account-name">Ada</p>'), named(page));
    t.true(body.includes('data-reload-after="1805"'), named(page));
  }
});
