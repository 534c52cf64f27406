/** Serves the routes outside of /rest, which have their own bodies, credentials and answers. */
import type { Admission } from '../access/admission.ts';
import type { OpenRoute } from '../calls/open-route.ts';
import type { ApiContext, Next } from './context.ts';
import { discardRest, kept } from './discard-rest.ts';
import { headerOf } from './header.ts';

class TooLarge extends Error {}

export function openRouter(
  routes: readonly OpenRoute[],
  admission: Admission,
): (ctx: ApiContext, next: Next) => Promise<void> {
  const byPath = new Map(routes.map((each) => [each.path, each]));
  return async (ctx, next) => {
    const route = byPath.get(ctx.path);
    const { tenant } = ctx.state;
    if (route === undefined || tenant === undefined) {
      await next();
      return;
    }
    ctx.type = route.answer;
    if (ctx.method !== route.method) {
      ctx.status = 405;
      ctx.set('Allow', route.method);
      ctx.body = `use ${route.method}\n`;
      return;
    }
    const kind = `${route.method} ${route.path}`;
    const light = { isHeavy: false, waitsForOthers: false, isStream: false };
    const call = { tenantId: tenant.id, kind, ...light };
    try {
      const answer = await admission.admit(call, (visit) =>
        route.respond({
          tenant,
          header: (name) => headerOf(ctx, name),
          readBody() {
            visit.hold(route.body.bytesMax);
            return readRaw(ctx, route.body.bytesMax);
          },
        }),
      );
      ctx.status = answer.status;
      ctx.body = `${answer.text}\n`;
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      await discardRest(ctx.req);
      ctx.status = 413;
      ctx.set('Connection', 'close');
      ctx.body = `the body has more than ${route.body.bytesMax} bytes\n`;
    }
  };
}

async function readRaw(ctx: ApiContext, bytesMax: number): Promise<Uint8Array> {
  if ((ctx.request.length ?? 0) > bytesMax) throw new TooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of kept(ctx.req)) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new TooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
