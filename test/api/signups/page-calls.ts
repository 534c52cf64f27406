/** Visits of sign-ups' pages: a link, its page, its forms. */
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { TestSystem } from '../../support/system.ts';
import { asked } from '../../support/template.ts';
import { PASSWORD } from '../../support/tenants.ts';
import { send, type Received } from '../support.ts';
import {
  startTenantApi,
  type ApiTenantOptions,
  type TenantApi,
  type TenantApiOptions,
} from '../tenant-api.ts';
import { likeDemo, start, type Parameters } from './calls.ts';

const demoFile = join(import.meta.dirname, '../../../tenants/demo.yaml');
const demo = parse(readFileSync(demoFile, 'utf8'));

/** 15 January 2027, 12:00 in New York. */
export const CLOCK = '2027-01-15T17:00:00Z';

export const withPages: ApiTenantOptions = {
  testClock: CLOCK,
  file: { ...likeDemo.file, tax: demo.tax },
};

export const openPages = (options: TenantApiOptions = {}): Promise<TenantApi> =>
  startTenantApi({ ...withPages, ...options });

/** What visits need of the interface of a whole system, for one of its tenants. */
export function pagesOf({ apiUrl, ownerUrl }: TestSystem, label: string): TenantApi {
  const port = Number(new URL(apiUrl).port);
  const from = { host: `${label}.localhost`, auth: `api@test:${PASSWORD}` };
  return {
    label,
    port,
    call: (method: string, path: string) => send(port, { method, path: `/rest${path}`, ...from }),
    asOwner: (sql: string) => asked(ownerUrl, sql),
  } as unknown as TenantApi;
}

/** A customer in New York: GOLD with WELCOME10 costs 73.44. */
export const ada = {
  firstName: 'Ada',
  lastName: 'Field',
  email: 'ada@field.example',
  street: '1 Main St',
  city: 'New York',
  state: 'NY',
  zipcode: '10118',
  country: 'US',
} as const;

export const gold = { contractCode: 'GOLD', quantity: '1', couponCode: 'WELCOME10' } as const;

/** What `signup/start` hides, so that the review is the first page. */
export const hidden = {
  ...ada,
  ...gold,
  extCustomerRef: 'C-1',
  hideCustomerFields: 'true',
  hideOrderFields: 'true',
} as const;

export const card = {
  cardNumber: '4111 1111 1111 1111',
  expiryMonth: '12',
  expiryYear: '2029',
  cvv: '123',
  cardholderName: 'Ada Field',
} as const;

export interface Link {
  readonly path: string;
  readonly tracking: string;
}

export async function linkOf(api: TenantApi, parameters: Parameters = {}): Promise<Link> {
  const { body } = await start(api, parameters);
  const [, path = body] = /<url>http:\/\/[^/]+([^<]+)</.exec(body) ?? [];
  const [, tracking = ''] = /<tracking>([^<]+)</.exec(body) ?? [];
  return { path, tracking };
}

export type Headers = Readonly<Record<string, string>>;

type Host = Pick<TenantApi, 'port' | 'label' | 'from'>;

export const visit = (api: Host, path: string, headers: Headers = {}): Promise<Received> =>
  send(api.port, { path, host: `${api.label}.localhost`, auth: null, headers });

export const submit = (
  api: Host,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Headers = {},
): Promise<Received> =>
  send(api.port, {
    method: 'POST',
    path,
    host: `${api.label}.localhost`,
    from: api.from,
    auth: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });

export const keyIn = ({ body }: Received): string =>
  /name="formKey" value="([^"]+)"/.exec(body)?.[1] ?? '';

/** Fetches the page and posts its form. */
export async function fill(
  api: Host,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Headers = {},
): Promise<Received> {
  const formKey = keyIn(await visit(api, path, headers));
  return submit(api, path.replace(/\?.*/, ''), { formKey, ...fields }, headers);
}

/** What an input, a list, or a choice of that name has; undefined if the page has none. */
export function valueIn({ body }: Received, name: string): string | undefined {
  const input = new RegExp(`<input id="${name}"[^>]*? value="([^"]*)"`).exec(body)?.[1];
  if (input !== undefined) return input;
  const buttons = [
    ...body.matchAll(/<input type="radio"[^>]* name="(\w+)" value="([^"]*)"([^>]*)>/g),
  ];
  const own = buttons.filter(([, each]) => each === name);
  if (own.length > 0) return own.find(([, , , state]) => state === ' checked')?.[2] ?? '';
  const list = new RegExp(`<select id="${name}"[^]*?</select>`).exec(body)?.[0];
  return list && (/value="([^"]*)" selected/.exec(list)?.[1] ?? '');
}

/** The names of the fields at fault, in order. */
export const faultsIn = ({ body }: Received): string[] =>
  [...body.matchAll(/id="(\w+)-error"/g)].map(([, name = '']) => name);

export const titleOf = ({ body }: Received): string => /<h1>([^<]*)<\/h1>/.exec(body)?.[1] ?? '';

/** `DRAFT: 1 storing` */
export async function stateOf(api: TenantApi, { tracking }: Link): Promise<string> {
  const [row] = await api.asOwner<{ text: string }>(
    `select concat(s.status, ' ' || s.failure_code, ': ',
       (select string_agg(concat_ws(' ', t.number, t.status, t.code, t.field), ', '
          order by t.number)
        from signup_try t where t.tenant_id = s.tenant_id and t.signup_id = s.id)) as text
     from signup s where s.tracking = '${tracking}'`,
  );
  return row?.text ?? 'gone';
}

/** Sets columns of the row; the names are of the test itself. */
export const setRow = (api: TenantApi, { tracking }: Link, assignments: string): Promise<unknown> =>
  api.asOwner(`update signup set ${assignments} where tracking = '${tracking}'`);

export async function rowOf(api: TenantApi, { tracking }: Link): Promise<Record<string, unknown>> {
  const [row] = await api.asOwner<Record<string, unknown>>(
    `select * from signup where tracking = '${tracking}'`,
  );
  return row ?? {};
}
