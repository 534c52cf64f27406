/** The Koa application: its middleware in order, its routes from one table. */
import Koa from 'koa';
import { createAdmission, type Admission } from '../access/admission.ts';
import type { ApiState, ApiContext, Next } from './context.ts';
import { createCredentialCheck, type CredentialStore } from '../access/credentials.ts';
import { browserPages, documents, entrance } from '../docs/serve.ts';
import { health, type HealthChecks } from './health.ts';
import { createPageWaits } from './incoming.ts';
import type { HeavyThread } from './heavy/thread.ts';
import { createGuard, type Guard } from '../access/guard.ts';
import type { Logger } from './log.ts';
import { createLoginLimits } from '../access/login-limits.ts';
import { createLogins } from '../access/logins.ts';
import { createPostLimits } from '../access/post-limits.ts';
import { sharedAttempts } from '../../operations/access/shared-attempts.ts';
import { pageAnswers } from '../pages/answers.ts';
import type { Dependencies } from '../../operations/context/context.ts';
import {
  accessLog,
  answerFirst,
  compress,
  oneHost,
  indent,
  requestId,
  tenant,
  type FindTenant,
  requireSecureTransport,
  strictTransport,
  type Transport,
  errors,
} from './middleware.ts';
import { authentication, requireRole } from '../access/authentication.ts';
import { foreignIds } from '../access/cross-tenant-ids.ts';
import { xmlRoutesOf, type Route } from '../calls/route-types.ts';
import { addresses, where } from './addresses.ts';
import { buildRouter } from './router.ts';

export interface ApiOptions {
  readonly dependencies: Dependencies;
  readonly log: Logger;
  readonly transport: Transport;
  /** Tenants are labels below it: `demo.localhost` below `localhost`. */
  readonly baseDomain: string;
  readonly findTenant: FindTenant;
  readonly credentials: CredentialStore;
  /** A new one by default. */
  readonly admission?: Admission;
  /** Without it heavy calls run in this thread. */
  readonly heavy?: Pick<HeavyThread, 'respond'>;
  readonly health: HealthChecks;
  readonly routes: readonly Route[];
  /** @see RouterOptions */
  readonly stalledBodyMs?: number;
}

export interface Api {
  readonly app: Koa<ApiState>;
  /** Must be idle before the database closes. */
  readonly guard: Guard;
}

export function createApp(options: ApiOptions): Api {
  const { dependencies, log, transport, baseDomain, findTenant, credentials, routes } = options;
  const admission = options.admission ?? createAdmission();
  const check = createCredentialCheck(credentials);
  const limits = createLoginLimits(credentials.clock, sharedAttempts(dependencies.db, 'users'));
  const answers = pageAnswers(dependencies);
  const guard = createGuard({ dependencies, check, clock: credentials.clock, log });
  const app = new Koa<ApiState>({ proxy: transport.trustProxy, maxIpsCount: 1 });
  // Only errors after the headers are sent arrive here; Koa would print them unmasked.
  app.on('error', (error: unknown) => log.error({ error }, 'sending an answer failed'));
  app.use(answerFirst);
  app.use(requestId);
  app.use(strictTransport(transport));
  app.use(shownPath(routes));
  app.use(accessLog(log));
  app.use(compress);
  app.use(indent);
  app.use(browserPages);
  app.use(errors({ log, guard, pages: answers }));
  app.use(oneHost);
  app.use(health(options.health));
  app.use(entrance(baseDomain));
  app.use(documents(xmlRoutesOf(routes), baseDomain));
  app.use(addresses(routes));
  app.use(requireSecureTransport(transport));
  app.use(tenant(baseDomain, findTenant));
  app.use(where('basic', authentication(createLogins({ check, limits }), guard)));
  app.use(where('basic', requireRole));
  app.use(where('basic', foreignIds(guard)));
  const posts = createPostLimits(credentials.clock, sharedAttempts(dependencies.db, 'forms'));
  const pages = { answers, limits: posts, waits: createPageWaits() };
  const { heavy, stalledBodyMs } = options;
  app.use(buildRouter({ admission, heavy, stalledBodyMs, pages }));
  return { app, guard };
}

/* What logs and the audit log may have of a path: never the token of a hosted page. */

const MASK = ':token';

/**
 * Below the first words of pages, such as `/signup/`, everything may be a token, or most of one,
 * whether there is such an address or not. Where there is one, its pattern is shown.
 */
function shownPath(routes: readonly Route[]): (ctx: ApiContext, next: Next) => Promise<unknown> {
  const pages = routes.filter(({ credentials }) => credentials === 'token');
  const words = new Set(pages.map(({ path }) => firstWordOf(path)));
  return (ctx, next) => {
    const word = firstWordOf(ctx.path);
    ctx.state.shownPath = words.has(word) ? `/${word}/${MASK}` : ctx.path;
    return next();
  };
}

/** As people may mistype it: other cases, doubled slashes, escaped letters. */
function firstWordOf(path: string): string {
  const [word = ''] = decoded(path)
    .replace(/^[/\\]+/, '')
    .split(/[/\\]/, 1);
  return word.toLowerCase();
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
