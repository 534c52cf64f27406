/** Which names a stranger may type. */
import test from 'ava';
import { hasWebAddress } from '../../../domain/customers/typed-names.ts';

const names: readonly (readonly [name: string, has: boolean])[] = [
  ['Ada Lovelace', false],
  ['J. R. Smith', false],
  ['J.R. Smith', false],
  ['St.John', false],
  ['Müller GmbH & Co.KG', false],
  ['Smith, Jones et al.', false],
  ['Win at https://evil.example', true],
  ['Win at HTTP://EVIL', true],
  ['www.evil', true],
  ['evil.example', true],
  ['See evil.com/now', true],
  ['EVIL.COM', true],
  ['Evil.Com', true],
  ['bücher.de', true],
];

for (const [name, has] of names) {
  test(`${name} has ${has ? 'a' : 'no'} web address`, (t) => t.is(hasWebAddress(name), has));
}
