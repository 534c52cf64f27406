/**
 * Every thing that happens to a payment, credit or refund in every state: the state afterwards, the
 * ledger entries, and what else comes of it.
 */

import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import type {
  Happened,
  PaymentState,
  Transition,
  WaitEnd,
} from '../../../domain/payments/happened.ts';
import { isUnderWay, paymentAfter } from '../../../domain/payments/state.ts';
import { credited, waiting } from '../../../domain/payments/transitions.ts';
import type { Uncharged } from '../../../domain/payments/turn.ts';
import { outcomesOf, readTable } from '../state-tables.ts';

const today = '2027-01-15';

/** 100 was asked for, and a surcharge of 3. */
const asked = waiting('Payment', { amount: '103', surcharge: '3' });
const charged = { transactionId: 'ch_1', chargedOn: '2027-01-10' };
const paid: PaymentState = { ...asked, ...charged, status: 'Paid', phase: null };
const refund = waiting('Refund', { amount: '-60', surcharge: '0' });
const final = { phase: null } as const;

const states: Readonly<Record<string, PaymentState>> = {
  waiting: asked,
  charging: { ...asked, phase: 'Charging' },
  processing: { ...asked, phase: 'Processing', transactionId: 'ch_1', newsOn: '2027-01-15' },
  waits: {
    ...asked,
    ...final,
    status: 'ActionRequired',
    transactionId: 'ch_1',
    newsOn: '2027-01-18',
  },
  paid,
  refunding: { ...paid, refunded: '60', refundsUnderWay: 1 },
  declined: { ...asked, ...final, status: 'Declined' },
  canceled: { ...paid, status: 'Canceled' },
  voided: { ...paid, status: 'Voided', refunded: '100' },
  refunded: { ...paid, status: 'Refunded', refunded: '100' },
  refundWaiting: refund,
  refundCharging: { ...refund, phase: 'Charging' },
  refundProcessing: { ...refund, phase: 'Processing' },
  refundPaid: { ...refund, ...final, status: 'Paid' },
  refundDeclined: { ...refund, ...final, status: 'Declined' },
  credit: credited('20').state,
};

const happenings: Readonly<Record<string, Happened>> = {
  turn: { happened: 'turn', amount: '103' },
  payerAsked: {
    happened: 'payerAsked',
    transactionId: 'ch_1',
    until: { payer: 'absent', on: '2027-01-18' },
  },
  deleted: { happened: 'waitEnded', why: 'deleted' },
  uncharged: { happened: 'uncharged', why: { kind: 'paid' } },
  tooLate: { happened: 'tooLate' },
  accepted: { happened: 'accepted', transactionId: 'ch_1', newsOn: '2027-01-18' },
  approved: { happened: 'approved', transactionId: 'ch_1', today },
  declined: { happened: 'declined', isLast: true },
  notLast: { happened: 'declined', isLast: false },
  received: { happened: 'received', charged: null, today },
  returned: { happened: 'returned', amount: '60' },
  nothingBack: { happened: 'returned', amount: '0' },
  reserved: { happened: 'reserved', amount: '40' },
  shareBack: { happened: 'shareReturned', amount: '60', isVoid: false },
  shareKept: { happened: 'shareKept', amount: '60' },
  canceled: { happened: 'canceled' },
  withdrawn: { happened: 'withdrawn', amount: '100', by: 'dispute', withdrawalId: 7 },
  resolved: { happened: 'resolved', today },
  answered: { happened: 'resolutionAnswered', charged: null },
  unanswered: { happened: 'resolutionUnanswered', today },
  asked: { happened: 'asked', today },
};

/**
 * The status or phase afterwards; `=` if it stays, `no` if the caller is refused, `.` if only a bug
 * can cause it.
 */
