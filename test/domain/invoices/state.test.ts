/** Every thing that happens to an invoice in every state: the state afterwards, and what follows. */

import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import type {
  InvoiceHappened,
  InvoiceState,
  InvoiceTransition,
} from '../../../domain/invoices/happened.ts';
import { autopayPlace, invoiceAfter } from '../../../domain/invoices/state.ts';
import {
  invoiceImported,
  invoiceMade,
  isPaidInFull,
} from '../../../domain/invoices/transitions.ts';
import { outcomesOf, readTable } from '../state-tables.ts';

const today = '2027-01-15';
const never = { on: null, awaits: null };

/** Over 100, made today. */
const open = invoiceMade('100', never).state;
const day = invoiceMade('100', { on: today, awaits: null }).state;
const awaits = invoiceMade('100', { on: today, awaits: 5 }).state;
const aside: InvoiceState = { ...day, awaits: 6, isSetAside: true };
const paid: InvoiceState = { ...open, status: 'Paid', open: '0' };
const carried = { carriedFrom: 'Outstanding', carriedOpen: '100', open: '0' } as const;

const states: Readonly<Record<string, InvoiceState>> = {
  open,
  day,
  awaits,
  aside,
  Paid: paid,
  PaidAwaits: { ...paid, awaits: 5 },
  PaidAside: { ...paid, awaits: 6, isSetAside: true },
  Cancelled: { ...paid, status: 'Cancelled' },
  CancelledAwaits: { ...paid, status: 'Cancelled', awaits: 5 },
  CancelledAside: { ...paid, status: 'Cancelled', awaits: 6, isSetAside: true },
  CarriedOver: { ...open, ...carried, status: 'CarriedOver' },
  CarriedOverAwaits: { ...open, ...carried, status: 'CarriedOver', awaits: 5 },
  CarriedOverAside: { ...aside, ...carried, status: 'CarriedOver', autopayOn: null },
};

const cancelled = { happened: 'cancelled', isCredited: false, alsoPaid: false } as const;
const happenings: Readonly<Record<string, InvoiceHappened>> = {
  paid: { happened: 'paid', amount: '100' },
  part: { happened: 'paid', amount: '40' },
  reopened: { happened: 'reopened', amount: '40' },
  replaced: { happened: 'replaced' },
  cancelled,
  alsoPaid: { ...cancelled, alsoPaid: true },
  afterCredit: { ...cancelled, isCredited: true, alsoPaid: true },
  credited: { happened: 'credited' },
  carriedOver: { happened: 'carriedOver' },
  claimed: { happened: 'claimed', today },
  announced: { happened: 'announced', debitOn: '2027-01-17' },
  setAside: { happened: 'setAside', cascadeId: 7, today },
  leftToPlan: { happened: 'leftToPlan', today },
  planEnded: { happened: 'planEnded', from: '2027-01-16', today },
  itsPaymentPaid: { happened: 'itsPaymentPaid' },
  released: { happened: 'released' },
};

/**
 * The status or, of an open one, what its autopay does; `=` if it stays, `no` if the caller is
 * refused, `.` if only a bug can cause it.
 */
const tables = [
  `                   paid       part reopened cancelled       alsoPaid        afterCredit
   open              Paid       =    =        Cancelled       Cancelled       no
   day               Paid       =    =        Cancelled       Cancelled       no
   awaits            PaidAwaits =    =        CancelledAwaits CancelledAwaits no
   aside             PaidAside  =    =        CancelledAside  CancelledAside  no
   Paid              .          .    open     no              Cancelled       no
   PaidAwaits        .          .    awaits   no              CancelledAwaits no
   PaidAside         .          .    aside    no              CancelledAside  no
   Cancelled         .          .    .        no              no              no
   CancelledAwaits   .          .    .        no              no              no
   CancelledAside    .          .    .        no              no              no
   CarriedOver       .          .    =        no              no              no
   CarriedOverAwaits .          .    =        no              no              no
   CarriedOverAside  .          .    =        no              no              no`,

  `                   credited carriedOver       claimed setAside leftToPlan planEnded
   open              =        CarriedOver       .       aside    day        .
   day               =        CarriedOver       open    aside    =          =
   awaits            =        CarriedOverAwaits .       .        .          =
   aside             =        CarriedOverAside  .       =        =          =
   Paid              =        CarriedOver       .       .        .          .
   PaidAwaits        =        CarriedOverAwaits .       .        .          .
   PaidAside         =        CarriedOverAside  .       .        .          .
   Cancelled         .        CarriedOver       .       .        .          .
   CancelledAwaits   .        CarriedOverAwaits .       .        .          .
   CancelledAside    .        CarriedOverAside  .       .        .          .
   CarriedOver       =        .                 .       .        .          .
   CarriedOverAwaits =        .                 .       .        .          .
   CarriedOverAside  =        .                 .       .        .          .`,

  `                   itsPaymentPaid released    replaced announced
   open              .              .           =        .
   day               .              .           =        =
   awaits            open           day         =        .
   aside             .              day         =        .
   Paid              .              .           =        .
   PaidAwaits        Paid           Paid        =        .
   PaidAside         .              Paid        =        .
   Cancelled         .              .           .        .
   CancelledAwaits   Cancelled      Cancelled   .        .
   CancelledAside    .              Cancelled   .        .
   CarriedOver       .              .           =        .
   CarriedOverAwaits CarriedOver    CarriedOver =        .
   CarriedOverAside  .              CarriedOver =        .`,
];

