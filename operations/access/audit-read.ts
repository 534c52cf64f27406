/** Entries of the audit log as callers list them. */
import {
  type AuditAction,
  type ChainedEntry,
  auditedTypes,
} from '../../domain/access/audit-log.ts';
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

/** Chained entries by their numbers: a later page never shows an earlier number. */
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
  addSql(`a.sequence > ${placeOf("b.at < $::timestamptz - interval '1 hour'", 'max(low)')}`, from);
  add('at', before, '<');
  addSql(
    `a.sequence < ${placeOf("b.at < $::timestamptz + interval '1 hour'", 'min(high)')}`,
    before,
  );
  add('username', query.username);
  add('action', query.action);
  add('objectType', query.objectType);
  add('objectId', query.objectId);
  // The index has the types first.
  if (query.objectType === null && query.objectId !== null) {
    addSql('a.object_type = any($)', auditedTypes);
  }
  add('code', query.code);
  return tx.query<AuditView & Record<string, unknown>>(
    `select a.sequence, ${entryColumns}, a.previous_hash, a.hash
     from audit_log a ${where()} order by a.sequence limit ${value(query.max)}`,
    values,
  );
}

const instantOf = (timezone: string, day: IsoDate): Date => new Date(startOfDay(timezone, day));

/**
 * Where days begin or end among the numbers, by halves: the numbers and the instants of entries have
 * nearly the same order, as no write lasts for an hour. `low` is the number of an entry that is
 * earlier, `high` of one that is not; an entry that is missing ends the search with what is known. The
 * limit makes it one look into the index for each half, and no join.
 */
const placeOf = (isEarlier: string, result: 'max(low)' | 'min(high)'): string =>
  `(with recursive search(low, high) as (
     select h.removed_sequence, h.sequence + 1 from audit_head h
     union all
     select case when m.is_earlier then s.middle else s.low end,
            case when m.is_earlier then s.high else s.middle end
     from (select low, high, (low + high) / 2 as middle from search where high - low > 1) s,
       lateral (
         select ${isEarlier} as is_earlier from audit_log b where b.sequence = s.middle limit 1) m)
   select ${result} from search)`;
