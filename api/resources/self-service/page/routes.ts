/** The pages of hosted self-service, whose addresses have the token of a session. */
import { localeOf } from '../../../../domain/invoices/formats.ts';
import { tenantTimeOf } from '../../../../operations/context/context.ts';
import { readHome } from '../../../../operations/self-service/home.ts';
import { pageRoute, unknownPage } from '../../../calls/page-route.ts';
import type { Route } from '../../../calls/route-types.ts';
import type { RouteDependencies } from '../../../calls/services.ts';
import { renderHome } from './render.ts';
import { inSession } from './visit.ts';

export function selfServicePageRoutes(dependencies: RouteDependencies): Route[] {
  return [
    pageRoute({
      path: '/widget/customerHome/:token',
      handler: (call) =>
        inSession(dependencies, call, async (tx, session) => {
          const { cssUrl, loginUrl, customerId, showStatements } = session;
          const { today } = await tenantTimeOf(dependencies, call.tenant, tx, 'none');
          const home = await readHome(tx, customerId, today);
          if (home === undefined) throw unknownPage();
          const { name, balances } = home;
          const html = renderHome({
            name,
            balances,
            invoices: showStatements ? home.invoices : null,
            locale: localeOf(home.locale, home.countryCode),
            sender: call.tenant.name,
            cssUrl,
          });
          return { status: 200, html, cssUrl, leadsTo: [loginUrl] };
        }),
    }),
  ];
}
