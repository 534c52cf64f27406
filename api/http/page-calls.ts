/** Performs an admitted call of a hosted page: checks where a form comes from, and reads it. */
import type { Visit } from '../access/admission.ts';
import type { PostLimits } from '../access/post-limits.ts';
import type { Answer, PageAnswer, ShownPage } from '../calls/answer.ts';
import { PageRefusal, RequestError } from '../calls/errors.ts';
import { tokenOf } from '../calls/page-route.ts';
import { refusalOf } from '../calls/refusals.ts';
import { routeKey, type FormFields, type PageCall, type PageRoute } from '../calls/route-types.ts';
import { acceptedLocale } from '../pages/language.ts';
import { type ApiContext, headerOf } from './context.ts';
import type { Incoming, RouterOptions } from './incoming.ts';
import { arriving, readBytes } from './plain-body.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const FORM_BYTES_MAX = 64 * 1_024;

export async function performPage(
  route: PageRoute,
  incoming: Incoming,
  { admission, pages }: Pick<RouterOptions, 'admission' | 'pages'>,
): Promise<Answer> {
  try {
    return await performed(route, incoming, { admission, pages });
  } catch (error) {
    const refusal = refusalOf(error);
    const page = await pageOf(route, incoming, refusal);
    throw page === undefined ? error : new PageRefusal(refusal, page);
  }
}

/** Undefined where the page that all share says it. */
async function pageOf(
  { showRefusal, path }: PageRoute,
  incoming: Incoming,
  refusal: RequestError,
): Promise<ShownPage | undefined> {
  if (showRefusal === undefined || refusal.status >= 500) return undefined;
  const outside = { takeHeavyTurn: () => Promise.resolve(), stepOut: <R>(work: () => R) => work() };
  const call = { ...askedBy(incoming, path), ...outside };
  // The refusal itself is what counts.
  return showRefusal(call, refusal).catch(() => undefined);
}

async function performed(
  route: PageRoute,
  incoming: Incoming,
  { admission, pages }: Pick<RouterOptions, 'admission' | 'pages'>,
): Promise<Answer> {
  const { tenant } = incoming;
  if (route.body === 'form') await refuseForm(route, incoming, pages.limits);
  const { waitsForOthers } = route;
  const kind = routeKey(route);
  const call = { tenantId: tenant.id, kind, isHeavy: false, waitsForOthers, isStream: false };
  const page = await admission.admit(call, (visit) => respond(route, incoming, visit));
  if (!('to' in page) || page.awaits === undefined) return pages.answers.answerOf(tenant, page);
  const to = (await pages.waits(tenant.id, page.awaits)) ?? page.to;
  return pages.answers.answerOf(tenant, { to });
}

function respond(route: PageRoute, incoming: Incoming, visit: Visit): Promise<PageAnswer> {
  const { ctx } = incoming;
  const call: PageCall<undefined> = {
    ...askedBy(incoming, route.path),
    takeHeavyTurn: async () => void (await visit.begin(Number.POSITIVE_INFINITY)),
    stepOut: visit.stepOut,
    body: undefined,
  };
  if (route.body === 'none') return route.respond(call);
  return route.respond({ ...call, body: () => readForm(ctx, visit) });
}

function askedBy({ ctx, tenant, id, pathTexts }: Incoming, pattern: string) {
  return {
    tenant,
    id,
    pathTexts,
    requestId: ctx.state.requestId,
    parameters: ctx.query,
    path: ctx.path,
    pattern,
    address: ctx.ip,
    locale: acceptedLocale(headerOf(ctx, 'accept-language')),
  };
}

async function refuseForm(
  { needsOrigin }: PageRoute,
  { ctx, tenant, pathTexts }: Incoming,
  limits: PostLimits,
): Promise<void> {
  if (!isOfThisHost(ctx, needsOrigin)) {
    const message = 'The form was sent from another site';
    throw new RequestError(403, { code: 'page.foreignPost', message });
  }
  const charset = ctx.request.charset.toLowerCase();
  if (ctx.request.type.toLowerCase() !== FORM_TYPE || !/^(utf-?8)?$/.test(charset)) {
    const message = `The body must be ${FORM_TYPE} in UTF-8`;
    throw new RequestError(415, { code: 'document.contentType', message });
  }
  const post = { tenantId: tenant.id, token: tokenOf({ pathTexts }), address: ctx.ip };
  const waitSeconds = await limits.take(post);
  if (waitSeconds === 0) return;
  const message = `Too many forms were sent; wait ${waitSeconds} s`;
  const headers = { 'Retry-After': String(waitSeconds) };
  throw new RequestError(429, { code: 'page.tooManyPosts', message }, headers);
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

async function readForm(ctx: ApiContext, visit: Visit): Promise<FormFields> {
  visit.hold(FORM_BYTES_MAX);
  const bytes = await arriving(ctx, visit, () => readBytes(ctx, FORM_BYTES_MAX));
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(Buffer.from(bytes).toString())) {
    if (!fields.has(name)) fields.set(name, value);
  }
  return fields;
}
