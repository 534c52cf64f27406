/**
 * Compares rows with the workflow engine: which workflows rows need that do not run, and which run
 * that no row needs. Supervision, the audit and `npm run workflows` look by it.
 */
import {
  isEnqueued,
  isNeeded,
  readNeeded,
  readNeededOf,
  readUnneededOf,
  type NeededKind,
  type NeededObject,
} from '../../db/queries/outbox/missing-workflows.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import {
  isTenantWorkflow,
  type ObjectWorkflowKind,
  type TenantWorkflowKind,
  type WorkflowKind,
} from '../context/kinds.ts';
import {
  objectWorkflowKinds,
  objectWorkflows,
  tenantWorkflowKinds,
  tenantWorkflows,
} from '../workflow-kinds/table.ts';
import { startAgain } from './deliver.ts';
import type { Engine } from './engine.ts';
import { idPrefixOf, namedBy, workflowIdOf, type NamedWorkflow } from './enqueue.ts';
import { notRunning, type Run } from './running-workflows.ts';

/** The objects that are compared at once: their ids are one query of the engine's list. */
export const COMPARED_AT_ONCE_MAX = 200;

export interface Place {
  readonly dependencies: Dependencies;
  readonly engine: Engine;
  readonly tenant: TenantInfo;
}

/** A workflow that a row needs and that does not run, and that no row of the outbox starts. */
export interface Missing {
  readonly workflowId: string;
  readonly kind: WorkflowKind;
  /** Null for a workflow of the tenant itself. */
  readonly object: NeededObject | null;
  /** The engine's status of its newest run; null if there is none. */
  readonly ended: string | null;
}

export interface Compared {
  readonly kind: WorkflowKind;
  /** How many objects were looked at. */
  readonly needed: number;
  readonly missing: readonly Missing[];
}

type Range = Parameters<typeof readNeeded>[2];

/** Compares all that a tenant needs, some of a kind at a time. */
export async function* comparedOf(place: Place): AsyncGenerator<Compared> {
  for (const kind of tenantWorkflowKinds) yield compareOwn(place, kind);
  for (const kind of objectWorkflowKinds) {
    for (let after: number | undefined = 0; after !== undefined;) {
      const range: Range = { after, limit: COMPARED_AT_ONCE_MAX };
      const objects: NeededObject[] = await reading(place, (tx) =>
        readNeeded(tx, neededKind(place, kind), range),
      );
      const missing = await missingAmong(place, kind, objects);
      yield { kind, needed: objects.length, missing };
      after = objects.length < COMPARED_AT_ONCE_MAX ? undefined : objects.at(-1)?.id;
    }
  }
}

/** Those of some workflows of the tenant that rows need and that do not run. */
export async function missingOf(
  place: Place,
  workflows: readonly NamedWorkflow[],
): Promise<readonly Missing[]> {
  const missing: Missing[] = [];
  for (const [kind, own] of Map.groupBy(workflows, (each) => each.kind)) {
    if (isTenantWorkflow(kind)) {
      missing.push(...(await compareOwn(place, kind)).missing);
      continue;
    }
    const ids = own.flatMap(({ objectId }) => objectId ?? []);
    const objects = await reading(place, (tx) => readNeededOf(tx, neededKind(place, kind), ids));
    missing.push(...(await missingAmong(place, kind, objects)));
  }
  return missing;
}

async function compareOwn(place: Place, kind: TenantWorkflowKind): Promise<Compared> {
  const { engine, tenant } = place;
  const isMissed = (): Promise<boolean> => reading(place, (tx) => needsOwn(tx, tenant, kind));
  if (!(await isMissed())) return { kind, needed: 0, missing: [] };
  const workflowId = workflowIdOf(tenant, { kind, objectId: null });
  const ended = (await notRunning(engine, [workflowId])).get(workflowId);
  // It may have ended because nothing is left to do.
  const isMissing = ended !== undefined && (await isMissed());
  return { kind, needed: 1, missing: isMissing ? [{ workflowId, kind, object: null, ended }] : [] };
}

async function needsOwn(tx: Tx, tenant: TenantInfo, kind: TenantWorkflowKind): Promise<boolean> {
  if (!(await tenantWorkflows[kind].isNeeded(tx, tenant))) return false;
  return !(await isEnqueued(tx, workflowIdOf(tenant, { kind, objectId: null })));
}

