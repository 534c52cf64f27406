/** Takes the forms that remove a payment method from file, and that number them anew. */
import { DomainError } from '../../../../domain/errors.ts';
import { autopayPreferences } from '../../../../domain/payments/allocation.ts';
import { useForm, wasFormUsed } from '../../../../operations/hosted-pages/forms.ts';
import { readMethods } from '../../../../operations/payment-methods/methods-on-file.ts';
import { removeMethod, reorderMethods } from '../../../../operations/payment-methods/methods.ts';
import type { OperationContext } from '../../../../operations/context/context.ts';
import { lockCustomer } from '../../../../operations/context/locks.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import type { SubmittedForm } from '../../../calls/page-route.ts';
import { readingMore } from '../../../calls/services.ts';
import { formProblem } from '../../../pages/view.ts';
import { partAddress } from '../page/account.ts';
import { type Visit, parameterOf, storing } from '../page/visit.ts';
import { type MethodChange, idsOf, showCards } from './show.ts';

/** The method of the parameter `preference`. */
export function takeRemoval(visit: Visit, form: SubmittedForm): Promise<PageAnswer> {
  const given = parameterOf(visit, 'preference');
  const preference = autopayPreferences.find((each) => String(each) === given);
  return change(visit, form, 'removed', async (context, address) => {
    if (preference === undefined) throw new Moved();
    await removeMethod(context, address, preference);
  });
}

/** The field `order` has the preferences as they are, in the order in which they are to be. */
export function takeOrder(visit: Visit, form: SubmittedForm): Promise<PageAnswer> {
  const order = (form.fields.get('order') ?? '').split(',').map(Number);
  return change(visit, form, 'reordered', async (context, address) => {
    if ((await reorderMethods(context, address, order)) !== null) throw new Moved();
  });
}

/** The methods on file are no longer those that the page showed. */
class Moved extends Error {}

async function change(
  visit: Visit,
  form: SubmittedForm,
  what: MethodChange,
  make: (context: OperationContext, address: { readonly id: number }) => Promise<void>,
): Promise<PageAnswer> {
  const { dependencies, call, account, home } = visit;
  const to = `${partAddress(home, 'card')}?changed=${what}`;
  if (await readingMore(dependencies, call.tenant, (tx) => wasFormUsed(tx, form.id))) return { to };
  const id = account.customerId;
  try {
    await storing(visit, async (context) => {
      if (!(await useForm(context, form.id))) return;
      await lockCustomer(context.tx, { id });
      if (idsOf(await readMethods(context.tx, id)) !== form.shown) throw new Moved();
      await make(context, { id });
    });
    return { to };
  } catch (error) {
    const isMoved = error instanceof Moved || isUnknownMethod(error);
    if (!isMoved) throw error;
    return showCards(visit, { status: 409, problems: [formProblem('methods.moved')] });
  }
}

const isUnknownMethod = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'paymentMethod.unknown';
