/** What handlers work with, and the two ways in which they reach a tenant's rows. */
import { inTenant } from '../../db/tenancy.ts';
import type { Tx } from '../../db/tenancy.ts';
import type { Nudge } from '../../operations/outbox.ts';
import type { HashCost } from '../../operations/passwords.ts';
import { working } from '../../operations/services.ts';
import type { Services, TenantInfo, Work } from '../../operations/services.ts';
import type { ErrorCode } from '../catalogue.ts';
import { RequestError } from '../errors.ts';

export interface ApiServices extends Services {
  /** Told after a commit which workflows should look again; never waits, never fails. */
  readonly deliverSoon: (tenantId: number, nudges: readonly Nudge[]) => void;
  readonly hashCost: HashCost;
}

/** One read-only transaction: fence, statement, commit. */
export function reading<Result>(
  services: ApiServices,
  tenant: TenantInfo,
  read: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return inTenant(services.db, tenant.id, read, { readOnly: true });
}

export function writing<Result>(
  services: ApiServices,
  tenant: TenantInfo,
  write: (work: Work) => Promise<Result>,
): Promise<Result> {
  return working(services, tenant.id, write);
}

/** Tells the workflow of an order that its row changed. */
export function nudgeOrder(services: ApiServices, tenant: TenantInfo, orderId: number): void {
  services.deliverSoon(tenant.id, [{ kind: 'order', objectId: orderId }]);
}

type Kind = 'customer' | 'contact' | 'order' | 'invoice' | 'plan';

/** The addressed object, or a 404 that says what was not found. */
export function found<View>(kind: Kind, view: View | undefined): View {
  if (view !== undefined) return view;
  const code: ErrorCode = `${kind}.unknown`;
  throw new RequestError(404, { code, message: `There is no such ${kind}` });
}
