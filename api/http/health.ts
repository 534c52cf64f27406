/**
 * `GET /livez`, `/readyz`, `/healthz`: whether the process runs, whether it can answer calls, and
 * whether every part that the service depends on answers.
 */
import { z } from 'zod';
import type { ApiContext, Next } from './context.ts';
import { compile } from '../xml/codec.ts';
import { boolean, listOf, root } from '../xml/types.ts';

/** `start`: whether `npm start` has finished and recorded all of its work. */
export type Part = 'database' | 'temporal' | 'worker' | 'start';

/** Each part's check; it throws or returns false if the part does not answer. */
export type HealthChecks = Readonly<Record<Part, () => Promise<boolean>>>;

/** Each address serves a decision: start the process again, send it calls, tell a person. */
const partsOf: ReadonlyMap<string, readonly Part[]> = new Map([
  ['/livez', []],
  ['/readyz', ['database']],
  ['/healthz', ['database', 'temporal', 'worker', 'start']],
]);

const CHECK_MS = 2_000;

export const healthCodec = compile(
  root(
    'health',
    z.strictObject({ success: boolean(), missing: listOf('part', z.string()).optional() }),
  ),
);

/** The addresses are asked every few seconds, and no log has them. */
export function isHealthPath(path: string): boolean {
  return partsOf.has(path);
}

export function health(checks: HealthChecks): (ctx: ApiContext, next: Next) => Promise<void> {
  return async (ctx, next) => {
    const parts = partsOf.get(ctx.path);
    if (parts === undefined) return next() as Promise<void>;
    const answers = await Promise.all(parts.map((part) => answersInTime(checks[part])));
    const missing = parts.filter((_part, index) => answers[index] !== true);
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
