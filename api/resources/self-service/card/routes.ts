/** The page of the payment methods on file, the form that puts a card there, and those that change them. */
import { showsPart } from '../../../../domain/self-service/switches.ts';
import type { Session } from '../../../../operations/self-service/click.ts';
import type { FormFields, Route } from '../../../calls/route-types.ts';
import { type RouteDependencies, readingMore } from '../../../calls/services.ts';
import { partForm, partPage } from '../page/part-routes.ts';
import { takeOrder, takeRemoval } from './changes.ts';
import { GATEWAY_TOKEN, newMethodsOf } from '../../../pages/gateway-fields.ts';
import { showCardChallenge, showCards } from './show.ts';
import {
  type AutopayPreference,
  autopayPreferences,
} from '../../../../domain/payments/allocation.ts';
import { noteDecline } from '../../../../operations/hosted-pages/declines.ts';
import { useForm } from '../../../../operations/hosted-pages/forms.ts';
import {
  type MethodInVault,
  putMethodOnFile,
} from '../../../../operations/payment-methods/methods.ts';
import {
  type CardSession,
  PayRefused,
  beginTry,
  refuseCards,
  takeTryBack,
} from '../../../../operations/self-service/card-limits.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import type { SubmittedForm } from '../../../calls/page-route.ts';
import { type NewMethod, readNewMethod } from '../../../pages/new-method.ts';
import { takenIn } from '../pay/pay-form.ts';
import { noting } from '../../../pages/form.ts';
import { type PageProblem, formProblem } from '../../../pages/view.ts';
import { tryCard } from '../../payment-methods/try-card.ts';
import { tooManyCards } from '../../page-writes.ts';
import { partAddress } from '../page/account.ts';
import { cardSession } from '../page/card-session.ts';
import { type Visit, parameterOf, storing } from '../page/visit.ts';
import { ofChallenge, pageUrl } from '../../payer-action/place.ts';
import {
  askAboutCard,
  endAskedCard,
  noteAskedCard,
} from '../../../../operations/self-service/asked-card.ts';

export function cardRoutes(dependencies: RouteDependencies): Route[] {
  const part = { path: '/card', allows: (session: Session) => showsPart('card', session) };
  return [
    partPage(dependencies, {
      ...part,
      show: confirmed,
    }),
    partForm(dependencies, { ...part, forms: ['card'], waitsForOthers: true, take: takeCard }),
    partForm(dependencies, {
      ...part,
      path: '/card/remove',
      forms: ['methods'],
      take: takeRemoval,
    }),
    partForm(dependencies, { ...part, path: '/card/order', forms: ['methods'], take: takeOrder }),
  ];
}

/* Takes the form that puts a card on file: it is in the vault, and validated, before it is stored. */

async function takeCard(visit: Visit, form: SubmittedForm): Promise<PageAnswer> {
  const again = (status: number, ...problems: readonly PageProblem[]) =>
    showCards(visit, { status, problems, typed: form.fields });
  const user = cardSession(visit);
  try {
    await looked(visit, user);
    const { chosen, problems } = readCards(form.fields, visit);
    if (chosen === undefined) return await again(400, ...problems);
    await storing(visit, (context) => beginTry(context, user));
    const tried = await tryCard(visit, {
      key: `card/${user.sessionId}/${form.id}`,
      method: chosen.typed,
      isValidated: true,
      returnUrl: pageUrl(visit.dependencies, visit.call.tenant, confirmAddress(visit, form.id)),
      refused: ({ isDeclined }) => endTry(visit, form, { ...user, isDeclined }),
    });
    if ('problem' in tried) return await again(tried.status, tried.problem);
    const { method, validationId } = tried;
    if (validationId !== null) {
      const asked = { ...user, formKey: form.id, preference: chosen.preference };
      await storing(visit, (context) => noteAskedCard(context, { ...asked, method, validationId }));
      return { to: confirmAddress(visit, form.id) };
    }
    await put(visit, form, { ...user, preference: chosen.preference, method });
    return { to: `${partAddress(visit.home, 'card')}?saved=1` };
  } catch (error) {
    if (!(error instanceof PayRefused)) throw tooManyCards(error);
    return again(429, formProblem('declines.session'));
  }
}

/* The gateway asks for the payer before a card is on file: he is led on, and comes back to the page. */

const confirmAddress = ({ home }: Visit, formKey: string): string =>
  `${partAddress(home, 'card')}?confirm=${encodeURIComponent(formKey)}`;

/** Once the payer has confirmed the card, it is put on file. */
async function confirmed(visit: Visit): Promise<PageAnswer> {
  const formKey = parameterOf(visit, 'confirm');
  const show = (status: number, ...problems: readonly PageProblem[]) =>
    showCards(visit, { status, problems });
  if (formKey === undefined) return show(200);
  const { dependencies, call, session } = visit;
  const { tenant } = call;
  const found = await askAboutCard(dependencies, dependencies.gateways, tenant, {
    formKey,
    sessionId: session.id,
  });
  if (found === undefined) return show(200);
  if (found.is === 'asks') {
    const place = ofChallenge(found.challenge);
    if ('to' in place) return place;
    if (!('clientSecret' in place)) return show(503, formProblem('tryAgain'));
    return showCardChallenge(visit, { ...place, tenant, to: confirmAddress(visit, formKey) });
  }
  if (found.is === 'silent') return show(503, formProblem('tryAgain'));
  const ended = await storing(visit, (context) =>
    endAskedCard(context, { ...cardSession(visit), formKey, isApproved: found.is === 'approved' }),
  );
  if (ended === 'filed') return { to: `${partAddress(visit.home, 'card')}?saved=1` };
  const field = newMethodsOf(tenant).by === 'ourFields' ? 'cardNumber' : GATEWAY_TOKEN;
  return show(400, { field, code: 'paymentMethod.declined' });
}

function looked({ dependencies, call, now }: Visit, user: CardSession): Promise<void> {
  return readingMore(dependencies, call.tenant, (tx) => refuseCards({ tx, realNow: now }, user));
}

interface Chosen {
  readonly typed: NewMethod;
  readonly preference: AutopayPreference;
}

function readCards(fields: FormFields, visit: Visit) {
  const { problems, refuse } = noting();
  const preference = autopayPreferences.find((each) => String(each) === fields.get('preference'));
  if (preference === undefined) refuse('preference', 'choose');
  const { tenant } = visit.call;
  const taking = { tenant, today: visit.today, taken: takenIn(visit, null) };
  const typed = readNewMethod(fields, taking, refuse);
  const isTaken = preference !== undefined && problems.length === 0;
  const chosen: Chosen | undefined = isTaken ? { typed, preference } : undefined;
  return { chosen, problems };
}

/** A repeat of the form asks the gateway by the same key, and is no further decline. */
function endTry(
  visit: Visit,
  { id }: SubmittedForm,
  { sessionId, network, customerId, isDeclined }: CardSession & { readonly isDeclined: boolean },
): Promise<void> {
  return storing(visit, async (context) => {
    const isCounted = isDeclined && (await useForm(context, id));
    if (isCounted) noteDecline(context, { network, customerId });
    else takeTryBack(context, sessionId);
  });
}

function put(
  visit: Visit,
  { id }: SubmittedForm,
  {
    customerId,
    sessionId,
    preference,
    method,
  }: CardSession & Pick<Chosen, 'preference'> & { readonly method: MethodInVault },
): Promise<void> {
  return storing(visit, async (context) => {
    const isFirst = await useForm(context, id);
    if (isFirst) await putMethodOnFile(context, { id: customerId }, preference, method);
    takeTryBack(context, sessionId);
  });
}
