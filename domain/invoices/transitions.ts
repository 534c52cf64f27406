/** The transitions of invoices, for the state machine (state.ts), and how they begin. */
import assert from 'node:assert';
import { maxDate, type IsoDate } from '../calendar/calendar.ts';
import { add, compare, negate, type Decimal } from '../money/money.ts';
import type { InvoiceHappened, InvoiceState, InvoiceTransition } from './happened.ts';

/** With what autopay a new invoice begins, if it is open. */
export interface MadeAutopay {
  /** The day from which it pays itself; null without autopay. */
  readonly on: IsoDate | null;
  /** The payment that made it, whose outcome it waits for. */
  readonly awaits: number | null;
}

/** When a tenant's invoices pay themselves. */
export type AutopayOn = 'invoiceDate' | 'dueDate';

interface AutopayTerms {
  readonly isAutoPay: boolean;
  readonly invoiceDate: IsoDate;
  readonly dueDate: IsoDate;
}

/**
 * The day from which autopay pays a new invoice, if it is open; null without autopay.
 *
 * @param on null: never, whatever its order says
 * @example autopayDay({ isAutoPay: true, invoiceDate: '2027-01-15', dueDate: '2027-02-14' }, 'dueDate')
 *   // '2027-02-14'
 */
export function autopayDay(
  { isAutoPay, invoiceDate, dueDate }: AutopayTerms,
  on: AutopayOn | null,
): IsoDate | null {
  if (!isAutoPay || on === null) return null;
  return on === 'dueDate' ? maxDate(dueDate, invoiceDate) : invoiceDate;
}

/** What is known of a new invoice beside its amount. */
export interface MadeOf {
  readonly billsUsage?: boolean;
  /** Its customer has unapplied money. */
  readonly meetsMoney?: boolean;
}

/**
 * A new invoice. Nothing is to pay of one of 0 or less, and a negative one leaves a credit.
 *
 * @example
 * invoiceMade('-5', { on: null, awaits: null })
 * // state.status 'Paid', raises ['invoice.created', 'invoice.paid'], credit '5'
 */
export function invoiceMade(
  amountDue: Decimal,
  { on, awaits }: MadeAutopay,
  { billsUsage = false, meetsMoney = false }: MadeOf = {},
): InvoiceTransition {
  const isOpen = compare(amountDue, '0') > 0;
  const created = billsUsage
    ? (['invoice.created', 'usage.billed'] as const)
    : (['invoice.created'] as const);
  const isNegative = compare(amountDue, '0') < 0;
  const isPaying = isOpen && on !== null;
  return {
    ...nothing,
    state: {
      ...untouched,
      status: isOpen ? 'Outstanding' : 'Paid',
      open: isOpen ? amountDue : '0',
      autopayOn: isPaying ? on : null,
      awaits: isPaying ? awaits : null,
    },
    raises: isOpen ? created : [...created, 'invoice.paid'],
    credit: isNegative ? negate(amountDue) : null,
    allocates: isNegative || meetsMoney,
    commissions: isOpen ? null : 'settled',
  };
}

/**
 * An invoice of another system, of which this is still open. No event tells of it, and it never
 * pays itself.
 *
 * @example invoiceImported('60.00').state.status // 'Outstanding'
 */
export function invoiceImported(open: Decimal): InvoiceTransition {
  const sign = compare(open, '0');
  assert(sign >= 0, 'an imported invoice owes nothing back');
  return {
    ...nothing,
    state: { ...untouched, status: sign > 0 ? 'Outstanding' : 'Paid', open },
    debts: sign > 0 ? 'movedIn' : null,
  };
}

type AutopayHappened = Extract<
  InvoiceHappened,
  {
    readonly happened:
      | 'claimed'
      | 'announced'
      | 'setAside'
      | 'leftToPlan'
      | 'planEnded'
      | 'itsPaymentPaid'
      | 'released';
  }
>;

