/** Finds and locks the batch job that a call addresses. */
import { DomainError } from '../../domain/errors.ts';
import { noteObject } from '../../db/connection/audited.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Reader } from './listing.ts';
import type { Batch } from '../../db/entities/imports.ts';
import type { RowOf } from '../../db/entities/rows.ts';

/** By id, by the caller's own key, or by both, which must be of one job. */
export type BatchAddress =
  | { readonly id: number; readonly jobId?: string | undefined }
  | { readonly id?: undefined; readonly jobId: string };

export type AddressedBatch = RowOf<
  typeof Batch,
  'id' | 'jobId' | 'kind' | 'status' | 'isValidateOnly'
>;

/**
 * Locks the addressed job until the transaction ends; throws batch.unknown. A job that was finalized
 * and is being processed is returned without a lock: no call changes it any more, and whoever waited
 * for it would wait as long as the chunk that is imported.
 */
export async function lockBatch(tx: Tx, address: BatchAddress): Promise<AddressedBatch> {
  const batch = await lockedBatch(tx, address);
  noteObject(tx, 'batchProcess', batch.id);
  return batch;
}

async function lockedBatch(tx: Tx, address: BatchAddress): Promise<AddressedBatch> {
  const [free] = await select(tx, address, 'lock-free');
  if (free) return free;
  // Another transaction has the lock, or there is no such job.
  const found = await findBatch(tx, address);
  if (found.status !== 'Draft') return found;
  tx.beforeWaiting();
  return known(await select(tx, address, 'lock'), address);
}

/** Reads the job without a lock; throws batch.unknown. */
export async function findBatch(tx: Reader, address: BatchAddress): Promise<AddressedBatch> {
  return known(await select(tx, address, 'find'), address);
}

export interface BatchCondition {
  /** A condition over `batch`; the values are $1 and so on. */
  readonly text: string;
  readonly values: readonly unknown[];
  /** For the name of the statement. */
  readonly name: string;
}

export function conditionOf({ id, jobId }: BatchAddress): BatchCondition {
  if (id === undefined) return { text: 'job_id = $1', values: [jobId], name: 'job' };
  if (jobId === undefined) return { text: 'id = $1', values: [id], name: 'id' };
  return { text: 'id = $1 and job_id = $2', values: [id, jobId], name: 'both' };
}

export function unknownBatch({ id, jobId }: BatchAddress): DomainError {
  const named = [
    ...(id === undefined ? [] : [`id ${id}`]),
    ...(jobId === undefined ? [] : [`jobId ${jobId}`]),
  ];
  return new DomainError('batch.unknown', `there is no batch job with ${named.join(' and ')}`, {
    value: String(id ?? jobId),
    id: id ?? null,
  });
}

const locking = {
  'lock-free': 'for no key update skip locked',
  lock: 'for no key update',
  find: '',
} as const;

function select(
  tx: Reader,
  address: BatchAddress,
  how: keyof typeof locking,
): Promise<AddressedBatch[]> {
  const { text, values, name } = conditionOf(address);
  return tx.query<AddressedBatch & Record<string, unknown>>(
    `select id, job_id, kind, status, is_validate_only
     from batch where ${text} ${locking[how]}`,
    values,
    `${how}-batch-by-${name}`,
  );
}

function known([batch]: readonly AddressedBatch[], address: BatchAddress): AddressedBatch {
  if (batch) return batch;
  throw unknownBatch(address);
}
