/** The page that the mail of a sign-up leads to, whose button makes the order. */
import { openTries } from '../../../../domain/signups/signup.ts';
import { tenantTimeOf } from '../../../../operations/context/context.ts';
import { pageTokenHash } from '../../../../operations/hosted-pages/tokens.ts';
import {
  type EnteredCard,
  type MailedSignup,
  confirmTry,
  findMailed,
  isConfirmable,
} from '../../../../operations/signups/ask-to-confirm.ts';
import { cardOf } from '../../../../operations/signups/pay.ts';
import type { SignupPrice } from '../../../../operations/signups/price.ts';
import { type SignupRow, readSignup } from '../../../../operations/signups/signup-row.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import {
  type SubmittedForm,
  formRoute,
  pageRoute,
  tokenOf,
  gonePage,
  unknownPage,
} from '../../../calls/page-route.ts';
import type { FormFields, Route } from '../../../calls/route-types.ts';
import { type RouteDependencies, readingMore } from '../../../calls/services.ts';
import { enteredIn } from '../../../../domain/payments/debits.ts';
import { gatewayScriptOf } from '../../../pages/gateway-fields.ts';
import { nameOf, readNewMethod, shownNewMethod } from '../../../pages/new-method.ts';
import { noting } from '../../../pages/form.ts';
import { shownAgain } from '../../../pages/typed-text.ts';
import { type PageProblem, formProblem } from '../../../pages/view.ts';
import { tryCard } from '../../payment-methods/try-card.ts';
import { addressOf } from './pay.ts';
import { type AskedPage, pageForm } from '../../page-writes.ts';
import { sealedPage } from '../../payer-action/place.ts';
import { endOf, isLedOn } from './place.ts';
import { isDue, needsCard, pricingOf, signedTerms } from './pricing.ts';
import { noticed, orderView, showWorking, shown } from './show.ts';
import { type Visit, storing } from './visit.ts';
import { messages } from '../../../../messages/messages.ts';
import { formContext, formOf, problemsOf, requiredText } from '../../../pages/fields.ts';
import { framed } from '../../../pages/frame.ts';
import { templatesOf } from '../../../pages/templates.ts';
import { summaryOf } from './summary.ts';
import type { ConfirmView } from './views.ts';

const PATH = '/signup/confirm/:token';
const FORM = 'confirm';

export function confirmPageRoutes(dependencies: RouteDependencies): Route[] {
  return [
    pageRoute({
      path: PATH,
      async handler(call) {
        const isAgain = call.parameters['again'] !== undefined;
        const problems = isAgain ? [formProblem('tryAgain')] : [];
        return showMailed(await mailedVisit(dependencies, call), { status: 200, problems });
      },
    }),
    formRoute(dependencies.formKeys, {
      path: PATH,
      forms: [FORM],
      waitsForOthers: true,
      async handler(call) {
        const visit = await mailedVisit(dependencies, call);
        if (!isOpen(visit)) return showMailed(visit, { status: 200, problems: [] });
        return takeButton(visit, await call.form());
      },
    }),
  ];
}

interface MailedVisit extends Visit, MailedSignup {}

/** Throws 404 `page.unknown`, 410 `page.gone`. */
function mailedVisit(dependencies: RouteDependencies, call: AskedPage): Promise<MailedVisit> {
  const tokenHash = pageTokenHash(tokenOf(call));
  return readingMore(dependencies, call.tenant, async (tx) => {
    const [found, { today }] = await Promise.all([
      findMailed(tx, tokenHash),
      tenantTimeOf(dependencies, call.tenant, tx, 'none'),
    ]);
    if (found === undefined) throw unknownPage();
    if (found.row.successUrl === '') throw gonePage();
    return {
      ...found,
      dependencies,
      call,
      tokenHash,
      today,
      now: new Date(dependencies.realNow()),
    };
  });
}

const isOpen = (visit: MailedVisit): boolean => isConfirmable(visit, { realNow: visit.now });

interface How {
  readonly status: number;
  readonly problems: readonly PageProblem[];
  /** What was typed, if the form is shown again. */
  readonly typed?: FormFields;
}

async function showMailed(visit: MailedVisit, how: How): Promise<PageAnswer> {
  const { row, tryId, now } = visit;
  const to = endOf(row);
  if (row.status !== 'DRAFT' && isLedOn(row, now)) return { to };
  const { lastTry } = row;
  const isMade = row.status === 'DRAFT' && lastTry?.id === tryId && lastTry.confirmedAt !== null;
  if (isMade && openTries.includes(lastTry.status)) {
    return showWorking(visit);
  }
  return isOpen(visit) ? showTerms(visit, how) : noticed(visit, 410, { key: 'gone', link: to });
}

/** Something is due that nothing was due of before the address was proven, and there is no card. */
const asksCard = (row: SignupRow, price: SignupPrice): boolean =>
  needsCard(price) && cardOf(row) === null;

