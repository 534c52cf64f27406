/** The state machine of invoices: what may happen in which state, and what comes of it. */
import assert from 'node:assert';
import { DomainError } from '../errors.ts';
import { negate } from '../money/money.ts';
import {
  type AutopayPlace,
  type InvoiceHappened,
  type InvoiceState,
  type InvoiceTransition,
  invoiceStatuses,
  type InvoiceStatus,
} from './happened.ts';
import { autopayAfter, closing, moved, unseen } from './transitions.ts';

const anyAutopay = ['none', 'day', 'awaits', 'aside'] as const;

/** Where each thing may happen. Elsewhere it is refused, or only a bug can cause it. */
const places: Readonly<
  Record<InvoiceHappened['happened'], readonly [readonly InvoiceStatus[], readonly AutopayPlace[]]>
> = {
  paid: [['Outstanding'], anyAutopay],
  reopened: [['Outstanding', 'Paid', 'CarriedOver'], anyAutopay],
  replaced: [['Outstanding', 'Paid', 'CarriedOver'], anyAutopay],
  cancelled: [['Outstanding', 'Paid'], anyAutopay],
  credited: [['Outstanding', 'Paid', 'CarriedOver'], anyAutopay],
  carriedOver: [['Outstanding', 'Paid', 'Cancelled'], anyAutopay],
  claimed: [['Outstanding'], ['day']],
  announced: [['Outstanding'], ['day']],
  setAside: [['Outstanding'], ['none', 'day', 'aside']],
  leftToPlan: [['Outstanding'], ['none', 'day', 'aside']],
  planEnded: [['Outstanding'], ['day', 'awaits', 'aside']],
  itsPaymentPaid: [invoiceStatuses, ['awaits']],
  released: [invoiceStatuses, ['awaits', 'aside']],
};

/**
 * What becomes of an invoice when something happens to it. Throws invoice.credited and
 * invoice.notCancellable; anything else that cannot happen in its state is a bug.
 *
 * @example
 * const { state, raises } = invoiceAfter(open, { happened: 'paid', amount: '100' })
 * // state.status 'Paid', raises ['invoice.paid']
 */
export function invoiceAfter(invoice: InvoiceState, what: InvoiceHappened): InvoiceTransition {
  const state = stateOf(invoice);
  if (what.happened === 'cancelled') assertCancellable(state, what);
  const [statuses, autopays] = places[what.happened];
  const autopay = autopayPlace(state);
  assert(
    statuses.includes(state.status) && autopays.includes(autopay),
    `${what.happened} cannot happen to an invoice that is ${state.status}, autopay ${autopay}`,
  );
  switch (what.happened) {
    case 'paid': {
      const debts = what.isMovedIn === true ? 'movedIn' : 'changed';
      const { raises, ...paid } = moved(state, negate(what.amount));
      return { ...paid, raises: what.isMovedIn === true ? [] : raises, debts };
    }
    case 'reopened':
      return moved(state, what.amount);
    case 'replaced':
      return { ...unseen, state, shows: 'version' };
    case 'cancelled': {
      const cancelled = { ...state, status: 'Cancelled', open: '0', autopayOn: null } as const;
      const closed = { ...closing(state, cancelled), raises: ['invoice.cancelled'] as const };
      return { ...closed, voidsTaxRecord: true, allocates: true, isNumbered: true };
    }
    case 'credited':
      return { ...unseen, state, commissions: 'credited' };
    case 'carriedOver': {
      const { status: carriedFrom, open: carriedOpen } = state;
      const carried = { status: 'CarriedOver', open: '0', autopayOn: null } as const;
      return closing(state, { ...state, ...carried, carriedFrom, carriedOpen });
    }
    default:
      return autopayAfter(state, what);
  }
}

/**
 * What the autopay of an invoice does.
 *
 * @example autopayPlace({ autopayOn: '2027-01-15', awaits: null, isSetAside: false }) // 'day'
 */
export function autopayPlace({
  autopayOn,
  awaits,
  isSetAside,
}: Pick<InvoiceState, 'autopayOn' | 'awaits' | 'isSetAside'>): AutopayPlace {
  if (awaits !== null) return isSetAside ? 'aside' : 'awaits';
  return autopayOn === null ? 'none' : 'day';
}

type Cancelled = Extract<InvoiceHappened, { readonly happened: 'cancelled' }>;

function assertCancellable({ status }: InvoiceState, { isCredited, alsoPaid }: Cancelled): void {
  if (isCredited && status !== 'CarriedOver') {
    throw new DomainError(
      'invoice.credited',
      'unused days or corrected records of the invoice were credited, so it cannot be cancelled',
    );
  }
  if (status === 'Outstanding' || (alsoPaid && status === 'Paid')) return;
  throw new DomainError(
    'invoice.notCancellable',
    `only an Outstanding invoice can be cancelled, this one is ${status}`,
  );
}

/** Without what else a row has. */
function stateOf(invoice: InvoiceState): InvoiceState {
  const { status, open, carriedFrom, carriedOpen, autopayOn, awaits, isSetAside } = invoice;
  return { status, open, carriedFrom, carriedOpen, autopayOn, awaits, isSetAside };
}
