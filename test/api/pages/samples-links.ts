/** Views of the page of a pay link, one for each thing that it can show. */
import { invoicePage } from '../../../domain/invoices/page.ts';
import {
  type ActionView,
  renderAction,
  renderChallenge,
} from '../../../api/resources/payer-action/render.ts';
import { type LinkedView, renderLinked } from '../../../api/resources/pay-links/show.ts';
import { formProblem, type PageView } from '../../../api/pages/view.ts';
import { messages } from '../../../messages/messages.ts';
import { atSandbox, atStripe } from './samples-gateways.ts';
import { sourceOf } from '../../providers/invoice-documents/samples.ts';

const form = { action: '/pay/q3V0bm', key: 'k1.k2', problems: [] };

export function linkedView(page: PageView): LinkedView {
  const source = sourceOf({
    invoice: { outstandingBalance: '81.61' },
    customer: { locale: page.locale.replace('-', '_') },
  });
  return {
    ...page,
    form,
    source,
    document: invoicePage(source, messages),
    open: { id: 4711, currency: 'USD', open: '81.61' },
    underWay: null,
    isWaiting: false,
    made: null,
    challenge: null,
    tenant: atSandbox,
    taken: ['card'],
    isOnPaper: false,
    canPay: true,
    today: '2027-01-15',
    cardholderName: '',
    path: '/pay/q3V0bm',
    address: '/pay/q3V0bm?payment=5001',
    loginAddress: '/widget/login?invoice=4711',
  };
}

/** Every page of this part by its name. */
export function linkPages(page: PageView): Readonly<Record<string, string>> {
  const view = linkedView(page);
  const faulty = {
    ...form,
    problems: [
      { field: null, key: 'invoices.moved' } as const,
      { field: 'cvv', key: 'cvv.length' } as const,
    ],
  };
  const over = { ...form, problems: [formProblem('declines.invoice')] };
  return {
    linked: renderLinked(view),
    'linked-faulty': renderLinked({ ...view, form: faulty, cardholderName: 'Bob Payer' }),
    'linked-paper': renderLinked({ ...view, isOnPaper: true }),
    'linked-working': renderLinked({ ...view, underWay: 'soon' }),
    'linked-waiting': renderLinked({ ...view, isWaiting: true }),
    'linked-days': renderLinked({ ...view, underWay: 'days' }),
    'linked-paid': renderLinked({ ...view, open: null, made: { status: 'Paid', isAsked: false } }),
    'linked-closed': renderLinked({ ...view, canPay: false }),
    'linked-stripe': renderLinked({ ...view, tenant: atStripe }),
    'linked-debits': renderLinked({ ...view, taken: ['card', 'sepa', 'usBankAccount'] }),
    'linked-asked': renderLinked({
      ...view,
      made: { status: 'ActionRequired', isAsked: true },
      challenge: {
        tenant: atStripe,
        clientSecret: 'pi_1_secret_1',
        to: '/pay/q3V0bm?payment=5001',
      },
    }),
    'linked-over': renderLinked({ ...view, canPay: false, form: over }),
    ...actionPages(page),
  };
}

const other = { action: '/action/q3V0bm', key: 'k1.k3', problems: [] };

/** Those on which a payer confirms a payment. */
function actionPages(page: PageView): Readonly<Record<string, string>> {
  const view: ActionView = {
    ...page,
    paymentId: 4711,
    amount: '81.61',
    currency: 'USD',
    method: 'Visa - *****3184',
    invoices: [{ id: 4700, invoiceNumber: '1001' }],
    until: new Date('2027-01-18T05:00:00Z'),
    timezone: 'America/New_York',
    form: { ...form, action: '/action/q3V0bm' },
    other,
    challenge: null,
  };
  const moved = { ...view.form, problems: [formProblem('action.moved')] };
  const asked = { tenant: atStripe, clientSecret: 'pi_1_secret_1', to: '/action/q3V0bm' };
  const challenge = {
    ...page,
    amount: '81.61',
    currency: 'USD',
    returnUrl: 'http://demo.localhost/action/q3V0bm',
    form: { ...form, action: '/sandbox/q3V0bm' },
  };
  const several = ['1001', '1002', '1003'].map((invoiceNumber, id) => ({ id, invoiceNumber }));
  return {
    action: renderAction(view),
    'action-moved': renderAction({ ...view, form: moved, invoices: several, other: null }),
    'action-asked': renderAction({ ...view, challenge: asked }),
    challenge: renderChallenge(challenge),
    'challenge-saving': renderChallenge({ ...challenge, amount: '0' }),
    'challenge-over': renderChallenge({ ...challenge, form: null }),
  };
}
