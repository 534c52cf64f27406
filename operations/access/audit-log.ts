/** Records what users did or were refused, and from where, in rows that nobody can change. */
import { maskCardNumbers } from '../../domain/payments/card-masking.ts';
import type { Tx } from '../../db/connection/tenancy.ts';

export interface AuditEntry {
  readonly action:
    | 'write'
    | 'refused'
    | 'foreignId'
    | 'foreignHost'
    | 'userSuspended'
    | 'userEnabled';
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

/** Writes an audit entry that is committed with this transaction. */
export function writeAudit(tx: Tx, entry: AuditEntry): void {
  tx.send(
    `insert into audit_log (tenant_id, action, user_id, username, method, path, status, code,
       address, request_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      tx.tenantId,
      entry.action,
      entry.userId ?? null,
      textOf(entry.username),
      entry.method ?? null,
      textOf(entry.path),
      entry.status ?? null,
      entry.code ?? null,
      entry.address ?? null,
      entry.requestId ?? null,
    ],
    'write-audit',
  );
}

/** Cleans text from callers: it may be long, and PostgreSQL cannot store a zero byte. */
function textOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  return maskCardNumbers(text.replaceAll('\u0000', '')).slice(0, TEXT_LENGTH_MAX);
}
