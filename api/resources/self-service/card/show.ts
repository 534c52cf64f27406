/** Shows the payment methods on file, and the form that puts a card there. */
import { autopayPreferences } from '../../../../domain/payments/allocation.ts';
import { isExhausted } from '../../../../operations/self-service/card-limits.ts';
import { readMethods } from '../../../../operations/self-service/methods.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import { readingMore } from '../../../calls/services.ts';
import { shownAgain } from '../../../pages/typed-text.ts';
import { formProblem, type ShownForm } from '../../../pages/view.ts';
import { accountView, formView, shown, type Visit } from '../page/visit.ts';
import { renderCards } from './render.ts';

export async function showCards(
  visit: Visit,
  { status, problems, typed }: ShownForm,
): Promise<PageAnswer> {
  const { dependencies, call, account, session, today } = visit;
  const read = await readingMore(dependencies, call.tenant, async (tx) => ({
    methods: await readMethods(tx, account.customerId),
    isExhausted: await isExhausted(tx, session.id),
  }));
  const { methods } = read;
  const taken = methods.map(({ preference }) => preference);
  const free = autopayPreferences.find((preference) => !taken.includes(preference)) ?? 1;
  const isOver = read.isExhausted && problems.length === 0;
  const all = isOver ? [formProblem('declines.session')] : problems;
  const html = renderCards({
    ...accountView(visit),
    form: formView(visit, { form: 'card', problems: all }),
    today,
    methods,
    isSaved: call.parameters['saved'] !== undefined && typed === undefined,
    takesCards: !read.isExhausted,
    preference: shownAgain(typed?.get('preference') ?? String(free)),
    cardholderName: shownAgain(typed?.get('cardholderName')),
  });
  return shown(visit, status, html);
}
