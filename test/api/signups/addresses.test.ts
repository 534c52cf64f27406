/** Which addresses a start takes: by their form, and by their parsed origin. */
import test from 'ava';
import { refused } from '../tenant-api.ts';
import { openSignups, SITE, start } from './calls.ts';

const api = await openSignups();

/** What somebody would send to lead visitors elsewhere, or to break out of a page. */
const hostile = [
  '',
  '/ok',
  'ok',
  '//www.demo.example/ok',
  'www.demo.example/ok',
  'javascript:alert(1)//https://www.demo.example',
  'data:text/html,<script>alert(1)</script>',
  'file:///etc/passwd',
  'ftp://www.demo.example/ok',
  'blob:https://www.demo.example/4711',
  'https:www.demo.example/ok',
  'https:/www.demo.example/ok',
  'https:///www.demo.example/ok',
  'https://',
  'https://?p=1',
  'https://ada@www.demo.example/ok',
  'https://ada:secret@www.demo.example/ok',
  'https://@www.demo.example/ok',
  'https://www.demo.example@evil.example/ok',
  'https://www.demo.example:443@evil.example/ok',
  'https://evil.example\\@www.demo.example/ok',
  'https://www.demo.example\\.evil.example/ok',
  'https:\\\\www.demo.example\\ok',
  'https://www.demo.example/ok\\..\\x',
  'https://www.demo.example/o k',
  'https://www.demo.example/ok\r\nSet-Cookie: a=1',
  'https://www.demo.example/o\tk',
  'https://www.demo.example/o\u00a0k',
  'https://www.demo.example/o\u2028k',
  'https://www.demo.example/o\u0085k',
  'https://www.demo.example/o\u200bk',
  'https://www.demo.example/\u202eok',
  'https://www.demo.example:99999/ok',
  'https://www.demo.example/\u007f',
  `https://www.demo.example/${'x'.repeat(1_977)}`,
];

/** Well formed, and of another origin. */
const foreign = [
  'http://www.demo.example/ok',
  'https://www.demo.example:8443/ok',
  'https://demo.example/ok',
  'https://www.demo.example.evil.example/ok',
  'https://evil.example/?https://www.demo.example/ok',
  'https://evil.example/https://www.demo.example',
  'https://evil.example#@www.demo.example/ok',
  'https://www.demo.example./ok',
  'https://www.demo.exampl\u0435/ok',
  'https://xn--www-demo.example/ok',
  'https://127.0.0.1/ok',
  'https://[::1]/ok',
];

for (const name of ['successURL', 'failURL', 'cssURL', 'tosLink']) {
  test(`${name}: no hostile address is taken`, async (t) => {
    for (const address of hostile) {
      const { status, body } = await start(api, { [name]: address });
      // A term that is empty is none.
      t.is(status, name === 'tosLink' && address === '' ? 200 : 400, `${address}: ${body}`);
    }
  });
}

for (const name of ['successURL', 'failURL', 'cssURL']) {
  test(`${name}: only an address of an allowed origin is taken`, async (t) => {
    for (const address of foreign) {
      refused(t, await start(api, { [name]: address }), 400, `query.invalid ${name}`);
    }
  });
}

test('terms may be anywhere, by https', async (t) => {
  t.is((await start(api, { tosLink: 'https://elsewhere.example/terms#top' })).status, 200);
});

test('an address has up to 2000 characters', async (t) => {
  const longest = `${SITE}/${'x'.repeat(2_000 - SITE.length - 1)}`;
  t.is(longest.length, 2_000);
  const all = { successURL: longest, failURL: longest, cssURL: longest };
  t.is((await start(api, { ...all, tosLink: longest })).status, 200);
  for (const name of ['successURL', 'failURL', 'cssURL', 'tosLink']) {
    refused(t, await start(api, { [name]: `${longest}x` }), 400, `query.tooLong ${name}`);
  }
});

test('addresses of redirects have no parameter tracking of their own', async (t) => {
  for (const query of ['?tracking=1', '?a=1&tracking', '?%74racking=1', '?tracking=']) {
    for (const name of ['successURL', 'failURL']) {
      const answer = await start(api, { [name]: `${SITE}/ok${query}` });
      refused(t, answer, 400, `query.invalid ${name}`);
    }
  }
  for (const query of ['?Tracking=1', '?a=tracking', '#tracking=1', '/tracking']) {
    const { status, body } = await start(api, { successURL: `${SITE}/ok${query}` });
    t.is(status, 200, body);
  }
});

test('a path of this host is a stylesheet only as the one that we have', async (t) => {
  for (const cssURL of ['/css/other.css', '/css/signup.css?x', '/', '/css/../css/signup.css']) {
    refused(t, await start(api, { cssURL }), 400, 'query.invalid cssURL');
  }
  const others = ['http://other.localhost/a.css', `https://${api.label}.localhost/a.css`];
  for (const cssURL of others) {
    refused(t, await start(api, { cssURL }), 400, 'query.invalid cssURL');
  }
});
