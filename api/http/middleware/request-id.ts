/**
 * Adds an X-Request-Id to every answer: the caller's if it is valid and contains no card number.
 */
import { randomUUID } from 'node:crypto';
import { holdsCardNumber } from '../../../domain/payments/card-masking.ts';
import type { ApiContext, Next } from '../context.ts';

const sane = /^[A-Za-z0-9._:/+=-]{1,128}$/;

export async function requestId(ctx: ApiContext, next: Next): Promise<void> {
  const sent = ctx.get('x-request-id');
  const isUsable = sane.test(sent) && !holdsCardNumber(sent);
  ctx.state.requestId = isUsable ? sent : randomUUID();
  ctx.set('X-Request-Id', ctx.state.requestId);
  await next();
}
