/** Answers with the thrown refusal, and records refused access. */
import { BusyError } from '../../../db/connection/faults.ts';
import type { PageAnswers } from '../../pages/answers.ts';
import { acceptedLocale } from '../../pages/language.ts';
import type { ApiContext, Next } from '../context.ts';
import { headerOf } from '../header.ts';
import type { Guard } from '../../access/guard.ts';
import type { Logger } from '../log.ts';
import type { Answer } from '../../calls/answer.ts';
import { refusalAnswer, refusalOf, refusalText } from '../../calls/refusals.ts';
import { PageRefusal } from '../../calls/errors.ts';
import type { RequestError } from '../../calls/errors.ts';
import type { Route } from '../../calls/route-types.ts';

export interface ErrorsOptions {
  readonly log: Logger;
  readonly guard: Guard;
  readonly pages: PageAnswers;
}

export function errors({
  log,
  guard,
  pages,
}: ErrorsOptions): (ctx: ApiContext, next: Next) => Promise<void> {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status >= 400) ctx.state.codes = codesIn(ctx.body);
    } catch (error) {
      const refusal = refusalOf(error);
      ctx.state.codes = [...new Set(refusal.errors.map(({ code }) => code))];
      ctx.state.refusal = refusal;
      if (error instanceof BusyError) ctx.state.busy = error.message;
      else if (refusal.status >= 500) {
        log.error({ requestId: ctx.state.requestId, error }, 'the request failed');
      }
      await noteRefusal(ctx, guard, refusal);
      ctx.state.leavesBody = refusal.status === 413 || takesStream(ctx);
      const answer = await answerOf(ctx, refusal, pages);
      ctx.status = answer.status;
      ctx.set({ ...answer.headers });
      ctx.type = answer.type;
      ctx.body = answer.body;
    }
  };
}

const routesOf = ({ state }: ApiContext): readonly Route[] => state.address?.routes ?? [];

/** Whether a route of the address takes a stream, which may still be on its way. */
const takesStream = (ctx: ApiContext): boolean =>
  routesOf(ctx).some(({ body }) => body === 'stream');

/** As callers by this method, or of this address if it has no such method, expect it. */
async function answerOf(
  ctx: ApiContext,
  refusal: RequestError,
  pages: ErrorsOptions['pages'],
): Promise<Answer> {
  const routes = routesOf(ctx);
  const route = routes.find(({ method }) => method === ctx.method) ?? routes[0];
  if (route?.answer === 'text') return refusalText(refusal);
  if (route?.answer !== 'page') return refusalAnswer(refusal);
  const { tenant } = ctx.state;
  if (refusal instanceof PageRefusal && tenant !== undefined) {
    const answer = await pages.answerOf(tenant, refusal.page);
    return { ...answer, headers: { ...refusal.headers, ...answer.headers } };
  }
  const locale = acceptedLocale(headerOf(ctx, 'accept-language'));
  return pages.refusalOf({ tenant, locale, path: ctx.path }, refusal);
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
    path: ctx.state.shownPath,
    status: refusal.status,
    code: refusal.errors[0]?.code,
    address: ctx.ip,
    requestId,
  });
}