async function missingAmong(
  place: Place,
  kind: ObjectWorkflowKind,
  objects: readonly NeededObject[],
): Promise<readonly Missing[]> {
  const idOf = ({ id }: NeededObject) => workflowIdOf(place.tenant, { kind, objectId: id });
  const ended = await notRunning(place.engine, objects.map(idOf));
  if (ended.size === 0) return [];
  // A workflow also ends because its object needs it no more, so the rows are read again after it.
  const ids = objects.filter((each) => ended.has(idOf(each))).map(({ id }) => id);
  const still = await reading(place, (tx) => readNeededOf(tx, neededKind(place, kind), ids));
  return still.map((object) => {
    const workflowId = idOf(object);
    return { workflowId, kind, object, ended: ended.get(workflowId) ?? null };
  });
}

/** Whether a row needs the workflow, which nothing else starts. */
export function isNeededByRow(
  place: Pick<Place, 'dependencies' | 'tenant'>,
  { kind, objectId }: NamedWorkflow,
): Promise<boolean> {
  const { tenant } = place;
  return reading(place, async (tx) => {
    if (isTenantWorkflow(kind)) return tenantWorkflows[kind].isNeeded(tx, tenant);
    return objectId !== null && isNeeded(tx, neededKind(place, kind), objectId);
  });
}

export interface NamedRun extends Run, NamedWorkflow {}

/** Without those whose ids name nothing of ours. */
export function namedRuns(runs: readonly Run[]): readonly NamedRun[] {
  return runs.flatMap(({ workflowId, runId }): NamedRun[] => {
    const own = namedBy(workflowId);
    return own === null ? [] : [{ workflowId, runId, ...own }];
  });
}

/** Those of some running workflows of the tenant that no row needs. */
export async function unneededAmong(
  place: Pick<Place, 'dependencies' | 'tenant'>,
  runs: readonly NamedRun[],
): Promise<readonly NamedRun[]> {
  if (runs.length === 0) return [];
  return reading(place, async (tx) => {
    const unneeded: NamedRun[] = [];
    for (const [kind, own] of Map.groupBy(runs, (each) => each.kind)) {
      if (isTenantWorkflow(kind)) {
        const [first] = own;
        if (first === undefined) continue;
        if (await tenantWorkflows[kind].isNeeded(tx, place.tenant)) continue;
        if (!(await isEnqueued(tx, first.workflowId))) unneeded.push(first);
        continue;
      }
      const ids = own.flatMap(({ objectId }) => objectId ?? []);
      const left = new Set(await readUnneededOf(tx, neededKind(place, kind), ids));
      unneeded.push(...own.filter(({ objectId }) => objectId !== null && left.has(objectId)));
    }
    return unneeded;
  });
}

/**
 * Starts missing workflows; each shows for ever when, by whom and why. Returns those that the engine
 * did not take.
 */
export async function restart(
  { dependencies, engine, tenant }: Place,
  missing: readonly Missing[],
  by = 'supervision',
): Promise<ReadonlySet<string>> {
  if (missing.length === 0) return new Set();
  const at = `${new Date(dependencies.realNow()).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const refused = await startAgain(
    dependencies,
    engine,
    tenant,
    missing.map(({ kind, object, ended }) => ({
      kind,
      objectId: object?.id ?? null,
      note: `restarted by ${by} at ${at}: ${whyOf(ended)}`,
    })),
  );
  for (const { workflowId, ended } of missing) {
    if (refused.has(workflowId)) continue;
    dependencies.onWork?.({ work: 'restart', tenant: tenant.label, workflowId, ended });
  }
  return refused;
}

const whys: Readonly<Record<string, string>> = {
  TERMINATED: 'it was terminated, but rows need it',
  CANCELLED: 'it was cancelled, but rows need it',
  FAILED: 'it had failed, but rows need it',
  TIMED_OUT: 'it had timed out, but rows need it',
};

function whyOf(ended: string | null): string {
  if (ended === null) return 'the engine did not know it';
  return whys[ended] ?? 'it had ended, but rows need it';
}

function neededKind({ tenant }: Pick<Place, 'tenant'>, kind: ObjectWorkflowKind): NeededKind {
  const { needed, carried } = objectWorkflows[kind];
  return { needed, carried, idPrefix: idPrefixOf(tenant, kind) };
}

function reading<Result>(
  { dependencies, tenant }: Pick<Place, 'dependencies' | 'tenant'>,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return inTenant(dependencies.db, tenant.id, work, { readOnly: true });
}
