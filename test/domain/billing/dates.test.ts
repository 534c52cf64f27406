import test from 'ava';
import { nextActionOn } from '../../../domain/billing/due/dates.ts';

test('an order acts on the first day on which it is billed or its status changes', (t) => {
  const cases = [
    { billOn: '2027-02-15', transitionOn: '2027-02-01', acts: '2027-02-01' },
    { billOn: '2027-02-01', transitionOn: '2027-02-15', acts: '2027-02-01' },
    { billOn: '2027-02-01', transitionOn: '2027-02-01', acts: '2027-02-01' },
    { billOn: '2027-02-01', transitionOn: null, acts: '2027-02-01' },
    { billOn: null, transitionOn: '2027-02-01', acts: '2027-02-01' },
    { billOn: null, transitionOn: null, acts: null },
  ];
  for (const { acts, ...dates } of cases) t.is(nextActionOn(dates), acts);
});
