/** What became of the rows of a file: `import_row`. */
import type { Tx } from '../../connection/tenancy.ts';
import { ImportRow } from '../../entities/imports.ts';
import { inserting, type InsertedBy } from '../context/insertion.ts';
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
