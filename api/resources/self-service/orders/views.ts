/** What the pages of orders show. */
import type { IsoDate } from '../../../../domain/calendar/calendar.ts';
import type { Decimal } from '../../../../domain/money/money.ts';
import type { RunningPrice } from '../../../../domain/self-service/running-price.ts';
import type { Cancellable } from '../../../../operations/self-service/orders-change.ts';
import type { PricedPlan } from '../../../../operations/self-service/orders-current.ts';
import type { Due, ListedOrder } from '../../../../operations/self-service/orders-own.ts';
import type { Lasting } from '../../../../domain/self-service/lasting.ts';
import type { FormView, PageProblem } from '../../../pages/view.ts';
import type { AccountView } from '../page/account.ts';

export const actions = ['cancel', 'upgrade', 'downgrade', 'new'] as const;
export type Action = (typeof actions)[number];
/** An action that has a price. */
export type Ordering = Exclude<Action, 'cancel'>;

export interface OrdersView extends AccountView {
  readonly orders: readonly ListedOrder[];
  /** There are more than the page lists. */
  readonly hasMore: boolean;
  /** What was done just now. */
  readonly done: Action | null;
}

export interface CancelView extends AccountView, Cancellable {
  readonly form: FormView;
  readonly today: IsoDate;
}

/** What is typed into a form, as it is shown again. */
export interface TypedChoice {
  readonly contractCode: string;
  readonly quantity: string;
  readonly couponCode: string;
  readonly isAutoPay: boolean;
}

export interface ChooseView extends AccountView {
  readonly ordering: Ordering;
  /** The page's own path, to which the choice is sent by a GET. */
  readonly action: string;
  readonly problems: readonly PageProblem[];
  readonly typed: TypedChoice;
  readonly currency: string;
  readonly plans: readonly PricedPlan[];
  /** The day of a change; null for a new order, which begins today. */
  readonly effectiveDate: IsoDate | null;
  /** The order that is changed; null for a new one. */
  readonly now: { readonly planName: string; readonly price: RunningPrice } | null;
  /** A method on file can pay by itself. */
  readonly hasMethod: boolean;
}

export interface ReviewLine {
  readonly text: string;
  /** The days that it is for. */
  readonly days: { readonly from: IsoDate; readonly to: IsoDate } | null;
  readonly quantity: Decimal | null;
  readonly amount: Decimal;
}

export interface ReviewTable {
  readonly is: 'invoice' | 'initial' | 'recurring';
  /** Of an invoice that is made later. */
  readonly on: IsoDate | null;
  readonly currency: string;
  readonly lines: readonly ReviewLine[];
  readonly total: Decimal;
}

/** The price of a choice, before it is ordered. */
export interface ReviewView extends AccountView {
  readonly ordering: Ordering;
  readonly form: FormView;
  readonly choice: TypedChoice;
  readonly planName: string;
  /** Something of the plan follows a quantity. */
  readonly hasQuantity: boolean;
  readonly currency: string;
  readonly startDate: IsoDate;
  readonly now: ChooseView['now'];
  readonly couponCode: string | null;
  readonly isAutoPay: boolean;
  readonly tables: readonly ReviewTable[];
  readonly due: readonly Due[];
  readonly lasting: Lasting;
  /** The tenant taxes, and no rate matches. */
  readonly isUntaxed: boolean;
}

export interface RefusalView extends AccountView {
  readonly action: Action;
  readonly reason: RefusalReason;
}

export type RefusalReason =
  | 'changePending'
  | 'notChangeable'
  | 'ended'
  | 'endsBefore'
  | 'customer'
  | 'later'
  | 'address'
  | 'none'
  | 'other';
