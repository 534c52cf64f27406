/** Answers with the thrown refusal, and records refused access. */
import type { ApiContext, Next } from '../context.ts';
import { discardRest } from '../discard-rest.ts';
import type { Guard } from '../../access/guard.ts';
import type { Logger } from '../log.ts';
import { refusalAnswer, refusalOf } from '../../calls/refusals.ts';
import type { RequestError } from '../../calls/errors.ts';

export function errors(log: Logger, guard: Guard): (ctx: ApiContext, next: Next) => Promise<void> {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status >= 400) ctx.state.codes = codesIn(ctx.body);
    } catch (error) {
      const refusal = refusalOf(error);
      ctx.state.codes = [...new Set(refusal.errors.map(({ code }) => code))];
      ctx.state.refusal = refusal;
      if (refusal.status >= 500) {
        log.error({ requestId: ctx.state.requestId, error }, 'the request failed');
      }
      await noteRefusal(ctx, guard, refusal);
      if (refusal.status === 413) await discardRest(ctx.req);
      const answer = refusalAnswer(refusal);
      ctx.status = answer.status;
      ctx.set({ ...answer.headers });
      ctx.type = answer.type;
      ctx.body = answer.body;
    }
  };
}

/** A repeated request gets the stored refusal. */
function codesIn(body: unknown): string[] {
  const matches = String(body).matchAll(/<error code="([\w.]+)"/g);
  return [...new Set([...matches].map(([, code = '']) => code))];
}

async function noteRefusal(ctx: ApiContext, guard: Guard, refusal: RequestError): Promise<void> {
  const { tenant, user, requestId, login } = ctx.state;
  if (tenant === undefined || (refusal.status !== 401 && refusal.status !== 403)) return;
  await guard.refused(tenant.id, {
    action: 'refused',
    userId: user?.id,
    username: user?.username ?? login,
    method: ctx.method,
    path: ctx.path,
    status: refusal.status,
    code: refusal.errors[0]?.code,
    address: ctx.ip,
    requestId,
  });
}
