/** What the pages of a hosted sign-up show. */
import type { IsoDate, BillingPeriod } from '../../../../domain/calendar/calendar.ts';
import type { Decimal } from '../../../../domain/money/money.ts';
import type { Lasting } from '../../../../domain/self-service/lasting.ts';
import type { DisplayAmount } from '../../../../domain/signups/signup.ts';
import type { AskedPlace } from '../../../../domain/tax/place.ts';
import type { OfferedPlan } from '../../../../operations/orders/offered.ts';
import type { Shown } from '../../../pages/form.ts';
import type { ChallengeOnPage } from '../../../pages/gateway-fields.ts';
import type { EnteringView } from '../../../pages/new-method.ts';
import type { orderFields } from '../../../pages/order-fields.ts';
import type { FormView, PageView } from '../../../pages/view.ts';
import type { customerFields } from './detail-fields.ts';

/** Step 1: what is to be entered. */
export interface DetailsView extends PageView {
  readonly form: FormView;
  /** What is prefilled; a password never is. Null: the link hides these fields. */
  readonly customer: Partial<Shown<typeof customerFields>> | null;
  /** Login and password are asked for: the link came without a password. */
  readonly asksLogin: boolean;
  readonly order: Partial<Shown<typeof orderFields>> | null;
  readonly asked: AskedPlace;
  readonly plans: readonly OfferedPlan[];
  /** Of their prices. */
  readonly currency: string;
  readonly displayAmount: DisplayAmount;
}

export interface PriceLine {
  readonly text: string;
  readonly quantity: Decimal | null;
  readonly amount: Decimal;
}

export interface PriceBlock {
  readonly lines: readonly PriceLine[];
  readonly total: Decimal;
}

/** The price as displayAmount has it: with `none` there is none, with one-time charges one block. */
export interface PriceView {
  readonly currency: string;
  readonly initial: PriceBlock;
  /** Null with oneTimeChargesOnly, as the total and what is due today. */
  readonly recurring: PriceBlock | null;
  readonly total: Decimal | null;
  readonly dueToday: Decimal | null;
}

/** The order and its price. */
export interface OrderView extends PageView {
  readonly planName: string;
  /** Null: nothing of the plan follows one. */
  readonly quantity: Decimal | null;
  readonly billingPeriod: BillingPeriod;
  readonly couponCode: string | null;
  readonly startDate: IsoDate;
  readonly price: PriceView | null;
  readonly currency: string;
  readonly lasting: Lasting;
  /** The tenant taxes, and no rate matches. */
  readonly isUntaxed: boolean;
  /** Without it nothing is to be paid today, and a card is needed to be saved only. */
  readonly isCardRequired: boolean;
  /** Nothing is to be paid today, but the trial demands a card, which is saved. */
  readonly isCardSaved: boolean;
}

/** The page that a mail leads to. */
export interface ConfirmView extends OrderView, EnteringView {
  readonly form: FormView;
  /** A card is to be entered: the form before had none. */
  readonly asksCard: boolean;
  readonly today: IsoDate;
  /** Due today; null for nothing. */
  readonly amount: Decimal | null;
}

/** Step 2: the order, its price, the card. */
export interface ReviewView extends OrderView, EnteringView {
  readonly form: FormView;
  readonly savePaymentMethod: boolean;
  readonly tosLink: string | null;
  readonly tosAccepted: boolean;
  /** The address of step 1; null if nothing of it can be changed. */
  readonly detailsAddress: string | null;
  /** How many declines are left before the signup fails. */
  readonly triesLeft: number;
  readonly today: IsoDate;
  /** Due today; null for nothing. */
  readonly amount: Decimal | null;
}

/** A try is under way: the page asks again every few seconds. */
export interface WorkingView extends PageView {
  /** Its own address. */
  readonly address: string;
  /** The gateway's script on the page lets the payer authenticate. */
  readonly challenge: ChallengeOnPage | null;
}