const tables = [
  `                  turn     uncharged tooLate  accepted   approved declined received  notLast
   waiting          Charging Canceled  .        .          .        .        Paid  .
   charging         .        .         .        Processing Paid     Declined .  Declined
   processing       .        .         .        .          Paid     Declined .  Declined
   waits            .        .         .        Processing Paid     Declined .  Declined
   paid             .        .         .        .          .        .        .  .
   refunding        .        .         .        .          .        .        .  .
   declined         .        .         .        .          .        .        .  .
   canceled         .        .         .        .          .        .        .  .
   voided           .        .         .        .          .        .        .  .
   refunded         .        .         .        .          .        .        .  .
   refundWaiting    Charging .         .        .          .        .        .  .
   refundCharging   .        .         Declined Processing .        .        .  .
   refundProcessing .        .         .        .          .        .        .  .
   refundPaid       .        .         .        .          .        .        .  .
   refundDeclined   .        .         .        .          .        .        .  .
   credit           .        .         .        .          .        .        .  .`,

  `                  returned nothingBack reserved shareBack shareKept canceled withdrawn
   waiting          .        .           .        .         .         no       .
   charging         .        .           .        .         .         no       .
   processing       .        .           .        .         .         no       .
   waits            .        .           .        .         .         no       .
   paid             .        .           =        .         .         Canceled Canceled
   refunding        .        .           =        =         =         no       .
   declined         .        .           .        .         .         no       .
   canceled         .        .           .        .         .         no       .
   voided           .        .           .        .         .         no       .
   refunded         .        .           .        .         .         no       .
   refundWaiting    Paid     Declined    .        .         .         no       .
   refundCharging   Paid     Declined    .        .         .         no       .
   refundProcessing Paid     Declined    .        .         .         no       .
   refundPaid       .        .           .        .         .         no       .
   refundDeclined   .        .           .        .         .         no       .
   credit           .        .           .        .         .         no       .`,

  `                  resolved answered unanswered asked
   waiting          .        .        .          .
   charging         .        .        .          .
   processing       .        .        .          =
   waits            .        .        .          .
   paid             =        =        =          =
   refunding        =        =        =          =
   declined         =        =        =          =
   canceled         .        =        =          =
   voided           .        =        =          =
   refunded         .        =        =          =
   refundWaiting    .        .        .          .
   refundCharging   =        =        =          =
   refundProcessing =        =        =          =
   refundPaid       .        =        =          =
   refundDeclined   .        =        =          =
   credit           .        .        .          .`,

  `                  payerAsked     deleted
   waiting          .              .
   charging         ActionRequired .
   processing       .              .
   waits            .              Canceled
   paid             .              .
   refunding        .              .
   declined         .              .
   canceled         .              .
   voided           .              .
   refunded         .              .
   refundWaiting    .              .
   refundCharging   .              .
   refundProcessing .              .
   refundPaid       .              .
   refundDeclined   .              .
   credit           .              .`,
];

const standing = ({ status, phase }: PaymentState): string => phase ?? status;

const machine = {
  states,
  happenings,
  after: (state: PaymentState, what: Happened) => paymentAfter(state, what).state,
  nameOf: standing,
};

for (const table of tables.map(readTable)) {
  test(`what may happen to a payment, credit or refund: ${table.head.join(', ')}`, (t) => {
    const names = table.rows.map(({ name }) => name);
    t.deepEqual(names.toSorted(), Object.keys(states).toSorted());
    for (const { name, expected } of table.rows) {
      t.deepEqual(outcomesOf(machine, table, name), expected, name);
    }
  });
}

test('the tables have every thing that may happen', (t) => {
  const heads = tables.flatMap((table) => readTable(table).head);
  t.deepEqual(heads.toSorted(), Object.keys(happenings).toSorted());
});

function detailOf(raises: Transition['raises']): string[] {
  const { detail } = raises ?? {};
  if (detail === undefined) return [];
  if ('payer' in detail) return [`payer ${detail.payer}`];
  return [detail.final ? 'final' : 'not final', ...(detail.by ? [`by ${detail.by}`] : [])];
}

/** What comes of it in words: `payment -100; 100 unapplied; payment.success; allocates`. */
function comes({ entries, unapplied, ...rest }: Transition): string {
  const { keepsMethod, raises, allocates, madeInvoices, attempt, claimed } = rest;
  const { releases, freesTurn, notifiesPage, shows } = rest;
  return [
    ...entries.map(
      ({ kind, amount, withdrawalId: id }) => `${kind} ${amount}${id ? ` of ${id}` : ''}`,
    ),
    ...(unapplied === '0' ? [] : [`${unapplied} unapplied`]),
    ...(keepsMethod ? ['keeps its method'] : []),
    ...(raises === null ? [] : [raises.type]),
    ...detailOf(raises),
    ...(allocates ? ['allocates'] : []),
    ...(madeInvoices === null ? [] : [`made invoices ${madeInvoices}`]),
    ...(attempt === null ? [] : [`attempt ${attempt}`]),
    ...(claimed === null ? [] : [`its invoice waits: ${claimed.until}`]),
    ...(releases ? ['releases'] : []),
    ...(freesTurn ? ['next turn'] : []),
    ...(notifiesPage === null ? [] : [`page ${notifiesPage}`]),
    ...(shows === 'version' ? [] : [`shows ${shows}`]),
  ].join('; ');
}

