/** The pages of a customer's orders: their list, and the actions that the session allows. */
import { showsPart } from '../../../../domain/self-service/switches.ts';
import type { Session } from '../../../../operations/self-service/click.ts';
import { listOwnOrders } from '../../../../operations/self-service/orders-own.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import type { SubmittedForm } from '../../../calls/page-route.ts';
import type { Route } from '../../../calls/route-types.ts';
import { type RouteDependencies, readingMore } from '../../../calls/services.ts';
import { partForm, partPage } from '../page/part-routes.ts';
import { type Visit, accountView, shown } from '../page/visit.ts';
import { changeSteps } from './change.ts';
import { allowsAction } from './choice.ts';
import { showCancel, showKeep, takeCancel, takeKeep } from './end.ts';
import { newSteps } from './new.ts';
import { showOrdering, takeOrdering } from './ordering.ts';

import { renderOrders } from './render.ts';
import { type Action, doings } from './views.ts';

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
    ...actionRoutes(dependencies, {
      action: 'keep',
      path: '/orders/:id/keep',
      show: showKeep,
      take: takeKeep,
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
  const allows = (session: Session) => allowsAction(session, action);
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
  const done = doings.find((doing) => doing === call.parameters['done']) ?? null;
  return shown(
    visit,
    200,
    renderOrders({ ...accountView(visit), ...listed, done, today: visit.today }),
  );
}
