/** Checks unknown ids: those of another tenant count against the caller. */
import { OutcomeUnknownError, UnavailableError } from '../../db/connection/faults.ts';
import type { ApiContext, Next } from '../http/context.ts';
import type { MissedId } from '../calls/errors.ts';
import { traceOf, type Guard } from './guard.ts';
import { missedBy } from '../calls/refusals.ts';

export function foreignIds(guard: Guard): (ctx: ApiContext, next: Next) => Promise<void> {
  const look = async (ctx: ApiContext, missed: MissedId): Promise<boolean> => {
    const { tenant, user } = ctx.state;
    if (tenant === undefined || user === undefined) return false;
    const caller = { tenantId: tenant.id, userId: user.id, username: user.username };
    return guard.missed(caller, missed, traceOf(ctx)).catch((error: unknown) => {
      // The outcome of the call itself is known: the id was unknown, and nothing changed.
      throw error instanceof OutcomeUnknownError
        ? new UnavailableError('an attempt was not counted', { cause: error })
        : error;
    });
  };
  return async (ctx, next) => {
    ctx.state.missed = [];
    try {
      await next();
    } catch (error) {
      // Count before the answer, which is the same either way, so that the next call sees the
      // count. A call counts once, however many ids of another tenant it names.
      for (const missed of missedBy(error)) if (await look(ctx, missed)) break;
      throw error;
    }
    for (const missed of ctx.state.missed) await look(ctx, missed);
  };
}
