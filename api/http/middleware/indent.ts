/** Indents any XML answer of a call with `indent=true`, errors included. */
import { indentXml } from '../../xml/indent.ts';
import type { ApiContext, Next } from '../context.ts';

export async function indent(ctx: ApiContext, next: Next): Promise<void> {
  await next();
  const body: unknown = ctx.body;
  if (ctx.query['indent'] !== 'true' || ctx.response.is('application/xml') === false) return;
  // A heavy call's answer comes as bytes.
  if (typeof body === 'string' || Buffer.isBuffer(body)) ctx.body = await indentXml(String(body));
}
