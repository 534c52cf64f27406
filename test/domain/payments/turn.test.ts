/** What a payment charges when its turn comes, or why it charges nobody. */

import test from 'ava';
import { amountOfNaming } from '../../../domain/payments/turn.ts';

const byPerson = { amount: '30', isAutomatic: false, hasPlan: false };
const automatic = { ...byPerson, isAutomatic: true };
const aside = (open: string, amount: string) => ({ open, setAside: { amount, cascadeId: 7 } });

const cases = [
  ['an automatic payment charges what is open', automatic, [{ open: '18' }], '18'],
  ['an automatic payment charges at most what it was made for', automatic, [{ open: '45' }], '30'],
  ['a payment by a person is charged as asked', byPerson, [{ open: '18' }], '30'],
  [
    'a payment of a page charges at most what is open of its invoices',
    { ...byPerson, isLimited: true, hasPlan: true },
    [{ open: '18' }],
    '18',
  ],
  ['with nothing open nobody is charged', byPerson, [], { kind: 'paid' }],
  ['an invoice that is paid meanwhile is paid', automatic, [{ open: '0' }], { kind: 'paid' }],
  ['a part of a dollar is charged', automatic, [{ open: '0.40' }], '0.4'],
  ['what a payment in processing pays is left out', automatic, [aside('18', '8')], '10'],
  [
    'an invoice that is wholly set aside waits for that payment',
    automatic,
    [aside('18', '18')],
    { kind: 'setAside', cascadeId: 7 },
  ],
  [
    'of several invoices the one that is set aside is waited for',
    automatic,
    [{ open: '0' }, aside('18', '18')],
    { kind: 'setAside', cascadeId: 7 },
  ],
  [
    'an automatic payment charges nobody while the customer has a payment plan',
    { ...automatic, hasPlan: true },
    [{ open: '18' }],
    { kind: 'planEnabled' },
  ],
  [
    'a payment by a person is charged beside a payment plan',
    { ...byPerson, hasPlan: true },
    [{ open: '18' }],
    '30',
  ],
  [
    'a paid invoice is paid, with a payment plan or without',
    { ...automatic, hasPlan: true },
    [],
    { kind: 'paid' },
  ],
] as const;

for (const [rule, payment, invoices, charged] of cases) {
  test(rule, (t) => {
    t.deepEqual<unknown, unknown>(amountOfNaming(payment, invoices), charged);
  });
}
