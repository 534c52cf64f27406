/** The page that ends an order. */
import { useForm, wasFormUsed } from '../../../../operations/hosted-pages/forms.ts';
import {
  cancelOwnOrder,
  readCancellable,
} from '../../../../operations/self-service/orders-cancel.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import type { SubmittedForm } from '../../../calls/page-route.ts';
import { readingMore } from '../../../calls/services.ts';
import { formProblem, type PageProblem } from '../../../pages/view.ts';
import { accountView, formView, shown, storing, type Visit } from '../page/visit.ts';
import { leadOf } from './lead.ts';
import { refusedBy, showRefusal } from './refusals.ts';
import { renderCancel } from './render.ts';

interface ShownCancel {
  readonly status: number;
  readonly problems: readonly PageProblem[];
}

export async function showCancel(
  visit: Visit,
  { status, problems }: ShownCancel = { status: 200, problems: [] },
): Promise<PageAnswer> {
  const { dependencies, call, session, today } = visit;
  try {
    const found = await readingMore(dependencies, call.tenant, (tx) => {
      const reader = { tx, customerId: session.customerId, today };
      return readCancellable(dependencies, call.tenant, reader, call.id);
    });
    const form = formView(visit, { form: 'cancel', shown: `${call.id} ${found.credit}`, problems });
    const html = renderCancel({ ...accountView(visit), ...found, form, today });
    return shown(visit, status, html);
  } catch (error) {
    return refuse(visit, error);
  }
}

export async function takeCancel(visit: Visit, form: SubmittedForm): Promise<PageAnswer> {
  const { dependencies, call, session } = visit;
  const isRepeat = await readingMore(dependencies, call.tenant, (tx) => wasFormUsed(tx, form.id));
  if (isRepeat) return leadOf(visit, 'cancel', null);
  const { customerId } = session;
  const { id } = call;
  const [ofOrder, credit = ''] = form.shown.split(' ');
  // A form of another order of the same session.
  if (ofOrder !== String(id)) return showCancel(visit);
  try {
    await storing(visit, async (context) => {
      if (!(await useForm(context, form.id))) return;
      await cancelOwnOrder(dependencies, context, { id, customerId }, credit);
    });
    return leadOf(visit, 'cancel', null);
  } catch (error) {
    return refuse(visit, error);
  }
}

function refuse(visit: Visit, error: unknown): PageAnswer | Promise<PageAnswer> {
  const refused = refusedBy(error);
  switch (refused.is) {
    case 'moved':
      return showCancel(visit, { status: 409, problems: [formProblem('price.moved')] });
    case 'choice':
      return showRefusal(visit, 409, { action: 'cancel', reason: 'other' });
    case 'impossible':
      return showRefusal(visit, refused.status, { action: 'cancel', reason: refused.reason });
  }
}