const suffixes = { none: '', day: '', awaits: 'Awaits', aside: 'Aside' } as const;

function standing(state: InvoiceState): string {
  const autopay = autopayPlace(state);
  if (state.status !== 'Outstanding') return `${state.status}${suffixes[autopay]}`;
  return autopay === 'none' ? 'open' : autopay;
}

const machine = {
  states,
  happenings,
  after: (state: InvoiceState, what: InvoiceHappened) => invoiceAfter(state, what).state,
  nameOf: standing,
};

for (const table of tables.map(readTable)) {
  test(`what may happen to an invoice: ${table.head.join(', ')}`, (t) => {
    const names = table.rows.map(({ name }) => name);
    t.deepEqual(names.toSorted(), Object.keys(states).toSorted());
    for (const { name, expected } of table.rows) {
      t.deepEqual(outcomesOf(machine, table, name), expected, name);
    }
  });
}

test('the tables have every state under its name, and every thing that may happen', (t) => {
  for (const [name, state] of Object.entries(states)) t.is(standing(state), name);
  const heads = tables.flatMap((table) => readTable(table).head);
  t.deepEqual(heads.toSorted(), Object.keys(happenings).toSorted());
});

/** What follows in words: `invoice.paid; ends retries; commissions settled; debts changed`. */
function follows({ state: _state, ...rest }: InvoiceTransition): string {
  const { shows, raises, credit, endsRetries, commissions, debts } = rest;
  const { voidsTaxRecord, allocates, paysItself } = rest;
  return [
    ...raises,
    ...(credit === null ? [] : [`leaves a credit of ${credit}`]),
    ...(endsRetries ? ['ends retries'] : []),
    ...(commissions === null ? [] : [`commissions ${commissions}`]),
    ...(voidsTaxRecord ? ['voids the tax record'] : []),
    ...(allocates ? ['allocates'] : []),
    ...(paysItself ? ['pays itself'] : []),
    ...(debts === null ? [] : [`debts ${debts}`]),
    ...(shows === 'version' ? [] : ['unseen']),
  ].join('; ');
}

const movedIn = { happened: 'paid', amount: '100', isMovedIn: true } as const;
const gone = 'invoice.cancelled; ends retries';
const consequences: readonly (readonly [string, InvoiceHappened | undefined, string])[] = [
  ['open', happenings['paid'], 'invoice.paid; ends retries; commissions settled; debts changed'],
  ['open', movedIn, 'ends retries; commissions settled; debts movedIn'],
  ['open', happenings['part'], 'debts changed'],
  ['Paid', happenings['reopened'], 'commissions settled; debts changed'],
  ['open', happenings['reopened'], 'debts changed'],
  ['CarriedOver', happenings['reopened'], 'ends retries; debts changed'],
  ['open', cancelled, `${gone}; voids the tax record; allocates; debts changed`],
  [
    'Paid',
    happenings['alsoPaid'],
    `${gone}; commissions settled; voids the tax record; allocates; debts changed`,
  ],
  ['Paid', happenings['credited'], 'commissions credited; unseen'],
  ['Paid', happenings['replaced'], ''],
  ['open', happenings['carriedOver'], 'ends retries; debts changed'],
  ['Paid', happenings['carriedOver'], 'ends retries; debts changed'],
  ['day', happenings['claimed'], ''],
  ['day', happenings['announced'], 'unseen'],
  ['open', happenings['setAside'], ''],
  ['open', happenings['leftToPlan'], ''],
  ['day', happenings['planEnded'], 'pays itself'],
  ['awaits', happenings['itsPaymentPaid'], 'unseen'],
  ['awaits', happenings['released'], 'pays itself; unseen'],
  ['PaidAside', happenings['released'], 'unseen'],
];

for (const [name, what, expected] of consequences) {
  test(`of ${JSON.stringify(what)} of an invoice that is ${name} follows: ${expected}`, (t) => {
    const state = states[name];
    t.is(state && what && follows(invoiceAfter(state, what)), expected);
  });
}

