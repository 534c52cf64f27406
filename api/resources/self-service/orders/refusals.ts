/** What refuses an order of a page: a problem of the choice, a text for its own page, or a fault. */
import type { ErrorKind } from '../../../../domain/error-codes.ts';
import { DomainError } from '../../../../domain/errors.ts';
import {
  NoSuchOrder,
  NotInDirection,
  StillElsewhere,
} from '../../../../operations/self-service/orders-change.ts';
import { PriceMoved } from '../../../../operations/self-service/orders-own.ts';
import { unknownPage } from '../../../calls/page-route.ts';
import { statusOfKind } from '../../../calls/refusals.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import type { PageProblem } from '../../../pages/view.ts';
import { type Visit, accountView, shown } from '../page/visit.ts';
import { renderRefusal } from './render.ts';
import type { Action, RefusalReason } from './views.ts';

export type Refused =
  /** Another choice may do. */
  | { readonly is: 'choice'; readonly problem: PageProblem; readonly status: number }
  /** The price is not the one that was shown. */
  | { readonly is: 'moved' }
  | { readonly is: 'impossible'; readonly reason: RefusalReason; readonly status: number };

const CONFLICT = 409;

/** Throws what is none of them: 404 for an order that is not the customer's. */
export function refusedBy(error: unknown): Refused {
  if (error instanceof NoSuchOrder) throw unknownPage();
  if (error instanceof PriceMoved) return { is: 'moved' };
  if (error instanceof StillElsewhere)
    return { is: 'impossible', reason: 'elsewhere', status: CONFLICT };
  if (error instanceof NotInDirection) {
    const problem = { field: 'contractCode', key: `change.${error.kind}` } as const;
    return { is: 'choice', problem, status: 400 };
  }
  if (!(error instanceof DomainError)) throw error;
  const { code, kind, path } = error;
  if (code === 'quote.moved') return { is: 'moved' };
  const problem = problemOf(code);
  if (problem !== null) return { is: 'choice', problem, status: statusFor(kind) };
  return { is: 'impossible', reason: reasonOf(code, path), status: statusFor(kind) };
}

/** A refusal of what is stored is a conflict, as the form itself is in order. */
const statusFor = (kind: ErrorKind): number =>
  kind === 'unavailable' ? statusOfKind[kind] : CONFLICT;

function problemOf(code: string): PageProblem | null {
  switch (code) {
    case 'plan.unknown':
    case 'plan.retired':
      return { field: 'contractCode', key: code };
    case 'order.priceMissing':
    case 'order.unitPriceMissing':
      return { field: 'contractCode', key: 'plan.retired' };
    case 'quantity.outOfRange':
    case 'order.priceTooHigh':
      return { field: 'quantity', key: 'quantity.outOfRange' };
    default:
      return code.startsWith('coupon.') ? { field: 'couponCode', code } : null;
  }
}

const reasons: Readonly<Record<string, RefusalReason>> = {
  'order.changePending': 'changePending',
  'order.notChangeable': 'notChangeable',
  'order.transition': 'ended',
  'order.notEditable': 'ended',
  'order.notEnding': 'none',
  'customer.inactive': 'customer',
  'customer.held': 'customer',
  'order.notBillable': 'customer',
  'customer.billedApart': 'later',
  'tax.unavailable': 'later',
  'tax.refused': 'address',
};

function reasonOf(code: string, path: string | null): RefusalReason {
  if (code === 'field.invalid' && path === 'effectiveDate') return 'endsBefore';
  return reasons[code] ?? 'other';
}

export function showRefusal(
  visit: Visit,
  status: number,
  refusal: { readonly action: Action; readonly reason: RefusalReason },
): PageAnswer {
  return shown(visit, status, renderRefusal({ ...accountView(visit), ...refusal }));
}