const received =
  'payment -100; surcharge 3; surchargePaid -3; 100 unapplied; keeps its method; ' +
  'payment.success; allocates; made invoices paid';
const failed = 'payment.failed; final; made invoices givenUp; attempt declined';
const passed = 'payment.failed; not final';
const gone = '-100 unapplied; payment.failed; final';
const consequences: readonly (readonly [string, string, string])[] = [
  ['waiting', 'turn', ''],
  ['waiting', 'uncharged', 'made invoices givenUp; attempt overtaken; next turn; page ended'],
  ['waiting', 'received', received],
  ['charging', 'accepted', 'next turn; page ended'],
  ['charging', 'approved', `${received}; attempt paid; next turn; page ended`],
  ['charging', 'declined', `${failed}; next turn; page declined`],
  ['processing', 'approved', `${received}; attempt paid; releases; next turn; page ended`],
  ['charging', 'notLast', `${passed}; next turn; page ended`],
  ['processing', 'declined', `${failed}; releases; next turn; page declined`],
  ['processing', 'notLast', `${passed}; releases; next turn; page ended`],
  ['processing', 'asked', 'shows nothing'],
  ['charging', 'payerAsked', 'payment.actionRequired; payer absent; next turn; page ended'],
  ['waits', 'approved', `${received}; attempt paid; next turn; page ended`],
  ['waits', 'declined', `${failed}; next turn; page declined`],
  ['waits', 'notLast', `${passed}; next turn; page ended`],
  ['waits', 'accepted', 'next turn; page ended'],
  ['waits', 'deleted', 'made invoices paid; attempt overtaken; next turn; page ended'],
  ['paid', 'canceled', 'paymentCanceled 100; -100 unapplied; allocates'],
  ['paid', 'withdrawn', `paymentDisputed 100 of 7; ${gone}; by dispute; allocates`],
  ['paid', 'reserved', 'shows time'],
  ['paid', 'resolved', 'shows nothing'],
  ['refunding', 'shareBack', '-60 unapplied'],
  ['refunding', 'shareKept', ''],
  ['refundWaiting', 'turn', ''],
  ['refundWaiting', 'returned', 'refund 60; refund.success; allocates'],
  ['refundWaiting', 'nothingBack', 'allocates'],
  ['refundCharging', 'tooLate', 'next turn'],
  ['refundCharging', 'accepted', 'next turn'],
  ['refundCharging', 'returned', 'refund 60; refund.success; allocates; next turn'],
  ['refundProcessing', 'nothingBack', 'allocates; next turn'],
  ['refundPaid', 'answered', 'shows nothing'],
];

for (const [name, each, expected] of consequences) {
  test(`of ${each} in ${name} comes: ${expected}`, (t) => {
    const [state, what] = [states[name], happenings[each]];
    t.is(state && what && comes(paymentAfter(state, what)), expected);
  });
}

test('an invoice whose payment charges nobody waits for what pays instead', (t) => {
  const after = (why: Uncharged) => comes(paymentAfter(asked, { happened: 'uncharged', why }));
  const ended = 'next turn; page ended';
  t.is(
    after({ kind: 'setAside', cascadeId: 9 }),
    `made invoices givenUp; attempt overtaken; its invoice waits: setAside; ${ended}`,
  );
  t.is(
    after({ kind: 'planEnabled' }),
    `made invoices givenUp; attempt planEnabled; its invoice waits: planEnded; ${ended}`,
  );
});

test('without a surcharge, none is entered, and of a part of a dollar, its part', (t) => {
  const entered = (surcharge: string) =>
    paymentAfter(waiting('Payment', { amount: '100', surcharge }), {
      happened: 'received',
      charged: null,
      today,
    }).entries;
  t.deepEqual(entered('0'), [{ kind: 'payment', amount: '-100' }]);
  t.deepEqual(entered('0.50'), [
    { kind: 'payment', amount: '-99.5' },
    { kind: 'surcharge', amount: '0.50' },
    { kind: 'surchargePaid', amount: '-0.5' },
  ]);
});

test('amounts below one count like others', (t) => {
  const returned = paymentAfter(refund, { happened: 'returned', amount: '0.40' });
  t.like(returned.state, { status: 'Paid', amount: '-0.4' });
  // 0.50 of 100 are left.
  const most = { ...paid, refunded: '99.50', refundsUnderWay: 1 };
  const back = { happened: 'shareReturned', amount: '99.50', isVoid: false } as const;
  t.is(paymentAfter(most, back).state.status, 'Paid');
});

