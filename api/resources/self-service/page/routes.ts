/** The pages of hosted self-service, whose addresses have the token of a session. */
import { endSession } from '../../../../operations/self-service/click.ts';
import type { Route } from '../../../calls/route-types.ts';
import type { RouteDependencies } from '../../../calls/services.ts';
import { cardRoutes } from '../card/routes.ts';
import { orderPageRoutes } from '../orders/routes.ts';
import { showHome } from '../home/show.ts';
import { recordRoutes } from '../records/routes.ts';
import { payRoutes } from '../pay/routes.ts';
import { createContactLogins } from '../../../access/contact-logins.ts';
import { doorRoutes } from '../login/routes.ts';
import { profileRoutes } from '../profile/routes.ts';
import { partForm, partPage } from './part-routes.ts';
import { loginOf, storing } from './visit.ts';

export function selfServicePageRoutes(dependencies: RouteDependencies): Route[] {
  const logins = createContactLogins(dependencies);
  return [
    ...doorRoutes(dependencies, logins),
    ...profileRoutes(dependencies, logins),
    partPage(dependencies, {
      path: '',
      allows: () => true,
      show: showHome,
    }),
    partForm(dependencies, {
      path: '/logout',
      allows: () => true,
      forms: ['logout'],
      async take(visit) {
        await storing(visit, (context) => Promise.resolve(endSession(context, visit.session)));
        return loginOf(visit.session);
      },
    }),
    ...recordRoutes(dependencies),
    ...payRoutes(dependencies),
    ...cardRoutes(dependencies),
    ...orderPageRoutes(dependencies),
  ];
}
