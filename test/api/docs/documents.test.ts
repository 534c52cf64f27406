/** The served descriptions of the interface: OpenAPI, pages, schemas. */
import { readdirSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import test from 'ava';
import { holdReasons } from '../../../domain/billing/rate/by-answers.ts';
import type { XmlRoute } from '../../../api/calls/route-types.ts';
import { callsIn, formPageOf, hrefOf } from '../../../api/docs/calls.ts';
import { documentsOf } from '../../../api/docs/documents.ts';
import { errorCatalogue } from '../../../api/docs/errors.ts';
import { pathOf } from '../../../api/docs/openapi/openapi.ts';
import { examplesOf, requestOf } from '../../../api/docs/examples/examples.ts';
import { texts } from '../../../api/docs/pages/guides.ts';
import { allRoutes } from '../../../api/resources/routes.ts';
import { published, routes } from '../../support/xsd.ts';
import { until } from '../../support/until.ts';
import {
  errorsOf,
  openTestDatabase,
  quiet,
  type Received,
  startApi,
  stopAtTheEnd,
} from '../support.ts';

const api = await startApi(await openTestDatabase(), (dependencies) =>
  allRoutes(quiet(dependencies)),
);
stopAtTheEnd(api);

/** Other files of the process load meanwhile: a server that stood still ends connections, or answers 503. */
async function get(path: string, headers: Readonly<Record<string, string>> = {}) {
  let answer: Received | undefined;
  await until(`${path} is answered`, async () => {
    answer = await api
      .send({ path, auth: null, host: 'localhost', headers })
      .catch(() => undefined);
    return answer !== undefined && answer.status !== 503;
  });
  return answer as Received;
}

const openApi = JSON.parse((await get('/openapi.json')).body);

test('everything is served without credentials and without a tenant', async (t) => {
  for (const path of documentsOf(routes).keys()) {
    const answer = await get(path);
    t.is(answer.status, 200, path);
    t.true(answer.body.length > 100, path);
    t.regex(String(answer.headers['content-security-policy']), /default-src 'none'/);
  }
  t.is((await get('/docs/')).body, (await get('/docs')).body);
});

test('links between the pages lead to existing pages and anchors', async (t) => {
  const contents = documentsOf(routes);
  const pages = [...contents].flatMap(([path, { type }]) =>
    type.startsWith('text/html') ? [path] : [],
  );
  t.true(pages.length > routes.length + 10);
  const bodies = new Map<string, string>();
  for (const page of pages) bodies.set(page, (await get(page)).body);
  for (const [page, body] of bodies) {
    const links = [...body.matchAll(/(?:href|src)="([^"#]*)(?:#([^"]*))?"/g)];
    t.true(links.length > 0, page);
    for (const [, link = '', anchor] of links) {
      if (link.startsWith('http')) continue;
      const path = link === '' ? page : link.replace(/\/$/, '');
      t.true(contents.has(path), `${page}: ${link}`);
      // Swagger UI makes its own.
      if (anchor === undefined || anchor.startsWith('/')) continue;
      t.true(bodies.get(path)?.includes(` id="${anchor}"`), `${page}: ${link}#${anchor}`);
    }
  }
});

test('the menu has every text, what operators read and the changelog, too, by chapter', async (t) => {
  const { body } = await get('/docs');
  const menu = body.slice(body.indexOf('<nav'), body.indexOf('</nav>'));
  const groups = [...menu.matchAll(/<p class="group">([^<]*)<\/p>|<a href="(\/docs[^"]*)"/g)];
  const entries = groups.map(([, group, href]) => group ?? href);
  const from = (group: string) => entries.slice(entries.indexOf(group) + 1);
  t.deepEqual(entries.slice(0, 3), ['Start', '/docs', '/docs/guides/first-order']);
  t.deepEqual(from('Operate').slice(0, 8), [
    '/docs/tenant-file',
    '/docs/invoices',
    '/docs/operations',
    '/docs/held-customers',
    '/docs/tax-provider',
    '/docs/containers',
    '/docs/support',
    '/docs/changelog',
  ]);
  const files = readdirSync('docs/guides').map((name) => name.replace('.md', ''));
  for (const name of files.filter((each) => !['index', 'errors'].includes(each))) {
    t.true(entries.includes(`/docs/guides/${name}`), name);
  }
  const invoices = (await get('/docs/invoices')).body;
  t.regex(invoices, /<img src="\/docs\/invoice-pdf.png" alt="PDF"/);
  t.regex(invoices, /<a href="\/docs\/tenant-file">tenant file<\/a>/);
  // Only the repository has it.
  t.regex((await get('/docs/tenant-file')).body, /demo.yaml and acme.yaml show/);
});

test('each form of a call is on the page of the call, and its former page leads there', async (t) => {
  const calls = callsIn(routes);
  for (const { href, forms } of calls) {
    const [first] = forms;
    for (const form of forms) {
      t.is(hrefOf(form), href);
      t.is(form.response.schema, first.response.schema, href);
      t.is(form.right, first.right, href);
      const former = `/docs/${formPageOf(form)}`;
      if (former === href) continue;
      const answer = await get(former);
      t.deepEqual([answer.status, answer.headers.location], [301, href]);
    }
  }
  t.is(calls.flatMap(({ forms }) => forms).length, routes.length);
});

test('llms.txt names every text as Markdown, every call, OpenAPI and the schemas', async (t) => {
  const { body, headers } = await get('/llms.txt');
  t.regex(String(headers['content-type']), /^text\/plain/);
  const links = [...body.matchAll(/\]\(http:\/\/[^/]+(\/[^)]*)\)/g)].map(([, path = '']) => path);
  for (const link of links) t.is((await get(link.replace(/\/$/, ''))).status, 200, link);
  for (const { href } of callsIn(routes)) t.true(links.includes(href), href);
  for (const { href } of texts.filter((each) => each.href !== '/docs')) {
    t.true(links.includes(`${href}.md`), href);
  }
  const guide = (await get('/docs/guides/first-order.md')).body;
  t.regex(guide, /^# Your first order\n/);
  t.regex(guide, /```bash\nBASE=[\s\S]*The answer, 201:\n\n```xml\n/);
  t.notRegex(guide, /\{\{/);
  t.regex((await get('/docs')).body, /<a href="\/llms.txt">/);
});

test('pages run only scripts and styles from files, except that Swagger UI adds styles to its page', async (t) => {
  for (const path of documentsOf(routes).keys()) {
    const { headers, body } = await get(path);
    const policy = String(headers['content-security-policy']);
    t.regex(policy, /script-src 'self';/);
    t.is(policy.includes('unsafe'), path === '/docs/reference', path);
    if (!String(headers['content-type']).startsWith('text/html')) continue;
    t.notRegex(body, / style=| on\w+=|<style|<script(?! (type="module" )?src=)/, path);
  }
});

test('each entry of the search index links to an existing anchor', async (t) => {
  const index = JSON.parse((await get('/docs/search.json')).body);
  const entries = Object.values<{ kind: string; href: string }>(index.storedFields);
  const kinds = Object.groupBy(entries, ({ kind }) => kind);
  t.deepEqual(Object.keys(kinds).toSorted(), ['Call', 'Error', 'Field', 'Guide', 'Parameter']);
  t.is(kinds['Call']?.length, callsIn(routes).length);
  t.is(kinds['Error']?.length, errorCatalogue().length + Object.keys(holdReasons).length);
  const bodies = new Map<string, string>();
  for (const { href } of entries) {
    const [path = '', anchor] = href.split('#');
    const body = bodies.get(path) ?? (await get(path)).body;
    bodies.set(path, body);
    if (anchor !== undefined) t.true(body.includes(` id="${anchor}"`), href);
  }
});

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test('a browser gets an error as a page, a client as XML', async (t) => {
  for (const path of ['/docs/unknown', '/nothing', '/favicon.ico', '/docs/assets/none.js']) {
    const sent = { path, auth: null, host: 'demo.localhost' };
    const page = await api.send({ ...sent, headers: { accept: BROWSER } });
    t.is(page.status, 404, path);
    t.regex(String(page.headers['content-type']), /^text\/html/);
    t.regex(String(page.headers['content-security-policy']), /default-src 'none'/);
    t.regex(String(page.headers.vary), /Accept/);
    t.is(page.headers['www-authenticate'], undefined);
    t.regex(page.body, /<h1>Page not found<\/h1>/);
    for (const accept of ['*/*', 'application/xml']) {
      const client = await api.send({ ...sent, headers: { accept } });
      t.is(client.status, 404);
      t.deepEqual(errorsOf(client), ['path.unknown'], path);
    }
  }
  const written = await api.send({
    path: '/docs',
    method: 'POST',
    auth: null,
    headers: { accept: BROWSER },
  });
  t.is(written.status, 405);
  t.regex(written.body, /<h1>405 Method Not Allowed<\/h1>/);
});

test('below /rest errors stay XML whatever Accept says', async (t) => {
  for (const path of ['/rest', '/rest/nothing', '/rest_v1/customers', '/rest/plans?x=1']) {
    for (const accept of [BROWSER, 'text/html', 'application/json']) {
      const answer = await api.send({ path, auth: null, headers: { accept } });
      t.is(answer.status, 401, path);
      t.regex(String(answer.headers['content-type']), /^application\/xml/);
      t.is(errorsOf(answer).length, 1);
    }
  }
});

test('/ redirects a browser to the documentation, and tells a client where the interface is', async (t) => {
  const browser = await get('/', { accept: BROWSER });
  t.is(browser.status, 302);
  t.is(browser.headers.location, '/docs');
  const client = await api.send({ path: '/', auth: null, host: 'demo.localhost:8080' });
  t.is(client.status, 200);
  t.regex(String(client.headers['content-type']), /^text\/plain/);
  t.true(client.body.includes('http://demo.localhost:8080/rest/'));
  t.true(client.body.includes('http://demo.localhost:8080/docs'));
  t.true((await get('/')).body.includes('https://TENANT.localhost/rest/'));
  t.is((await api.send({ path: '/', method: 'POST', auth: null })).status, 405);
});

test('an unchanged page is not sent again, and gzip is used if accepted', async (t) => {
  const first = await get('/openapi.json');
  const again = await get('/openapi.json', { 'if-none-match': String(first.headers.etag) });
  t.is(again.status, 304);
  t.is(again.body, '');
  // Requests gzip explicitly, and decompresses the answer.
  const zipped = await fetch(`http://127.0.0.1:${api.port}/openapi.json`);
  t.is(zipped.headers.get('content-encoding'), 'gzip');
  t.true(Number(zipped.headers.get('content-length')) * 4 < first.body.length);
  t.is(await zipped.text(), first.body);
});

test('only reading is supported, and unknown pages are 404', async (t) => {
  const written = await api.send({ path: '/docs', method: 'POST', auth: null });
  t.is(written.status, 405);
  t.is(written.headers.allow, 'GET, HEAD');
  t.is((await api.send({ path: '/schema/', method: 'HEAD', auth: null })).status, 200);
  for (const path of ['/docs/nothing', '/schema/none.xsd', '/docs/assets/..%2fserve.ts']) {
    const answer = await get(path);
    t.is(answer.status, 404, path);
    t.deepEqual(errorsOf(answer), ['path.unknown']);
  }
});

test('the OpenAPI document is valid, and each of its references exists', async (t) => {
  const { valid, errors } = await new Validator().validate(structuredClone(openApi));
  t.true(valid, JSON.stringify(errors, null, 1));
  const text = JSON.stringify(openApi);
  const references = new Set([...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path));
  t.true(references.size > 20);
  for (const path of references) {
    const target = path?.split('/').reduce((at, key) => at?.[key], openApi);
    t.truthy(target, path);
  }
});

test('OpenAPI lists every call with its documents, and no others', (t) => {
  const operations = Object.entries<Record<string, unknown>>(openApi.paths).flatMap(
    ([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const calls = new Set(routes.map((route) => `${route.method} ${pathOf(route)}`));
  t.deepEqual(operations.toSorted(), [...calls].toSorted());
  t.deepEqual(
    Object.keys(openApi.components.schemas),
    published.map(({ name }) => name),
  );
  const ids = Object.values<Record<string, { operationId: string }>>(openApi.paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId }) => operationId);
  t.is(new Set(ids).size, ids.length);
});

test('the tenant that a guide makes has the port at which the guide is read', async (t) => {
  const path = '/docs/guides/own-tenant';
  const { body } = await api.send({ path, auth: null, host: 'demo.localhost:28931' });
  t.true(body.includes('shop=http://shop.localhost:28931/rest'));
  t.false(body.includes(':8080/'));
});

test('OpenAPI and the pages mark the calls that are deprecated, and no others', async (t) => {
  const deprecated = Object.entries<Record<string, { deprecated?: boolean }>>(openApi.paths)
    .flatMap(([path, methods]) => Object.entries(methods).map((entry) => [path, ...entry] as const))
    .filter(([, , operation]) => operation.deprecated === true)
    .map(([path, method]) => `${method} ${path}`);
  t.deepEqual(deprecated, ['post /customers?actionName=addCustomerAndOrder']);
  const words = /Deprecated<\/strong> since 2026-11-28: create the customer with <code>POST/;
  for (const { href, forms } of callsIn(routes)) {
    const isDeprecated = forms.some(({ deprecation }) => deprecation);
    t.is(words.test((await get(href)).body), isDeprecated, href);
  }
  const [, list = ''] = (await get('/docs/calls')).body.split('<main');
  const [, row = ''] = /add-customer-and-order">([^]*?)<\/li>/.exec(list) ?? [];
  t.regex(row, /\(deprecated\)/);
  const { headers } =
    openApi.paths['/customers?actionName=addCustomerAndOrder'].post.responses[201];
  t.deepEqual(Object.keys(headers), [
    'X-Request-Id',
    'Idempotency-Replayed',
    'Deprecation',
    'Link',
  ]);
  const { parameters, requestBody } = openApi.paths['/customers'].post;
  const action = parameters.find(({ name }: { readonly name?: string }) => name === 'actionName');
  t.false(action.schema.enum.includes('addCustomerAndOrder'));
  t.deepEqual(requestBody.content['application/xml'].schema, {
    $ref: '#/components/schemas/customer-create',
  });
});

test('OpenAPI and the pages show both answers of calls whose addresses are validated', async (t) => {
  const customer = { $ref: '#/components/schemas/customer' };
  const status = { $ref: '#/components/schemas/status' };
  const schemasOf = (path: string, method: string, code: number) =>
    openApi.paths[path][method].responses[code].content['application/xml'].schema;
  t.deepEqual(schemasOf('/customers', 'post', 200), customer);
  t.deepEqual(schemasOf('/customers', 'post', 201), { oneOf: [customer, status] });
  t.deepEqual(schemasOf('/customer/{id}', 'put', 200), customer);
  t.deepEqual(schemasOf('/customer/{id}', 'put', 201), status);
  t.deepEqual(schemasOf('/customer/{id}/billingContact', 'put', 201), status);
  t.regex(openApi.paths['/customer'].put.responses[201].description, /saved and invalid/);
  const validating = routes.filter((route) => route.validatesAddresses);
  t.is(validating.length, 10);
  for (const { href, forms } of callsIn(routes)) {
    const [route] = forms;
    const { body } = await get(href);
    t.is(body.includes('Status 200 or 201.'), route.validatesAddresses || isPreviewed(route));
    t.is(body.includes('has addresses validated'), route.validatesAddresses);
    t.is(body.includes('<a href="/docs/errors#address.invalid">'), route.validatesAddresses);
  }
});

const isPreviewed = ({ path }: XmlRoute): boolean => path === '/changeOrder';

test('OpenAPI shows the examples of every call', (t) => {
  for (const route of routes) {
    const operation = openApi.paths[pathOf(route)][route.method.toLowerCase()];
    for (const example of examplesOf(route)) {
      const { name } = example.step;
      const answers = operation.responses[example.status].content['application/xml'].examples;
      t.is(answers[name].value, example.answer);
      const request = requestOf(example);
      if (request !== undefined) {
        t.is(operation.requestBody.content['application/xml'].examples[name].value, request);
      }
    }
  }
});

test('XML hints, limits and descriptions are in OpenAPI', (t) => {
  const { customer, ...schemas } = openApi.components.schemas;
  t.deepEqual(customer.properties.id.xml, { attribute: true });
  t.deepEqual(customer.properties.extCustomerRef.type, ['string', 'null']);
  t.deepEqual(schemas['customer-list'].items, { $ref: '#/components/schemas/customer' });
  t.deepEqual(schemas['customer-list'].xml, { wrapped: true, name: 'list' });
  const create = schemas['customer-create'];
  t.is(create.xml.name, 'customer');
  t.deepEqual(create.required, ['billingContact']);
  t.is(create.properties.extCustomerRef.maxLength, 50);
  t.is(create.properties.extCustomerRef.type, 'string');
  t.true(create.properties.status.readOnly);
  t.regex(create.properties.locale.description, /language_COUNTRY/);
});
