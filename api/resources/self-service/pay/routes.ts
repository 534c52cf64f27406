/** The page on which a customer pays open invoices, and its form. */
import { showsPart } from '../../../../domain/self-service/switches.ts';
import type { Session } from '../../../../operations/self-service/click.ts';
import type { Route } from '../../../calls/route-types.ts';
import type { RouteDependencies } from '../../../calls/services.ts';
import { partForm, partPage } from '../page/part-routes.ts';
import { showPay } from './show.ts';
import { takePay } from './take.ts';

export function payRoutes(dependencies: RouteDependencies): Route[] {
  const part = { path: '/pay', allows: (session: Session) => showsPart('pay', session) };
  return [
    partPage(dependencies, {
      ...part,
      show: (visit) => showPay(visit, { status: 200, problems: [] }),
    }),
    partForm(dependencies, { ...part, forms: ['pay'], waitsForOthers: true, take: takePay }),
  ];
}
