/** The addresses that a tenant's site names for its hosted pages. */
import test from 'ava';
import { hasParameter, isPageAddress, originOf } from '../../../domain/hosted-pages/address.ts';
import { fc } from '../../support/random.ts';

const taken = [
  'https://www.demo.example',
  'https://www.demo.example/ok?p=1#top',
  'HTTP://localhost:3000/ok',
  'https://www.demo.example/ok?to=ada@field.example',
  'https://bücher.example/ok',
  'https://[::1]:8080/',
];

for (const address of taken) {
  test(`${address} is an address`, (t) => {
    t.true(isPageAddress(address));
    t.true(URL.canParse(address));
  });
}

test('an address is compared by its origin, in the form in which a browser compares it', (t) => {
  t.is(originOf('HTTPS://WWW.Demo.Example:443/ok'), 'https://www.demo.example');
  t.is(originOf('https://bücher.example/'), 'https://xn--bcher-kva.example');
  t.is(originOf('http://2130706433/'), 'http://127.0.0.1');
});

test('a parameter is found in whatever form, and not in a fragment', (t) => {
  t.true(hasParameter('https://a.example/?x=1&%74racking', 'tracking'));
  t.false(hasParameter('https://a.example/?x=tracking#?tracking=1', 'tracking'));
  t.false(hasParameter('no address', 'tracking'));
});

test('an address that is taken names its host as it is written, and no user', (t) => {
  fc.assert(
    fc.property(fc.webUrl(), fc.string(), fc.nat(), (address, inserted, at) => {
      const place = at % (address.length + 1);
      const text = address.slice(0, place) + inserted + address.slice(place);
      fc.pre(isPageAddress(text));
      const [, authority = ''] = /^https?:\/\/([^/?#]+)/i.exec(text) ?? [];
      const { username, password, origin } = new URL(text);
      t.is(username + password, '');
      const [scheme = ''] = text.split('//');
      t.is(new URL(`${scheme}//${authority}`).origin, origin);
    }),
  );
});
