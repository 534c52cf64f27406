/** Views of the pages of orders, one for each thing that they can show. */
import {
  renderCancel,
  renderKeep,
  renderOrders,
  renderRefusal,
} from '../../../api/resources/self-service/orders/render.ts';
import {
  renderChoose,
  renderReview,
} from '../../../api/resources/self-service/orders/render-order.ts';
import type {
  CancelView,
  ChooseView,
  OrdersView,
  RefusalReason,
  ReviewView,
} from '../../../api/resources/self-service/orders/views.ts';
import type { AccountView } from '../../../api/resources/self-service/page/account.ts';
import type { ListedOrder } from '../../../operations/self-service/orders-own.ts';
import { formProblem } from '../../../api/pages/view.ts';

const monthly = { billingPeriod: 'Monthly', once: '0', hasUsage: false } as const;

const gold: ListedOrder = {
  id: 811,
  orderNumber: 1042,
  status: 'Active',
  planName: 'Gold internet',
  billingPeriod: 'Monthly',
  currency: 'USD',
  startDate: '2027-01-15',
  trialEndDate: null,
  endDate: '2028-01-14',
  isAutoRenew: true,
  isAutoPay: true,
  nextBillOn: '2027-02-15',
  changeOn: null,
  billedThrough: null,
  changesTo: null,
  replaces: null,
  isEndRequested: false,
  price: {
    ...monthly,
    amount: '29.95',
    coupon: { code: 'WELCOME10', amount: '26.95', isOnce: false, until: '2027-04-14' },
  },
};

export const listed: readonly ListedOrder[] = [
  {
    ...gold,
    id: 815,
    orderNumber: 1046,
    status: 'Suspended',
    planName: 'Metered voice',
    price: null,
  },
  {
    ...gold,
    id: 814,
    orderNumber: 1045,
    status: 'Provisioning',
    planName: 'Silver internet & more',
    startDate: '2027-02-15',
    endDate: null,
    replaces: 1042,
    price: { ...monthly, amount: '19.95', coupon: null },
  },
  { ...gold, changeOn: '2027-02-15', changesTo: 'Silver internet & more' },
  {
    ...gold,
    id: 812,
    orderNumber: 1043,
    billingPeriod: 'Yearly',
    price: { ...monthly, billingPeriod: 'Yearly', amount: '1348', hasUsage: true, coupon: null },
    isAutoRenew: false,
    endDate: '2027-12-31',
    isEndRequested: true,
  },
  { ...gold, id: 810, orderNumber: 1041, status: 'Canceled', endDate: '2027-01-31' },
  { ...gold, id: 809, orderNumber: 1040, status: 'Superseded', endDate: null },
  { ...gold, id: 808, orderNumber: 1039, status: 'Complete', endDate: '2027-01-31' },
];

const plans: ChooseView['plans'] = [
  {
    contractCode: 'GOLD',
    name: 'Gold internet',
    price: { ...monthly, amount: '29.95', once: '49.00' },
    isCurrent: true,
    hasQuantity: true,
    trialEndDate: null,
  },
  {
    contractCode: 'PLATINUM',
    name: 'Platinum internet with everything that one can think of',
    price: { ...monthly, amount: '49.95' },
    isCurrent: false,
    hasQuantity: true,
    trialEndDate: null,
  },
  {
    contractCode: 'METERED',
    name: 'Metered',
    price: { ...monthly, amount: '0', hasUsage: true },
    isCurrent: false,
    hasQuantity: true,
    trialEndDate: null,
  },
  {
    contractCode: 'FREE',
    name: 'Free',
    price: { ...monthly, amount: '0' },
    isCurrent: false,
    hasQuantity: true,
    trialEndDate: null,
  },
];

const reasons: readonly RefusalReason[] = [
  'changePending',
  'notChangeable',
  'ended',
  'endsBefore',
  'elsewhere',
  'customer',
  'later',
  'address',
  'none',
  'other',
];

const address = '/widget/customerHome/q3V0bm/orders/811/upgrade';
const typed = { contractCode: 'PLATINUM', quantity: '1', couponCode: '', isAutoPay: false };
const now = {
  planName: 'Gold internet',
  price: { ...monthly, amount: '29.95', coupon: null },
} as const;
const days = { from: '2027-02-01', to: '2027-02-14' };

const form = { action: address, key: 'k1.k2', problems: [] };
const moved = [formProblem('price.moved')];

