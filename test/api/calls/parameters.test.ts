/** Each call of the route table refuses unknown parameters by name; lists filter by customer. */
import test from 'ava';
import type { XmlRoute } from '../../../api/calls/route-types.ts';
import { errorsOf, refused } from '../support.ts';
import { routes } from '../../support/xsd.ts';
import { asAdmin, startTenantApi, withAdmin } from '../tenant-api.ts';

const api = await startTenantApi({ file: withAdmin });

/**
 * Every call by one of its actions; the ids do not exist, because parameters are checked before any
 * read.
 */
const calls = routes.flatMap((route) =>
  route.selection.values.map((value) => ({
    route,
    title: `${route.method} ${route.path} ${value ?? ''}`,
    send: (query: string) =>
      api.call(
        route.method,
        `${route.path.replaceAll(/[:{]\w+}?/g, '1')}?${value === undefined ? '' : `${route.selection.names[0]}=${value}&`}${query}`,
        route.right === 'admin' ? asAdmin : {},
      ),
  })),
);

const knows = ({ query }: XmlRoute, name: string): boolean => Object.hasOwn(query.shape, name);

test('an unknown parameter is refused by name, with the known ones', async (t) => {
  t.true(calls.length > 40);
  for (const { title, send } of calls) {
    const answer = await send('colour=red&indent=true&indent=false');
    t.is(answer.status, 400, `${title} ${answer.body}`);
    const errors = errorsOf(answer);
    t.true(errors.includes('query.unknown colour'), `${title} ${answer.body}`);
    t.true(errors.includes('query.repeated indent'), `${title} ${answer.body}`);
    t.regex(answer.body, /colour is no parameter of this call[^<]*\(known: [^<]*indent/, title);
  }
});

test('names of analytics are passed over, those of JavaScript’s own properties are unknown', async (t) => {
  for (const passed of ['_=1', '_ga=1', '__hstc=1', 'utm_source=x', '=1', '_a.b-c=1']) {
    const answer = await api.get(`/plans?${passed}`);
    t.is(answer.status, 200, `${passed} ${answer.body}`);
  }
  for (const name of [
    '__proto__[x]',
    '__proto__',
    '__proto__.x',
    '_x[y]',
    'utm_x[y]',
    'constructor',
  ]) {
    for (const written of [name, encodeURIComponent(name)]) {
      const answer = await api.get(`/plans?${written}=1`);
      refused(t, answer, 400, `query.unknown ${name}`);
    }
  }
});

test('only the test clock knows wait, and indent is true or false', async (t) => {
  for (const { route, title, send } of calls) {
    const waiting = await send('wait=true&colour=red');
    t.is(errorsOf(waiting).includes('query.unknown wait'), !knows(route, 'wait'), title);
    const indented = await send('indent=maybe&colour=red');
    t.is(indented.status, 400, title);
    t.true(errorsOf(indented).includes('query.invalid indent'), `${title} ${indented.body}`);
    t.true(errorsOf(indented).includes('query.unknown colour'), `${title} ${indented.body}`);
  }
  const waiting = calls
    .filter(({ route }) => knows(route, 'wait'))
    .map(({ title }) => title.trim());
  t.deepEqual(waiting, ['POST /testClock']);
});

test("the lists of customers' objects filter by customerId and by extCustomerRef", async (t) => {
  const lists = ['/orders', '/invoices', '/payments', '/credits', '/refunds'];
  for (const path of lists) {
    const list = routes.find((route) => route.method === 'GET' && route.path === path);
    t.true(list && knows(list, 'customerId') && knows(list, 'extCustomerRef'), path);
    for (const filter of ['customerId=987654', 'extCustomerRef=nobody']) {
      t.regex((await api.get(`${path}?${filter}`)).body, /<list\/>/, `${path} ${filter}`);
    }
  }
});
