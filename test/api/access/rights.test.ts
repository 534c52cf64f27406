/** Which user may make which call: each route of the table, called by users with each right. */
import test from 'ava';
import {
  type UserRight,
  grantedBy,
  neededRights,
  whyRefused,
} from '../../../domain/access/rights.ts';
import { routeKey, type Route } from '../../../api/calls/route-types.ts';
import { allRoutes } from '../../../api/resources/routes.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { PASSWORD } from '../../support/tenants.ts';
import { errorsOf, quiet } from '../support.ts';
import { refused, startTenantApi } from '../tenant-api.ts';

const rightsOf: Readonly<Record<string, readonly UserRight[] | undefined>> = {
  'full@test': undefined,
  'read@test': ['read'],
  'finance@test': ['finance'],
  'admin@test': ['admin'],
  'both@test': ['read', 'admin'],
};
const users = Object.entries(rightsOf).map(([username, rights]) => ({
  username,
  password: PASSWORD,
  roles: ['ROLE_API'],
  ...(rights && { rights }),
}));
const api = await startTenantApi({ file: { users } });
const as = (username: string) => ({ auth: `${username}:${PASSWORD}` });
const routes = allRoutes(quiet({ db: api.db, realNow: Date.now }));

/** What each call needs, as the specification has it, whatever the table says. */
const table: readonly (readonly [needed: (typeof neededRights)[number], calls: RegExp])[] = [
  ['admin', /^(GET \/(auditLog|users)$|POST \/user\/|POST \/customer\S* erase$)/],
  ['write', /^GET \/(signup|widget)\/start$|^GET \S*\/(payLink|actionLink)$/],
  ['read', /^GET |^POST \/report\//],
  [
    'finance',
    /^POST \/(payments|credits|refunds)(\/autopay)? *$|^POST \/invoice\S*\/creditNote *$|^DELETE \/payment\/:id$|^PUT \/(invoice|payment|credit|refund)\/:id\/metadata$/,
  ],
  ['write', /^/],
];

const neededFor = (route: Route): string =>
  table.find(([, calls]) => calls.test(routeKey(route).trim()))?.[0] ?? '';

test('each route says which right it needs, and only a call of a user needs one', (t) => {
  const wrong = routes.filter(({ credentials, right }) =>
    credentials === 'basic' ? !neededRights.some((each) => each === right) : right !== null,
  );
  t.deepEqual(wrong.map(routeKey), []);
  const ofUsers = routes.filter(({ credentials }) => credentials === 'basic');
  t.deepEqual(
    ofUsers.map((route) => `${routeKey(route)}: ${route.right}`),
    ofUsers.map((route) => `${routeKey(route)}: ${neededFor(route)}`),
  );
});

/** May it? By the table of the specification: a letter each for full, read, finance, admin, both. */
const may: Readonly<Record<string, string>> = {
  read: 'frf-b',
  finance: 'f-f--',
  write: 'f----',
  admin: '---ab',
};

test('a user makes the calls of its rights, and others are 403 before their parameters', async (t) => {
  const names = Object.keys(rightsOf);
  const wrong: string[] = [];
  for (const route of routes.filter(({ credentials }) => credentials === 'basic')) {
    const [value] = route.selection.values;
    const selecting = value === undefined ? '' : `&${route.selection.names[0]}=${value}`;
    // Neither the object nor the parameter exists, so that no call does anything.
    const path = `${route.path.replaceAll(/:\w+/g, '0')}?nonsense=1${selecting}`;
    for (const [at, name] of names.entries()) {
      const answer = await api.call(route.method, path, as(name));
      const isRefused = answer.status === 403 && errorsOf(answer).join() === 'auth.role';
      const isAllowed = may[neededFor(route)]?.[at] !== '-';
      if (isRefused === isAllowed || ![400, 403, 404].includes(answer.status)) {
        wrong.push(`${name} ${routeKey(route)}: ${answer.status} ${errorsOf(answer).join()}`);
      }
    }
  }
  t.deepEqual(wrong, []);
});

test('what selects a call is read only for who may make one of those that it selects', async (t) => {
  const path = '/order/999999?action=explode';
  refused(t, await api.call('POST', path, as('read@test')), 403, 'auth.role');
  refused(t, await api.call('POST', path, as('full@test')), 400, 'query.invalid action');
  refused(t, await api.call('PATCH', path, as('read@test')), 405, 'path.method');
  // HEAD is the GET without its body.
  t.is((await api.call('HEAD', '/plans', as('read@test'))).status, 200);
  t.is((await api.call('HEAD', '/plans', as('admin@test'))).status, 403);
});

test('a refused call is in the audit log, and its body is not read', async (t) => {
  const answer = await api.call('POST', '/customers', { ...as('read@test'), body: '<no' });
  refused(t, answer, 403, 'auth.role');
  t.regex(answer.body, />Only users without rights in the tenant file may .*; the user has read</);
  const [entry] = await inTenant(api.db, api.tenantId, (tx) =>
    tx.query(`select action, username, path, status, code from audit_log
              where path = '/rest/customers' order by id desc limit 1`),
  );
  const what = { action: 'refused', username: 'read@test', path: '/rest/customers' };
  t.deepEqual(entry, { ...what, status: 403, code: 'auth.role' });
});

test('a refusal says who may make the call, and what the user has', (t) => {
  const none = grantedBy(null);
  t.is(
    whyRefused(['admin'], none),
    'Only users with the right admin may make this call; the user has none',
  );
  // Of an address with several calls, who may make one of them.
  t.is(
    whyRefused(['finance', 'write', 'finance'], grantedBy(['read', 'admin'])),
    'Only users with the right finance, or without rights in the tenant file may make this call; the user has read, admin',
  );
});

test('rights add up, and none of them is all calls', (t) => {
  t.deepEqual(grantedBy(['finance', 'admin']), ['read', 'finance', 'admin']);
  t.false(grantedBy(['read', 'finance', 'admin']).includes('write'));
  t.deepEqual(grantedBy(null), ['read', 'finance', 'write']);
});
