/** The dependencies of handlers, and how they read a tenant's rows; routes do the writing. */
import type { PaymentType } from '../../domain/payments/allocation.ts';
import { forReading } from '../../db/connection/database.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import type { Nudge } from '../../operations/context/nudge.ts';
import type { HashCost } from '../../operations/access/passwords.ts';
import { kinds, type AddressedKind } from '../../operations/context/kinds.ts';
import type { AwaitedPayment } from '../../operations/gateway-calls/await.ts';
import type { AwaitedTry } from '../../operations/signups/await.ts';
import type { WebhookSecretOf } from '../../operations/gateway-calls/webhook-secret.ts';
import type { Dependencies, TenantInfo } from '../../operations/context/context.ts';
import type { Versioned } from '../../operations/context/versions.ts';
import type { Gateways } from '../../providers/gateway/gateway.ts';
import type { FileStorage } from '../../providers/storage/storage.ts';
import type { Vault } from '../../providers/vault.ts';
import type { ErrorCode } from './catalogue.ts';
import { RequestError } from './errors.ts';
import type { FormKeys } from './form-keys.ts';

export interface RouteDependencies extends Dependencies {
  /** Delivers nudges to workflows after a commit; never waits, never fails. */
  readonly dispatch: (tenantId: number, nudges: readonly Nudge[]) => void;
  readonly hashCost: HashCost;
  /** The same in all processes, so that each recognizes a repeated request. */
  readonly fingerprintKey: Buffer;
  readonly gateways: Gateways;
  /** Starts the cascade, and waits until it is final or the limit is reached; never fails. */
  readonly awaitPayment: (
    tenant: TenantInfo,
    payment: AwaitedPayment,
    limitMs: number,
  ) => Promise<void>;
  /** Starts the workflow of a sign-up, and waits until the try is final or the limit; never fails. */
  readonly awaitSignup: (
    tenant: TenantInfo,
    submitted: AwaitedTry,
    limitMs: number,
  ) => Promise<void>;
  readonly paymentWaitSeconds: number;
  readonly webhookSecretOf: WebhookSecretOf;
  /** Of the forms of hosted pages. */
  readonly formKeys: FormKeys;
  readonly storage: FileStorage;
  /** Seals what is kept and holds a secret. */
  readonly vault: Vault;
  /** Tenants are labels below it. */
  readonly baseDomain: string;
  /** `https://example.com`: the address of a tenant has its label before the host. */
  readonly publicUrl: string;
  /** The largest upload that this API takes; FILE_BYTES_MAX by default. */
  readonly uploadBytesMax?: number;
}

/** One read-only transaction: tenant setting, one statement and commit in one round trip. */
export function reading<Result>(
  dependencies: RouteDependencies,
  tenant: TenantInfo,
  read: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return inTenant(dependencies.db, tenant.id, read, { readOnly: true, single: true });
}

/** For a read of several statements. */
export function readingMore<Result>(
  dependencies: RouteDependencies,
  tenant: TenantInfo,
  read: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return inTenant(dependencies.db, tenant.id, read, { readOnly: true });
}

/** For lists, also by a replica. */
export async function readingMuch<Result>(
  { db }: Pick<RouteDependencies, 'db'>,
  tenant: TenantInfo,
  { isOneStatement: single }: { readonly isOneStatement: boolean },
  read: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return inTenant(await forReading(db), tenant.id, read, { readOnly: true, single });
}

export function paymentTarget(id: number, type: PaymentType = 'Payment'): Versioned {
  return { kind: 'payment', address: { id, type } };
}

export type FoundKind = AddressedKind | 'contact';

/** The address of an object: exactly one of these is set. */
interface Address {
  readonly id?: number;
  readonly number?: number | string;
  readonly extCustomerRef?: string;
  readonly contractCode?: string;
  readonly commissionCode?: string;
  readonly agentCode?: string;
  readonly extRefId?: string;
}

/**
 * Returns the addressed object, or throws a 404 that names what is missing.
 * @param hint what the refusal of a key ends with
 */
export function found<View>(
  kind: FoundKind,
  view: View | undefined,
  address: Address,
  hint = '',
): View {
  if (view !== undefined) return view;
  const code: ErrorCode = kinds[kind].unknown;
  if (kind === 'contact') {
    throw new RequestError(404, { code, message: 'the customer has no such contact' });
  }
  const { id, number, ...keys } = address;
  if (id !== undefined) {
    // The text is the same for another tenant's object.
    const error = { code, message: `There is no such ${kind}` };
    throw new RequestError(404, error, {}, [{ kind, id }]);
  }
  const byKey = { [`${kind}Number`]: number, ...keys };
  const [key, value] = Object.entries(byKey).find(([, each]) => each !== undefined) ?? [];
  const message = `there is no ${kind} with ${key} ${value}${hint}`;
  throw new RequestError(404, { code, message, value: String(value) });
}
