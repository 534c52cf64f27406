/** What a payment plan may say, and what may change of it. */
import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import {
  changedTerms,
  movesDays,
  newTerms,
  type PlanInput,
} from '../../../domain/payment-plans/terms.ts';
import { noteAsserted } from '../../support/asserted.ts';

const basis = { today: '2027-01-15', currency: 'USD' };
const sent: PlanInput = {
  chargeAmount: '50',
  startDate: '2027-01-31',
  totalNumberOfInstallments: 3,
  frequencyValue: 1,
  frequencyUnits: 'Months',
};
const terms = newTerms(sent, basis);

test('a plan charges at most what is owed, unless it says otherwise', (t) => {
  t.deepEqual(terms, {
    chargeAmount: '50.00',
    chargeOnlyIfBalanceOwed: true,
    startDate: '2027-01-31',
    totalNumberOfInstallments: 3,
    frequencyValue: 1,
    frequencyUnits: 'Months',
  });
  const regardless = newTerms({ ...sent, chargeOnlyIfBalanceOwed: false }, basis);
  t.false(regardless.chargeOnlyIfBalanceOwed);
  t.is(newTerms({ ...sent, startDate: '2027-01-15' }, basis).startDate, '2027-01-15');
});

/** `code element`. */
function refusal(of: () => unknown): string {
  try {
    of();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    noteAsserted(error.code);
    return `${error.code} ${error.path}`;
  }
  return 'none';
}

const wrong: readonly [rule: string, input: PlanInput, found: string][] = [
  ['an amount', { chargeAmount: null }, 'field.required paymentPlan/chargeAmount'],
  ['an amount above zero', { chargeAmount: '0' }, 'payment.amount paymentPlan/chargeAmount'],
  ['a positive amount', { chargeAmount: '-5' }, 'payment.amount paymentPlan/chargeAmount'],
  ["the currency's decimals", { chargeAmount: '1.005' }, 'payment.amount paymentPlan/chargeAmount'],
  ['a start', { startDate: undefined }, 'field.required paymentPlan/startDate'],
  ['no start in the past', { startDate: '2027-01-14' }, 'field.invalid paymentPlan/startDate'],
  [
    'a number of installments',
    { totalNumberOfInstallments: null },
    'field.required paymentPlan/totalNumberOfInstallments',
  ],
  ['a frequency', { frequencyValue: null }, 'field.required paymentPlan/frequencyValue'],
  ['its units', { frequencyUnits: undefined }, 'field.required paymentPlan/frequencyUnits'],
  ['to be enabled', { isEnabled: false }, 'field.invalid paymentPlan/isEnabled'],
  [
    'an end within the calendar',
    { frequencyUnits: 'Years', totalNumberOfInstallments: 975 },
    'field.invalid paymentPlan/totalNumberOfInstallments',
  ],
];

for (const [rule, input, found] of wrong) {
  test(`a new plan needs ${rule}`, (t) => {
    t.is(
      refusal(() => newTerms({ ...sent, ...input }, basis)),
      found,
    );
  });
}

const later = { today: '2027-03-15', currency: 'USD', counted: 2 };

test('what a change leaves out stays, and a start date in the past stays valid', (t) => {
  const changed = changedTerms(terms, { chargeAmount: '60', startDate: '2027-01-31' }, later);
  t.deepEqual(changed, { ...terms, chargeAmount: '60.00' });
  t.false(movesDays(terms, changed));
  t.true(movesDays(terms, changedTerms(terms, { frequencyUnits: 'Weeks' }, later)));
  t.true(movesDays(terms, changedTerms(terms, { startDate: '2027-04-01' }, later)));
});

const wrongChanges: readonly [rule: string, input: PlanInput, found: string][] = [
  [
    'move the start into the past',
    { startDate: '2027-03-14' },
    'field.invalid paymentPlan/startDate',
  ],
  [
    'leave out installments that had their turn',
    { totalNumberOfInstallments: 1 },
    'field.invalid paymentPlan/totalNumberOfInstallments',
  ],
  ['empty an element', { chargeAmount: null }, 'field.required paymentPlan/chargeAmount'],
  ['charge nothing', { chargeAmount: '0.00' }, 'payment.amount paymentPlan/chargeAmount'],
];

for (const [rule, input, found] of wrongChanges) {
  test(`a change cannot ${rule}`, (t) => {
    t.is(
      refusal(() => changedTerms(terms, input, later)),
      found,
    );
  });
}
