/** The whole interface for one test file: all routes, one tenant on a test clock, and calls to it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { Client } from 'pg';
import type { QueryResultRow } from 'pg';
import { allRoutes } from '../../api/routes/index.ts';
import type { Database } from '../../db/database.ts';
import type { Nudge } from '../../operations/outbox.ts';
import { cheapCost } from '../../operations/passwords.ts';
import { PASSWORD, makeTenant } from '../support/tenants.ts';
import type { TenantOptions } from '../support/tenants.ts';
import { errorsOf, openOwnDatabase, startApi, stopAtTheEnd } from './support.ts';
import type { Received } from './support.ts';

export interface TenantApi {
  readonly db: Database;
  readonly tenantId: number;
  /** Of the host: `<label>.localhost`. */
  readonly label: string;
  readonly port: number;
  readonly call: (method: string, path: string, more?: CallOptions) => Promise<Received>;
  /** Resolves when every refused login so far was looked at. */
  readonly guarded: () => Promise<void>;
  /** A statement by the owner of the schema, whom no fence stops. */
  readonly asOwner: <Row extends QueryResultRow>(sql: string) => Promise<Row[]>;
  readonly get: (path: string) => Promise<Received>;
  readonly post: (path: string, body?: string) => Promise<Received>;
  readonly put: (path: string, body: string) => Promise<Received>;
  readonly remove: (path: string) => Promise<Received>;
  /** A further tenant on the same server. */
  readonly another: (options?: ApiTenantOptions) => Promise<TenantApi>;
  /** What the interface asked to be delivered at once. */
  readonly nudges: readonly Nudge[];
}

export interface CallOptions {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly auth?: string;
}

export interface ApiTenantOptions extends TenantOptions {
  /** Without a test clock. */
  readonly isInRealTime?: boolean;
}

/** Friday, 1 January 2027, 07:00 in New York. */
export const CLOCK = '2027-01-01T12:00:00Z';

export async function startTenantApi(options: TenantOptions = {}): Promise<TenantApi> {
  const { db, ownerUrl } = await openOwnDatabase();
  const nudges: Nudge[] = [];
  const api = await startApi(db, (services) =>
    allRoutes({
      ...services,
      hashCost: cheapCost,
      deliverSoon: (_tenantId, more) => void nudges.push(...more),
    }),
  );
  stopAtTheEnd(api);
  const callsOf = async (each: ApiTenantOptions): Promise<TenantApi> => {
    const clock = each.isInRealTime === true ? {} : { testClock: CLOCK };
    const { id, label } = await makeTenant(api.services, { ...clock, ...each });
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
      asOwner: (sql) => asOwner(ownerUrl, sql),
      get: bodied('GET'),
      post: bodied('POST'),
      put: bodied('PUT'),
      remove: bodied('DELETE'),
      another: (further = {}) => callsOf(further),
      nudges,
    };
  };
  return callsOf(options);
}

async function asOwner<Row extends QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
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

/** Refused as expected, and by these errors only. */
export function refused(
  t: ExecutionContext,
  answer: Received,
  status: number,
  ...errors: string[]
): void {
  t.is(answer.status, status, answer.body);
  t.deepEqual(errorsOf(answer), errors, answer.body);
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

/** Compares an answer with the file of that name in test/golden. */
export function golden(t: ExecutionContext, name: string, answer: Received): void {
  const file = join(import.meta.dirname, '../golden', `${name}.xml`);
  t.is(readable(answer.body), readFileSync(file, 'utf8'));
}
