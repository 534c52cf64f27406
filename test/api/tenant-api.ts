/**
 * The whole interface for one test file: all routes, one tenant on a test clock, and calls to it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { QueryResultRow } from 'pg';
import type { Admission } from '../../api/access/admission.ts';
import type { OperatorSettings } from '../../api/operator/place.ts';
import type { Dependencies } from '../../operations/context/context.ts';
import type { Logger } from '../../api/http/log.ts';
import { createFormKeys } from '../../api/calls/form-keys.ts';
import { allRoutes } from '../../api/resources/routes.ts';
import type { Database } from '../../db/connection/database.ts';
import type { Nudge } from '../../operations/context/nudge.ts';
import { cheapCost } from '../../operations/access/passwords.ts';
import { advancePayment } from '../../operations/gateway-calls/process.ts';
import { openTaxProviders } from '../../operations/tax/providers.ts';
import { taxAdapters, type TaxOptions } from '../../providers/tax/adapters.ts';
import type { Gateways } from '../../providers/gateway/gateway.ts';
import type { PaymentProgress } from '../../workflows/contract/contract.ts';
import { testStorage } from '../support/storage.ts';
import { ownDatabase, sharedDatabase } from '../support/shared-database.ts';
import type { FileStorage } from '../../providers/storage/storage.ts';
import { createVault, derived } from '../../providers/vault.ts';
import { PASSWORD, SECRET_KEY, makeTenant, type TenantOptions } from '../support/tenants.ts';
import { gatewaysOf } from './calls/patience.ts';
import { startApi, stopAtTheEnd, type Received } from './support.ts';

export { refused } from './support.ts';

export interface TenantApi {
  readonly db: Database;
  readonly tenantId: number;
  /** The label of the host: `<label>.localhost`. */
  readonly label: string;
  readonly port: number;
  /** From which its pages are visited, if another than 127.0.0.1. */
  readonly from?: string;
  readonly call: (method: string, path: string, more?: CallOptions) => Promise<Received>;
  /** Resolves when every refused login so far was checked. */
  readonly guarded: () => Promise<void>;
  /** A statement by the owner of the schema, whom row-level security does not restrict here. */
  readonly asOwner: <Row extends QueryResultRow>(sql: string) => Promise<Row[]>;
  readonly get: (path: string) => Promise<Received>;
  readonly post: (path: string, body?: string) => Promise<Received>;
  readonly put: (path: string, body: string) => Promise<Received>;
  readonly remove: (path: string) => Promise<Received>;
  /** Another tenant on the same server. */
  readonly another: (options?: ApiTenantOptions) => Promise<TenantApi>;
  /** The nudges that the interface dispatched. */
  readonly nudges: readonly Nudge[];
  /** Processes a payment as far as possible, as its workflow would. */
  readonly advance: (paymentId: string | number) => Promise<PaymentProgress>;
}

export interface CallOptions {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly auth?: string | null;
}

export interface ApiTenantOptions extends TenantOptions {
  /** Without a test clock. */
  readonly isInRealTime?: boolean;
  /** No workflow processes its payments: only `advance` does. */
  readonly isEngineDown?: boolean;
}

export interface TenantApiOptions extends ApiTenantOptions {
  /** Instead of the real sandbox and Stripe. */
  readonly gateways?: (real: Gateways) => Gateways;
  /** Ends the time of a call of the tax provider, instead of a timer. */
  readonly startTaxLimit?: TaxOptions['startLimit'];
  /** A folder of its own by default. */
  readonly storage?: FileStorage;
  readonly uploadBytesMax?: number;
  /** How long a call waits for a payment or a job; 10 by default. */
  readonly waitSeconds?: number;
  /** None by default. */
  readonly log?: Logger;
  /** A new one by default. */
  readonly admission?: Admission;
  /** The address at which the interface reaches its database, such as that of a proxy. */
  readonly through?: (url: string) => string | Promise<string>;
  /** For a file that changes tables, counts rows of all tenants, or guesses passwords from a network. */
  readonly ownDatabase?: true;
  /** Of the operator's page. */
  readonly operator?: (dependencies: Dependencies, loginUrl: string) => OperatorSettings;
  /** The database in a wrapper that records its statements. */
  readonly overhear?: (db: Database) => Database;
}

const hooks = { onStep: () => undefined, dispatch: () => undefined };

/** Friday, 1 January 2027, 07:00 in New York. */
export const CLOCK = '2027-01-01T12:00:00Z';

/** For calls that admins alone make. */
export const admin = {
  username: 'admin@test',
  password: PASSWORD,
  roles: ['ROLE_API'],
  rights: ['admin'],
};
/** A part of the file of a tenant with such calls. */
export const withAdmin = {
  users: [{ username: 'api@test', password: PASSWORD, roles: ['ROLE_API'] }, admin],
};
export const asAdmin = { auth: `admin@test:${PASSWORD}` };

/** What is stored of calls that made a link: their keys, the rows of the links, the audit log. */
export const keptOfLinks = (
  { asOwner, tenantId }: TenantApi,
  table: 'action_link' | 'pay_link',
): Promise<QueryResultRow[]> =>
  asOwner(
    `select (select string_agg(k::text, '') from idempotency_key k where tenant_id = ${tenantId})
       || (select string_agg(l::text, '') from ${table} l where tenant_id = ${tenantId})
       || (select string_agg(a::text, '') from audit_log a where tenant_id = ${tenantId}) as text`,
  );

