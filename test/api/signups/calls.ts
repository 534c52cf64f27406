/** Starting sign-ups: a tenant like demo, and a start with what is required. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Received } from '../support.ts';
import {
  startTenantApi,
  type ApiTenantOptions,
  type CallOptions,
  type TenantApi,
} from '../tenant-api.ts';

const demoFile = join(import.meta.dirname, '../../../tenants/demo.yaml');
const demo = parse(readFileSync(demoFile, 'utf8'));

/** The plans of demo, as products have them. */
export const likeDemo: ApiTenantOptions = {
  file: {
    productOfferings: demo.productOfferings,
    plans: demo.plans,
    coupons: demo.coupons,
    commissionPlans: demo.commissionPlans,
    salesAgents: demo.salesAgents,
    hostedPages: demo.hostedPages,
  },
};

interface MoreOfFile {
  readonly productOfferings?: readonly object[];
  readonly plans?: readonly object[];
  readonly coupons?: readonly object[];
}

/** @param more what the file has besides */
export function openSignups(more: MoreOfFile = {}): Promise<TenantApi> {
  const lists = ['productOfferings', 'plans', 'coupons'] as const;
  const longer = lists.map((name) => [name, [...demo[name], ...(more[name] ?? [])]]);
  return startTenantApi({ file: { ...likeDemo.file, ...Object.fromEntries(longer) } });
}

/** An origin that the tenant allows. */
export const SITE = 'https://www.demo.example';

export const required = {
  successURL: `${SITE}/ok`,
  failURL: `${SITE}/fail`,
  cssURL: '/css/signup.css',
} as const;

export const hiddenCustomer = {
  hideCustomerFields: 'true',
  extCustomerRef: 'C-1',
  firstName: 'Ada',
  lastName: 'Field',
  email: 'ada@field.example',
} as const;

export type Parameters = Readonly<Record<string, string | undefined>>;

/** The path of a start; undefined leaves a required parameter out. */
export function startPath(parameters: Parameters = {}): string {
  const all: Parameters = { ...required, ...parameters };
  const given = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return `/signup/start?${new URLSearchParams(given).toString()}`;
}

/** Starts with format=xml. */
export const start = (
  own: TenantApi,
  parameters: Parameters = {},
  options: CallOptions = {},
): Promise<Received> => own.call('GET', startPath({ format: 'xml', ...parameters }), options);

/** The rows of the tenant's signups. */
export const signupsOf = (own: TenantApi) =>
  own.asOwner<Record<string, unknown>>(
    `select s.*, encode(token_hash, 'hex') as hash, start_date::text as starts,
       expires_at - now() < interval '30 minutes' and expires_at - now() > interval '29 minutes'
         as "endsInTime"
     from signup s where tenant_id = ${own.tenantId} order by id`,
  );

/** Without what is random. */
export const steady = (body: string): string =>
  body
    .replace(/<tracking>[\w-]{22}</, '<tracking>TRACKING<')
    .replace(/\/\/[\w.]+\/signup\/[\w-]{43}</, '//demo.localhost/signup/TOKEN<');
