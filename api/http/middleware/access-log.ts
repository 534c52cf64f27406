/**
 * Logs each request once its answer is known, without the query string, which may contain secrets.
 */
import { maskCardNumbers } from '../../../domain/payments/card-masking.ts';
import type { ApiContext, Next } from '../context.ts';
import { isHealthPath } from '../health.ts';
import type { Logger } from '../log.ts';

export function accessLog(log: Logger): (ctx: ApiContext, next: Next) => Promise<void> {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    if (isHealthPath(ctx.path)) return;
    log.info(
      {
        requestId: ctx.state.requestId,
        tenant: ctx.state.tenant?.label,
        user: ctx.state.user?.username,
        address: ctx.ip,
        method: ctx.method,
        path: maskCardNumbers(ctx.state.shownPath),
        status: ctx.status,
        codes: ctx.state.codes,
        busy: ctx.state.busy,
        waited: ctx.state.waitedMs === undefined ? undefined : tenths(ctx.state.waitedMs),
        milliseconds: tenths(performance.now() - startedAt),
      },
      'request',
    );
  };
}

const tenths = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;
