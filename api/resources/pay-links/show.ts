/** Shows the invoice of a pay link, what is open of it now, and the form that pays it. */
import { formatsOf } from '../../../domain/invoices/formats.ts';
import { invoicePage, type InvoicePage } from '../../../domain/invoices/page.ts';
import { compare } from '../../../domain/money/money.ts';
import { fill } from '../../../domain/text/fill.ts';
import { languageOf } from '../../../domain/text/language.ts';
import { messages } from '../../../messages/messages.ts';
import { type LinkedPage, readLinkedPage } from '../../../operations/pay-links/page.ts';
import { invoicePart } from '../../../providers/invoice-documents/html.ts';
import type { LedElsewhere, PageAnswer } from '../../calls/answer.ts';
import { unknownPage } from '../../calls/page-route.ts';
import { readingMore } from '../../calls/services.ts';
import {
  type ChallengeOnPage,
  gatewayScriptOf,
  shownChallenge,
} from '../../pages/gateway-fields.ts';
import { type EnteringView, shownNewMethod, takesNewMethods } from '../../pages/new-method.ts';
import { formContext, formOf, problemsOf } from '../../pages/fields.ts';
import { framed, linkable } from '../../pages/frame.ts';
import { figuresLocaleOf } from '../../pages/language.ts';
import { templatesOf } from '../../pages/templates.ts';
import { shownAgain } from '../../pages/typed-text.ts';
import {
  type FormView,
  formProblem,
  type PageProblem,
  type PageView,
  type ShownForm,
} from '../../pages/view.ts';
import { pageForm } from '../page-writes.ts';
import { payerPlace } from '../payer-action/place.ts';
import { doorPage, LOGIN_PATH } from '../self-service/login/door.ts';
import { shownTotal, takenIn } from '../self-service/pay/pay-form.ts';
import { type LinkVisit, linkView } from './visit.ts';

export const FORM = 'pay-link';

export async function showLinked(
  visit: LinkVisit,
  { status, problems, typed }: ShownForm,
): Promise<PageAnswer> {
  const { dependencies, call, linked, payer, switches, today, now } = visit;
  const { tenant } = call;
  const paymentId = idOf(call.parameters['payment']);
  const reading = async (): Promise<LinkedPage> => {
    const found = await readingMore(dependencies, tenant, (tx) =>
      readLinkedPage({ tx, realNow: now }, { tenant, linked, payer, paymentId }),
    );
    if (found === undefined) throw unknownPage();
    return found;
  };
  const address = paymentId === null ? call.path : `${call.path}?payment=${paymentId}`;
  const asked = await ledOn(visit, { paymentId, address }, await reading());
  if ('to' in asked) return asked;
  const { challenge } = asked;
  const read = asked.read ?? (await reading());
  const { open, made, isLimited } = read;
  const canPay = switches.allowPayments && !isLimited && takesNewMethods(tenant);
  const shown = open === null ? '' : shownTotal([open]);
  const all = problems.length > 0 ? problems : problemsAt({ made, isLimited });
  const html = renderLinked({
    ...linkView(visit),
    ...read,
    challenge,
    form: pageForm(dependencies, call, { form: FORM, shown, problems: all }),
    document: invoicePage(read.source, messages),
    isOnPaper: switches.pdfMode,
    canPay,
    today,
    cardholderName: shownAgain(typed?.get('cardholderName')),
    tenant,
    taken: takenIn(visit, linked.currency),
    typed,
    path: call.path,
    address,
    loginAddress: `${LOGIN_PATH}?invoice=${linked.invoiceId}`,
  });
  return { ...doorPage(status, html), ...gatewayScriptOf(tenant) };
}

interface Asked {
  /** The gateway's script on the page lets the payer authenticate. */
  readonly challenge: ChallengeOnPage | null;
  /** Null if it is to be read again. */
  readonly read: LinkedPage | null;
}

/** The payer of a payment of the link is led on if the gateway asks for him, and comes back here. */
async function ledOn(
  { dependencies, call: { tenant } }: LinkVisit,
  { paymentId, address: to }: { readonly paymentId: number | null; readonly address: string },
  read: LinkedPage,
): Promise<LedElsewhere | Asked> {
  if (paymentId === null || read.made?.isAsked !== true) return { challenge: null, read };
  const place = await payerPlace(dependencies, tenant, paymentId);
  if ('to' in place) return place;
  if ('clientSecret' in place) return { challenge: { ...place, tenant, to }, read };
  return { challenge: null, read: null };
}

