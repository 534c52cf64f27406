/** The Koa application: its middleware in order, its routes from one table. */
import Koa from 'koa';
import { isBrokenOff } from './plain-body.ts';
import { type Admission, createAdmission } from '../access/admission.ts';
import type { ApiState } from './context.ts';
import {
  type CredentialStore,
  createCredentialCheck,
  createLogins,
} from '../access/credentials.ts';
import { browserPages, documents, entrance } from '../docs/serve.ts';
import { type HealthChecks, health } from './health.ts';
import { createPageWaits } from './incoming.ts';
import { origin } from './origin.ts';
import type { HeavyThread } from './heavy/thread.ts';
import { type Guard, createGuard } from '../access/guard.ts';
import type { Logger } from './log.ts';
import { createLoginLimits } from '../access/login-limits.ts';
import { createPostLimits } from '../access/post-limits.ts';
import { createRequestLimits } from '../access/request-limits.ts';
import { sharedAttempts } from '../../operations/access/shared-attempts.ts';
import { pageAnswers } from '../pages/answers.ts';
import type { Dependencies } from '../../operations/context/context.ts';
import {
  type FindTenant,
  type Transport,
  accessLog,
  answerFirst,
  compress,
  errors,
  fewConnections,
  indent,
  oneHost,
  requestId,
  requireSecureTransport,
  shownPath,
  strictTransport,
  tenant,
} from './middleware.ts';
import {
  authentication,
  foreignIds,
  requestLimit,
  requireRole,
  where,
} from '../access/authentication.ts';
import type { Metrics } from '../../providers/metrics/registry.ts';
import type { Traces } from '../../providers/traces/open-traces.ts';
import { openOperatorPlace, type OperatorSettings } from '../operator/place.ts';
import { operatorPages } from '../operator/serve.ts';
import { type Route, xmlRoutesOf } from '../calls/route-types.ts';
import { addresses, buildRouter } from './router.ts';

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
  /** Counts each request. */
  readonly count?: Metrics['request'] | undefined;
  /** Counts each error after the headers of an answer. */
  readonly countUnsent?: Metrics['error'] | undefined;
  readonly traces?: Pick<Traces, 'request'> | undefined;
  /** Without it there is no operator's page. */
  readonly operator?: OperatorSettings | undefined;
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
  const logins = createLogins({ check, limits });
  const posts = createPostLimits(credentials.clock, sharedAttempts(dependencies.db, 'forms'));
  const app = new Koa<ApiState>({ proxy: transport.trustProxy, maxIpsCount: 1 });
  // Only errors after the headers are sent arrive here; Koa would print them unmasked.
  app.on('error', (error: unknown) => {
    if (isBrokenOff(error)) {
      log.info({ error }, 'the caller broke off');
      return;
    }
    log.warn({ error }, 'sending an answer failed');
    options.countUnsent?.();
  });
  app.use(answerFirst);
  app.use(requestId);
  app.use(origin(options.traces));
  app.use(strictTransport(transport));
  app.use(shownPath(routes));
  app.use(accessLog(log, options.count));
  app.use(compress);
  app.use(indent);
  app.use(browserPages);
  app.use(errors({ log, guard, pages: answers }));
  app.use(oneHost);
  app.use(health(options.health));
  app.use(fewConnections);
  if (options.operator) {
    const shared = { dependencies, baseDomain, transport, findTenant, credentials };
    const place = openOperatorPlace(options.operator, { ...shared, logins, posts, guard });
    app.use(operatorPages(place));
  }
  app.use(entrance(baseDomain));
  app.use(documents(xmlRoutesOf(routes), baseDomain));
  app.use(addresses(routes));
  app.use(requireSecureTransport(transport));
  app.use(tenant(baseDomain, findTenant));
  app.use(where('basic', authentication(logins, guard)));
  const requests = createRequestLimits(
    credentials.clock,
    sharedAttempts(dependencies.db, 'requests'),
  );
  app.use(where('basic', requestLimit(requests)));
  app.use(where('basic', requireRole));
  app.use(where('basic', foreignIds(guard)));
  const pages = { answers, limits: posts, waits: createPageWaits() };
  const { heavy, stalledBodyMs } = options;
  const { noteExport } = guard;
  app.use(buildRouter({ admission, heavy, stalledBodyMs, pages, noteExport }));
  return { app, guard };
}
