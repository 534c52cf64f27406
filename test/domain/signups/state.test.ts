/** What may happen to a sign-up in which state, and what comes of it. */
import test from 'ava';
import type { TryStatus } from '../../../domain/signups/signup.ts';
import {
  signupAfter,
  type SignupHappened,
  type SignupState,
} from '../../../domain/signups/state.ts';

const draft: SignupState = { status: 'DRAFT', lastTry: null, declines: 0, isMade: false };
const at = (lastTry: TryStatus | null, declines = 0, isMade = declines > 0): SignupState => ({
  ...draft,
  lastTry,
  declines,
  isMade,
});

/** `FAILED declined, try declined, undone` */
function text(before: SignupState, what: SignupHappened): string {
  const { state, failureCode, undoes, raises } = signupAfter(before, what);
  const parts = [
    `${state.status}${failureCode === null ? '' : ` ${failureCode}`}`,
    `try ${state.lastTry}`,
    undoes ? 'undone' : null,
    raises ? 'raised' : null,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

const table: readonly [SignupState, SignupHappened, string][] = [
  [draft, { happened: 'taken', hasCard: true }, 'DRAFT, try storing'],
  [draft, { happened: 'taken', hasCard: false }, 'DRAFT, try submitted'],
  [at('declined', 1), { happened: 'taken', hasCard: true }, 'DRAFT, try storing'],
  [at('storing'), { happened: 'stored' }, 'DRAFT, try submitted'],
  [at('storing'), { happened: 'returned' }, 'DRAFT, try returned'],
  [at('submitted'), { happened: 'returned' }, 'DRAFT, try returned'],
  [at('submitted'), { happened: 'asked' }, 'DRAFT, try confirming'],
  [at('confirming'), { happened: 'confirmed' }, 'DRAFT, try submitted'],
  [at('confirming'), { happened: 'deadline' }, 'EXPIRED expired, try returned'],
  // A card that was only to be saved was declined before; nothing was made.
  [at('confirming', 1, false), { happened: 'deadline' }, 'EXPIRED expired, try returned'],
  [at('confirming'), { happened: 'cancelled' }, 'EXPIRED operator, try returned'],
  [at('submitted'), { happened: 'charging' }, 'DRAFT, try charging'],
  [at('charging', 0, true), { happened: 'returned' }, 'DRAFT, try returned'],
  [at('charging', 0, true), { happened: 'paid' }, 'PROCESSED, try paid, raised'],
  [at('submitted'), { happened: 'paid' }, 'PROCESSED, try paid, raised'],
  // Its invoices were paid by other means.
  [at('declined', 1), { happened: 'paid' }, 'PROCESSED, try declined, raised'],
  [at('charging', 0, true), { happened: 'declined' }, 'DRAFT, try declined'],
  [at('charging', 1), { happened: 'declined' }, 'DRAFT, try declined'],
  [at('charging', 2), { happened: 'declined' }, 'FAILED declined, try declined, undone, raised'],
  // Cards that were only to be saved.
  [at('submitted', 2, false), { happened: 'declined' }, 'FAILED declined, try declined, raised'],
  [
    at('submitted'),
    { happened: 'refused', code: 'customer.inactive' },
    'FAILED customer.inactive, try returned, raised',
  ],
  [
    at('declined', 1),
    { happened: 'refused', code: 'operator' },
    'FAILED operator, try declined, undone, raised',
  ],
  [draft, { happened: 'deadline' }, 'EXPIRED expired, try null'],
  [at('returned'), { happened: 'deadline' }, 'EXPIRED expired, try returned'],
  [
    at('returned', 0, true),
    { happened: 'deadline' },
    'FAILED expired, try returned, undone, raised',
  ],
  [at('declined', 1), { happened: 'deadline' }, 'FAILED declined, try declined, undone, raised'],
  [at('returned', 2), { happened: 'deadline' }, 'FAILED declined, try returned, undone, raised'],
  [draft, { happened: 'cancelled' }, 'EXPIRED operator, try null'],
  [at('storing'), { happened: 'cancelled' }, 'EXPIRED operator, try returned'],
  [at('submitted', 1), { happened: 'cancelled' }, 'FAILED operator, try returned, undone, raised'],
];

for (const [before, what, expected] of table) {
  const { lastTry, declines, isMade } = before;
  const made = isMade ? ', made' : '';
  test(`${what.happened} after ${lastTry}, ${declines} declined${made}: ${expected}`, (t) => {
    t.is(text(before, what), expected);
  });
}

test('what cannot happen is a bug', (t) => {
  const bugs: readonly [SignupState, SignupHappened][] = [
    [{ ...draft, status: 'PROCESSED' }, { happened: 'deadline' }],
    [at('charging', 0, true), { happened: 'taken', hasCard: true }],
    [at('charging', 0, true), { happened: 'cancelled' }],
    [at('storing'), { happened: 'declined' }],
    [at('submitted'), { happened: 'stored' }],
    [at('submitted'), { happened: 'confirmed' }],
    [at('confirming'), { happened: 'taken', hasCard: false }],
    [at('submitted'), { happened: 'deadline' }],
    [draft, { happened: 'declined' }],
  ];
  for (const [before, what] of bugs) {
    t.throws(() => signupAfter(before, what), { code: 'ERR_ASSERTION' });
  }
});
