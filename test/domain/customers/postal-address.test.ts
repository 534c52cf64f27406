/** An address as lines, in the order that its country's post requires. */
import test from 'ava';
import { addressLines, type PostalAddress } from '../../../domain/customers/postal-address.ts';

const country = (code: string) => ({ DE: 'Deutschland', US: 'USA' })[code] ?? code;
const addresses: ReadonlyArray<readonly [PostalAddress, readonly string[]]> = [
  [
    { street1: '1 Main St', city: 'Albany', state: 'NY', zip: '12207', countryCode: 'US' },
    ['1 Main St', 'Albany, NY 12207', 'USA'],
  ],
  [
    { street1: 'Am Markt 1', zip: '10115', city: 'Berlin', country: 'DE' },
    ['Am Markt 1', '10115 Berlin', 'Deutschland'],
  ],
  [
    { street1: '10 High St', city: 'Leeds', zip: 'LS1 4AP', country: 'England', countryCode: 'GB' },
    ['10 High St', 'Leeds', 'LS1 4AP', 'England'],
  ],
  // The name in any language of the documents gives way to that of this one.
  [
    { street1: 'Am Markt 2', zip: '10115', city: 'Berlin', country: 'Germany', countryCode: 'DE' },
    ['Am Markt 2', '10115 Berlin', 'Deutschland'],
  ],
  [
    { street1: 'Am Markt 3', zip: '10115', city: 'Berlin', country: 'alemania' },
    ['Am Markt 3', '10115 Berlin', 'Deutschland'],
  ],
  [
    { street1: '1 Main St', city: 'Albany', country: 'United States', countryCode: 'GB' },
    ['1 Main St', 'Albany', 'United States'],
  ],
  [
    { street1: '1 Main St', city: 'Gloria', country: 'Freedonia' },
    ['1 Main St', 'Gloria', 'Freedonia'],
  ],
  [{ street1: ' ', street2: null, city: 'Oslo' }, ['Oslo']],
  [{}, []],
];

for (const [address, lines] of addresses) {
  test(`an address as lines: ${lines.join(' | ')}`, (t) => {
    t.deepEqual(addressLines(address, country), [...lines]);
  });
}