export async function startTenantApi(options: TenantApiOptions = {}): Promise<TenantApi> {
  const isShared = options.through === undefined && options.ownDatabase === undefined;
  const opened = await (isShared ? sharedDatabase() : ownDatabase(options.through));
  const { owner } = opened;
  const db = options.overhear?.(opened.app) ?? opened.app;
  const nudges: Nudge[] = [];
  const storage = options.storage ?? testStorage();
  const withoutEngine = new Set<number>();
  const plain = { db, realNow: Date.now };
  const startLimit = options.startTaxLimit;
  const taxOptions = { secretKeys: SECRET_KEY, ...(startLimit && { startLimit }) };
  const taxProviderOf = openTaxProviders(plain, taxAdapters(plain, taxOptions));
  const dependencies = { ...plain, taxProviderOf };
  const real = gatewaysOf(dependencies);
  const gateways = options.gateways?.(real) ?? real;
  const advance = (tenantId: number, cascadeId: number): Promise<PaymentProgress> =>
    advancePayment(dependencies, gateways, tenantId, { cascadeId, asked: 0 }, hooks);
  const api = await startApi(
    db,
    (own) =>
      allRoutes({
        ...own,
        taxProviderOf,
        hashCost: cheapCost,
        fingerprintKey: derived(SECRET_KEY, 'sundial requests v1'),
        formKeys: createFormKeys(SECRET_KEY, Date.now),
        dispatch: (_tenantId, more) => void nudges.push(...more),
        gateways,
        async awaitPayment({ id }, { cascadeId }) {
          if (!withoutEngine.has(id)) await advance(id, cascadeId);
        },
        awaitSignup: () => Promise.resolve(),
        paymentWaitSeconds: options.waitSeconds ?? 10,
        webhookSecretOf: () => Promise.resolve(null),
        storage,
        vault: createVault(SECRET_KEY),
        baseDomain: 'localhost',
        publicUrl: 'http://localhost',
        ...(options.uploadBytesMax !== undefined && { uploadBytesMax: options.uploadBytesMax }),
      }),
    {
      ...(options.log !== undefined && { log: options.log }),
      ...(options.admission !== undefined && { admission: options.admission }),
      ...(options.operator && { operator: options.operator(plain, opened.loginUrl) }),
    },
  );
  stopAtTheEnd(api);
  const callsOf = async (each: ApiTenantOptions): Promise<TenantApi> => {
    const clock = each.isInRealTime === true ? {} : { testClock: CLOCK };
    const { id, label } = await makeTenant(api.dependencies, { ...clock, ...each });
    if (each.isEngineDown === true) withoutEngine.add(id);
    const call = (method: string, path: string, more: CallOptions = {}) =>
      api.send({
        method,
        path: `/rest${path}`,
        auth: `api@test:${PASSWORD}`,
        host: `${label}.localhost`,
        ...more,
      });
    const bodied = (method: string) => (path: string, body?: string) =>
      call(method, path, body === undefined ? {} : { body });
    return {
      db,
      tenantId: id,
      label,
      port: api.port,
      call,
      guarded: api.guarded,
      asOwner: async <Row extends QueryResultRow>(sql: string) =>
        (await owner.query<Row>(sql)).rows,
      get: bodied('GET'),
      post: bodied('POST'),
      put: bodied('PUT'),
      remove: bodied('DELETE'),
      another: (further = {}) => callsOf(further),
      nudges,
      advance: (paymentId) => advance(id, Number(paymentId)),
    };
  };
  return callsOf(options);
}

/** The value of the first element or attribute of that name: `valueOf(body, 'customer@id')`. */
export function valueOf(body: string, name: string): string | undefined {
  const [element, attribute] = name.split('@');
  const pattern =
    attribute === undefined
      ? new RegExp(`<${element}(?: [^>]*)?>([^<]*)</${element}>`)
      : new RegExp(`<${element} [^>]*?${attribute}="([^"]*)"`);
  return pattern.exec(body)?.[1];
}

/** The values of all elements of that name, in order. */
export function valuesOf(body: string, element: string): string[] {
  return [...body.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, value]) =>
    String(value),
  );
}

/** The part of a document inside the first element of that name, its tags included. */
export function partOf(body: string, element: string): string {
  return new RegExp(`<${element}[ >].*?</${element}>`, 's').exec(body)?.[0] ?? '';
}

/** One element a line, ids numbered in the order in which they appear. */
export function readable(body: string): string {
  const ids = new Map<string, string>();
  return body
    .replaceAll(/ id="(\d+)"/g, (_, id: string) => {
      if (!ids.has(id)) ids.set(id, `#${ids.size + 1}`);
      return ` id="${ids.get(id)}"`;
    })
    .replaceAll(/>(?=<)/g, '>\n')
    .concat('\n');
}

/**
 * Compares an answer with the file of that name in test/api/golden; `-- --record` writes it anew.
 */
export function golden(t: ExecutionContext, name: string, answer: Received): void {
  const file = join(import.meta.dirname, 'golden', `${name}.xml`);
  if (process.argv.includes('--record')) writeFileSync(file, readable(answer.body));
  t.is(readable(answer.body), readFileSync(file, 'utf8'));
}
