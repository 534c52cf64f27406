/** The Koa application: its middleware in order, its routes from one table. */
import Koa from 'koa';
import { createAdmission } from '../access/admission.ts';
import type { Admission } from '../access/admission.ts';
import type { ApiState } from './context.ts';
import { createCredentialCheck } from '../access/credentials.ts';
import type { CredentialStore } from '../access/credentials.ts';
import { browserPages, documents, entrance } from '../docs/serve.ts';
import { health } from './health.ts';
import { createPageWaits } from './page-waits.ts';
import type { HeavyThread } from './heavy/thread.ts';
import type { HealthChecks } from './health.ts';
import { createGuard } from '../access/guard.ts';
import type { Guard } from '../access/guard.ts';
import type { Logger } from './log.ts';
import { createLoginLimits } from '../access/login-limits.ts';
import { createLogins } from '../access/logins.ts';
import { createPostLimits } from '../access/post-limits.ts';
import { sharedAttempts } from '../../operations/access/shared-attempts.ts';
import { pageAnswers } from '../pages/answers.ts';
import type { Dependencies } from '../../operations/context/context.ts';
import { answerFirst } from './middleware/answer-first.ts';
import { accessLog } from './middleware/access-log.ts';
import { authentication, requireRole } from '../access/authentication.ts';
import { compress } from './middleware/compress.ts';
import { errors } from './middleware/errors.ts';
import { oneHost } from './middleware/host.ts';
import { indent } from './middleware/indent.ts';
import { foreignIds } from '../access/cross-tenant-ids.ts';
import { requestId } from './middleware/request-id.ts';
import { tenant } from './middleware/tenant.ts';
import type { FindTenant } from './middleware/tenant.ts';
import { requireSecureTransport, strictTransport } from './middleware/transport.ts';
import type { Transport } from './middleware/transport.ts';
import { xmlRoutesOf } from '../calls/route-types.ts';
import type { Route } from '../calls/route-types.ts';
import { addresses, where } from './addresses.ts';
import { buildRouter } from './router.ts';
import { shownPath } from './shown-path.ts';

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