test('a return is entered as returned', (t) => {
  const what = { happened: 'withdrawn', amount: '40', by: 'return', withdrawalId: 8 } as const;
  const transition = paymentAfter(paid, what);
  t.is(
    comes(transition),
    'paymentReturned 40 of 8; -40 unapplied; payment.failed; final; by return; allocates',
  );
  t.like(transition.state, { status: 'Paid', withdrawn: '40' });
  const rest = paymentAfter(transition.state, { ...what, amount: '60' });
  t.like(rest.state, { status: 'Canceled', withdrawn: '100' });
});

test('a refund by hand that returns everything makes the payment Refunded, a void Voided', (t) => {
  const reserved = paymentAfter(paid, { happened: 'reserved', amount: '100' }).state;
  t.like(reserved, { status: 'Paid', refunded: '100', refundsUnderWay: 1 });
  const back = { happened: 'shareReturned', amount: '100' } as const;
  t.is(paymentAfter(reserved, { ...back, isVoid: false }).state.status, 'Refunded');
  t.is(paymentAfter(reserved, { ...back, isVoid: true }).state.status, 'Voided');
});

test('a payment stays Paid while another refund of it is under way, or a part is left', (t) => {
  const both = { ...paid, refunded: '100', refundsUnderWay: 2 };
  const back = { happened: 'shareReturned', amount: '60', isVoid: false } as const;
  const first = paymentAfter(both, back).state;
  t.like(first, { status: 'Paid', refunded: '100', refundsUnderWay: 1 });
  const kept = paymentAfter(first, { happened: 'shareKept', amount: '40' }).state;
  t.like(kept, { status: 'Paid', refunded: '60', refundsUnderWay: 0 });
  t.is(paymentAfter(kept, { happened: 'canceled' }).entries[0]?.amount, '40');
});

test('what was withdrawn is not refunded again', (t) => {
  const half = { ...paid, withdrawn: '40', refunded: '60', refundsUnderWay: 1 };
  const back = { happened: 'shareReturned', amount: '60', isVoid: false } as const;
  t.is(paymentAfter(half, back).state.status, 'Refunded');
  const more = { ...paid, withdrawn: '40' };
  t.throws(() => paymentAfter(more, { happened: 'reserved', amount: '61' }), {
    message: /at most what is left/,
  });
});

test('the refusal of a cancellation says why', (t) => {
  const only = 'only a Paid payment without a refund in progress can be cancelled: ';
  for (const [name, why, value] of [
    ['refunding', 'a refund of it is in progress', 'Paid'],
    ['declined', 'this one is Declined', 'Declined'],
    ['processing', 'this one is Pending', 'Pending'],
    ['waits', 'this one is ActionRequired', 'ActionRequired'],
  ] as const) {
    const error = t.throws(() => paymentAfter(states[name] ?? paid, { happened: 'canceled' }), {
      instanceOf: DomainError,
    });
    t.like(error, { code: 'payment.notCancellable', message: only + why, value });
  }
});

const declined = { happened: 'declined', isLast: true } as const;

test('the gateway has its id, the day of the charge and its next news in the state', (t) => {
  const charging = states['charging'] ?? asked;
  const accepted = paymentAfter(charging, happenings['accepted'] ?? declined).state;
  t.like(accepted, { transactionId: 'ch_1', newsOn: '2027-01-18', chargedOn: null });
  const approved = { happened: 'approved', transactionId: null, today } as const;
  const done = paymentAfter(accepted, approved).state;
  t.like(done, { transactionId: 'ch_1', newsOn: null, chargedOn: today });
  t.is(paymentAfter(accepted, declined).state.newsOn, null);
  const withNews = { ...approved, newsOn: '2027-01-20' };
  t.is(paymentAfter(accepted, withNews).state.newsOn, '2027-01-20');
  // A dispute that was won is paid by the gateway; money by hand has no day of a charge.
  const won = { happened: 'received', charged: { transactionId: 'ch_1' }, today } as const;
  t.like(paymentAfter(asked, won).state, { transactionId: 'ch_1', chargedOn: today });
  t.is(paymentAfter(asked, { ...won, charged: null }).state.chargedOn, null);
});

test('a payment in its turn charges the amount of then, and a refund is worth what went back', (t) => {
  t.is(paymentAfter(asked, { happened: 'turn', amount: '18' }).state.amount, '18');
  t.is(paymentAfter(refund, { happened: 'returned', amount: '25' }).state.amount, '-25');
  t.is(paymentAfter(refund, { happened: 'returned', amount: '0' }).state.amount, '-60');
});

