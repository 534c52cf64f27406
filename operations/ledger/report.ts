/** Reads a report on the ledger from one snapshot. */
import { wrongDays, type ReportName } from '../../domain/ledger/reports.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import { sqlStateOf, sqlStates } from '../../db/connection/faults.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { reportStatement } from '../../db/queries/ledger/reports.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import { readBegun, readPresent } from './read.ts';

export interface ReportAsked {
  readonly name: ReportName;
  /** Null for a report that looks at the end of a day. */
  readonly from: IsoDate | null;
  /** Null: today. */
  readonly to: IsoDate | null;
}

/** By the keys of the report's columns. */
export type ReportRow = Readonly<Record<string, string | number | null>>;

export interface ReportRead {
  readonly name: ReportName;
  readonly from: IsoDate | null;
  readonly to: IsoDate;
  /** The last day that is closed, if the report reaches beyond it. */
  readonly closedTo: IsoDate | null;
  readonly rows: readonly ReportRow[];
}

const REPORT_TIMEOUT_MS = 10_000;

/** @returns the refusal of days that are none of a report */
export type RefusalOfDays = (wrong: {
  readonly path: 'from' | 'to';
  readonly why: string;
}) => Error;

/** Throws report.tooLarge, and what refuses its days. */
export async function readReport(
  dependencies: Pick<Dependencies, 'db' | 'realNow'>,
  tenant: TenantInfo,
  { name, from, to: last }: ReportAsked,
  refusal: RefusalOfDays,
  { timeoutMs = REPORT_TIMEOUT_MS } = {},
): Promise<ReportRead> {
  const begun = await inTenant(
    dependencies.db,
    tenant.id,
    (tx) => readBegun(tx, dependencies.realNow()),
    { readOnly: true, single: true },
  );
  try {
    return await inTenant(
      dependencies.db,
      tenant.id,
      async (tx) => {
        const present = await readPresent(tx, tenant, begun);
        const to = last ?? present.today;
        const wrong = wrongDays({ from: from ?? to, to }, present.today);
        if (wrong !== null) throw refusal(wrong);
        const { text, values } = reportStatement(name, tenant.id, { from: from ?? to, to });
        const rows = await tx.query<ReportRow>(text, values);
        const closedTo = to > present.closedTo ? present.closedTo : null;
        return { name, from, to, closedTo, rows };
      },
      { readOnly: true, snapshot: true, statementTimeoutMs: timeoutMs },
    );
  } catch (error) {
    if (sqlStateOf(error) !== sqlStates.queryCanceled) throw error;
    const seconds = timeoutMs / 1_000;
    throw new DomainError(
      'report.tooLarge',
      `${name} takes longer than ${seconds} seconds; ask for fewer days at a time`,
    );
  }
}
