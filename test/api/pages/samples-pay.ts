/** Views of the pages that pay invoices and keep cards, one for each thing that they can show. */
import type { AccountView } from '../../../api/resources/self-service/page/account.ts';
import { renderCards, type CardsView } from '../../../api/resources/self-service/card/show.ts';
import { renderPay, type PayView } from '../../../api/resources/self-service/pay/render.ts';
import { atSandbox, atStripe, atStripeWithoutKey } from './samples-gateways.ts';
import { formProblem } from '../../../api/pages/view.ts';

const form = { action: '/widget/customerHome/q3V0bm/pay', key: 'k1.k2', problems: [] };
const today = '2027-01-15';

/** Of a card. */
export const noDebit = {
  debit: null,
  country: null,
  mandate: null,
  gatewayUpdated: null,
} as const;

const sepa = { debit: 'sepa', country: 'DE', mandate: 'SBX4D2A9C0011223344' } as const;

const methods: PayView['methods'] = [
  {
    id: 21,
    preference: 1,
    type: 'CreditCard',
    brand: 'American Express',
    lastFour: '0005',
    expiry: '2029-12-31',
    ...noDebit,
  },
  { id: 22, preference: 2, type: 'ACH', brand: null, lastFour: '6789', expiry: null, ...noDebit },
  {
    id: 23,
    preference: 3,
    type: 'CreditCard',
    brand: 'Visa',
    lastFour: '1111',
    expiry: '2026-12-31',
    ...noDebit,
  },
];

export const payView = (account: AccountView): PayView => ({
  ...account,
  form,
  today,
  currency: 'USD',
  currencies: ['EUR', 'USD'],
  isCut: false,
  invoices: [
    {
      id: 4709,
      invoiceNumber: '1000',
      invoiceDate: '2026-12-01',
      dueDate: '2026-12-31',
      open: '29.95',
      payingId: null,
      isWaiting: false,
    },
    {
      id: 4710,
      invoiceNumber: '1001',
      invoiceDate: '2027-01-01',
      dueDate: '2027-01-31',
      open: '1204.55',
      payingId: null,
      isWaiting: false,
    },
    {
      id: 4711,
      invoiceNumber: '1002',
      invoiceDate: '2027-01-15',
      dueDate: '2027-02-14',
      open: '29.34',
      payingId: 5001,
      isWaiting: false,
    },
  ],
  chosen: [4709, 4710],
  total: '1234.50',
  canPay: true,
  done: 'upgrade',
  methods,
  method: '21',
  cardholderName: '',
  savePaymentMethod: false,
  tenant: atSandbox,
  taken: ['card'],
});

const cardsView = (account: AccountView): CardsView => ({
  ...account,
  form: { ...form, action: '/widget/customerHome/q3V0bm/card' },
  today,
  methods,
  changes: { ...form, action: '/widget/customerHome/q3V0bm/card/order' },
  autopayOrders: null,
  done: 'saved',
  takesCards: true,
  preference: '1',
  cardholderName: '',
  tenant: atSandbox,
  currency: 'USD',
  taken: ['card'],
});

/** Every page of this part by its name. */
export function payPages(account: AccountView): Readonly<Record<string, string>> {
  const pay = payView(account);
  const cards = cardsView(account);
  const faulty = {
    ...form,
    problems: [
      { field: null, key: 'invoices.moved' },
      { field: 'method', key: 'method.gone' },
      { field: 'cvv', key: 'cvv.length' },
    ],
  } as const;
  const over = { ...form, problems: [formProblem('declines.session')] };
  return {
    pay: renderPay(pay),
    'pay-faulty': renderPay({ ...pay, form: faulty, method: 'new', isCut: true }),
    'pay-card': renderPay({ ...pay, methods: [], method: 'new', currencies: ['USD'] }),
    'pay-stripe': renderPay({ ...pay, methods: [], method: 'new', tenant: atStripe }),
    'pay-none': renderPay({ ...pay, tenant: atStripeWithoutKey }),
    'pay-none-chosen': renderPay({ ...pay, chosen: [], total: '0' }),
    'pay-over': renderPay({ ...pay, canPay: false, form: over }),
    'pay-settled': renderPay({ ...pay, invoices: [], chosen: [], total: '0', currencies: [] }),
    card: renderCards(cards),
    'card-stripe': renderCards({ ...cards, tenant: atStripe }),
    'card-none-taken': renderCards({ ...cards, takesCards: false, tenant: atStripeWithoutKey }),
    'card-debits': renderCards({
      ...cards,
      currency: 'EUR',
      taken: ['card', 'sepa', 'usBankAccount'],
      methods: [
        {
          id: 24,
          preference: 1,
          type: 'Token',
          brand: null,
          lastFour: '3000',
          expiry: null,
          ...noDebit,
          ...sepa,
          gatewayUpdated: '2027-01-10',
        },
      ],
    }),
    'pay-debit': renderPay({ ...pay, method: 'new', currency: 'EUR', taken: ['sepa', 'card'] }),
    'card-none': renderCards({ ...cards, methods: [], done: null }),
    'card-removed': renderCards({
      ...cards,
      methods: [],
      autopayOrders: { count: 2, numbers: [1001, 1007] },
      done: 'removed',
    }),
    'card-faulty': renderCards({
      ...cards,
      done: null,
      form: { ...form, problems: [{ field: 'cardNumber', key: 'card.refused' }] },
    }),
    'card-over': renderCards({ ...cards, done: null, takesCards: false, form: over }),
  };
}