test('a resolved call is asked about from the next day on, for 30 days, until it is answered', (t) => {
  const resolved = paymentAfter(paid, { happened: 'resolved', today }).state;
  t.like(resolved, { resolvedOn: '2027-01-15', newsOn: '2027-01-16' });
  const unanswered = (day: string) =>
    paymentAfter(resolved, { happened: 'resolutionUnanswered', today: day }).state;
  const asking = { resolvedOn: '2027-01-15', newsOn: '2027-01-17' };
  t.deepEqual(unanswered('2027-01-16'), { ...resolved, ...asking });
  t.like(unanswered('2027-02-14'), { resolvedOn: null, newsOn: null });
  t.deepEqual(paymentAfter(resolved, { happened: 'asked', today: '2027-01-20' }).state, resolved);
  const answer = { transactionId: 'ch_9', newsOn: '2027-01-18' };
  const answered = { happened: 'resolutionAnswered', charged: answer } as const;
  const known = { transactionId: 'ch_1', newsOn: '2027-01-18', resolvedOn: null };
  t.like(paymentAfter(resolved, answered).state, known);
  const unknown = { ...resolved, transactionId: null };
  t.is(paymentAfter(unknown, answered).state.transactionId, 'ch_9');
  // What a person resolved as declined was not charged.
  const declined = { ...unknown, chargedOn: null, status: 'Declined' } as const;
  t.like(paymentAfter(declined, answered).state, { transactionId: null, newsOn: null });
});

test('news of a later day are still to be asked for', (t) => {
  const later = { ...paid, newsOn: '2027-01-16' };
  t.is(paymentAfter(later, { happened: 'asked', today }).state.newsOn, '2027-01-16');
  t.is(paymentAfter({ ...paid, newsOn: today }, { happened: 'asked', today }).state.newsOn, null);
});

test('a credit is money at once, and a debit is owed', (t) => {
  t.is(
    comes(credited('20')),
    'credit -20; 20 unapplied; credit.created; allocates; made invoices paid',
  );
  t.is(
    comes(credited('-5')),
    'debit 5; -5 unapplied; credit.created; allocates; made invoices givenUp',
  );
  t.deepEqual(credited('0.40').entries, [{ kind: 'credit', amount: '-0.4' }]);
  t.deepEqual(credited('20').state, {
    ...waiting('Payment', { amount: '20', surcharge: '0' }),
    type: 'Credit',
    status: 'Paid',
    phase: null,
  });
});

test('only a gateway that was called can still say how the call ends', (t) => {
  const under = Object.keys(states).filter((name) => isUnderWay(states[name] ?? paid));
  t.deepEqual(under, ['charging', 'processing', 'waits', 'refundCharging', 'refundProcessing']);
});

const waits = states['waits'] ?? asked;

test('a wait ends for what it was for: its attempt and its invoice go on accordingly', (t) => {
  const after = (why: WaitEnd) => comes(paymentAfter(waits, { happened: 'waitEnded', why }));
  const ended = 'next turn; page ended';
  t.is(after('nothingOpen'), `made invoices givenUp; attempt overtaken; ${ended}`);
  t.is(
    after('planEnabled'),
    `made invoices givenUp; attempt planEnabled; its invoice waits: planEnded; ${ended}`,
  );
  t.is(after('superseded'), `made invoices paid; attempt declined; ${ended}`);
});

test('a payment waits for a present payer in real time, and for an absent one by a day', (t) => {
  const charging = states['charging'] ?? asked;
  const at = new Date('2027-01-15T10:30:00Z');
  const present = { payer: 'present', at } as const;
  const what = { happened: 'payerAsked', transactionId: 'ch_1' } as const;
  const there = paymentAfter(charging, { ...what, until: present }).state;
  t.like(there, { status: 'ActionRequired', phase: null, newsOn: null, actionEndsAt: at });
  t.is(there.transactionId, 'ch_1');
  t.like(waits, { newsOn: '2027-01-18', actionEndsAt: null });
  for (const ended of ['approved', 'declined', 'accepted', 'deleted'] as const) {
    const { actionEndsAt } = paymentAfter(there, happenings[ended] ?? declined).state;
    t.is(actionEndsAt, null, ended);
  }
});

test('the payer of a payment that waited may have agreed to less', (t) => {
  const less = { happened: 'approved', transactionId: 'ch_1', today, amount: '43' } as const;
  const { state, entries } = paymentAfter(waits, less);
  t.is(state.amount, '43');
  t.deepEqual(entries[0], { kind: 'payment', amount: '-40' });
});
