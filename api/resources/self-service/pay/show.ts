/** Shows what of the open invoices is paid, and by what. */
import { isExhausted } from '../../../../operations/self-service/card-limits.ts';
import {
  type FiledMethod,
  readMethods,
} from '../../../../operations/payment-methods/methods-on-file.ts';
import {
  type Payable,
  type PayableInvoice,
  readPayable,
} from '../../../../operations/self-service/payable.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import type { FormFields } from '../../../calls/route-types.ts';
import { readingMore } from '../../../calls/services.ts';
import { gatewayScriptOf } from '../../../pages/gateway-fields.ts';
import { shownAgain } from '../../../pages/typed-text.ts';
import { type ShownForm, formProblem } from '../../../pages/view.ts';
import { type Visit, accountView, formView, parameterOf, shown } from '../page/visit.ts';
import { actions } from '../orders/views.ts';
import { NEW_CARD, isUsable, readIds, shownTotal, takenIn, tickedIn, totalOf } from './pay-form.ts';
import { renderPay } from './render.ts';

export async function showPay(
  visit: Visit,
  { status, problems, typed }: ShownForm,
): Promise<PageAnswer> {
  const { dependencies, call, account, session, today } = visit;
  const wanted = typed?.get('currency') ?? parameterOf(visit, 'currency');
  const read = await readingMore(dependencies, call.tenant, async (tx) => ({
    payable: await readPayable(tx, account, wanted),
    methods: await readMethods(tx, account.customerId),
    isExhausted: await isExhausted(tx, session.id),
  }));
  const { payable, methods } = read;
  const { currency } = payable;
  const chosen = chosenOf(visit, payable, typed).map((each) => ({ ...each, currency }));
  const ids = chosen.map(({ id }) => id);
  const isOver = read.isExhausted && problems.length === 0;
  const all = isOver ? [formProblem('declines.session')] : problems;
  const form = formView(visit, { form: 'pay', shown: shownTotal(chosen), problems: all });
  const html = renderPay({
    ...accountView(visit),
    form,
    today,
    ...payable,
    chosen: ids,
    total: totalOf(chosen),
    canPay: !read.isExhausted,
    done: actions.find((action) => action === parameterOf(visit, 'done')) ?? null,
    methods,
    method: methodOf(typed?.get('method'), { methods, today }),
    cardholderName: shownAgain(typed?.get('cardholderName')),
    savePaymentMethod: typed?.has('savePaymentMethod') ?? false,
    tenant: call.tenant,
    taken: takenIn(visit, currency),
    typed,
  });
  return { ...shown(visit, status, html), ...gatewayScriptOf(call.tenant) };
}

/** All that can be paid, unless some are named; what a payment under way names is not. */
function chosenOf(
  { call: { parameters } }: Visit,
  { invoices }: Payable,
  typed: FormFields | undefined,
): PayableInvoice[] {
  const free = invoices.filter(({ payingId }) => payingId === null);
  const ids = typed === undefined ? namedIn(parameters) : chosenBy(typed);
  return ids === null ? free : free.filter(({ id }) => ids.includes(id));
}

/** Null: all of them, by the button that ticks all. */
function chosenBy(fields: FormFields): number[] | null {
  const update = fields.get('update');
  if (update === 'all') return null;
  return update === 'none' ? [] : tickedIn({ fields }).map(({ id }) => id);
}

type Parameters = Visit['call']['parameters'];

/** Null if the address names none. */
function namedIn({ invoice }: Parameters): number[] | null {
  if (invoice === undefined) return null;
  return [invoice].flat().flatMap((text) => readIds(text));
}

function methodOf(
  typed: string | undefined,
  { methods, today }: { readonly methods: readonly FiledMethod[]; readonly today: string },
): string {
  const usable = methods.filter((method) => isUsable(method, today)).map(({ id }) => String(id));
  if (typed !== undefined && [...usable, NEW_CARD].includes(typed)) return typed;
  return usable[0] ?? NEW_CARD;
}
