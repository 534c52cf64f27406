/** The Koa application: its middleware in order, its routes from one table. */
import Koa from 'koa';
import { createAdmission } from './admission.ts';
import type { Admission } from './admission.ts';
import type { ApiState } from './context.ts';
import { createCredentialCheck } from './credentials.ts';
import type { CredentialStore } from './credentials.ts';
import { documents } from './documents/serve.ts';
import { health } from './health.ts';
import type { HealthChecks } from './health.ts';
import { createGuard } from './guard.ts';
import type { Guard } from './guard.ts';
import type { Logger } from './log.ts';
import { createLoginLimits } from './login-limits.ts';
import { createLogins } from './logins.ts';
import type { Services } from '../operations/services.ts';
import { accessLog } from './middleware/access-log.ts';
import { authentication, requireRole } from './middleware/authentication.ts';
import { compress } from './middleware/compress.ts';
import { errors } from './middleware/errors.ts';
import { foreignIds } from './middleware/foreign-ids.ts';
import { requestId } from './middleware/request-id.ts';
import { tenant } from './middleware/tenant.ts';
import type { FindTenant } from './middleware/tenant.ts';
import { requireSecureTransport } from './middleware/transport.ts';
import type { Transport } from './middleware/transport.ts';
import type { Route } from './route.ts';
import { buildRouter, unknownPath } from './router.ts';

export interface ApiDependencies {
  readonly services: Services;
  readonly log: Logger;
  readonly transport: Transport;
  /** Tenants are its labels: `demo.localhost` below `localhost`. */
  readonly baseDomain: string;
  readonly findTenant: FindTenant;
  readonly credentials: CredentialStore;
  /** One of its own by default. */
  readonly admission?: Admission;
  readonly health: HealthChecks;
  readonly routes: readonly Route[];
}

export interface Api {
  readonly app: Koa<ApiState>;
  /** Idle before the database may be closed. */
  readonly guard: Guard;
}

export function createApp(dependencies: ApiDependencies): Api {
  const { services, log, transport, baseDomain, findTenant, credentials, routes } = dependencies;
  const check = createCredentialCheck(credentials);
  const limits = createLoginLimits(credentials.clock);
  const guard = createGuard({ services, check, clock: credentials.clock, log });
  const app = new Koa<ApiState>({ proxy: transport.trustProxy, maxIpsCount: 1 });
  // Only what happens after the headers were sent gets here; Koa would print it as it is.
  app.on('error', (error: unknown) => log.error({ error }, 'an answer failed on its way'));
  app.use(requestId);
  app.use(accessLog(log));
  app.use(compress);
  app.use(errors(log, guard));
  app.use(health(dependencies.health));
  app.use(documents(routes));
  app.use(requireSecureTransport(transport));
  app.use(tenant(baseDomain, findTenant));
  app.use(authentication(createLogins({ check, limits }), guard));
  app.use(requireRole);
  app.use(foreignIds(guard));
  app.use(buildRouter(routes, dependencies.admission ?? createAdmission()));
  app.use(unknownPath);
  return { app, guard };
}
