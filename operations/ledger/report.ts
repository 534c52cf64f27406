/** Reads a report on the ledger from one snapshot. */
import {
  daysOf,
  reports,
  wrongDays,
  type ReportAsked,
  type ReportDays,
  type ReportName,
  type ReportRow,
} from '../../domain/ledger/reports.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import { type Database, forReading } from '../../db/connection/database.ts';
import { sqlStateOf, sqlStates } from '../../db/connection/faults.ts';
import { fetched, type SnapshotReader } from '../../db/connection/snapshot.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { mrrStatement, type MrrOrderRow } from '../../db/queries/ledger/mrr.ts';
import { reportStatement } from '../../db/queries/ledger/reports.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import { addedUp } from './mrr.ts';
import { readBegun, readPresent } from './read.ts';

export interface ReportRead {
  readonly name: ReportName;
  /** Null of a report that looks at the end of one day. */
  readonly from: IsoDate | null;
  readonly to: IsoDate;
  /** The last day that is closed, if the report reaches beyond it. */
  readonly closedTo: IsoDate | null;
  readonly rows: readonly ReportRow[];
}

const REPORT_TIMEOUT_MS = 10_000;

/** @returns the refusal of days that are none of a report */
export type RefusalOfDays = (wrong: {
  readonly path: 'from' | 'to' | 'asOf';
  readonly why: string;
}) => Error;

/** Throws report.tooLarge, and what refuses its days. */
export async function readReport(
  { db, realNow }: Pick<Dependencies, 'db' | 'realNow'>,
  tenant: TenantInfo,
  asked: ReportAsked,
  refusal: RefusalOfDays,
  { timeoutMs = REPORT_TIMEOUT_MS } = {},
): Promise<ReportRead> {
  const begun = await inTenant(db, tenant.id, (tx) => readBegun(tx, realNow()), {
    readOnly: true,
    single: true,
  });
  const { name } = asked;
  const until = performance.now() + timeoutMs;
  try {
    // What has ended by now is there.
    const source = await forReading(db);
    return await inTenant(
      source,
      tenant.id,
      async (tx) => {
        const present = await readPresent(tx, tenant, begun);
        const days = daysOf(asked, present.today);
        const wrong = wrongDays(name, days, present.today);
        if (wrong !== null) throw refusal(wrong);
        const rows: ReportRow[] = [];
        for await (const part of reportRows({ db, tx }, name, days)) {
          if (performance.now() > until) throw tooLarge(name, timeoutMs);
          for (const row of part) rows.push(row);
        }
        const { from, to } = days;
        const closedTo = to > present.closedTo ? present.closedTo : null;
        return { name, from: reports[name].time === 'day' ? null : from, to, closedTo, rows };
      },
      { readOnly: true, snapshot: true, statementTimeoutMs: timeoutMs },
    );
  } catch (error) {
    throw sqlStateOf(error) === sqlStates.queryCanceled ? tooLarge(name, timeoutMs) : error;
  }
}

function tooLarge(name: ReportName, timeoutMs: number): DomainError {
  const seconds = timeoutMs / 1_000;
  const text = `${name} takes longer than ${seconds} seconds; POST /report/${name} writes it to a file`;
  return new DomainError('report.tooLarge', text);
}

/**
 * A report reads most of a tenant to its end. The planner cannot tell how many rows come of facts, and
 * expects few: it would look each of them up.
 */
const planning = `select set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true),
  set_config('work_mem', '64MB', true), set_config('cursor_tuple_fraction', '1', true)`;

/** The rows of a report, in a transaction of one snapshot. */
export async function* reportRows(
  { db, tx }: { readonly db: Database; readonly tx: SnapshotReader },
  name: ReportName,
  days: ReportDays,
): AsyncGenerator<readonly ReportRow[], void> {
  await tx.query(planning);
  if (name !== 'mrr') {
    yield* fetched<ReportRow>(tx, reportStatement(name, tx.tenantId, days));
    return;
  }
  const orders = fetched<MrrOrderRow>(tx, mrrStatement(tx.tenantId, days));
  const rows = await addedUp({ db, tx }, orders, days);
  yield rows.map((row) => ({ ...row }));
}
