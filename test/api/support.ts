/** A real API over real HTTP and a real database, for one test file. */
import { type IncomingHttpHeaders, request } from 'node:http';
import { type ExecutionContext, registerCompletionHandler } from 'ava';
import pino from 'pino';
import { type ApiOptions, createApp } from '../../api/http/app.ts';
import {
  credentialStore,
  databaseAnswers,
  tenantFinder,
  workerIsAlive,
} from '../../api/access/store.ts';
import { createFormKeys } from '../../api/calls/form-keys.ts';
import type { Route } from '../../api/calls/route.ts';
import type { RouteDependencies } from '../../api/calls/services.ts';
import { listen } from '../../api/http/server.ts';
import type { Database } from '../../db/connection/database.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { cheapCost, hashPassword } from '../../operations/access/passwords.ts';
import type { Dependencies } from '../../operations/context/context.ts';
import { keepEventDocuments as keepDocuments } from '../../operations/feed/event-views.ts';
import { GatewayError } from '../../providers/gateway/gateway.ts';
import { noStorage } from '../../providers/storage/open-storage.ts';
import { createVault, derived } from '../../providers/vault.ts';
import { noteAsserted } from '../support/asserted.ts';
import { ownDatabase } from '../support/shared-database.ts';
import { SECRET_KEY } from '../support/tenants.ts';

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly body?: string | Buffer;
  /** Announces a body of so many bytes, and sends none of it before the answer. */
  readonly announcedBytes?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The address of the caller, of this machine: 127.0.0.2 is another network. */
  readonly from?: string | undefined;
  /** `user:password`; null sends none. */
  readonly auth?: string | null;
  readonly host?: string;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface TestApi {
  readonly dependencies: Dependencies;
  readonly port: number;
  readonly send: (sent: Sent) => Promise<Received>;
  /** Resolves when every refused login so far was checked. */
  readonly guarded: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export const USER = 'api@demo:demo-secret';

export async function openTestDatabase(): Promise<Database> {
  return (await ownDatabase()).app;
}

/** A tenant without plans, its API user, and a clerk who may not use the interface. */
export async function makeTenant(db: Database, label: string): Promise<number> {
  const { rows } = await db.pool.query<{ id: string }>("select nextval('id_seq') as id");
  const id = Number(rows[0]?.id);
  const hash = await hashPassword('demo-secret', cheapCost);
  await inTenant(db, id, async (tx) => {
    await tx.query(
      `insert into tenant (id, label, name, timezone, currency, payment_terms_value,
         payment_terms_units, has_test_clock, file, created_at, updated_at)
       values ($1, $2, 'Test', 'America/New_York', 'USD', 30, 'Days', false, '{}', now(), now())`,
      [id, label],
    );
    await tx.query(
      `insert into base_user (tenant_id, username, password_hash, roles, disabled_at) values
         ($1, 'api@demo', $2, '{ROLE_API}', null), ($1, 'clerk@demo', $2, '{}', null),
         ($1, 'gone@demo', $2, '{ROLE_API}', now())`,
      [id, hash],
    );
    await tx.query(
      `insert into counter (tenant_id, kind, first, next)
       values ($1, 'order', 1001, 1001), ($1, 'invoice', 1001, 1001)`,
      [id],
    );
  });
  return id;
}

export async function startApi(
  db: Database,
  routes: (dependencies: Dependencies) => readonly Route[],
  { connectionsMax, ...overrides }: Partial<ApiOptions> & { readonly connectionsMax?: number } = {},
): Promise<TestApi> {
  const dependencies: Dependencies = { db, realNow: Date.now, keepDocuments };
  const { app, guard } = createApp({
    dependencies,
    log: pino({ level: 'silent' }),
    transport: { isLoopback: true, trustProxy: false },
    baseDomain: 'localhost',
    findTenant: tenantFinder(dependencies),
    credentials: credentialStore(db, cheapCost),
    health: {
      database: () => databaseAnswers(db),
      temporal: () => Promise.resolve(true),
      worker: () => workerIsAlive(db),
      start: () => Promise.resolve(true),
    },
    routes: routes(dependencies),
    ...overrides,
  });
  // oxlint-disable-next-line typescript/no-misused-promises -- Koa answers, nobody awaits it
  const server = await listen(app.callback(), {
    host: '127.0.0.1',
    port: 0,
    ...(connectionsMax !== undefined && { connectionsMax }),
  });
  return {
    dependencies,
    port: server.port,
    send: (sent) => send(server.port, sent),
    guarded: guard.idle,
    stop: server.drain,
  };
}

/** The dependencies of routes, without a workflow engine or a gateway that answers. */
export function quiet(dependencies: Dependencies): RouteDependencies {
  const closed = () => Promise.reject(new GatewayError('unavailable', 'closed'));
  return {
    ...dependencies,
    hashCost: cheapCost,
    fingerprintKey: derived(SECRET_KEY, 'sundial requests v1'),
    formKeys: createFormKeys(SECRET_KEY, Date.now),
    dispatch: () => undefined,
    gateways: { ofTenant: closed, named: closed, returnUrl: (_tenantId, sealed) => sealed },
    awaitPayment: () => Promise.resolve(),
    awaitSignup: () => Promise.resolve(),
    paymentWaitSeconds: 0,
    webhookSecretOf: () => Promise.resolve(null),
    storage: noStorage,
    vault: createVault(SECRET_KEY),
    baseDomain: 'localhost',
    publicUrl: 'http://localhost',
  };
}

/** Stopped when the test file is done. */
export function stopAtTheEnd(api: TestApi): void {
  registerCompletionHandler(() => void api.stop());
}

export function send(port: number, sent: Sent): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  const auth = sent.auth === undefined ? USER : sent.auth;
  const outgoing = request(
    {
      host: '127.0.0.1',
      port,
      ...(sent.from !== undefined && { localAddress: sent.from }),
      method: sent.method ?? 'GET',
      path: sent.path,
      auth,
      headers: {
        host: sent.host ?? 'demo.localhost',
        ...(sent.announcedBytes !== undefined && { 'content-length': String(sent.announcedBytes) }),
        ...sent.headers,
      },
      agent: false,
    },
    (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const { statusCode: status = 0, headers } = incoming;
        resolve({ status, headers, body: Buffer.concat(chunks).toString() });
        if (sent.announcedBytes !== undefined) outgoing.destroy();
      });
    },
  );
  outgoing.on('error', reject);
  if (sent.announcedBytes === undefined) outgoing.end(sent.body);
  else outgoing.flushHeaders();
  return promise;
}

/** `code path` of each error of an answer. */
export function errorsOf(answer: Received): string[] {
  return [
    ...answer.body.matchAll(/<error code="([^"]*)"(?: path="([^"]*)")?(?: value="[^"]*")?>/g),
  ].map(([, code, path]) => (path === undefined ? String(code) : `${code} ${path}`));
}

/** Refused as expected, with only these errors. */
export function refused(
  t: ExecutionContext,
  answer: Received,
  status: number,
  ...errors: string[]
): void {
  t.is(answer.status, status, answer.body);
  t.deepEqual(errorsOf(answer), errors, answer.body);
  for (const each of errors) noteAsserted(each);
}