/** Every page of orders by its name, in the locale of the account. */
export function orderPagesOf(account: AccountView): Readonly<Record<string, string>> {
  const orders: OrdersView = {
    ...account,
    orders: listed,
    hasMore: true,
    today: '2027-01-15',
    done: 'upgrade',
  };
  const choose: ChooseView = {
    ...account,
    ordering: 'upgrade',
    action: address,
    problems: [],
    typed,
    currency: 'USD',
    plans,
    effectiveDate: '2027-02-01',
    now,
    hasMethod: false,
  };
  const review: ReviewView = {
    ...account,
    ordering: 'upgrade',
    form,
    choice: typed,
    planName: 'Platinum internet',
    hasQuantity: true,
    currency: 'USD',
    startDate: '2027-02-01',
    now,
    couponCode: null,
    isAutoPay: false,
    tables: [
      {
        is: 'invoice',
        on: null,
        currency: 'USD',
        lines: [
          { text: 'Gold monthly fee', days, quantity: null, amount: '-13.53' },
          { text: 'NY sales tax', days: null, quantity: null, amount: '-1.20' },
          { text: 'Platinum monthly fee', days, quantity: '1', amount: '22.56' },
          { text: 'NY sales tax', days: null, quantity: null, amount: '2.00' },
        ],
        total: '9.83',
      },
    ],
    due: [{ currency: 'USD', amount: '9.83' }],
    lasting: {
      trial: null,
      regular: { amount: '49.95', billingPeriod: 'Monthly' },
      coupon: { code: 'WELCOME10', isOnce: false, until: '2027-04-14' },
      end: { on: '2027-12-31', isRenewed: true },
    },
    isUntaxed: true,
  };
  const faulty = [
    { field: 'contractCode', key: 'required' },
    { field: 'quantity', key: 'quantity.outOfRange' },
    { field: 'couponCode', key: 'coupon.unknown' },
  ] as const;
  const dearer = [{ field: 'contractCode', key: 'change.upgrade' }] as const;
  return {
    orders: renderOrders(orders),
    'orders-none': renderOrders({ ...orders, orders: [], hasMore: false, done: null }),
    ...endPagesOf(account),
    'order-upgrade': renderChoose(choose),
    'order-upgrade-dear': renderChoose({ ...choose, problems: dearer }),
    'order-downgrade': renderChoose({
      ...choose,
      ordering: 'downgrade',
      effectiveDate: '2027-02-15',
      problems: [{ field: 'contractCode', key: 'change.downgrade' }],
    }),
    'order-new': renderChoose({
      ...choose,
      ordering: 'new',
      effectiveDate: null,
      now: null,
      hasMethod: true,
    }),
    'order-new-faulty': renderChoose({
      ...choose,
      ordering: 'new',
      effectiveDate: null,
      now: null,
      problems: faulty,
    }),
    'order-review': renderReview(review),
    'order-review-moved': renderReview({ ...review, form: { ...form, problems: moved } }),
    'order-review-later': renderReview({
      ...review,
      ordering: 'downgrade',
      startDate: '2027-02-15',
      tables: review.tables.map((table) => ({ ...table, on: '2027-02-15' })),
      due: [
        { currency: 'USD', amount: '-5.00' },
        { currency: 'EUR', amount: '0' },
      ],
    }),
    'order-review-new': renderReview({
      ...review,
      ordering: 'new',
      isUntaxed: false,
      lasting: {
        end: null,
        trial: null,
        regular: { amount: '49.95', billingPeriod: 'Monthly' },
        coupon: { code: 'FIVEOFF', isOnce: true, until: null },
      },
      now: null,
      couponCode: 'WELCOME10',
      isAutoPay: true,
      choice: { ...typed, couponCode: 'WELCOME10', isAutoPay: true },
      tables: (['initial', 'recurring'] as const).map((is) => ({
        ...(review.tables[0] ?? { on: null, currency: 'USD', lines: [], total: '0' }),
        is,
      })),
    }),
    ...Object.fromEntries(
      reasons.map((reason) => [
        `order-refused-${reason}`,
        renderRefusal({ ...account, action: 'upgrade', reason }),
      ]),
    ),
  };
}

function endPagesOf(account: AccountView): Readonly<Record<string, string>> {
  const cancel: CancelView = {
    ...account,
    own: { ...gold, changesTo: 'Silver internet' },
    credit: '13.68',
    isBilledLater: true,
    endsOn: '2028-01-14',
    isPeriodEnd: false,
    form,
    today: '2027-02-01',
    offered: ['now'],
    chosen: 'now',
    reason: null,
  };
  const both = { ...cancel, offered: ['termEnd', 'now'], chosen: 'termEnd', reason: '' } as const;
  return {
    'order-cancel': renderCancel(cancel),
    'order-cancel-moved': renderCancel({
      ...cancel,
      credit: '0',
      form: { ...form, problems: moved },
    }),
    'order-cancel-pending': renderCancel({ ...cancel, own: { ...gold, replaces: 1041 } }),
    'order-cancel-both': renderCancel(both),
    'order-cancel-end': renderCancel({ ...both, offered: ['termEnd'], isPeriodEnd: true }),
    'order-cancel-reason': renderCancel({
      ...both,
      isPeriodEnd: true,
      form: { ...form, problems: [{ field: 'reason', key: 'tooLong' }] },
    }),
    'order-keep': renderKeep({
      ...account,
      own: { ...gold, isAutoRenew: false, isEndRequested: true },
      form,
    }),
  };
}
