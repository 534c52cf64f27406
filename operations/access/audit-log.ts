/** Records what people and systems did or were refused, and from where, in rows that nobody can change. */
import {
  type AuditChange,
  type AuditedType,
  mergedChanges,
  storedChanges,
} from '../../domain/access/audit-log.ts';
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
  readonly object?: AuditedObject | undefined;
  readonly changes?: readonly AuditChange[] | undefined;
}

export interface AuditedObject {
  readonly type: AuditedType;
  readonly id: number;
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
    'objectType',
    'objectId',
    'changes',
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
    objectType: entry.object?.type ?? null,
    objectId: entry.object?.id ?? null,
    changes: storedChanges(entry.changes ?? []),
  });
}

export interface Command {
  /** Who gave it. */
  readonly operator: string;
  /** `tenant apply` */
  readonly command: string;
  readonly object?: AuditedObject | undefined;
  readonly changes?: readonly AuditChange[] | undefined;
}

/** Of a command of the operator, in the transaction of what it does. */
export function writeCommand(tx: Tx, { operator, command, ...noted }: Command): void {
  writeAudit(tx, { action: 'command', username: operator, path: command, ...noted });
}

export interface SentUpdate {
  /** The name that its sender gave; undefined in histories of before. */
  readonly by: string | undefined;
  /** `hold` */
  readonly update: string;
  readonly object: AuditedObject;
}

/** Of an Update that a person sent to a workflow, with what it has changed of the object so far. */
export function writeUpdate(tx: Tx, { by, update, object }: SentUpdate): void {
  if (by === undefined) return;
  const { changes } = notedOf(tx, object.type, object.id);
  writeCommand(tx, { operator: by, command: `temporal ${update}`, object, changes });
}

/** What the transaction has noted of its object: the one that is addressed, or the first of its type. */
export function notedOf(
  { audited: { objects, changes } }: Pick<Tx, 'audited'>,
  type: AuditedType | null,
  addressed: number | null,
): Pick<AuditEntry, 'object' | 'changes'> {
  if (type === null) return {};
  const id = addressed ?? objects.get(type);
  if (id === undefined) return {};
  const own = changes.filter((each) => each.type === type && each.id === id);
  return { object: { type, id }, changes: mergedChanges(own.map(({ change }) => change)) };
}

/** Cleans text from callers: it may be long, and PostgreSQL cannot store a zero byte. */
function textOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  return maskCardNumbers(text.replaceAll('\u0000', '')).slice(0, TEXT_LENGTH_MAX);
}
