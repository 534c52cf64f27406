/** The body of a request as bytes: XML in UTF-8, at most 8 MiB, or a refusal. */
import { koaBody } from 'koa-body';
import { RequestError } from '../calls/errors.ts';
import type { ApiContext } from './context.ts';
import { refuseAnnounced } from './plain-body.ts';

export const BODY_BYTES_MAX = 8 * 1024 * 1024;

const xmlTypes = ['application/xml', 'text/xml'];

const readText = koaBody({
  text: true,
  textTypes: xmlTypes,
  textLimit: BODY_BYTES_MAX,
  // One character per byte: koa-body would silently replace invalid UTF-8 by U+FFFD.
  encoding: 'latin1',
  json: false,
  urlencoded: false,
  multipart: false,
});

export async function readBody(ctx: ApiContext): Promise<Uint8Array> {
  refuseOtherTypes(ctx);
  // The reader itself does not look at the announced length of a compressed body.
  refuseAnnounced(ctx, BODY_BYTES_MAX);
  await readText(ctx, () => Promise.resolve());
  const text: unknown = (ctx.request as { body?: unknown }).body;
  return Buffer.from(typeof text === 'string' ? text : '', 'latin1');
}

function refuseOtherTypes(ctx: ApiContext): void {
  // A body without a type counts as XML, which the parser checks.
  if (ctx.get('content-type') === '') ctx.req.headers['content-type'] = 'application/xml';
  const charset = ctx.request.charset.toLowerCase();
  const hasBody = ctx.request.length !== 0 || ctx.get('transfer-encoding') !== '';
  const isXml = xmlTypes.includes(ctx.request.type.toLowerCase());
  if (hasBody && (!isXml || !/^(utf-?8)?$/.test(charset))) {
    throw new RequestError(415, {
      code: 'document.contentType',
      message: 'The body must be application/xml or text/xml in UTF-8',
    });
  }
}
