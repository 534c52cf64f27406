/** The pages of a customer's orders: their list, and the actions that the session allows. */
import { showsPart } from '../../../../domain/self-service/switches.ts';
import type { Session } from '../../../../operations/self-service/click.ts';
import { listOwnOrders } from '../../../../operations/self-service/orders-own.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import type { SubmittedForm } from '../../../calls/page-route.ts';
import type { Route } from '../../../calls/route-types.ts';
import { type RouteDependencies, readingMore } from '../../../calls/services.ts';
import { partForm, partPage } from '../page/part-routes.ts';
import { accountView, shown, type Visit } from '../page/visit.ts';
import { showCancel, takeCancel } from './cancel.ts';
import { changeSteps } from './change.ts';
import { newSteps } from './new.ts';
import { showOrdering, takeOrdering } from './ordering.ts';
import { optionOf } from './permitted.ts';
import { renderOrders } from './render.ts';
import { actions, type Action } from './views.ts';

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
