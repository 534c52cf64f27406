/**
 * What others know of what a database has given out before it was put back to an older state:
 * Temporal, the storage of files, and gateways.
 */
import { inTenant } from '../../db/connection/tenancy.ts';
import { gatewaysOf, unknownKeys } from '../../db/queries/processes/restoration.ts';
import { formatAmount } from '../../domain/money/money.ts';
import type { Gateway, Gateways, MadeCall } from '../../providers/gateway/gateway.ts';
import { keyOf, type FileStorage } from '../../providers/storage/storage.ts';
import { orderNumberKey } from '../../workflows/contract/contract.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import type { Engine } from '../outbox/engine.ts';
import { namedBy } from '../outbox/enqueue.ts';
import { listedWith, ofThisInstallation } from '../outbox/running-workflows.ts';

/** The tenants and the ids that the database has. */
export interface Known {
  readonly labels: ReadonlySet<string>;
  readonly tenantIds: ReadonlySet<number>;
  /** The last id that it has given. */
  readonly lastId: number;
}

export interface OrphanWorkflow {
  readonly workflow: string;
  readonly isRunning: boolean;
}

export interface KnownByEngine {
  readonly highestId: number;
  /** The highest number of an order, by the label of its tenant. */
  readonly orderNumbers: ReadonlyMap<string, number>;
  /** Workflows of objects that no row has. */
  readonly orphans: readonly OrphanWorkflow[];
}

/** What began in the lost time, and the highest ids and numbers in it. */
export async function knownByEngine(
  engine: Engine,
  since: Date,
  known: Known,
): Promise<KnownByEngine> {
  const orderNumbers = new Map<string, number>();
  const orphans: OrphanWorkflow[] = [];
  let highestId = 0;
  const query = `${ofThisInstallation(engine)} and StartTime >= '${since.toISOString()}'`;
  for await (const { workflowId, isRunning, attribute } of listedWith(
    engine,
    query,
    orderNumberKey,
  )) {
    const own = namedBy(workflowId);
    if (own === null) continue;
    const { label, objectId, kind } = own;
    highestId = Math.max(highestId, objectId ?? 0);
    if (kind === 'order' && attribute !== null) {
      orderNumbers.set(label, Math.max(orderNumbers.get(label) ?? 0, Number(attribute)));
    }
    if (!known.labels.has(label) || (objectId ?? 0) > known.lastId) {
      orphans.push({ workflow: workflowId, isRunning });
    }
  }
  return { highestId, orderNumbers, orphans };
}

export interface KnownByStorage {
  readonly highestId: number;
  /** Files of jobs that no row has. */
  readonly orphans: readonly string[];
}

export async function knownByStorage(storage: FileStorage, known: Known): Promise<KnownByStorage> {
  const orphans: string[] = [];
  let highestId = 0;
  for await (const name of storage.list()) {
    highestId = Math.max(highestId, name.tenantId, name.batchId);
    const isKnown = known.tenantIds.has(name.tenantId) && name.batchId <= known.lastId;
    if (!isKnown) orphans.push(keyOf(name));
  }
  return { highestId, orphans };
}

/** A charge or a return that no payment has. */
export interface UnknownCall {
  readonly tenant: string;
  readonly gateway: string;
  readonly gatewayKey: string;
  readonly transactionId: string;
  /** Whose money it is; null if no row tells. */
  readonly customerId: number | null;
  readonly detail: string;
}

export interface KnownByGateways {
  readonly highestId: number;
  readonly calls: readonly UnknownCall[];
}

/** Asks each gateway of a tenant for all that it has made since. Throws GatewayError. */
export async function knownByGateways(
  { db }: Pick<Dependencies, 'db'>,
  gateways: Gateways,
  tenant: Pick<TenantInfo, 'id' | 'label'>,
  since: Date,
): Promise<KnownByGateways> {
  const names = await inTenant(db, tenant.id, gatewaysOf, { readOnly: true });
  const calls: UnknownCall[] = [];
  let highestId = 0;
  for (const name of names) {
    const gateway = await gateways.named(tenant.id, name);
    for await (const page of pagesOf(gateway, since)) {
      const own = page.flatMap((made) => {
        const id = idOf(made, tenant);
        return id === null ? [] : [{ made, id }];
      });
      highestId = Math.max(highestId, ...own.map(({ id }) => id));
      // What has charged nobody, and cannot any more, is no finding.
      const moving = own.filter(({ made }) => made.outcome !== 'declined');
      const unknown = await inTenant(db, tenant.id, (tx) => unknownKeys(tx, moving.map(askedOf)), {
        readOnly: true,
      });
      const customers = new Map(unknown.map((each) => [each.gatewayKey, each.customerId]));
      for (const { made } of moving) {
        const customerId = customers.get(made.idempotencyKey);
        if (customerId === undefined) continue;
        calls.push({
          tenant: tenant.label,
          gateway: name,
          gatewayKey: made.idempotencyKey,
          transactionId: made.transactionId,
          customerId,
          detail: detailOf(name, made),
        });
      }
    }
  }
  return { highestId, calls };
}

async function* pagesOf(gateway: Gateway, since: Date): AsyncGenerator<readonly MadeCall[]> {
  for (let from: string | null = null, isMore = true; isMore;) {
    const { calls, next } = await gateway.made(since, from);
    if (calls.length > 0) yield calls;
    from = next;
    isMore = next !== null;
  }
}

const keyForm = /^([^/]+)\/(\d{1,15})\//;

/** Of the payment or the share; null of a key of another tenant or another installation. */
function idOf({ idempotencyKey }: MadeCall, { label }: Pick<TenantInfo, 'label'>): number | null {
  const [, own, id] = keyForm.exec(idempotencyKey) ?? [];
  return own === label ? Number(id) : null;
}

const askedOf = ({ made, id }: { readonly made: MadeCall; readonly id: number }) => ({
  key: made.idempotencyKey,
  id,
  method: made.method,
  charge: made.chargeId,
});

const states: Readonly<Record<MadeCall['outcome'], string>> = {
  approved: 'approved',
  pending: 'accepted, and not yet ended,',
  asks: 'begun, and awaits its payer,',
  declined: 'declined',
};

function detailOf(gateway: string, made: MadeCall): string {
  const { operation, outcome, currency, amount, transactionId, madeAt } = made;
  return (
    `${gateway} has a ${operation} of ${formatAmount(currency, amount)} ${currency} that was ` +
    `${states[outcome]} on ${madeAt.toISOString().slice(0, 16).replace('T', ' ')} UTC and that no ` +
    `payment has: transaction ${transactionId}`
  );
}