test('a new invoice is open, or Paid at once if nothing is to pay of it', (t) => {
  const usage = { billsUsage: true };
  t.is(follows(invoiceMade('100', never)), 'invoice.created');
  t.is(follows(invoiceMade('100', never, usage)), 'invoice.created; usage.billed');
  t.is(follows(invoiceMade('100', never, { meetsMoney: true })), 'invoice.created; allocates');
  const free = invoiceMade('0', { on: today, awaits: 5 }, usage);
  t.is(follows(free), 'invoice.created; usage.billed; invoice.paid; commissions settled');
  t.deepEqual(free.state, paid);
  const negative = invoiceMade('-5', never);
  t.like(negative.state, { status: 'Paid', open: '0' });
  t.is(
    follows(negative),
    'invoice.created; invoice.paid; leaves a credit of 5; commissions settled; allocates',
  );
  t.like(invoiceMade('1', { on: null, awaits: 5 }).state, { autopayOn: null, awaits: null });
});

test('an imported invoice never pays itself, and tells nothing', (t) => {
  t.like(invoiceImported('60').state, { status: 'Outstanding', open: '60', autopayOn: null });
  t.is(follows(invoiceImported('60')), 'debts movedIn');
  t.like(invoiceImported('0.00').state, { status: 'Paid', open: '0.00' });
  t.is(follows(invoiceImported('0.00')), '');
});

test('what is open falls and rises, and at most what is open is paid', (t) => {
  const part = invoiceAfter(open, { happened: 'paid', amount: '40' }).state;
  t.like(part, { status: 'Outstanding', open: '60' });
  t.throws(() => invoiceAfter(part, { happened: 'paid', amount: '60.01' }), {
    message: /at most what is open/,
  });
  t.like(invoiceAfter(part, { happened: 'reopened', amount: '10' }).state, { open: '70' });
});

test('what was carried over keeps what was open, and does not open again', (t) => {
  const part = invoiceAfter(aside, { happened: 'paid', amount: '40' }).state;
  const closed = invoiceAfter(part, { happened: 'carriedOver' }).state;
  const kept = { status: 'CarriedOver', open: '0', carriedFrom: 'Outstanding', autopayOn: null };
  t.like(closed, { ...kept, carriedOpen: '60', awaits: 6, isSetAside: true });
  const back = invoiceAfter(closed, { happened: 'reopened', amount: '40' }).state;
  t.like(back, { ...kept, carriedOpen: '100' });
});

test('an invoice that was Paid when it was carried over is so until money is taken back', (t) => {
  const closed = invoiceAfter(paid, { happened: 'carriedOver' }).state;
  t.true(isPaidInFull(closed));
  const back = invoiceAfter(closed, { happened: 'reopened', amount: '40' });
  t.false(isPaidInFull(back.state));
  t.is(back.commissions, 'settled');
  const more = invoiceAfter(back.state, { happened: 'reopened', amount: '60' });
  t.is(more.commissions, null);
  t.false(isPaidInFull(states['CarriedOver'] ?? paid));
});

test('an invoice has the day, and the payment that it waits for, in its state', (t) => {
  const [set, left] = [happenings['setAside'], happenings['leftToPlan']];
  const later: InvoiceState = { ...day, autopayOn: '2027-01-20' };
  for (const [state, what, expected] of [
    [open, set, { autopayOn: today, awaits: 7, isSetAside: true }],
    [later, set, { autopayOn: '2027-01-20', awaits: 7, isSetAside: true }],
    [open, left, { autopayOn: today, awaits: null }],
    [later, left, { autopayOn: '2027-01-20', awaits: null }],
    [awaits, happenings['planEnded'], { autopayOn: '2027-01-16', awaits: 5 }],
    [aside, happenings['released'], { autopayOn: today, awaits: null, isSetAside: false }],
  ] as const) {
    if (what) t.like(invoiceAfter(state, what).state, expected);
  }
});

test('autopay claims no invoice before its day, and a plan moves only days that have passed', (t) => {
  const later: InvoiceState = { ...day, autopayOn: '2027-01-16' };
  for (const name of ['claimed', 'planEnded']) {
    const what = happenings[name];
    t.throws(() => what && invoiceAfter(later, what), { message: /day/ });
  }
});

test('an announced invoice pays itself on the day of its debit, which never comes too early', (t) => {
  const later: InvoiceState = { ...day, autopayOn: '2027-01-20' };
  const of = (debitOn: string) => invoiceAfter(later, { happened: 'announced', debitOn }).state;
  t.is(of('2027-01-20').autopayOn, '2027-01-20');
  t.is(of('2027-01-22').autopayOn, '2027-01-22');
  t.throws(() => of('2027-01-19'), { message: /too early/ });
});

test('the refusal of a cancellation says why', (t) => {
  const refusal = (state: InvoiceState, what: InvoiceHappened) =>
    t.throws(() => invoiceAfter(state, what), { instanceOf: DomainError });
  const only = 'only an Outstanding invoice can be cancelled, this one is ';
  t.like(refusal(paid, cancelled), { code: 'invoice.notCancellable', message: `${only}Paid` });
  const credited = { ...cancelled, isCredited: true };
  t.like(refusal(open, credited), { code: 'invoice.credited' });
  const over = states['CarriedOver'] ?? paid;
  const message = `${only}CarriedOver`;
  t.like(refusal(over, credited), { code: 'invoice.notCancellable', message });
});
