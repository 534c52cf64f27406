/** `GET /healthz`: healthy only if every part that the service depends on answers. */
import { z } from 'zod';
import type { ApiContext, Next } from './context.ts';
import { compile } from '../xml/codec.ts';
import { boolean, listOf, root } from '../xml/types.ts';

/** `start`: whether `npm start` has finished and recorded all of its work. */
export type Part = 'database' | 'temporal' | 'worker' | 'start';

/** Each part's check; it throws or returns false if the part does not answer. */
export type HealthChecks = Readonly<Record<Part, () => Promise<boolean>>>;

const CHECK_MS = 2_000;

export const healthCodec = compile(
  root(
    'health',
    z.strictObject({ success: boolean(), missing: listOf('part', z.string()).optional() }),
  ),
);

export function health(checks: HealthChecks): (ctx: ApiContext, next: Next) => Promise<void> {
  return async (ctx, next) => {
    if (ctx.path !== '/healthz') return next() as Promise<void>;
    const parts = Object.entries(checks) as [Part, () => Promise<boolean>][];
    const answers = await Promise.all(parts.map(([, check]) => answersInTime(check)));
    const missing = parts.flatMap(([part], index) => (answers[index] === true ? [] : [part]));
    ctx.status = missing.length === 0 ? 200 : 503;
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'application/xml; charset=utf-8';
    ctx.body = healthCodec.encode({
      success: missing.length === 0,
      ...(missing.length === 0 ? {} : { missing }),
    });
  };
}

async function answersInTime(check: () => Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, CHECK_MS, false);
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
