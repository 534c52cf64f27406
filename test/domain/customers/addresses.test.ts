/** Which addresses are valid by the rules that ask nobody. */
import test from 'ava';
import { addressFaults } from '../../../domain/customers/addresses.ts';
import type { PostalAddress } from '../../../domain/customers/postal-address.ts';

const albany: PostalAddress = {
  street1: '1 Main St',
  city: 'Albany',
  state: 'NY',
  zip: '12207',
  countryCode: 'US',
};
const berlin: PostalAddress = { street1: 'Am Markt 1', city: 'Berlin', countryCode: 'DE' };

const faultsOf = (address: PostalAddress): string[] =>
  addressFaults(address).map(({ element, text, value }) =>
    value === null ? `${element} ${text}` : `${element} ${text}, not ${value}`,
  );

const COUNTRY = 'must be a code of two letters by ISO 3166';
const STATE = 'must be a code of two letters by the USPS, for example NY';
const ZIP = 'must have 5 or 9 digits';

const valid: Readonly<Record<string, PostalAddress>> = {
  'a whole address in the US': albany,
  'a zip of 9 digits with a hyphen': { ...albany, zip: '12207-1234' },
  'a zip of 9 digits without one': { ...albany, zip: '122071234' },
  'codes in small letters': { ...albany, state: 'ny', countryCode: 'us' },
  'blanks around values': { ...albany, zip: ' 12207 ', state: ' NY' },
  'a country of two letters in place of the code': {
    ...albany,
    countryCode: null,
    country: 'us',
  },
  'the district': { ...albany, city: 'Washington', state: 'DC', zip: '20001' },
  'a territory': { ...albany, city: 'San Juan', state: 'PR', zip: '00901' },
  'an address of the forces': { ...albany, city: 'APO', state: 'AE', zip: '09012' },
  'elsewhere neither state nor zip': berlin,
  'elsewhere whatever state and zip are': { ...berlin, state: 'Berlin-Mitte', zip: 'x' },
  'no element': {},
  'only empty elements': { street1: null, city: '', state: ' ', country: null },
};

for (const [title, address] of Object.entries(valid)) {
  test(`valid: ${title}`, (t) => t.deepEqual(faultsOf(address), []));
}

const invalid: ReadonlyArray<
  readonly [title: string, address: PostalAddress, ...faults: string[]]
> = [
  ['a zip of 4 digits', { ...albany, zip: '1220' }, `zip ${ZIP}, not 1220`],
  ['a zip of 8 digits', { ...albany, zip: '12207-123' }, `zip ${ZIP}, not 12207-123`],
  ['a zip of other digits', { ...albany, zip: '١٢٢٠٧' }, `zip ${ZIP}, not ١٢٢٠٧`],
  ['a zip of two lines', { ...albany, zip: '12207\n12207' }, `zip ${ZIP}, not 12207\n12207`],
  ['the name of a state', { ...albany, state: 'New York' }, `state ${STATE}, not New York`],
  ['a province of Canada', { ...albany, state: 'QC' }, `state ${STATE}, not QC`],
  [
    'no state, no zip',
    { ...albany, state: null, zip: ' ' },
    'state is required',
    'zip is required',
  ],
  ['no street', { ...berlin, street1: null, street2: 'Hof 2' }, 'street1 is required'],
  ['no city', { ...berlin, city: '' }, 'city is required'],
  ['no country', { ...berlin, countryCode: null }, 'countryCode is required'],
  [
    'the name of a country without its code',
    { ...berlin, countryCode: null, country: 'Germany' },
    'countryCode is required',
  ],
  ['a reserved code', { ...berlin, countryCode: 'UK' }, `countryCode ${COUNTRY}, not UK`],
  ['a code of three letters', { ...albany, countryCode: 'USA' }, `countryCode ${COUNTRY}, not USA`],
  [
    'two letters of no country',
    { ...berlin, countryCode: null, country: 'xx' },
    `country ${COUNTRY}, not xx`,
  ],
  [
    'a wrong code beside a right country',
    { ...berlin, countryCode: 'ZZ', country: 'DE' },
    `countryCode ${COUNTRY}, not ZZ`,
  ],
  [
    'everything, in the order of the elements',
    { street2: '2nd floor', state: 'N.Y.', zip: 'none', countryCode: 'US' },
    'street1 is required',
    'city is required',
    `state ${STATE}, not N.Y.`,
    `zip ${ZIP}, not none`,
  ],
];

for (const [title, address, ...faults] of invalid) {
  test(`invalid: ${title}`, (t) => t.deepEqual(faultsOf(address), faults));
}

test('there are 50 states, the district, 8 territories and 3 regions of the forces', (t) => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
  const codes = letters.flatMap((a) => letters.map((b) => a + b));
  t.is(codes.filter((state) => addressFaults({ ...albany, state }).length === 0).length, 62);
});

test('each fault has the code of the catalogue', (t) => {
  t.deepEqual(addressFaults({ ...albany, zip: '1220' }), [
    { code: 'address.invalid', element: 'zip', text: ZIP, value: '1220' },
  ]);
});
