/** The page of the payment methods on file, and its form, which puts a card there. */
import { showsPart } from '../../../../domain/self-service/switches.ts';
import type { Session } from '../../../../operations/self-service/click.ts';
import type { Route } from '../../../calls/route-types.ts';
import type { RouteDependencies } from '../../../calls/services.ts';
import { partForm, partPage } from '../page/part-routes.ts';
import { showCards } from './show.ts';
import { takeCard } from './take.ts';

export function cardRoutes(dependencies: RouteDependencies): Route[] {
  const part = { path: '/card', allows: (session: Session) => showsPart('card', session) };
  return [
    partPage(dependencies, {
      ...part,
      show: (visit) => showCards(visit, { status: 200, problems: [] }),
    }),
    partForm(dependencies, { ...part, forms: ['card'], waitsForOthers: true, take: takeCard }),
  ];
}
