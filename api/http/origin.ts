/** What a request is known by to those who watch: its id, its trace, and its route. */
import { withOrigin } from '../../operations/context/origin.ts';
import type { Traces } from '../../providers/traces/open-traces.ts';
import type { ApiContext, Next } from './context.ts';
import { isHealthPath } from './health.ts';

/** What the request begins, such as its nudges of workflows, is known by its id, and by its trace. */
export function origin(
  traces: Pick<Traces, 'request'> | undefined,
): (ctx: ApiContext, next: Next) => Promise<unknown> {
  return (ctx, next) => {
    const { requestId: id } = ctx.state;
    if (traces === undefined || isHealthPath(ctx.path)) return withOrigin({ requestId: id }, next);
    return traces.request(
      id,
      (within) => withOrigin({ requestId: id, within }, next),
      () => ({
        route: routeNameOf(ctx),
        status: ctx.status,
        tenant: ctx.state.tenant?.label,
      }),
    );
  };
}

/** Never the path itself, of which there are as many as objects. */
export function routeNameOf({ state, method }: ApiContext): string | undefined {
  const routes = state.address?.routes ?? [];
  const route = routes.find((each) => each.method === (method === 'HEAD' ? 'GET' : method));
  return route && `${route.method} ${route.path}`;
}