function problemsAt({ made, isLimited }: Pick<LinkedPage, 'made' | 'isLimited'>): PageProblem[] {
  if (isLimited) return [formProblem('declines.invoice')];
  return made?.status === 'Declined' ? [formProblem('declined')] : [];
}

function idOf(parameter: string | string[] | undefined): number | null {
  const text = [parameter].flat()[0] ?? '';
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

/* Renders the page. */

export interface LinkedView
  extends
    PageView,
    Omit<LinkedPage, 'source' | 'isLimited'>,
    Pick<Asked, 'challenge'>,
    EnteringView {
  readonly form: FormView;
  readonly document: InvoicePage;
  readonly source: Pick<LinkedPage['source'], 'invoice'>;
  /** The document is shown as a PDF alone. */
  readonly isOnPaper: boolean;
  readonly canPay: boolean;
  readonly today: string;
  /** Of the page. */
  readonly path: string;
  /** With what the page was asked for. */
  readonly address: string;
  readonly loginAddress: string;
}

const WORKING_SECONDS = 3;

const render = templatesOf(import.meta.dirname);

export function renderLinked(view: LinkedView): string {
  const { document, source, open, underWay, canPay, isOnPaper, path, address } = view;
  const texts = messages[languageOf(view.locale)];
  const own = texts.payLink;
  const { amount, date } = formatsOf(figuresLocaleOf(view.locale), source.invoice.currency);
  const context = formContext(view);
  const isAsked = view.made?.isAsked === true;
  const takesCards = canPay && open !== null && underWay === null && !isAsked;
  const method = shownNewMethod(context, {
    ...view,
    currency: source.invoice.currency,
    amount: open?.open ?? '0',
    creditor: view.sender,
    isRequired: true,
  });
  const problems = problemsOf(context, takesCards ? method.fields : []);
  const title = takesCards ? fill(own.title, { number: document.invoiceNumber }) : document.title;
  const total = amount(open?.open ?? '0');
  const isWorking = (underWay === 'soon' || isAsked) && view.challenge === null;
  const body = render('linked', {
    own,
    record: texts.record,
    words: context.words,
    title,
    step: null,
    requiredNote: null,
    problems,
    poll: isWorking ? linkable(address) : null,
    message: messageOf(view),
    facts:
      open === null
        ? []
        : [
            { label: own.open, value: total },
            { label: document.words.dueDate, value: date(source.invoice.dueDate) },
          ],
    pdf: linkable(`${path}.pdf`),
    takesCards,
    waiting: takesCards && view.isWaiting ? own.waiting : null,
    form: formOf(context, { today: view.today }),
    method,
    legend: method.isCard ? context.words.card.title : context.words.method.title,
    note: method.isCard ? own.note : own.noteOfMethod,
    challenge: view.challenge && shownChallenge(context.words.gateway, view.challenge),
    payButton: fill(texts.pay.pay, { amount: total }),
    body: isOnPaper ? null : invoicePart(document),
    locale: document.locale,
    stamp: document.stamp?.kind ?? 'open',
    login: linkable(view.loginAddress),
  });
  const refresh = isWorking ? { refreshSeconds: WORKING_SECONDS, refreshTo: address } : {};
  return framed({
    ...view,
    page: 'linked',
    title,
    isFaulty: problems.length > 0,
    ...refresh,
    ...(isOnPaper ? {} : { ownCss: '/css/invoice.css' }),
    body,
  });
}

/** What there is to say in place of a form; null beside one. */
function messageOf({ made, open, underWay, canPay, ...view }: LinkedView): string | null {
  const { payLink: own, record } = messages[languageOf(view.locale)];
  if (underWay === 'days') return own.days;
  if (underWay === 'soon' || made?.isAsked === true) return null;
  if (made?.status === 'Paid' && open === null) return record.payment.paid;
  if (open === null) {
    const { status, currentAmountDue } = view.source.invoice;
    if (status !== 'Paid') return own.closed;
    return compare(currentAmountDue, '0') > 0 ? own.paid : own.nothing;
  }
  return canPay || view.form.problems.length > 0 ? null : own.closed;
}
