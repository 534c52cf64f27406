/** What is to be done next for a sign-up, by what its rows say. */
import test from 'ava';
import { nextStep, type SignupFacts, type SignupStep } from '../../../domain/signups/step.ts';

const open: SignupFacts = {
  status: 'DRAFT',
  lastTry: null,
  declines: 0,
  isMade: false,
  isOver: false,
  isCancelled: false,
  isAbandoned: false,
  isConfirmOver: false,
  payment: null,
  invoices: 'none',
};
const made = { isMade: true, invoices: 'open' } as const;
const charging = { ...made, lastTry: 'charging' } as const;

const table: readonly [rule: string, facts: Partial<SignupFacts>, step: SignupStep][] = [
  ['a new link waits for its form', {}, { do: 'wait', for: 'form' }],
  ['a link that is over expires', { isOver: true }, { do: 'expire' }],
  ['what has ended stays', { status: 'EXPIRED', isOver: true }, { do: 'end' }],
  ['a card is on its way', { lastTry: 'storing', isOver: true }, { do: 'wait', for: 'card' }],
  [
    'a card that never came',
    { lastTry: 'storing', isAbandoned: true },
    { do: 'return', code: 'service.unavailable' },
  ],
  [
    'the button of a mailed page is awaited, also past the link’s end',
    { lastTry: 'confirming', isOver: true },
    { do: 'wait', for: 'confirmation' },
  ],
  [
    'a button that nobody presses',
    { lastTry: 'confirming', isConfirmOver: true },
    { do: 'expire' },
  ],
  ['an operator ends it meanwhile', { lastTry: 'confirming', isCancelled: true }, { do: 'cancel' }],
  ['a form is carried to its end', { lastTry: 'submitted', isOver: true }, { do: 'make' }],
  ['a further card pays what was made', { ...made, lastTry: 'submitted' }, { do: 'pay' }],
  [
    'a Pending payment is awaited',
    { ...charging, payment: 'Pending', isOver: true, isCancelled: true },
    { do: 'wait', for: 'payment' },
  ],
  ['paid', { ...charging, payment: 'Paid', invoices: 'settled' }, { do: 'finish' }],
  ['paid, and refunded since', { ...charging, payment: 'Refunded' }, { do: 'finish' }],
  ['declined', { ...charging, payment: 'Declined' }, { do: 'decline' }],
  [
    'canceled in its turn, as others have paid',
    { ...charging, payment: 'Canceled', invoices: 'settled' },
    { do: 'finish' },
  ],
  [
    'canceled in its turn, as the invoice was cancelled',
    { ...charging, payment: 'Canceled', invoices: 'cancelled' },
    { do: 'fail', code: 'operator' },
  ],
  [
    'canceled in its turn for another reason',
    { ...charging, payment: 'Canceled' },
    { do: 'return', code: 'payment.canceled' },
  ],
  [
    'paid otherwise between two tries',
    { isMade: true, invoices: 'settled', lastTry: 'declined', declines: 1, isOver: true },
    { do: 'finish' },
  ],
  [
    'cancelled otherwise between two tries',
    { isMade: true, invoices: 'cancelled', lastTry: 'declined', declines: 1 },
    { do: 'fail', code: 'operator' },
  ],
  ['an operator ends it', { isCancelled: true }, { do: 'cancel' }],
  [
    'an operator ends it before it is made',
    { isCancelled: true, lastTry: 'submitted' },
    { do: 'cancel' },
  ],
];

for (const [rule, facts, step] of table) {
  test(rule, (t) => t.deepEqual(nextStep({ ...open, ...facts }), step));
}
