/** What the pages of orders show. */
import type { IsoDate } from '../../../../domain/calendar/calendar.ts';
import type { Decimal } from '../../../../domain/money/money.ts';
import type { RunningPrice } from '../../../../domain/self-service/running-price.ts';
import type { EndTime } from '../../../../domain/orders/end.ts';
import type { Cancellable } from '../../../../operations/self-service/orders-end.ts';
import type { PricedPlan } from '../../../../operations/self-service/orders-current.ts';
import type { Due, ListedOrder, OwnOrder } from '../../../../operations/self-service/orders-own.ts';
import type { Lasting } from '../../../../domain/self-service/lasting.ts';
import type { FormView, PageProblem } from '../../../pages/view.ts';
import type { AccountView } from '../page/account.ts';

export const actions = ['cancel', 'keep', 'upgrade', 'downgrade', 'new'] as const;
export type Action = (typeof actions)[number];
/** An action that has a price. */
export type Ordering = Exclude<Action, 'cancel' | 'keep'>;

/** What the list says was done: also that an order will end. */
export const doings = [...actions, 'end'] as const;
export type Doing = (typeof doings)[number];

export interface OrdersView extends AccountView {
  readonly orders: readonly ListedOrder[];
  /** There are more than the page lists. */
  readonly hasMore: boolean;
  readonly today: IsoDate;
  /** What was done just now. */
  readonly done: Doing | null;
}

/** The ends that a page offers. */
export type OfferedEnd = Exclude<EndTime, 'periodEnd'>;

export interface CancelView extends AccountView, Cancellable {
  readonly form: FormView;
  readonly today: IsoDate;
  /** One or both, the one that is chosen at first before the other. */
  readonly offered: readonly OfferedEnd[];
  readonly chosen: OfferedEnd;
  /** As it was typed; null: the page does not ask for it. */
  readonly reason: string | null;
}

export interface KeepView extends AccountView {
  readonly own: OwnOrder;
  readonly form: FormView;
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
  | 'elsewhere'
  | 'customer'
  | 'later'
  | 'address'
  | 'none'
  | 'other';
