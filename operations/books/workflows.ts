/**
 * Checks that whatever needs a workflow has a running one, and that each running one is needed: those
 * of objects, and the tenant's own.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  connectTemporal,
  type TemporalNamespace,
  workflowClient,
} from '../../providers/temporal/connect.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import type { Engine } from '../outbox/engine.ts';
import {
  comparedOf,
  unneededAmong,
  type Missing,
  type NamedRun,
  type Place,
} from '../outbox/reconcile.ts';
import { stillRunning, unneededOf } from '../processes/unneeded.ts';
import type { Fault } from './report.ts';

/**
 * A workflow whose object needs it no more ends soon, and some 20 s later if the worker that had its last
 * task was killed: only one that each look finds is a fault.
 */
const CONFIRM_FOR_MS = 30_000;
const CONFIRM_AFTER_MS = 2_000;
const CONNECT_LIMIT_MS = 5_000;

export interface AuditedEngine extends Engine {
  readonly close: () => Promise<void>;
}

/** Throws if the engine does not answer. */
export async function findWorkflows(engine: TemporalNamespace): Promise<AuditedEngine> {
  const connection = await connectTemporal(engine, { connectTimeout: CONNECT_LIMIT_MS });
  const client = workflowClient(connection, engine);
  // It starts nothing.
  return { client, taskQueue: '', close: () => connection.close() };
}

/** @param confirmForMs how long a workflow that no row needs is looked at before it is a fault */
export async function auditWorkflows(
  dependencies: Dependencies,
  tenant: TenantInfo,
  engine: Engine,
  confirmForMs = CONFIRM_FOR_MS,
): Promise<Fault[]> {
  const place = { dependencies, engine, tenant };
  const faults: Fault[] = [];
  for await (const { missing } of comparedOf(place)) faults.push(...missing.map(missingFault));
  for (const { workflowId } of await unneeded(place, confirmForMs)) {
    const detail = 'runs, but no row needs it';
    faults.push({ check: 'workflow.unneeded', object: `workflow ${workflowId}`, detail });
  }
  return faults;
}

function missingFault({ kind, workflowId, object }: Missing): Fault {
  const check = `${kind}.workflow`;
  const rest = 'no running workflow, and no outbox row would start one';
  if (object === null) {
    return { check, object: `workflow ${workflowId}`, detail: `is needed, but there is ${rest}` };
  }
  const { number, status } = object;
  return { check, object: `${kind} ${number}`, detail: `is ${status}, but it has ${rest}` };
}

async function unneeded(place: Place, confirmForMs: number): Promise<readonly NamedRun[]> {
  let suspects = await unneededOf(place);
  for (let ms = 0; ms < confirmForMs && suspects.length > 0; ms += CONFIRM_AFTER_MS) {
    await sleep(CONFIRM_AFTER_MS);
    suspects = await unneededAmong(place, await stillRunning(place, suspects));
  }
  return suspects;
}
