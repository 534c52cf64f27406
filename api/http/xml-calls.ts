/** Performs an admitted call that takes and gives documents, here or in the thread for heavy calls. */
import type { TenantInfo } from '../../operations/context/context.ts';
import { asksProvider } from '../../operations/customers/addresses.ts';
import type { AdmittedCall, Visit } from '../access/admission.ts';
import type { Answer } from '../calls/answer.ts';
import type { RawCall } from '../calls/call.ts';
import { routeKey, type XmlRoute, HeavyCall } from '../calls/route-types.ts';
import { type ApiContext, headerOf } from './context.ts';
import type { Incoming, RouterOptions } from './incoming.ts';
import { koaBody } from 'koa-body';
import { RequestError } from '../calls/errors.ts';
import { refuseAnnounced } from './plain-body.ts';

export function performXml(
  route: XmlRoute,
  { ctx, tenant, id, pathTexts }: Incoming,
  { admission, heavy }: Pick<RouterOptions, 'admission' | 'heavy'>,
): Promise<Answer> {
  const { user, requestId } = ctx.state;
  if (user === undefined) throw new Error('a route runs before its access checks');
  return admission.admit(admittedCall(route, tenant, ctx), async (visit) => {
    // A route without a document ignores the body, which is then not part of the fingerprint.
    const bytes = route.body === 'none' ? noBody : await bodyOf(ctx, visit);
    const begin = async (bodyBytes: number): Promise<boolean> => {
      const askedAt = performance.now();
      const begun = await visit.begin(bodyBytes);
      if (begun) ctx.state.waitedMs = performance.now() - askedAt;
      return begun;
    };
    const begun = await begin(bytes.length);
    const raw: Omit<RawCall, 'isHeavy'> = {
      tenant,
      user,
      requestId,
      id,
      pathTexts,
      method: ctx.method,
      path: ctx.path,
      url: ctx.originalUrl,
      address: ctx.ip,
      parameters: ctx.query,
      bytes,
      header: (name) => headerOf(ctx, name),
      noteMiss: (kind, missed) => ctx.state.missed.push({ kind, id: missed }),
    };
    const respond = (isHeavy: boolean): Promise<Answer> => {
      if (heavy === undefined) return route.respond({ ...raw, isHeavy: true });
      const call = { ...raw, isHeavy };
      return isHeavy ? heavy.respond(route, call) : route.respond(call);
    };
    try {
      return await respond(begun);
    } catch (error) {
      if (!(error instanceof HeavyCall)) throw error;
      await begin(Number.POSITIVE_INFINITY);
      return respond(true);
    }
  });
}

const noBody = new Uint8Array();

function bodyOf(ctx: ApiContext, visit: Visit): Promise<Uint8Array> {
  visit.hold(announcedBytes(ctx));
  return readBody(ctx);
}

/** A list of at most this many objects is a light call. */
const LIGHT_LIST_MAX = 100;

function admittedCall(route: XmlRoute, tenant: TenantInfo, ctx: ApiContext): AdmittedCall {
  const isHeavy = route.isHeavy || Number(ctx.query['max']) > LIGHT_LIST_MAX;
  const waitsForOthers = route.waitsForOthers || (route.validatesAddresses && asksProvider(tenant));
  const kind = routeKey(route);
  return { tenantId: tenant.id, kind, isHeavy, waitsForOthers, isStream: false };
}

/** The assumed size of a body without Content-Length; nearly all bodies are smaller. */
const UNANNOUNCED_BYTES = 1_024 * 1_024;

function announcedBytes(ctx: ApiContext): number {
  const bytes = ctx.request.length ?? UNANNOUNCED_BYTES;
  // The reader refuses a longer body once it has read that much.
  return Math.min(bytes, BODY_BYTES_MAX);
}

/* The body of a request as bytes: XML in UTF-8, at most 8 MiB, or a refusal. */

const BODY_BYTES_MAX = 8 * 1024 * 1024;

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

async function readBody(ctx: ApiContext): Promise<Uint8Array> {
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
