/** By what of an address a tenant's taxes are decided, and how states are written. */
import test from 'ava';
import { askedPlace } from '../../../domain/tax/place.ts';
import { rateOf, ratesFor } from '../../../domain/tax/rates.ts';
import { countriesOfStates, knownState, statesOf } from '../../../domain/tax/states.ts';

const rate = (country: string, state?: string) =>
  rateOf({ country, state, percent: '5', taxCode: 'STANDARD', name: `${country} ${state ?? ''}` });

const spellings: readonly (readonly [country: string, written: string, code: string | null])[] = [
  ['US', 'NY', 'NY'],
  ['US', ' new  york ', 'NY'],
  ['US', 'Washington, D.C.', 'DC'],
  ['US', 'Ontario', null],
  ['CA', 'Quebec', 'QC'],
  ['CA', 'Ontario', 'ON'],
  ['BR', 'Sao Paulo', 'SP'],
  ['MX', 'Nuevo Leon', 'NLE'],
  ['MX', 'CDMX', 'CMX'],
  ['IN', 'TG', 'TS'],
  ['AU', 'victoria', 'VIC'],
  ['DE', 'Bayern', null],
];

for (const [country, written, code] of spellings) {
  test(`${written} in ${country} is ${code ?? 'not known'}`, (t) => {
    t.is(knownState(country, written), code);
  });
}

test('each state of a choice is known by its code and by its name', (t) => {
  for (const country of countriesOfStates) {
    for (const { code, name } of statesOf(country)) {
      t.is(knownState(country, code), code);
      t.is(knownState(country, name), code, name);
    }
  }
});

test('a rate of a state holds for its full name, in the address and in the table', (t) => {
  const address = { countryCode: 'US', country: null };
  for (const [inTable, written] of [
    ['NY', 'New York'],
    ['New York', 'ny'],
    ['IN', 'Indiana'],
  ] as const) {
    const rates = [rate('US', inTable), rate('US', 'CA')];
    t.deepEqual(ratesFor(rates, { ...address, state: written }), [rates[0]], written);
  }
  t.deepEqual(ratesFor([rate('DE', 'BY')], { countryCode: 'DE', country: null, state: 'by' }), [
    rate('DE', 'BY'),
  ]);
});

test('a country is asked for where taxes go by place, a state where a rate has one', (t) => {
  const asked = (hasProvider: boolean, ...rates: ReturnType<typeof rate>[]) =>
    askedPlace({ hasProvider, rates });
  t.deepEqual(asked(false), { country: false, statesOf: [] });
  t.deepEqual(asked(true), { country: true, statesOf: [] });
  t.deepEqual(asked(false, rate('DE')), { country: true, statesOf: [] });
  t.deepEqual(asked(false, rate('US', 'NY'), rate('US', 'CA'), rate('DE')), {
    country: true,
    statesOf: ['US'],
  });
});
