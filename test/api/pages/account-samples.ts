/** Views of the pages of an account, one for each thing that a page can show. */
import { renderHome, type HomeView } from '../../../api/resources/self-service/home/render.ts';
import { recordPagesOf } from './samples-records.ts';
import { listed, orderPagesOf } from './samples-orders.ts';
import type { AccountView } from '../../../api/resources/self-service/page/account.ts';
import { noDebit, payPages } from './samples-pay.ts';
import { peoplePages } from './samples-people.ts';

export const account: AccountView = {
  locale: 'en-US',
  sender: 'Demo Telecom',
  logo: null,
  cssUrl: '/css/signup.css',
  home: '/widget/customerHome/q3V0bm',
  name: 'Miller & Sons',
  switches: {
    showNavigationBar: true,
    showStatements: true,
    showPayments: true,
    allowPayments: true,
    allowProfileEdit: true,
    editOrderOptions: ['Cancel', 'CancelAtEnd', 'Upgrade', 'Downgrade', 'New'],
    pdfMode: false,
  },
  logOutKey: 'k1.k2',
  address: '/widget/customerHome/q3V0bm',
  reloadSeconds: 1_805,
};

/** A customer with a second currency. */
export const home: HomeView = {
  ...account,
  today: '2027-01-15',
  orders: listed,
  nextBill: {
    on: '2027-02-15',
    amounts: [{ currency: 'USD', amount: '29.34' }],
    hasUsage: true,
    method: {
      id: 21,
      preference: 1,
      type: 'CreditCard',
      brand: 'Visa',
      lastFour: '1111',
      expiry: '2029-12-31',
      ...noDebit,
    },
  },
  balances: [
    { currency: 'USD', open: '1234.50', overdue: '29.95', unapplied: '0' },
    { currency: 'EUR', open: '0', overdue: '0', unapplied: '10' },
  ],
  invoices: [
    {
      id: 4711,
      invoiceNumber: '1002',
      invoiceDate: '2027-01-15',
      dueDate: '2027-02-14',
      currency: 'USD',
      open: '1204.55',
    },
  ],
};

/** Every page of an account by its name, in a locale. */
export function accountPagesIn(locale: string): Readonly<Record<string, string>> {
  return {
    home: renderHome({ ...home, locale }),
    ...recordPagesOf({ ...account, locale }),
    'home-settled': renderHome({
      ...home,
      locale,
      balances: [],
      invoices: [],
      orders: [],
      nextBill: null,
    }),
    'home-expired': renderHome({ ...home, locale, today: '2030-01-01' }),
    'home-unpaid': renderHome({
      ...home,
      locale,
      nextBill: { on: '2027-02-15', amounts: null, hasUsage: false, method: null },
    }),
    ...payPages({ ...account, locale }),
    ...peoplePages({ ...account, locale }),
    ...orderPagesOf({ ...account, locale }),
  };
}
