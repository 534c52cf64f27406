/** Checks what a session is started with, by what the tenant has now: all faults at once. */
import {
  DEFAULT_PROFILE,
  switchesOf,
  type GivenSwitches,
  type Switches,
} from '../../domain/self-service/switches.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import { readAllowedOrigins } from '../hosted-pages/tenant-origin.ts';
import {
  invalidParameter,
  originFaults,
  type StartFault,
} from '../../domain/hosted-pages/origin-faults.ts';
import { switchColumns } from './switch-columns.ts';

/** What the tenant's site says of a session. */
export interface SessionQuery {
  readonly customerId: number | null;
  readonly extCustomerRef: string | null;
  /** An absolute address, or a path of this host. */
  readonly cssUrl: string;
  readonly loginUrl: string;
  /** The id of a self-service profile of the tenant's file. */
  readonly profile: string;
  readonly switches: GivenSwitches;
}

export interface CheckedStart {
  readonly faults: readonly StartFault[];
  /** With the profile and the defaults. */
  readonly switches: Switches;
}

/** @param ownOrigin that of the tenant's hosted pages */
export async function checkStart(
  dependencies: Dependencies,
  tenant: TenantInfo,
  query: SessionQuery,
  ownOrigin: string,
): Promise<CheckedStart> {
  const { cssUrl, loginUrl } = query;
  const [allowed, profile] = await inTenant(
    dependencies.db,
    tenant.id,
    (tx) => Promise.all([readAllowedOrigins(tx), readProfile(tx, query.profile)]),
    { readOnly: true },
  );
  const faults = [
    ...customerFaults(query),
    ...originFaults({ redirects: { loginUrl }, cssUrl, ownOrigin }, allowed),
    ...profileFaults(query, profile),
  ];
  return { faults, switches: switchesOf(query.switches, profile) };
}

const customerParameters = ['customerId', 'extCustomerRef'] as const;

/** Exactly one of the two names the customer. */
function customerFaults(query: SessionQuery): StartFault[] {
  const given = customerParameters.filter((path) => query[path] !== null);
  if (given.length === 1) return [];
  const isMissing = given.length === 0;
  const message = isMissing
    ? 'customerId or extCustomerRef is required'
    : 'customerId and extCustomerRef exclude each other';
  const code = isMissing ? 'query.required' : 'query.invalid';
  return customerParameters.map((path) => ({ code, path, message }));
}

function profileFaults(query: SessionQuery, profile: Switches | undefined): StartFault[] {
  if (profile !== undefined || query.profile === DEFAULT_PROFILE) return [];
  const expected = "the id of one of selfServiceProfiles of the tenant's file";
  return [invalidParameter('profile', query.profile, expected)];
}

/** Undefined if the tenant has no such profile. */
export async function readProfile(tx: Tx, id: string): Promise<Switches | undefined> {
  const [profile] = await tx.query<Switches & Record<string, unknown>>(
    `select ${switchColumns}
     from self_service_profile where tenant_id = $1 and profile_id = $2`,
    [tx.tenantId, id],
    'self-service-profile',
  );
  return profile;
}