async function showTerms(
  visit: MailedVisit,
  { status, problems, typed }: How,
): Promise<PageAnswer> {
  const { row, call, dependencies } = visit;
  const pricing = await pricingOf(visit, row);
  if ('problem' in pricing) {
    const isLater = pricing.status === 503;
    return noticed(visit, isLater ? 503 : 409, { key: 'unavailable', link: call.path });
  }
  const { price } = pricing;
  const signed = signedTerms(row, price);
  const form = pageForm(dependencies, call, { form: FORM, shown: signed, problems });
  const { today } = visit;
  const cardholderName = typed ? shownAgain(typed.get('cardholderName')) : '';
  const taken = enteredIn(price.currency, call.tenant.gatewaySettings.methods);
  const { tenant } = call;
  const amount = isDue(price) ? price.dueToday : null;
  const entering = { cardholderName, today, taken, typed, tenant, amount };
  const card = { asksCard: asksCard(row, price), ...entering };
  const html = renderConfirm({ ...orderView(visit, price), ...card, form });
  return { ...shown(visit, status, html), ...gatewayScriptOf(tenant) };
}

async function takeButton(visit: MailedVisit, form: SubmittedForm): Promise<PageAnswer> {
  const { row, call, tokenHash } = visit;
  const pricing = await pricingOf(visit, row);
  const isSame = 'price' in pricing && signedTerms(row, pricing.price) === form.shown;
  if (!isSame) return showTerms(visit, { status: 409, problems: [formProblem('price.moved')] });
  const { price } = pricing;
  const { dueToday: shownAmount, quote, startDate, taxBasis } = price;
  const entered = asksCard(row, price) ? await enteredCard(visit, form, price) : null;
  if (entered !== null && 'problems' in entered) {
    return showTerms(visit, { ...entered, typed: form.fields });
  }
  const returnSealed = sealedPage(visit.dependencies, call.tenant, call.path);
  const terms = { shownAmount, quoteHash: quote.hash, startDate, taxBasis, entered, returnSealed };
  const isTaken = await storing(
    visit,
    (context) => confirmTry(context, { tokenHash, formKey: form.id, ...terms }),
    { isAwaited: visit.dependencies.paymentWaitSeconds > 0 },
  );
  return isTaken ? { to: call.path, awaits: () => awaited(visit) } : { to: call.path };
}

/** It goes to the vault before the button is taken, which takes it along. */
async function enteredCard(
  visit: MailedVisit,
  { id, fields }: SubmittedForm,
  { demandsCard: saves, currency }: SignupPrice,
): Promise<EnteredCard | How> {
  const { problems, refuse } = noting();
  const { tenant } = visit.call;
  const taken = enteredIn(currency, tenant.gatewaySettings.methods);
  const method = readNewMethod(fields, { tenant, today: visit.today, taken }, refuse);
  if (problems.length > 0) return { status: 400, problems };
  const tried = await tryCard(visit, {
    key: `signup/${visit.row.id}/${id}`,
    method,
    billingAddress: addressOf(visit.row),
  });
  if ('problem' in tried) return { status: tried.status, problems: [tried.problem] };
  return { inVault: tried.method, cardholderName: nameOf(method), saves };
}

/** Where it leads once it is made. */
async function awaited({ dependencies, call, row, tryId }: MailedVisit): Promise<string | void> {
  const { paymentWaitSeconds, awaitSignup } = dependencies;
  if (paymentWaitSeconds === 0) return undefined;
  const { tenant } = call;
  await awaitSignup(tenant, { signupId: row.id, tryId }, paymentWaitSeconds * 1_000);
  const after = await readingMore(dependencies, tenant, (tx) => readSignup(tx, { id: row.id }));
  if (after === undefined) return undefined;
  if (after.status !== 'DRAFT') return endOf(after);
  return after.lastTry?.status === 'confirming' ? `${call.path}?again=1` : undefined;
}

/* Renders the page that a mail leads to: the terms of an order, and the button that makes it. */

const render = templatesOf(import.meta.dirname);

export function renderConfirm(view: ConfirmView): string {
  const context = formContext(view);
  const own = messages[context.language].signup;
  const { isCardRequired, isCardSaved: isSaved, asksCard: asks, today, sender: creditor } = view;
  const entering = { ...view, creditor, isSaved, isRequired: true };
  const method = asks ? shownNewMethod(context, entering) : null;
  const fields = method?.fields ?? [];
  const problems = problemsOf(context, fields);
  const title = own.confirm;
  const body = render('confirm', {
    ...context,
    own,
    title,
    problems,
    step: null,
    requiredNote: requiredText(context, fields),
    method,
    triesLeft: null,
    detailsAddress: null,
    ...summaryOf(view, own),
    note: isCardRequired ? own.cardCharged : own.nothingDue,
    form: formOf(context, asks ? { today } : {}),
    orderButton: isCardRequired ? own.orderAndPay : own.order,
  });
  return framed({ ...view, page: 'confirm', title, isFaulty: problems.length > 0, body });
}
