/** Renders the page that a mail leads to: the terms of an order, and the button that makes it. */
import { messages } from '../../../../messages/messages.ts';
import { formContext, formOf, problemsOf } from '../../../pages/fields.ts';
import { framed } from '../../../pages/frame.ts';
import { templatesOf } from '../../../pages/templates.ts';
import { summaryOf } from './summary.ts';
import type { ConfirmView } from './views.ts';

const render = templatesOf(import.meta.dirname);

export function renderConfirm(view: ConfirmView): string {
  const context = formContext(view);
  const own = messages[context.language].signup;
  const { isCardRequired } = view;
  const problems = problemsOf(context, []);
  const title = own.confirm;
  const body = render('confirm', {
    ...context,
    own,
    title,
    problems,
    step: null,
    requiredNote: null,
    triesLeft: null,
    detailsAddress: null,
    ...summaryOf(view, own),
    note: isCardRequired ? own.cardCharged : own.nothingDue,
    form: formOf(context),
    orderButton: isCardRequired ? own.orderAndPay : own.order,
  });
  return framed({ ...view, page: 'confirm', title, isFaulty: problems.length > 0, body });
}
