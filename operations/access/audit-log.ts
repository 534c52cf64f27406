/** Records what users did or were refused, and from where, in rows that nobody can change. */
import { maskCardNumbers } from '../../domain/payments/card-masking.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { insertingOne } from '../../db/queries/context/insertion.ts';
import { AuditLog } from '../../db/entities/access.ts';
import type { RowOf } from '../../db/entities/rows.ts';

export interface AuditEntry {
  readonly action: RowOf<typeof AuditLog, 'action'>['action'];
  readonly userId?: number | undefined;
  readonly username?: string | undefined;
  readonly method?: string | undefined;
  /** Without its query, which may contain secrets. */
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
}

const TEXT_LENGTH_MAX = 255;

const insertAudit = insertingOne('write-audit', {
  into: AuditLog,
  columns: [
    'action',
    'userId',
    'username',
    'method',
    'path',
    'status',
    'code',
    'address',
    'requestId',
  ],
});

/** Writes an audit entry that is committed with this transaction. */
export function writeAudit(tx: Tx, entry: AuditEntry): void {
  insertAudit(tx, {
    action: entry.action,
    userId: entry.userId ?? null,
    username: textOf(entry.username),
    method: entry.method ?? null,
    path: textOf(entry.path),
    status: entry.status ?? null,
    code: entry.code ?? null,
    address: entry.address ?? null,
    requestId: entry.requestId ?? null,
  });
}

/** Cleans text from callers: it may be long, and PostgreSQL cannot store a zero byte. */
function textOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  return maskCardNumbers(text.replaceAll('\u0000', '')).slice(0, TEXT_LENGTH_MAX);
}
