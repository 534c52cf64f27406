/**
 * Takes the form that submits a sign-up: its row begins to work, its card goes to the vault, and
 * its workflow does the rest.
 */
import { type Taken, returnTry, storeTry, takeTry } from '../../../../operations/signups/take.ts';
import type { SignupPrice } from '../../../../operations/signups/price.ts';
import type { SignupRow } from '../../../../operations/signups/signup-row.ts';
import type { TenantInfo } from '../../../../operations/context/context.ts';
import { networkOf } from '../../../access/login-limits.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import type { SubmittedForm } from '../../../calls/page-route.ts';
import { enteredIn } from '../../../../domain/payments/debits.ts';
import { nameOf, type NewMethod, readNewMethod } from '../../../pages/new-method.ts';
import { type PageProblem, formProblem } from '../../../pages/view.ts';
import { tryCard } from '../../payment-methods/try-card.ts';
import { tooManyCards } from '../../page-writes.ts';
import { sealedPage } from '../../payer-action/place.ts';
import { needsCard, pricingOf, signedTerms } from './pricing.ts';
import { showPriced, showReview } from './show.ts';
import { type Visit, localeToKeep, storing, visitOf } from './visit.ts';
import type { EnteredMethod } from '../../../../domain/payments/gateway-settings.ts';
import type { IsoDate } from '../../../../domain/calendar/calendar.ts';
import type { FormFields } from '../../../calls/route-types.ts';
import { noting } from '../../../pages/form.ts';

export async function payForm(visit: Visit, form: SubmittedForm): Promise<PageAnswer> {
  const { row, call, today } = visit;
  const { fields } = form;
  const here = { to: call.path };
  if (!row.hasDetails) return here;
  const pricing = await pricingOf(visit, row);
  if ('problem' in pricing) return showReview(visit, { status: pricing.status, problems: [] });
  const { price } = pricing;
  const { tosLink } = row;
  const payment = readPayment(fields, {
    needsCard: needsCard(price),
    saves: price.demandsCard,
    tosLink,
    today,
    tenant: call.tenant,
    taken: enteredIn(price.currency, call.tenant.gatewaySettings.methods),
  });
  const isMoved = signedTerms(row, price) !== form.shown;
  if (isMoved || payment.problems.length > 0) {
    const moved = isMoved ? [formProblem('price.moved')] : [];
    const problems = [...moved, ...payment.problems];
    return showPriced(visit, price, { status: isMoved ? 409 : 400, problems, typed: fields });
  }
  const taken = await takeForm(visit, form, { payment, price });
  // Another tab has entered something meanwhile: its price is another one, or the same.
  if (taken.kind === 'changed') return payForm(await visitOf(visit.dependencies, call), form);
  if (taken.kind !== 'taken') return here;
  const isStored = payment.method === null || (await storeCard(visit, taken, payment.method));
  return isStored ? { ...here, awaits: () => awaited(visit, taken) } : here;
}

type TakenTry = Extract<Taken, { readonly kind: 'taken' }>;

async function takeForm(
  visit: Visit,
  { id }: SubmittedForm,
  { payment, price }: { readonly payment: ReadPayment; readonly price: SignupPrice },
): Promise<Taken> {
  const { call, row, tokenHash } = visit;
  const { method, savePaymentMethod, tosAccepted } = payment;
  try {
    const taking = await storing(
      visit,
      (context) =>
        takeTry(context, {
          tokenHash,
          formKey: id,
          network: networkOf(call.address),
          shownAmount: price.dueToday,
          quoteHash: price.quote.hash,
          startDate: price.startDate,
          taxBasis: price.taxBasis,
          version: row.version,
          hasCard: method !== null,
          cardholderName: nameOf(method),
          savePaymentMethod,
          tosAccepted,
          locale: localeToKeep(call, row),
          returnSealed: sealedPage(visit.dependencies, call.tenant, call.path),
        }),
      waiting(visit),
    );
    return taking;
  } catch (error) {
    throw tooManyCards(error);
  }
}

/** Waiting for the workflow also starts it; a nudge as well would make it run twice. */
const waiting = ({ dependencies: { paymentWaitSeconds } }: Visit) => ({
  isAwaited: paymentWaitSeconds > 0,
});

/** False if the vault does not take the card: the form is shown again, and says why. */
async function storeCard(visit: Visit, { signupId, tryId, number }: TakenTry, method: NewMethod) {
  const tried = await tryCard(visit, {
    key: `signup/${signupId}/${number}`,
    method,
    billingAddress: addressOf(visit.row),
    store: (inVault) =>
      storing(visit, (context) => storeTry(context, { tryId, method: inVault }), waiting(visit)),
    refused: ({ code, field }) =>
      storing(visit, (context) => returnTry(context, { tryId, code, field })),
  });
  return 'method' in tried;
}

/** Where the card is billed. */
export function addressOf({ street, city, state, zipcode: zip, country }: SignupRow) {
  return { street1: street, city, state, zip, country: country?.toUpperCase() ?? null };
}

function awaited({ dependencies, call }: Visit, { signupId, tryId }: TakenTry): Promise<void> {
  const { paymentWaitSeconds, awaitSignup } = dependencies;
  if (paymentWaitSeconds === 0) return Promise.resolve();
  return awaitSignup(call.tenant, { signupId, tryId }, paymentWaitSeconds * 1_000);
}

/* Reads and checks what step 2 of a sign-up takes: the card, and what is ticked. */

interface ReadPayment {
  /** Null if nothing is to be paid, and no method to be saved. */
  readonly method: NewMethod | null;
  readonly savePaymentMethod: boolean;
  readonly tosAccepted: boolean;
  readonly problems: readonly PageProblem[];
}

interface AskedPayment {
  /** Something is to be paid today, or the trial demands a card. */
  readonly needsCard: boolean;
  /** The card is saved, whether that is ticked or not. */
  readonly saves: boolean;
  readonly tosLink: string | null;
  readonly today: IsoDate;
  readonly tenant: TenantInfo;
  readonly taken: readonly EnteredMethod[];
}

function readPayment(fields: FormFields, asked: AskedPayment): ReadPayment {
  const { tosLink } = asked;
  const { problems, refuse } = noting();
  const savePaymentMethod = asked.saves || fields.has('savePaymentMethod');
  const tosAccepted = fields.has('tosAccepted');
  const method = asked.needsCard || savePaymentMethod ? readNewMethod(fields, asked, refuse) : null;
  if (tosLink !== null && !tosAccepted) refuse('tosAccepted', 'tos.required');
  return { method, savePaymentMethod, tosAccepted: tosAccepted && tosLink !== null, problems };
}
