/** Performs an admitted call whose body and answer are not documents, but bytes, text or a file. */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { Visit } from '../access/admission.ts';
import type { Answer, StreamedAnswer } from '../calls/answer.ts';
import { routeKey } from '../calls/route-types.ts';
import type { PlainCall, PlainRoute } from '../calls/route-types.ts';
import { headerOf } from './header.ts';
import type { Incoming, RouterOptions } from './incoming.ts';
import { readBytes, streamOf } from './plain-body.ts';

type Given = Answer | StreamedAnswer;

export function performPlain(
  route: PlainRoute,
  incoming: Incoming,
  { admission, stalledBodyMs }: Pick<RouterOptions, 'admission' | 'stalledBodyMs'>,
): Promise<Given> {
  const { ctx, tenant } = incoming;
  const kind = routeKey(route);
  const isStream = route.body === 'stream' || route.answer === 'file';
  const call = { tenantId: tenant.id, kind, isHeavy: false, waitsForOthers: false, isStream };
  return admission.admit(call, async (visit) => {
    const answer = await respond(route, incoming, { visit, stalledBodyMs });
    if (answer.body instanceof Readable && !ctx.res.closed) visit.stay(once(ctx.res, 'close'));
    return answer;
  });
}

interface Reading {
  readonly visit: Visit;
  readonly stalledBodyMs: number | undefined;
}

function respond(
  route: PlainRoute,
  { ctx, tenant, id, pathTexts }: Incoming,
  { visit, stalledBodyMs }: Reading,
): Promise<Given> {
  const call: PlainCall<undefined> = {
    tenant,
    id,
    pathTexts,
    requestId: ctx.state.requestId,
    parameters: ctx.query,
    header: (name) => headerOf(ctx, name),
    body: undefined,
  };
  if (route.body === 'none') return route.respond(call);
  const { bodyBytesMax } = route;
  if (route.body === 'stream') {
    const body = (): Readable =>
      streamOf(ctx, { bytesMax: bodyBytesMax, stalledMs: stalledBodyMs });
    return route.respond({ ...call, body });
  }
  const body = (): Promise<Uint8Array> => {
    visit.hold(bodyBytesMax);
    return readBytes(ctx, bodyBytesMax);
  };
  return route.respond({ ...call, body });
}
