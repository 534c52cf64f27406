/** Views of the pages of a sign-up, one for each thing that a page can show, and every page. */
import { type NoticeKey, renderNotice } from '../../../api/pages/notice.ts';
import {
  renderDetails,
  renderReview,
  renderWorking,
} from '../../../api/resources/signups/page/render.ts';
import { renderConfirm } from '../../../api/resources/signups/page/confirm.ts';
import type {
  ConfirmView,
  DetailsView,
  ReviewView,
  WorkingView,
} from '../../../api/resources/signups/page/views.ts';
import { accountPagesIn } from './account-samples.ts';
import { linkPages } from './samples-links.ts';
import { atSandbox, atStripe, atStripeWithoutKey } from './samples-gateways.ts';

export const page = {
  locale: 'en-US',
  sender: 'Demo Telecom',
  logo: null,
  cssUrl: '/css/signup.css',
} as const;
export const form = { action: '/signup/q3V0bm', key: 'k1.k2', problems: [] } as const;

const monthly = { billingPeriod: 'Monthly', once: '0', hasUsage: false } as const;

/** Everything is asked for. */
export const details: DetailsView = {
  ...page,
  form,
  customer: { firstName: 'Jane', lastName: 'Miller', email: 'jane@example.com', country: 'US' },
  asksLogin: true,
  asked: { country: true, statesOf: ['US'] },
  order: { contractCode: 'GOLD', quantity: '1', couponCode: 'WELCOME10' },
  plans: [
    {
      contractCode: 'FREE',
      name: 'Free',
      price: { ...monthly, amount: '0' },
      hasQuantity: true,
      trialEndDate: null,
    },
    {
      contractCode: 'GOLD',
      name: 'Gold',
      price: { ...monthly, amount: '29.95', once: '49.00' },
      hasQuantity: true,
      trialEndDate: null,
    },
    {
      contractCode: 'METERED',
      name: 'Metered',
      price: { ...monthly, amount: '0', hasUsage: true },
      hasQuantity: false,
      trialEndDate: null,
    },
    {
      contractCode: 'YEAR',
      name: 'Gold for a year',
      price: { ...monthly, billingPeriod: 'Yearly', amount: '348.00', hasUsage: true },
      hasQuantity: true,
      trialEndDate: null,
    },
  ],
  currency: 'USD',
  displayAmount: 'allCharges',
};

/** GOLD with WELCOME10 in New York, from 2027-01-15. */
export const review: ReviewView = {
  ...page,
  form,
  planName: 'Gold',
  quantity: '1',
  billingPeriod: 'Monthly',
  couponCode: 'WELCOME10',
  startDate: '2027-01-15',
  price: {
    currency: 'USD',
    initial: {
      lines: [
        { text: 'Installation', quantity: '1', amount: '49.00' },
        { text: 'WELCOME10', quantity: null, amount: '-4.90' },
      ],
      total: '44.10',
    },
    recurring: {
      lines: [
        { text: 'Monthly fee', quantity: '1', amount: '29.95' },
        { text: 'WELCOME10', quantity: null, amount: '-3.00' },
        { text: 'NY sales tax', quantity: null, amount: '2.39' },
      ],
      total: '29.34',
    },
    total: '73.44',
    dueToday: '73.44',
  },
  currency: 'USD',
  lasting: {
    trial: null,
    regular: { amount: '29.95', billingPeriod: 'Monthly' },
    coupon: { code: 'WELCOME10', isOnce: false, until: '2027-04-14' },
    end: null,
  },
  isUntaxed: false,
  isCardRequired: true,
  isCardSaved: false,
  cardholderName: '',
  savePaymentMethod: false,
  tosLink: 'https://www.example.com/terms',
  tosAccepted: false,
  detailsAddress: '/signup/q3V0bm?step=details',
  triesLeft: 3,
  today: '2027-01-15',
  tenant: atSandbox,
  amount: '73.44',
  taken: ['card'],
};

/** The order begins later. */
export const free: ReviewView = {
  ...review,
  startDate: '2027-02-01',
  price: review.price === null ? null : { ...review.price, dueToday: '0.00' },
  isCardRequired: false,
  amount: null,
};

const inTrial = { ...free.lasting, trial: { to: '2027-01-28', from: '2027-01-29' } };

/** The page of a mail. */
export const confirm: ConfirmView = {
  asksCard: false,
  ...free,
  isUntaxed: true,
};

export const working: WorkingView = { ...page, address: '/signup/q3V0bm', challenge: null };

const challenge = { tenant: atStripe, clientSecret: 'pi_1_secret_1', to: '/signup/q3V0bm' };

export const faultyDetails: DetailsView = {
  ...details,
  customer: { ...details.customer, firstName: '', email: 'jane', login: 'jane', country: 'Utopia' },
  form: {
    ...form,
    problems: [
      { field: 'firstName', key: 'required' },
      { field: 'email', key: 'email' },
      { field: 'country', key: 'country' },
      { field: 'login', key: 'login.tooShort' },
      { field: 'contractCode', key: 'required' },
    ],
  },
};

export const declined: ReviewView = {
  ...review,
  form: {
    ...form,
    problems: [
      { field: null, key: 'declined' },
      { field: 'cvv', key: 'cvv.length' },
      { field: 'tosAccepted', key: 'tos.required' },
    ],
  },
  detailsAddress: null,
  cardholderName: 'Jane Miller',
  triesLeft: 2,
};

/** Every page by its name, in a locale. */
export function pagesIn(locale: string): Readonly<Record<string, string>> {
  const notice = (key: NoticeKey, link: string | null = null): string =>
    renderNotice({ ...page, locale, key, link });
  return {
    details: renderDetails({ ...details, locale }),
    'details-faulty': renderDetails({ ...faultyDetails, locale }),
    review: renderReview({ ...review, locale }),
    'review-declined': renderReview({ ...declined, locale }),
    'review-free': renderReview({ ...free, locale }),
    'review-stripe': renderReview({ ...review, locale, tenant: atStripe }),
    'review-none': renderReview({ ...review, locale, tenant: atStripeWithoutKey }),
    confirm: renderConfirm({ ...confirm, locale }),
    'confirm-moved': renderConfirm({
      ...confirm,
      locale,
      form: { ...form, problems: [{ field: null, key: 'price.moved' }] },
    }),
    'confirm-card': renderConfirm({
      ...confirm,
      locale,
      isCardRequired: true,
      asksCard: true,
      form: { ...form, problems: [{ field: 'cvv', key: 'cvv.length' }] },
    }),
    'review-trial': renderReview({ ...free, locale, isCardSaved: true, lasting: inTrial }),
    mailed: notice('mailed', '/signup/q3V0bm'),
    'review-unpriced': renderReview({ ...review, locale, price: null, tosLink: null }),
    working: renderWorking({ ...working, locale }),
    'working-asked': renderWorking({ ...working, locale, challenge }),
    ...accountPagesIn(locale),
    ...linkPages({ ...page, locale }),
    'link-over': notice('payLinkOver', '/widget/login'),
    'action-over': notice('actionOver', '/widget/login'),
    gone: notice('gone', 'https://www.example.com/failed'),
    unknown: notice('unknown'),
  };
}
