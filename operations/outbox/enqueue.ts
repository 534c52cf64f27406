/** Adds nudges to the outbox in the transaction that changes what a workflow depends on. */
import type { Tx } from '../../db/connection/tenancy.ts';
import { Outbox } from '../../db/entities/processes.ts';
import type { RowOf } from '../../db/entities/rows.ts';
import { inserting } from '../../db/queries/context/insertion.ts';
import type { TenantInfo } from '../context/context.ts';
import {
  kinds,
  tenantWorkflowTypes,
  type Kind,
  type ObjectWorkflowKind,
  type WorkflowKind,
} from '../context/kinds.ts';
import type { Nudge } from '../context/nudge.ts';

export function workflowIdOf(tenant: Pick<TenantInfo, 'label'>, nudge: Nudge): string {
  const own = nudge.objectId === null ? '' : `/${nudge.objectId}`;
  return `${idBegins[nudge.kind] ?? nudge.kind}/${tenant.label}${own}`;
}

const idBegins: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  Object.entries<Kind>(kinds).map(([name, { workflow }]) => [name, workflow?.idBegins]),
);

export interface NamedWorkflow extends Nudge {
  /** Of its tenant. */
  readonly label: string;
}

/** What a workflow id names; null for one that names nothing of ours. */
export function namedBy(workflowId: string): NamedWorkflow | null {
  const [, begins = '', label = '', id] = idForm.exec(workflowId) ?? [];
  const kind = kindBeginning.get(begins);
  const isOwn = id === undefined;
  if (kind === undefined || isOwn !== Object.hasOwn(tenantWorkflowTypes, kind)) return null;
  return { kind, label, objectId: isOwn ? null : Number(id) };
}

const idForm = /^(\w+)\/([^/]+)(?:\/(\d{1,15}))?$/;

const kindBeginning: ReadonlyMap<string, WorkflowKind> = new Map([
  ...(Object.keys(tenantWorkflowTypes) as WorkflowKind[]).map((kind) => [kind, kind] as const),
  ...Object.entries<Kind>(kinds)
    .filter(([, { workflow }]) => workflow !== null)
    .map(([name, { workflow }]) => [workflow?.idBegins ?? name, name as WorkflowKind] as const),
]);

/** The prefix of the workflow id, which the object's id completes. */
export function idPrefixOf(tenant: Pick<TenantInfo, 'label'>, kind: ObjectWorkflowKind): string {
  return workflowIdOf(tenant, { kind, objectId: 0 }).slice(0, -1);
}

/** The relay delivers further nudges of one transaction. */
const COLLECTED_MAX = 1_000;

/** A transaction that enqueues. */
export interface Enqueuing {
  readonly tx: Tx;
  readonly tenant: Pick<TenantInfo, 'label'>;
  /** Collects the nudges that this process may deliver right after the commit. */
  readonly nudges?: Nudge[];
}

/** Makes these workflows read their rows again after the commit. */
export function enqueue(
  { tx, tenant, nudges: collected }: Enqueuing,
  nudges: readonly Nudge[],
): void {
  if (nudges.length === 0) return;
  collected?.push(...nudges.slice(0, COLLECTED_MAX - collected.length));
  // Ordered by id, so that two transactions that nudge the same workflows do not deadlock.
  const rows = nudges
    .map((nudge) => outboxRow(tenant, nudge))
    .toSorted((a, b) => (a.workflowId < b.workflowId ? -1 : 1));
  insertNudges(tx, rows);
}

function outboxRow(tenant: Enqueuing['tenant'], nudge: Nudge): Owed {
  return {
    workflowId: workflowIdOf(tenant, nudge),
    kind: nudge.kind,
    objectId: nudge.objectId,
  };
}

const columns = ['workflowId', 'kind', 'objectId'] as const;
type Owed = RowOf<typeof Outbox, (typeof columns)[number]>;

const insertNudges = inserting('enqueue', {
  into: Outbox,
  columns,
  ending: `on conflict (tenant_id, workflow_id)
    do update set version = outbox.version + 1, deliver_after = excluded.deliver_after`,
});

export interface LaterNudge {
  readonly nudge: Nudge;
  readonly afterMs: number;
}

/** Enqueues for the relay, not before their time; an earlier delivery keeps its time. */
export function enqueueLater({ tx, tenant }: Enqueuing, later: readonly LaterNudge[]): void {
  if (later.length === 0) return;
  const rows = later
    .map(({ nudge, afterMs }) => ({
      ...outboxRow(tenant, nudge),
      afterSeconds: afterMs / 1_000,
    }))
    .toSorted((a, b) => (a.workflowId < b.workflowId ? -1 : 1));
  insertLater(tx, rows);
}

const insertLater = inserting('enqueue-later', {
  into: Outbox,
  columns,
  besides: { afterSeconds: 'float8' },
  values: { deliverAfter: 'now() + make_interval(secs => r."afterSeconds")' },
  ending: `on conflict (tenant_id, workflow_id) do update set version = outbox.version + 1,
    deliver_after = least(outbox.deliver_after, excluded.deliver_after)`,
});

/**
 * Removes the nudge of a workflow that is reading its rows in this transaction, under the lock that
 * every writer of its nudges takes.
 */
export function dequeue({ tx, tenant }: Enqueuing, nudge: Nudge): void {
  tx.send(
    'delete from outbox where tenant_id = $1 and workflow_id = $2',
    [tx.tenantId, workflowIdOf(tenant, nudge)],
    'dequeue',
  );
}
