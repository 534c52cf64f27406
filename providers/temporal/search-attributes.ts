/**
 * The search attributes that our workflows set, and their registration with a foreign Temporal
 * server.
 */

import { type Connection, isGrpcServiceError } from '@temporalio/client';
import { withPatience } from '../patience.ts';

/** Seven keywords and one datetime: a server with SQL visibility has room for 10 and 3. */
export const searchAttributeTypes = {
  Tenant: 'Keyword',
  CustomerRef: 'Keyword',
  TenantId: 'Keyword',
  CustomerId: 'Keyword',
  OrderNumber: 'Keyword',
  Phase: 'Keyword',
  FailureCode: 'Keyword',
  NextActionAt: 'Datetime',
} as const;

/** temporal.api.enums.v1.IndexedValueType */
const indexedValueType = { Keyword: 2, Datetime: 6 } as const;

const PROBE_LIMIT_SECONDS = 60;
const PROBE_PAUSE_MS = 500;

/**
 * Adds the missing attributes, then waits until list queries accept them (servers cache the list).
 */
export async function ensureSearchAttributes(
  connection: Connection,
  namespace: string,
): Promise<void> {
  try {
    await addMissing(connection, namespace);
  } catch (error) {
    // A cloud lets nobody do that; there people have added them, or they are missing below.
    if (!isRefused(error)) throw error;
  }
  await untilUsable(connection, namespace);
}

/** gRPC's numbers. */
const PERMISSION_DENIED = 7;
const UNIMPLEMENTED = 12;

const isRefused = (error: unknown): boolean =>
  isGrpcServiceError(error) && [PERMISSION_DENIED, UNIMPLEMENTED].includes(error.code);

async function addMissing(connection: Connection, namespace: string): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(searchAttributeTypes).filter(
    ([name]) => customAttributes[name] === undefined,
  );
  if (missing.length > 0) {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(
        missing.map(([name, type]) => [name, indexedValueType[type]]),
      ),
    });
  }
}

async function untilUsable(connection: Connection, namespace: string): Promise<void> {
  const query = Object.entries(searchAttributeTypes)
    .map(([name, type]) => `${name} ${type === 'Datetime' ? 'is null' : "= 'none'"}`)
    .join(' and ');
  const probe = () => connection.workflowService.countWorkflowExecutions({ namespace, query });
  const patience = { limitSeconds: PROBE_LIMIT_SECONDS, pauseMs: PROBE_PAUSE_MS };
  await withPatience(probe, patience).catch((cause: unknown) => {
    throw new Error('Temporal does not accept our search attributes in queries.', { cause });
  });
}
