/** The page on which a customer pays open invoices, and its form. */
import { showsPart } from '../../../../domain/self-service/switches.ts';
import type { Session } from '../../../../operations/self-service/click.ts';
import type { Route } from '../../../calls/route-types.ts';
import { type RouteDependencies, readingMore } from '../../../calls/services.ts';
import { partForm, partPage } from '../page/part-routes.ts';
import { showPay } from './show.ts';
import { DomainError } from '../../../../domain/errors.ts';
import { PayRefused } from '../../../../operations/self-service/card-limits.ts';
import { readMethods } from '../../../../operations/payment-methods/methods-on-file.ts';
import {
  type ShownInvoices,
  type ToCharge,
  isOfSession,
  paymentOfForm,
  refuseUnpayable,
} from '../../../../operations/self-service/pay.ts';
import type { MethodChoice } from '../../../../operations/payment-methods/choice.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import type { SubmittedForm } from '../../../calls/page-route.ts';
import type { ProblemKey, ShownForm } from '../../../pages/view.ts';
import { payOnPage } from '../../payment-methods/page-payment.ts';
import { type CardNotTaken, tryCard } from '../../payment-methods/try-card.ts';
import { partAddress } from '../page/account.ts';
import { cardSession } from '../page/card-session.ts';
import { tooManyCards } from '../../page-writes.ts';
import { type Visit, storing } from '../page/visit.ts';
import { type PaidBy, isSeen, readPay, shownTotal, takenIn, tickedIn } from './pay-form.ts';

export function payRoutes(dependencies: RouteDependencies): Route[] {
  const part = { path: '/pay', allows: (session: Session) => showsPart('pay', session) };
  return [
    partPage(dependencies, {
      ...part,
      show: (visit) => showPay(visit, { status: 200, problems: [] }),
    }),
    partForm(dependencies, { ...part, forms: ['pay'], waitsForOthers: true, take: takePay }),
  ];
}

/*
 * Takes the form that pays: it is checked, a new card goes to the vault, and one transaction makes
 * the payment, which its workflow charges.
 */

async function takePay(visit: Visit, form: SubmittedForm): Promise<PageAnswer> {
  const again = (shown: Omit<ShownForm, 'typed'>) =>
    showPay(visit, { ...shown, typed: form.fields });
  // Without the script a button shows the total of other boxes, and pays nothing.
  if (form.fields.has('update')) return again({ status: 200, problems: [] });
  const { customerId: ownerId } = visit.account;
  const charge = { payer: cardSession(visit), ownerId, ...invoicesOf(form) };
  try {
    const looked = await look(visit, form, charge);
    if ('paymentId' in looked) return { to: addressOf(visit, looked.paymentId) };
    if ('fault' in looked) return await again(looked.fault);
    const taken = takenIn(visit, form.fields.get('currency'));
    const { paidBy, problems } = readPay(form.fields, {
      ...looked,
      tenant: visit.call.tenant,
      today: visit.today,
      taken,
    });
    if (paidBy === undefined) return await again({ status: 400, problems });
    const method = await methodOf(visit, form, paidBy);
    if ('problem' in method) {
      return await again({ status: method.status, problems: [method.problem] });
    }
    return await payOnPage(
      visit,
      { ...charge, formKey: form.id, method },
      {
        store: (operation, options) => storing(visit, operation, options),
        addressOf: (paymentId) => addressOf(visit, paymentId),
      },
    );
  } catch (error) {
    if (error instanceof PayRefused) return refused(visit, form, error);
    if (error instanceof DomainError && error.code === 'paymentMethod.unknown') {
      return again({ status: 409, problems: [{ field: 'method', key: 'method.gone' }] });
    }
    throw tooManyCards(error);
  }
}

function invoicesOf(form: SubmittedForm): ShownInvoices {
  const ticked = tickedIn(form);
  return {
    ids: ticked.map(({ id }) => id),
    isShown: (invoices) => shownTotal(invoices) === shownTotal(ticked),
  };
}

const ofChoice = (status: number, key: ProblemKey) => ({
  status,
  problems: [{ field: null, key }],
});

/** What a form says is worth nothing if it comes too late: so it calls nobody before this look. */
function look(visit: Visit, form: SubmittedForm, charge: ToCharge) {
  const { dependencies, call, now } = visit;
  const ticked = tickedIn(form);
  return readingMore(dependencies, call.tenant, async (tx) => {
    const paymentId = await paymentOfForm(tx, form.id);
    if (paymentId !== undefined) return { paymentId };
    if (ticked.length === 0) return { fault: ofChoice(400, 'invoices.none') };
    if (!isSeen(ticked, form)) return { fault: ofChoice(409, 'invoices.chosen') };
    await refuseUnpayable({ tx, realNow: now }, charge);
    return { methods: await readMethods(tx, charge.ownerId) };
  });
}

/** A card is in the vault before anything of it is stored; a repeat of the form has the same key. */
async function methodOf(
  visit: Visit,
  { id }: SubmittedForm,
  paidBy: PaidBy,
): Promise<MethodChoice | CardNotTaken> {
  if (paidBy.by === 'filed') {
    const { preference, id: onlyMethodId } = paidBy.method;
    return { by: 'preference', preference, onlyMethodId };
  }
  const { method, isSaved } = paidBy;
  const tried = await tryCard(visit, { key: `pay/${visit.session.id}/${id}`, method });
  if ('problem' in tried) return tried;
  return { by: 'vaulted', ...tried.method, saveAs: isSaved ? 1 : null };
}

async function refused(
  visit: Visit,
  { fields }: SubmittedForm,
  { why, payingId }: PayRefused,
): Promise<PageAnswer> {
  const again = (status: number, key: ProblemKey) =>
    showPay(visit, { status, problems: [{ field: null, key }], typed: fields });
  if (why === 'session') return again(429, 'declines.session');
  if (payingId === null) return again(409, 'invoices.moved');
  const { dependencies, call, session } = visit;
  const isOwn = await readingMore(dependencies, call.tenant, (tx) =>
    isOfSession(tx, { sessionId: session.id, paymentId: payingId }),
  );
  return isOwn ? { to: addressOf(visit, payingId) } : again(409, 'invoices.underWay');
}

const addressOf = ({ home }: Visit, paymentId: number): string =>
  `${partAddress(home, 'payments')}/${paymentId}`;
