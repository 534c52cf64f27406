/** What became of the rows of a file: `import_row`. */
import type { Tx } from '../../connection/tenancy.ts';
import { ImportRow, PasswordToHash } from '../../entities/imports.ts';
import { type GivenBy, type InsertedBy, given, inserting } from '../context/insertion.ts';
import type { RowOf } from '../../entities/rows.ts';

export const insertImportRows = inserting('insert-import-rows', {
  into: ImportRow,
  columns: ['batchId', 'line', 'status', 'objectId', 'code', 'error', 'key', 'login'],
});

export type ImportRowInsert = InsertedBy<typeof insertImportRows>;

/** Those of these keys, and of these user names, that earlier rows of the job have. */
export async function readTaken(
  tx: Tx,
  batchId: number,
  { keys, logins }: { readonly keys: readonly string[]; readonly logins: readonly string[] },
): Promise<{ readonly keys: ReadonlySet<string>; readonly logins: ReadonlySet<string> }> {
  const [taken, used] = await Promise.all([
    tx.query<{ key: string }>(
      `select key from import_row where tenant_id = $1 and batch_id = $2 and key = any($3)`,
      [tx.tenantId, batchId, keys],
      'taken-keys',
    ),
    logins.length === 0
      ? []
      : tx.query<{ login: string }>(
          `select login from import_row where tenant_id = $1 and batch_id = $2 and login = any($3)`,
          [tx.tenantId, batchId, logins],
          'taken-logins',
        ),
  ]);
  return {
    keys: new Set(taken.map(({ key }) => key)),
    logins: new Set(used.map(({ login }) => login)),
  };
}

export interface StoredRow extends RowOf<typeof ImportRow, 'line' | 'status' | 'error'> {
  readonly id: number | null;
}

/** By line, after one. */
export function readImportRows(
  tx: Tx,
  batchId: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<StoredRow[]> {
  return tx.query<StoredRow & Record<string, unknown>>(
    `select line, status, object_id as id, error from import_row
     where tenant_id = $1 and batch_id = $2 and line > $3 order by line limit $4`,
    [tx.tenantId, batchId, after, limit],
    'import-rows',
  );
}

/* Passwords of imported customers that wait, sealed, to be hashed: `password_to_hash`. */

export type SealedPassword = RowOf<typeof PasswordToHash, 'contactId' | 'sealed'>;

export function readSealed(tx: Tx, limit: number): Promise<SealedPassword[]> {
  return tx.query<SealedPassword & Record<string, unknown>>(
    `select contact_id, sealed from password_to_hash
     where tenant_id = $1 order by contact_id limit $2`,
    [tx.tenantId, limit],
    'sealed-passwords',
  );
}

/** Up to a number of them. */
export async function countSealed(tx: Tx, limit: number): Promise<number> {
  const [found] = await tx.query<{ count: number }>(
    `select count(*)::int as count from (
       select from password_to_hash where tenant_id = $1 limit $2) w`,
    [tx.tenantId, limit],
    'count-sealed',
  );
  return found?.count ?? 0;
}

const hashes = given(PasswordToHash, ['contactId', 'sealed'], {
  // Null if it could not be decrypted: the contact is left without a password.
  besides: { hash: 'text?' },
});

export type HashedPassword = GivenBy<typeof hashes>;

/** Stores the hashes of passwords that still wait; one that was replaced meanwhile is left. */
export function storeHashes(tx: Tx, hashed: readonly HashedPassword[]): void {
  tx.send(
    `with done as (
       delete from password_to_hash w
       using ${hashes.recordset}
       where w.tenant_id = $1 and w.contact_id = r."contactId" and w.sealed = r.sealed
       returning w.contact_id, r.hash)
     update contact k set password_hash = d.hash from done d
     where k.tenant_id = $1 and k.id = d.contact_id and d.hash is not null`,
    [tx.tenantId, hashes.json(hashed)],
    'store-hashes',
  );
}

/** Newer passwords of the contacts take the place of those that wait. */
export function forgetSealed(tx: Tx, contactIds: readonly number[]): void {
  tx.send('delete from password_to_hash where tenant_id = $1 and contact_id = any($2)', [
    tx.tenantId,
    contactIds,
  ]);
}
