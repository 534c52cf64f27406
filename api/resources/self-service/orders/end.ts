/** The pages that end an order, and that keep one whose end was requested. */
import type { EndRequest } from '../../../../operations/orders/end.ts';
import { useForm, wasFormUsed } from '../../../../operations/hosted-pages/forms.ts';
import {
  endOwnOrder,
  keepOwnOrder,
  readCancellable,
  readKeepable,
  type Cancellable,
} from '../../../../operations/self-service/orders-end.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import type { SubmittedForm } from '../../../calls/page-route.ts';
import { readingMore } from '../../../calls/services.ts';
import { noting, readFields } from '../../../pages/form.ts';
import { shownAgain } from '../../../pages/typed-text.ts';
import { formProblem, type PageProblem } from '../../../pages/view.ts';
import { type Visit, accountView, formView, shown, storing } from '../page/visit.ts';
import { offeredEnds } from './choice.ts';
import { leadOf } from './lead.ts';
import { refusedBy, showRefusal } from './refusals.ts';
import { endFields, renderCancel, renderKeep } from './render.ts';
import type { Doing, OfferedEnd } from './views.ts';

interface ShownEnd {
  readonly status: number;
  readonly problems: readonly PageProblem[];
  readonly typed?: TypedEnd;
}

interface TypedEnd {
  readonly when: OfferedEnd;
  readonly reason: string;
}

const atFirst: ShownEnd = { status: 200, problems: [] };

export async function showCancel(visit: Visit, at: ShownEnd = atFirst): Promise<PageAnswer> {
  const { dependencies, call, session, today } = visit;
  try {
    const found = await readingMore(dependencies, call.tenant, (tx) => {
      const reader = { tx, customerId: session.customerId, today };
      return readCancellable(dependencies, call.tenant, reader, call.id);
    });
    const offered = offeredEnds(session).filter((when) => when === 'now' || isFree(found));
    const [first] = offered;
    if (first === undefined) {
      return showRefusal(visit, 409, { action: 'cancel', reason: 'changePending' });
    }
    const { when = first, reason = '' } = at.typed ?? {};
    const terms = `${call.id} ${found.credit} ${found.endsOn}`;
    const form = formView(visit, { form: 'cancel', shown: terms, problems: at.problems });
    const html = renderCancel({
      ...accountView(visit),
      ...found,
      form,
      today,
      offered,
      chosen: offered.includes(when) ? when : first,
      reason: offered.includes('termEnd') ? reason : null,
    });
    return shown(visit, at.status, html);
  } catch (error) {
    return refuse(visit, error);
  }
}

/** No change comes before the end of its term. */
function isFree({ own: { changeOn }, endsOn }: Cancellable): boolean {
  return changeOn === null || changeOn > endsOn;
}

export async function takeCancel(visit: Visit, form: SubmittedForm): Promise<PageAnswer> {
  const { dependencies, call, session } = visit;
  const offered = offeredEnds(session);
  const when = offered.find((each) => each === form.fields.get('when')) ?? offered[0] ?? 'now';
  const done: Doing = when === 'now' ? 'cancel' : 'end';
  if (await wasDone(visit, form)) return leadOf(visit, done, null);
  const { customerId } = session;
  const { id } = call;
  const [ofOrder, credit = '', endsOn = ''] = form.shown.split(' ');
  // A form of another order of the same session.
  if (ofOrder !== String(id)) return showCancel(visit);
  const { problems, refuse: note } = noting();
  const { reason } = readFields(endFields, form.fields, { refuse: note });
  const typed = { when, reason: shownAgain(form.fields.get('reason')) };
  if (problems.length > 0) return showCancel(visit, { status: 400, problems, typed });
  const request: EndRequest = { when, reason: offered.includes('termEnd') ? reason : null };
  try {
    await storing(visit, async (context) => {
      if (!(await useForm(context, form.id))) return;
      const asked = { ...request, shown: { credit, endsOn } };
      await endOwnOrder(dependencies, context, { id, customerId }, asked);
    });
    return leadOf(visit, done, null);
  } catch (error) {
    return refuse(visit, error, typed);
  }
}

export async function showKeep(visit: Visit): Promise<PageAnswer> {
  const { dependencies, call, session } = visit;
  const { customerId } = session;
  try {
    const own = await readingMore(dependencies, call.tenant, (tx) =>
      readKeepable({ tx, customerId }, call.id),
    );
    const form = formView(visit, { form: 'keep', shown: String(call.id), problems: [] });
    return shown(visit, 200, renderKeep({ ...accountView(visit), own, form }));
  } catch (error) {
    return refuseKeep(visit, error);
  }
}

export async function takeKeep(visit: Visit, form: SubmittedForm): Promise<PageAnswer> {
  const { call, session } = visit;
  if (await wasDone(visit, form)) return leadOf(visit, 'keep', null);
  const { id } = call;
  if (form.shown !== String(id)) return showKeep(visit);
  try {
    await storing(visit, async (context) => {
      if (!(await useForm(context, form.id))) return;
      await keepOwnOrder(context, { id, customerId: session.customerId });
    });
    return leadOf(visit, 'keep', null);
  } catch (error) {
    return refuseKeep(visit, error);
  }
}

function wasDone({ dependencies, call }: Visit, { id }: SubmittedForm): Promise<boolean> {
  return readingMore(dependencies, call.tenant, (tx) => wasFormUsed(tx, id));
}

function refuse(visit: Visit, error: unknown, typed?: TypedEnd): PageAnswer | Promise<PageAnswer> {
  const refused = refusedBy(error);
  switch (refused.is) {
    case 'moved':
      return showCancel(visit, {
        status: 409,
        problems: [formProblem('price.moved')],
        ...(typed && { typed }),
      });
    case 'choice':
      return showRefusal(visit, 409, { action: 'cancel', reason: 'other' });
    case 'impossible':
      return showRefusal(visit, refused.status, { action: 'cancel', reason: refused.reason });
  }
}

function refuseKeep(visit: Visit, error: unknown): PageAnswer {
  const refused = refusedBy(error);
  const [status, reason] =
    refused.is === 'impossible' ? [refused.status, refused.reason] : [409, 'other' as const];
  return showRefusal(visit, status, { action: 'keep', reason });
}
