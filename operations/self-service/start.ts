/** Starts a session of hosted self-service: its row, and the secret of its pages. */
import { noteObject } from '../../db/connection/audited.ts';
import { type Tx, inTenant } from '../../db/connection/tenancy.ts';
import { pruneOldest } from '../../db/queries/context/prune.ts';
import {
  type StartFault,
  invalidParameter,
  originFaults,
} from '../../domain/hosted-pages/address.ts';
import { goneBefore, sessionEnd } from '../../domain/self-service/session.ts';
import {
  DEFAULT_PROFILE,
  type GivenSwitches,
  type Switches,
  switchesOf,
} from '../../domain/self-service/switches.ts';
import type { Dependencies, OperationContext, TenantInfo } from '../context/context.ts';
import { type CustomerAddress, findWritable, lockCustomer } from '../context/locks.ts';
import { readAllowedOrigins } from '../hosted-pages/tenant-origin.ts';
import { newPageToken } from '../hosted-pages/tokens.ts';
import { switchColumns } from './click.ts';
import { endSessions } from '../../db/queries/hosted-pages/sessions.ts';

export interface SessionInput {
  readonly customer: CustomerAddress;
  readonly cssUrl: string;
  readonly loginUrl: string;
  readonly switches: Switches;
}

/** For each session that is started. */
const PRUNED_MAX = 10;

/**
 * Returns the last part of the pages' addresses, of which only the hash is stored. Throws
 * customer.unknown, customer.erased.
 */
export async function startSession(
  { tx, realNow }: Pick<OperationContext, 'tx' | 'realNow'>,
  { customer, cssUrl, loginUrl, switches }: SessionInput,
): Promise<string> {
  const until = goneBefore(realNow);
  pruneOldest(tx, {
    table: 'self_service_session',
    key: 'id',
    at: 'expires_at',
    until,
    max: PRUNED_MAX,
  });
  const { token, hash } = newPageToken();
  const { id } = await findWritable(tx, customer);
  // The insert waits for a deletion or an erasure of the customer, and for nothing else.
  const inserted = await tx.query(
    `insert into self_service_session (tenant_id, token_hash, customer_id, css_url, login_url,
       show_navigation_bar, show_statements, show_payments, allow_payments, allow_profile_edit,
       edit_order_options, pdf_mode, started_at, expires_at)
     select tenant_id, $3, id, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
     from customer where tenant_id = $1 and id = $2 and erased_on is null for key share
     returning 1`,
    [
      tx.tenantId,
      id,
      hash,
      cssUrl,
      loginUrl,
      switches.showNavigationBar,
      switches.showStatements,
      switches.showPayments,
      switches.allowPayments,
      switches.allowProfileEdit,
      switches.editOrderOptions,
      switches.pdfMode,
      realNow,
      sessionEnd(realNow, realNow),
    ],
    'start-session',
  );
  noteObject(tx, 'customer', id);
  if (inserted.length > 0) return token;
  await findWritable(tx, customer);
  throw new Error('a session was not inserted');
}

/* Checks what a session is started with, by what the tenant has now: all faults at once. */

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

interface CheckedStart {
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

/* Ends all sessions of a customer at once, for whoever answers for the account. */

/** Returns how many were open; throws customer.unknown. */
export async function endSessionsOf(
  { tx, realNow: at }: Pick<OperationContext, 'tx' | 'realNow'>,
  address: CustomerAddress,
): Promise<number> {
  const { id } = await lockCustomer(tx, address);
  return endSessions(tx, { customerIds: [id], at });
}
