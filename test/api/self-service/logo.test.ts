/** The tenant's logo in the head of its pages, over HTTP. */
import test from 'ava';
import { pngOf, uriOf } from '../../providers/invoice-documents/pictures.ts';
import { send } from '../support.ts';
import { customerOf, openSelfService, pageOf, visit, withProfiles } from './calls.ts';

const api = await openSelfService();
const picture = pngOf(40, 10);
const withLogo = { ...withProfiles, file: { ...withProfiles.file, logo: uriOf(picture) } };

test('each page has the logo, which browsers keep until the tenant file changes', async (t) => {
  const own = await api.another(withLogo);
  const home = await pageOf(own, { customerId: await customerOf(own, 'Ada') });
  for (const path of [home, `${home}/invoices`, '/widget/login', '/signup/unknown']) {
    const { body } = await visit(own, path);
    t.regex(
      body,
      /<p class="sender"><img class="logo" src="\/logo\?v=\d+" alt="[^"]+"><\/p>/,
      path,
    );
  }
  const { body, headers } = await visit(own, home);
  t.regex(String(headers['content-security-policy']), /img-src 'self';/);
  const [, path = ''] = /src="(\/logo[^"]+)"/.exec(body) ?? [];
  const file = await send(own.port, { path, host: `${own.label}.localhost`, auth: null });
  t.is(file.status, 200);
  t.is(file.headers['content-type'], 'image/png');
  t.is(file.headers['content-length'], String(picture.length));
  t.is(file.headers['cache-control'], 'public, max-age=86400');
  t.is(file.headers['x-content-type-options'], 'nosniff');
});

test('without a logo pages have the name, and there is no picture', async (t) => {
  const own = await api.another(withProfiles);
  const { body } = await visit(own, '/widget/login');
  t.regex(body, /<p class="sender">[^<]+<\/p>/);
  t.is((await visit(own, '/logo')).status, 404);
});
