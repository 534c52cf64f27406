/** The two steps of everything that has a price: a choice, its price, and the order at that price. */
import { createHash } from 'node:crypto';
import { withTaxes } from '../../../../operations/billing/asking.ts';
import { noteFormInvoices, useForm } from '../../../../operations/hosted-pages/forms.ts';
import { type OpenInvoices, madeByForm } from '../../../../operations/self-service/orders-own.ts';
import type { OperationContext } from '../../../../operations/context/context.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import type { SubmittedForm } from '../../../calls/page-route.ts';
import { readingMore } from '../../../calls/services.ts';
import { type PageProblem, formProblem } from '../../../pages/view.ts';
import { type Visit, accountView, formView, storing } from '../page/visit.ts';
import { type ReadChoice, fieldsOfQuery, readChoice } from './choice.ts';
import { leadOf } from './lead.ts';
import { refusedBy, showRefusal } from './refusals.ts';
import type { Ordering, TypedChoice } from './views.ts';

/** How the form is shown, at first or again. */
export interface Choosing {
  readonly status: number;
  readonly problems: readonly PageProblem[];
  /** Null: nothing was typed yet. */
  readonly typed: TypedChoice | null;
}

/** What the two steps need of an upgrade, a downgrade or a new order. */
export interface OrderingSteps<Price> {
  readonly ordering: Ordering;
  readonly choose: (choosing: Choosing) => Promise<PageAnswer>;
  /** @param isHurried a form waits for no turn of its own */
  readonly price: (choice: ReadChoice, isHurried: boolean) => Promise<Price>;
  /** Everything that the order relies on; the form signs its hash. */
  readonly termsOf: (price: Price) => readonly unknown[];
  readonly review: (shown: {
    readonly status: number;
    readonly choice: ReadChoice;
    readonly price: Price;
    readonly form: ReturnType<typeof formView>;
  }) => PageAnswer;
  /** In the transaction of the form; returns what is left to be paid. */
  readonly make: (
    context: OperationContext,
    choice: ReadChoice,
    price: Price,
  ) => Promise<OpenInvoices | null>;
}

export async function showOrdering<Price>(
  visit: Visit,
  steps: OrderingSteps<Price>,
): Promise<PageAnswer> {
  const { parameters } = visit.call;
  const fields = fieldsOfQuery(visit.call);
  const choice = readChoice(fields, accountView(visit).locale);
  if (fields.size === 0) return steps.choose({ status: 200, problems: [], typed: null });
  if (parameters['step'] === 'choose') {
    return steps.choose({ status: 200, problems: [], typed: choice.typed });
  }
  return priced(visit, steps, choice, { status: 200, problems: [], isHurried: false });
}

interface Pricing {
  readonly status: number;
  readonly problems: readonly PageProblem[];
  readonly isHurried: boolean;
}

async function priced<Price>(
  visit: Visit,
  steps: OrderingSteps<Price>,
  choice: ReadChoice,
  { status, problems, isHurried }: Pricing,
): Promise<PageAnswer> {
  const { typed } = choice;
  if (choice.problems.length > 0) {
    return steps.choose({ status: 400, problems: choice.problems, typed });
  }
  try {
    const price = await steps.price(choice, isHurried);
    const signed = signedTerms(steps, choice, price);
    const form = formView(visit, { form: steps.ordering, shown: signed, problems });
    return steps.review({ status, choice, price, form });
  } catch (error) {
    return again(visit, steps, choice, error);
  }
}

/** Shows what refuses the choice, or the new price. */
async function again<Price>(
  visit: Visit,
  steps: OrderingSteps<Price>,
  choice: ReadChoice,
  error: unknown,
): Promise<PageAnswer> {
  const { ordering } = steps;
  const refused = refusedBy(error);
  switch (refused.is) {
    case 'moved': {
      const problems = [formProblem('price.moved')];
      return priced(visit, steps, choice, { status: 409, problems, isHurried: true });
    }
    case 'choice': {
      const { status, problem } = refused;
      return steps.choose({ status, problems: [problem], typed: choice.typed });
    }
    case 'impossible':
      return showRefusal(visit, refused.status, { action: ordering, reason: refused.reason });
  }
}

/** Orders at the price that the form has signed; of a price that has moved nothing is stored. */
export async function takeOrdering<Price>(
  visit: Visit,
  steps: OrderingSteps<Price>,
  form: SubmittedForm,
): Promise<PageAnswer> {
  const { dependencies, call } = visit;
  const { ordering } = steps;
  const earlier = await readingMore(dependencies, call.tenant, (tx) => madeByForm(tx, form.id));
  if (earlier !== null) return leadOf(visit, ordering, earlier.open);
  const choice = readChoice(form.fields, accountView(visit).locale);
  if (choice.problems.length > 0) {
    return steps.choose({ status: 400, problems: choice.problems, typed: choice.typed });
  }
  const problems = [formProblem('price.moved')];
  const moved = { status: 409, problems, isHurried: true };
  try {
    const price = await steps.price(choice, true);
    if (signedTerms(steps, choice, price) !== form.shown) {
      return await priced(visit, steps, choice, moved);
    }
    const open = await withTaxes(dependencies, call.tenant.id, () =>
      storing(visit, async (context) => {
        const { id } = form;
        if (!(await useForm(context, id))) return (await madeByForm(context.tx, id))?.open ?? null;
        const left = await steps.make(context, choice, price);
        if (left !== null) noteFormInvoices(context, id, left.ids);
        return left;
      }),
    );
    return leadOf(visit, ordering, open);
  } catch (error) {
    return again(visit, steps, choice, error);
  }
}

/** In 64 letters and digits, as a form's key has no room for more. */
function signedTerms<Price>(
  { ordering, termsOf }: OrderingSteps<Price>,
  { contractCode, quantity, couponCode, isAutoPay }: ReadChoice,
  price: Price,
): string {
  const terms = [ordering, contractCode, quantity, couponCode, isAutoPay, ...termsOf(price)];
  return createHash('sha256').update(JSON.stringify(terms)).digest('hex');
}
