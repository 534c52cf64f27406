/** Renders the pages of a hosted sign-up: its details, its review with the card, its work. */
import { shownChallenge } from '../../../pages/gateway-fields.ts';
import { shownNewMethod } from '../../../pages/new-method.ts';
import {
  checkboxOf,
  formContext,
  formOf,
  problemsOf,
  requiredText,
  type FormContext,
} from '../../../pages/fields.ts';
import { framed, linkable } from '../../../pages/frame.ts';
import { templatesOf } from '../../../pages/templates.ts';
import { DECLINES_MAX } from '../../../../domain/signups/signup.ts';
import { formatsOf } from '../../../../domain/invoices/formats.ts';
import { fill } from '../../../../domain/text/fill.ts';
import { figuresLocaleOf } from '../../../pages/language.ts';
import type { SignupWords } from '../../../../domain/text/messages.ts';
import { messages, messagesOf } from '../../../../messages/messages.ts';
import { groupsOf } from './detail-groups.ts';
import { summaryOf } from './summary.ts';
import type { DetailsView, ReviewView, WorkingView } from './views.ts';

const WORKING_SECONDS = 3;
const STEPS = 2;

const render = templatesOf(import.meta.dirname);

/** Step 1: what is to be entered. */
export function renderDetails(view: DetailsView): string {
  const { own, ...context } = contextOf(view);
  const groups = groupsOf(view, own, context);
  const fields = groups.flatMap(({ plans, fields: others }) =>
    plans === null ? others : [plans, ...others],
  );
  const title = titleOf(view, own);
  const problems = problemsOf(context, fields);
  const body = render('details', {
    ...context,
    own,
    groups,
    problems,
    title,
    step: stepText(own, 1),
    form: formOf(context),
    requiredNote: requiredText(context, fields),
  });
  const isFaulty = problems.length > 0;
  return framed({ ...view, page: 'details', title, isFaulty, body });
}

function titleOf({ customer, order }: DetailsView, own: SignupWords): string {
  if (order === null) return own.details;
  return customer === null ? own.plan : own.planAndDetails;
}

/** Step 2: the order, its price, the card. */
export function renderReview(view: ReviewView): string {
  const { own, ...context } = contextOf(view);
  const { isCardRequired, isCardSaved, detailsAddress } = view;
  const { method, savePaymentMethod, tos } = reviewFields(view, own, context);
  const boxes = [savePaymentMethod, tos].filter((box) => box !== null);
  const fields = [...method.fields, ...boxes];
  const problems = problemsOf(context, fields);
  const title = isCardRequired ? own.review : own.reviewFree;
  const body = render('review', {
    ...context,
    own,
    title,
    problems,
    isCardRequired: isCardRequired || isCardSaved,
    method,
    savePaymentMethod,
    tos,
    step: detailsAddress === null ? null : stepText(own, STEPS),
    detailsAddress: detailsAddress === null ? null : linkable(detailsAddress),
    ...summaryOf(view, own),
    notes: notesOf(view, own),
    requiredNote: requiredText(context, fields),
    triesLeft: triesText(view, own),
    form: formOf(context, { today: view.today }),
    orderButton: isCardRequired ? own.orderAndPay : own.order,
  });
  return framed({ ...view, page: 'review', title, isFaulty: problems.length > 0, body });
}

/** A try is under way: the page asks again, with a script or without. */
export function renderWorking(view: WorkingView): string {
  const { signup: own, page: words } = messagesOf(view.locale);
  const { challenge, address } = view;
  if (challenge !== null) {
    const heading = words.gateway.challenge;
    const shown = { ...shownChallenge(words.gateway, challenge), heading };
    return framed({
      ...view,
      page: 'working',
      title: heading,
      body: render('authenticate', shown),
    });
  }
  const body = render('working', { own, address: linkable(address) });
  const title = own.working;
  return framed({ ...view, page: 'working', title, refreshSeconds: WORKING_SECONDS, body });
}

function contextOf(view: DetailsView | ReviewView): FormContext & { readonly own: SignupWords } {
  const context = formContext(view);
  return { ...context, own: messages[context.language].signup };
}

function reviewFields(view: ReviewView, own: SignupWords, context: FormContext) {
  const { tosLink, isCardRequired, isCardSaved, sender: creditor } = view;
  const isRequired = isCardRequired || isCardSaved;
  return {
    method: shownNewMethod(context, { ...view, creditor, isRequired, isSaved: isCardSaved }),
    savePaymentMethod: isCardSaved
      ? null
      : checkboxOf(context, {
          name: 'savePaymentMethod',
          label: saveText(view, own),
          isTicked: view.savePaymentMethod,
        }),
    tos:
      tosLink === null
        ? null
        : checkboxOf(context, {
            name: 'tosAccepted',
            label: own.tosAccepted,
            link: { address: tosLink, text: own.tos },
            isTicked: view.tosAccepted,
            isRequired: true,
          }),
  };
}

function saveText({ isCardRequired, taken }: ReviewView, own: SignupWords): string {
  if (taken.length === 1) return isCardRequired ? own.savePaymentMethod : own.saveCard;
  return isCardRequired ? own.saveThisMethod : own.saveAnyMethod;
}

function stepText(own: SignupWords, step: number): string {
  return fill(own.step, { step: String(step), steps: String(STEPS) });
}

function notesOf(view: ReviewView, own: SignupWords): string[] {
  const { isCardRequired, isCardSaved, price, lasting, currency, locale } = view;
  const { date } = formatsOf(figuresLocaleOf(locale), currency);
  const from = lasting.trial?.from;
  const isForLater = isCardSaved && from !== undefined;
  const later = isForLater ? [fill(own.cardForTrial, { date: date(from) })] : [];
  if (!isCardRequired) return [own.nothingDue, ...later];
  return price?.dueToday == null ? [own.cardCharged] : [];
}

/** After a decline, unless its own text says so. */
function triesText({ triesLeft, form }: ReviewView, own: SignupWords): string | null {
  if (
    triesLeft >= DECLINES_MAX ||
    form.problems.some((each) => 'key' in each && each.key === 'declined.last')
  ) {
    return null;
  }
  return triesLeft === 1 ? own.oneTryLeft : fill(own.triesLeft, { count: String(triesLeft) });
}