/**
 * What becomes of its autopay. What it waits for is nothing that callers see.
 *
 * @example autopayAfter(due, { happened: 'claimed', today: '2027-01-15' }).state.autopayOn // null
 */
export function autopayAfter(state: InvoiceState, what: AutopayHappened): InvoiceTransition {
  const { autopayOn } = state;
  switch (what.happened) {
    case 'claimed':
      assert(autopayOn !== null && autopayOn <= what.today, 'the day of its autopay has come');
      return { ...nothing, state: { ...state, autopayOn: null } };
    case 'announced':
      assert(autopayOn !== null && autopayOn <= what.debitOn, 'a debit never comes too early');
      return { ...unseen, state: { ...state, autopayOn: what.debitOn } };
    case 'setAside': {
      const day = autopayOn ?? what.today;
      const aside = { awaits: what.cascadeId, isSetAside: true };
      return { ...nothing, state: { ...state, autopayOn: day, ...aside } };
    }
    case 'leftToPlan':
      return { ...nothing, state: { ...state, autopayOn: autopayOn ?? what.today } };
    case 'planEnded':
      assert(autopayOn !== null && autopayOn <= what.today, 'its day passed during the plan');
      return { ...nothing, state: { ...state, autopayOn: what.from }, paysItself: true };
    case 'itsPaymentPaid':
      return { ...unseen, state: { ...state, autopayOn: null, awaits: null } };
    case 'released': {
      const released = { ...state, awaits: null, isSetAside: false };
      return { ...unseen, state: released, paysItself: autopayOn !== null };
    }
  }
}

/**
 * Whether it is paid in full, or was when it was carried over and nothing was taken back.
 *
 * @example isPaidInFull({ status: 'Paid', carriedFrom: null, carriedOpen: null }) // true
 */
export function isPaidInFull({
  status,
  carriedFrom,
  carriedOpen,
}: Pick<InvoiceState, 'status' | 'carriedFrom' | 'carriedOpen'>): boolean {
  if (status !== 'CarriedOver') return status === 'Paid';
  return carriedFrom === 'Paid' && carriedOpen !== null && compare(carriedOpen, '0') === 0;
}

/**
 * What is open changes by so much; what was carried over does not open again.
 *
 * @example moved(open, '-100').state.status // 'Paid'
 */
export function moved(state: InvoiceState, change: Decimal): InvoiceTransition {
  const { status, carriedOpen } = state;
  assert(compare(change, '0') !== 0, 'something is paid or taken back');
  if (status === 'CarriedOver') {
    assert(carriedOpen !== null, 'of a carried invoice it is known what was open');
    return closing(state, { ...state, carriedOpen: add(carriedOpen, change) });
  }
  const open = add(state.open, change);
  const left = compare(open, '0');
  assert(left >= 0, 'at most what is open is paid');
  if (left > 0) return closing(state, { ...state, status: 'Outstanding', open });
  const paid = { ...state, status: 'Paid', open, autopayOn: null } as const;
  return { ...closing(state, paid), raises: ['invoice.paid'] };
}

/**
 * What follows if its debt, and maybe its status, has changed.
 *
 * @example closing(open, cancelled).endsRetries // true
 */
export function closing(before: InvoiceState, state: InvoiceState): InvoiceTransition {
  return {
    ...nothing,
    state,
    endsRetries: state.status !== 'Outstanding',
    commissions: isPaidInFull(before) === isPaidInFull(state) ? null : 'settled',
    debts: 'changed',
  };
}

const untouched = {
  carriedFrom: null,
  carriedOpen: null,
  autopayOn: null,
  awaits: null,
  isSetAside: false,
} as const;

const nothing = {
  shows: 'version',
  raises: [],
  credit: null,
  endsRetries: false,
  commissions: null,
  voidsTaxRecord: false,
  allocates: false,
  paysItself: false,
  debts: null,
  isNumbered: false,
} as const satisfies Partial<InvoiceTransition>;

/** @example { ...unseen, state } // callers see nothing of it */
export const unseen = { ...nothing, shows: 'nothing' } as const;
