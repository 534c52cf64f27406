/** Creates the rows of a BatchInit: the job, and one job below it for each kind that it carries. */
import { DomainError } from '../../domain/errors.ts';
import { noteObject } from '../../db/connection/audited.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { lockQueue } from '../../db/queries/imports/jobs.ts';
import type { OperationContext } from '../context/context.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { given } from '../../db/queries/context/insertion.ts';
import { Batch } from '../../db/entities/imports.ts';

export interface CarryOverInput {
  /** Null: the id of the job. */
  readonly jobId: string | null;
  readonly carryForwardInvoices: boolean;
  readonly carryForwardCreditMemos: boolean;
  readonly carryForwardDebitMemos: boolean;
  readonly zeroOutCustomerBalance: boolean;
}

/** What of a job carries over, by the kind of its row, and how the ids of these jobs end. */
const children = [
  { flag: 'carryForwardInvoices', kind: 'carriedInvoices', ending: 'invoice' },
  { flag: 'carryForwardCreditMemos', kind: 'carriedCredits', ending: 'creditMemo' },
  { flag: 'carryForwardDebitMemos', kind: 'carriedDebits', ending: 'debitMemo' },
] as const;

const batches = given(Batch, ['id', 'jobId', 'kind', 'parentId']);

/**
 * Inserts the job, Queued, and those below it, and nudges its workflow; returns the job's id. It
 * will take what is older than its id. Throws batch.duplicate if one of their jobIds is taken, and
 * field.invalid for zeroOutCustomerBalance without all three kinds.
 */
export async function createCarryOver(
  context: OperationContext,
  input: CarryOverInput,
): Promise<number> {
  const { tx, time } = context;
  const chosen = children.filter(({ flag }) => input[flag]);
  const { zeroOutCustomerBalance: isZeroed } = input;
  if (isZeroed && chosen.length < children.length) {
    throw new DomainError(
      'field.invalid',
      'zeroOutCustomerBalance needs the three other flags, so that nothing stays open',
      { path: 'batchProcess/zeroOutCustomerBalance', value: 'true' },
    );
  }
  lockQueue(tx);
  const [id = 0, ...childIds] = await takeIds(tx, 1 + chosen.length);
  noteObject(tx, 'batchProcess', id);
  const jobId = input.jobId ?? String(id);
  const rows = [
    { id, jobId, kind: 'init', parentId: null },
    ...chosen.map(({ kind, ending }, index) => ({
      id: childIds[index],
      jobId: `${jobId}-${ending}`,
      kind,
      parentId: id,
    })),
  ];
  // Of a job whose id is taken nothing is inserted: what stands below it would refer to no row.
  const inserted = await tx.query(
    `with named as (select * from ${batches.recordset}),
     own as (
       insert into batch (tenant_id, id, job_id, kind, status, zeroes_balances, takes_below,
         queue_number, created_at, finalized_at, updated_at)
       select $1, r.id, r."jobId", r.kind, 'Queued', $3, r.id, r.id, $4, $4, $4
       from named r where r."parentId" is null
       on conflict (tenant_id, job_id) do nothing returning id),
     below as (
       insert into batch (tenant_id, id, job_id, kind, parent_id, status, created_at, finalized_at,
         updated_at)
       select $1, r.id, r."jobId", r.kind, own.id, 'Queued', $4, $4, $4
       from named r join own on own.id = r."parentId"
       on conflict (tenant_id, job_id) do nothing returning id)
     select id from own union all select id from below`,
    [tx.tenantId, JSON.stringify(rows), isZeroed, time.now],
    'insert-carry-over',
  );
  if (inserted.length < rows.length) {
    throw new DomainError('batch.duplicate', `another job has the jobId ${jobId}`, {
      path: 'batchProcess/jobId',
      value: jobId,
    });
  }
  enqueue(context, [{ kind: 'batch', objectId: id }]);
  return id;
}
