/** Reads forms of pages: those of this host alone, url-encoded, of up to 64 KiB. */
import { RequestError } from '../calls/errors.ts';
import type { FormFields } from '../calls/route-types.ts';
import { type ApiContext, headerOf } from './context.ts';
import { readBytes } from './plain-body.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';
export const FORM_BYTES_MAX = 64 * 1_024;

/** Throws 403 for a form of another site, and 415 for what is no form. */
export function refuseOtherForms(
  ctx: ApiContext,
  { needsOrigin }: { readonly needsOrigin: boolean },
): void {
  if (!isOfThisHost(ctx, needsOrigin)) {
    const message = 'The form was sent from another site';
    throw new RequestError(403, { code: 'page.foreignPost', message });
  }
  const charset = ctx.request.charset.toLowerCase();
  if (ctx.request.type.toLowerCase() !== FORM_TYPE || !/^(utf-?8)?$/.test(charset)) {
    const message = `The body must be ${FORM_TYPE} in UTF-8`;
    throw new RequestError(415, { code: 'document.contentType', message });
  }
}

/** Old browsers send neither header; the form's key protects them, too. */
function isOfThisHost(ctx: ApiContext, needsOrigin: boolean): boolean {
  const [origin, site] = [headerOf(ctx, 'origin'), headerOf(ctx, 'sec-fetch-site')];
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return !needsOrigin;
  // A sandboxed frame sends `null`, which is no address.
  if (!URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  const own = `${protocol}//${ctx.host}`;
  return /^https?:$/.test(protocol) && URL.canParse(own) && new URL(own).host === host;
}

/** Throws 413 for a larger one. Of fields with one name the first counts. */
export async function readFormOf(ctx: ApiContext): Promise<FormFields> {
  const bytes = await readBytes(ctx, FORM_BYTES_MAX);
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(Buffer.from(bytes).toString())) {
    if (!fields.has(name)) fields.set(name, value);
  }
  return fields;
}
