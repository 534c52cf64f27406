/** Reads batch jobs, with those below them, as the interface shows them. */
import {
  givesFile,
  isFinished,
  progressOf,
  type BatchKind,
  type BatchProgress,
  type BatchStatus,
} from '../../domain/imports/batch.ts';
import {
  conditionOf,
  unknownBatch,
  type BatchAddress,
  type BatchCondition,
} from '../context/batch-lock.ts';
import type { Dependencies } from '../context/context.ts';
import type { ReportName } from '../../domain/ledger/reports.ts';
import type { Reader } from '../context/listing.ts';
import type { Batch } from '../../db/entities/imports.ts';
import type { RowOf } from '../../db/entities/rows.ts';

export interface BatchView {
  readonly id: number;
  readonly jobId: string;
  readonly kind: BatchKind;
  readonly status: BatchStatus;
  readonly inputFilename: string | null;
  /** Of a report. */
  readonly reportName: ReportName | null;
  readonly parent: { readonly id: number; readonly jobId: string } | null;
  readonly successCount: number;
  readonly failCount: number;
  readonly errorMessage: string | null;
  /** Null unless it is Queued. */
  readonly progress: BatchProgress | null;
  /** It is finished, and its result file is not deleted. */
  readonly hasResult: boolean;
  /** In the order in which they were made. */
  readonly children: readonly BatchView[];
  readonly version: number;
}

type Clock = Pick<Dependencies, 'realNow'>;

/** Reads the addressed job in one statement; throws batch.unknown. */
export async function readBatch(
  dependencies: Clock,
  tx: Reader,
  address: BatchAddress,
): Promise<BatchView> {
  const [batch] = await read(dependencies, tx, conditionOf(address));
  if (batch === undefined) throw unknownBatch(address);
  return batch;
}

/** Those of the ids that exist. */
export function readBatches(
  dependencies: Clock,
  tx: Reader,
  ids: readonly number[],
): Promise<BatchView[]> {
  return read(dependencies, tx, { text: 'id = any($1)', values: [ids], name: 'ids' });
}

interface Row
  extends
    Omit<BatchView, 'parent' | 'progress' | 'hasResult' | 'children'>,
    RowOf<typeof Batch, 'parentId' | 'rowCount' | 'startedAt'> {
  readonly isNamed: boolean;
  readonly parentJobId: string | null;
  readonly isDeleted: boolean;
}

async function read(
  { realNow }: Clock,
  tx: Reader,
  { text, values, name }: BatchCondition,
): Promise<BatchView[]> {
  const rows = await tx.query<Row & Record<string, unknown>>(
    `with named as (select tenant_id, id from batch where ${text}),
     shown as (
       select b.*, true as is_named from named n
       join batch b on b.tenant_id = n.tenant_id and b.id = n.id
       union all
       select b.*, false from named n
       join batch b on b.tenant_id = n.tenant_id and b.parent_id = n.id)
     select b.id, b.job_id, b.kind, b.status, b.version, is_named,
       b.input_filename, b.error_message, b.report_name,
       b.parent_id, p.job_id as parent_job_id, b.row_count,
       b.success_count, b.fail_count,
       b.started_at, b.result_deleted_at is not null as is_deleted
     from shown b left join batch p on p.tenant_id = b.tenant_id and p.id = b.parent_id
     order by b.id`,
    values,
    `read-batch-by-${name}`,
  );
  const children = Map.groupBy(
    rows.filter(({ isNamed }) => !isNamed),
    ({ parentId }) => parentId,
  );
  const now = realNow();
  return rows
    .filter(({ isNamed }) => isNamed)
    .map((row) => {
      const below = (children.get(row.id) ?? []).map((child) => viewOf(child, now, []));
      return viewOf(row, now, below);
    });
}

function viewOf(row: Row, now: number, children: readonly BatchView[]): BatchView {
  const { parentId, parentJobId, rowCount, startedAt, isDeleted, isNamed: _, ...shown } = row;
  const { kind, status } = shown;
  const work = { ...shown, rowCount, startedAt: startedAt?.getTime() ?? null };
  return {
    ...shown,
    parent: parentId === null ? null : { id: parentId, jobId: parentJobId ?? '' },
    progress: status === 'Queued' ? progressOf(work, now) : null,
    hasResult: isFinished(status) && givesFile(kind) && !isDeleted,
    children,
  };
}
