/** Reads nudges with what their workflows need to start. */
import type { Tx } from '../../db/connection/tenancy.ts';
import type { ObjectWorkflowKind, WorkflowKind } from '../context/kinds.ts';
import type { CustomerFacts, FirstLook } from '../workflow-kinds/description.ts';
import { objectWorkflows } from '../workflow-kinds/table.ts';

/** A nudge, with the facts to start its workflow if it does not run. */
export interface Delivery {
  readonly workflowId: string;
  readonly kind: WorkflowKind;
  readonly objectId: number | null;
  /** Null for a nudge without a row. */
  readonly version: number | null;
  /** Null if the kind has none, or the object no row. */
  readonly facts: CustomerFacts | null;
  /** If the workflow is made now, it begins later, with what this found; null: at once. */
  readonly first?: FirstLook | null;
  /** What its workflow shows for ever, if it is made now. */
  readonly note?: string | undefined;
  /** The id of the request that makes it, which its memo has, if it is known. */
  readonly requestId?: string | undefined;
}

const factsByKind = Object.entries(objectWorkflows)
  .filter(([, { facts }]) => facts !== null)
  .map(([kind, { facts }]) => `when '${kind}' then (${facts})`)
  .join('\n');

/**
 * The rows of `source`, each with the facts of its object. Each object is selected by its key: a join
 * might read all orders, because the statistics of a table whose rows come and go are always old.
 */
const withFacts = (source: string): string => `
  select o.workflow_id, o.kind, o.object_id, o.version, case o.kind ${factsByKind} end as facts
  from ${source} o`;

/** Reads those of the given rows that are not delivered yet. */
export async function readDeliveries(tx: Tx, workflowIds: readonly string[]): Promise<Delivery[]> {
  return tx.query<Delivery & Record<string, unknown>>(
    // Within a select their number says nothing to the planner, which would plan each delivery anew.
    `${withFacts('outbox')} where o.tenant_id = $1 and o.workflow_id = any((select $2::text[])::text[])
     order by o.workflow_id`,
    [tx.tenantId, workflowIds],
    'readDeliveries',
  );
}

export interface NudgedObjects {
  readonly kind: ObjectWorkflowKind;
  readonly objectIds: readonly number[];
  /** The prefix of the workflow id, which the object's id completes. */
  readonly idPrefix: string;
}

/** Nudges without rows: the sender repeats them until the workflows have seen their objects. */
export async function readObjectDeliveries(
  tx: Tx,
  { kind, objectIds, idPrefix }: NudgedObjects,
): Promise<Delivery[]> {
  const source = `(
    select $1::bigint as tenant_id, $2::text || id as workflow_id, $3::text as kind,
           id as object_id, null::int as version
    from unnest($4::bigint[]) id)`;
  return tx.query<Delivery & Record<string, unknown>>(
    withFacts(source),
    [tx.tenantId, idPrefix, kind, objectIds],
    'readObjectDeliveries',
  );
}
