/** Performs an admitted call of a hosted page: checks where a form comes from, and reads it. */
import type { Visit } from '../access/admission.ts';
import type { PostLimits } from '../access/post-limits.ts';
import type { Answer, PageAnswer, ShownPage } from '../calls/answer.ts';
import { PageRefusal, type RequestError } from '../calls/errors.ts';
import { tokenOf, tooManyPosts } from '../calls/page-route.ts';
import { refusalOf } from '../calls/refusals.ts';
import { routeKey, type FormFields, type PageCall, type PageRoute } from '../calls/route-types.ts';
import { acceptedLocale } from '../pages/language.ts';
import { type ApiContext, headerOf } from './context.ts';
import { FORM_BYTES_MAX, readFormOf, refuseOtherForms } from './forms.ts';
import type { Incoming, RouterOptions } from './incoming.ts';
import { arriving } from './plain-body.ts';

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
  refuseOtherForms(ctx, { needsOrigin });
  const post = { tenantId: tenant.id, token: tokenOf({ pathTexts }), address: ctx.ip };
  const waitSeconds = await limits.take(post);
  if (waitSeconds === 0) return;
  throw tooManyPosts(waitSeconds);
}

async function readForm(ctx: ApiContext, visit: Visit): Promise<FormFields> {
  visit.hold(FORM_BYTES_MAX);
  return arriving(ctx, visit, () => readFormOf(ctx));
}
