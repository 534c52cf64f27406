/** Leads a payer who is present from a page of ours to where he authenticates, and takes him back. */
import type { TenantInfo } from '../../../operations/context/context.ts';
import { sealedReturn } from '../../../operations/gateway-calls/gateways.ts';
import {
  challengeFor,
  lookAtWaiting,
  type Found,
} from '../../../operations/gateway-calls/waiting.ts';
import {
  GatewayError,
  type Challenge,
  type Gateway,
  type WaitingCall,
} from '../../../providers/gateway/gateway.ts';
import type { RouteDependencies } from '../../calls/services.ts';
import { tenantOrigin } from '../../calls/tenant-address.ts';

export type PayerPlace =
  /** The gateway's own page. */
  | { readonly to: string }
  /** The gateway's script, on our page. */
  | { readonly clientSecret: string }
  /** It does not wait any more: its rows say how it ended. */
  | { readonly is: 'over' }
  /** The gateway does not answer now. */
  | { readonly is: 'silent' };

/** Whoever comes back is not led on again before its gateway was asked. */
export async function payerPlace(
  dependencies: RouteDependencies,
  tenant: TenantInfo,
  paymentId: number,
): Promise<PayerPlace> {
  return placeOfFound(
    dependencies,
    tenant,
    await lookAtWaiting(dependencies, dependencies, tenant.id, paymentId),
  );
}

export async function placeOfFound(
  { gateways }: RouteDependencies,
  tenant: TenantInfo,
  found: Found,
): Promise<PayerPlace> {
  if (found.is !== 'waiting') return found;
  return ofChallenge(await challengeFor(gateways, tenant.id, found.call));
}

/** What waits there for its payer, beside a payment. */
export interface AskedThere {
  readonly gateway: Gateway;
  readonly waiting: WaitingCall;
}

/**
 * Where the payer of a validation is led to; `over` once the gateway has said how it ended, of which
 * the rows may not say so yet.
 */
export async function validationPlace({ gateway, waiting }: AskedThere): Promise<PayerPlace> {
  try {
    const status = await gateway.status(waiting.operation, waiting);
    if (typeof status === 'string') return { is: 'silent' };
    if (status.outcome !== 'asks') return { is: 'over' };
    return ofChallenge(await gateway.challenge(waiting));
  } catch (error) {
    if (error instanceof GatewayError) return { is: 'silent' };
    throw error;
  }
}

export function ofChallenge(challenge: Challenge | null): PayerPlace {
  if (challenge === null) return { is: 'silent' };
  if (challenge.kind === 'page') return { to: challenge.url };
  return { clientSecret: challenge.clientSecret };
}

/** The address of a page of the tenant, as a gateway has to know it. */
export function pageUrl(
  dependencies: Pick<RouteDependencies, 'publicUrl' | 'baseDomain'>,
  { label }: Pick<TenantInfo, 'label'>,
  path: string,
): string {
  return `${tenantOrigin(dependencies, label)}${path}`;
}

/** The same, as a payment keeps it: the address has the secret of its page. */
export function sealedPage(
  dependencies: Pick<RouteDependencies, 'publicUrl' | 'baseDomain' | 'vault'>,
  tenant: Pick<TenantInfo, 'id' | 'label'>,
  path: string,
): string {
  return sealedReturn(dependencies.vault, tenant.id, pageUrl(dependencies, tenant, path));
}
