/** The pages of a customer's orders: their list, and the actions that the session allows. */
import { showsPart } from '../../../../domain/self-service/switches.ts';
import type { Session } from '../../../../operations/self-service/click.ts';
import { listOwnOrders } from '../../../../operations/self-service/orders-own.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import type { SubmittedForm } from '../../../calls/page-route.ts';
import type { Route } from '../../../calls/route-types.ts';
import { type RouteDependencies, readingMore } from '../../../calls/services.ts';
import { partForm, partPage } from '../page/part-routes.ts';
import { type Visit, accountView, formView, shown, storing } from '../page/visit.ts';
import { changeSteps } from './change.ts';
import { newSteps } from './new.ts';
import { showOrdering, takeOrdering } from './ordering.ts';
import { optionOf } from './choice.ts';
import { renderCancel, renderOrders } from './render.ts';
import { type Action, actions } from './views.ts';
import { useForm, wasFormUsed } from '../../../../operations/hosted-pages/forms.ts';
import {
  cancelOwnOrder,
  readCancellable,
} from '../../../../operations/self-service/orders-change.ts';
import { type PageProblem, formProblem } from '../../../pages/view.ts';
import { leadOf } from './lead.ts';
import { refusedBy, showRefusal } from './refusals.ts';

const changes = ['upgrade', 'downgrade'] as const;

export function orderPageRoutes(dependencies: RouteDependencies): Route[] {
  return [
    partPage(dependencies, {
      path: '/orders',
      allows: (session) => showsPart('orders', session),
      show: showOrders,
    }),
    ...actionRoutes(dependencies, {
      action: 'new',
      path: '/orders/new',
      show: (visit) => showOrdering(visit, newSteps(visit)),
      take: (visit, form) => takeOrdering(visit, newSteps(visit), form),
    }),
    ...actionRoutes(dependencies, {
      action: 'cancel',
      path: '/orders/:id/cancel',
      show: (visit) => showCancel(visit),
      take: takeCancel,
    }),
    ...changes.flatMap((action) =>
      actionRoutes(dependencies, {
        action,
        path: `/orders/:id/${action}`,
        show: async (visit) => showOrdering(visit, await changeSteps(visit, action)),
        take: async (visit, form) => takeOrdering(visit, await changeSteps(visit, action), form),
      }),
    ),
  ];
}

interface ActionPages {
  readonly action: Action;
  readonly path: string;
  readonly show: (visit: Visit) => Promise<PageAnswer>;
  readonly take: (visit: Visit, form: SubmittedForm) => Promise<PageAnswer>;
}

/** Each option of the session allows its own pages alone. */
function actionRoutes(
  dependencies: RouteDependencies,
  { action, path, show, take }: ActionPages,
): Route[] {
  const allows = ({ editOrderOptions }: Session) => editOrderOptions.includes(optionOf[action]);
  return [
    partPage(dependencies, { path, allows, show }),
    // What bills may have to ask a tax provider.
    partForm(dependencies, { path, allows, forms: [action], waitsForOthers: true, take }),
  ];
}

async function showOrders(visit: Visit): Promise<PageAnswer> {
  const { dependencies, call, session, today } = visit;
  const listed = await readingMore(dependencies, call.tenant, (tx) =>
    listOwnOrders(dependencies, { tx, customerId: session.customerId, today }),
  );
  const done = actions.find((action) => action === call.parameters['done']) ?? null;
  return shown(visit, 200, renderOrders({ ...accountView(visit), ...listed, done }));
}

/* The page that ends an order. */

interface ShownCancel {
  readonly status: number;
  readonly problems: readonly PageProblem[];
}

async function showCancel(
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

async function takeCancel(visit: Visit, form: SubmittedForm): Promise<PageAnswer> {
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
