/** Views of the page of a pay link, one for each thing that it can show. */
import { invoicePage } from '../../../domain/invoices/page.ts';
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
  };
}
