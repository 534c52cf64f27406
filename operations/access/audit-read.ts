/** Entries of the audit log as callers list them. */
import type { AuditAction, ChainedEntry } from '../../domain/access/audit-log.ts';
import { addDays, type IsoDate } from '../../domain/calendar/calendar.ts';
import { startOfDay } from '../../domain/calendar/zone.ts';
import type { AuditLog } from '../../db/entities/access.ts';
import { entryColumns } from '../../db/queries/access/audit-log.ts';
import { type Reader, startConditions } from '../context/listing.ts';

export interface AuditQuery {
  /** The sequence of the last entry that the caller has read; 0 for the beginning. */
  readonly after: number;
  readonly max: number;
  /** Days of the tenant's zone, both inclusive, in real time. */
  readonly from: IsoDate | null;
  readonly to: IsoDate | null;
  readonly username: string | null;
  readonly action: AuditAction | null;
  readonly objectType: string | null;
  readonly objectId: number | null;
  readonly code: string | null;
}

export interface AuditView extends ChainedEntry {
  readonly previousHash: string;
  readonly hash: string;
}

/**
 * Chained entries by their numbers: a later page never shows an earlier number. The numbers and the
 * instants of entries have nearly the same order, as no transaction lasts for a day: an index finds
 * where the numbers of the days begin and end.
 */
export function listAuditLog(
  tx: Reader,
  { timezone }: { readonly timezone: string },
  query: AuditQuery,
): Promise<AuditView[]> {
  const { value, values, add, addSql, where } = startConditions<typeof AuditLog>('a');
  const from = query.from === null ? null : instantOf(timezone, query.from);
  const before = query.to === null ? null : instantOf(timezone, addDays(query.to, 1));
  addSql('a.sequence > $', query.after);
  add('at', from, '>=');
  addSql(`a.sequence > ${placeOf(`b.at < $ - interval '1 day'`, 'desc', '0')}`, from);
  add('at', before, '<');
  addSql(
    `a.sequence < ${placeOf(`b.at > $ + interval '1 day'`, 'asc', `${SEQUENCE_MAX}`)}`,
    before,
  );
  add('username', query.username);
  add('action', query.action);
  add('objectType', query.objectType);
  add('objectId', query.objectId);
  add('code', query.code);
  return tx.query<AuditView & Record<string, unknown>>(
    `select a.sequence, ${entryColumns}, a.previous_hash, a.hash
     from audit_log a ${where()} order by a.sequence limit ${value(query.max)}`,
    values,
  );
}

const SEQUENCE_MAX = Number.MAX_SAFE_INTEGER;

const instantOf = (timezone: string, day: IsoDate): Date => new Date(startOfDay(timezone, day));

const placeOf = (condition: string, order: 'asc' | 'desc', otherwise: string): string =>
  `coalesce((select b.sequence from audit_log b where b.sequence is not null
     and ${condition.replace('$', '$::timestamptz')} order by b.at ${order} limit 1), ${otherwise})`;
