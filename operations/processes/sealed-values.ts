/** Walks through what the vault has encrypted: the columns that entities declare, of one tenant. */
import type { Database } from '../../db/connection/database.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import * as entities from '../../db/entities/index.ts';
import { columnOf, sqlTypeOf } from '../../db/entities/rows.ts';
import { type SealedColumn, type Sealing, sealedColumnsOf } from '../../db/entities/sealed.ts';
import { markOf, SEALED_PATTERN, type Vault } from '../../providers/vault.ts';
import { lockLabel } from '../tenants/apply.ts';
import { resealed } from '../tenants/file/secrets.ts';
import { readTenantRow } from '../tenants/tenant-row.ts';

/** Of one transaction, which holds its rows for as long. */
const BATCH_ROWS = 500;

/** The new text of an encrypted one, or the same. */
export type Reseal = (sealed: string, context: string) => string;

export interface Walk {
  readonly db: Database;
  readonly tenantId: number;
  /** Texts of its first key that say so are passed over. */
  readonly vault: Pick<Vault, 'ids'>;
  /** Writes what `reseal` returns, and passes over rows that others hold. */
  readonly writes: boolean;
  readonly reseal: Reseal;
  /** After the commit of each batch. */
  readonly onBatch?: (() => void) | undefined;
}

/** Ids begin with the tenant's, so a part of them is a part of the index. */
interface Statements {
  readonly page: string;
  readonly update: string;
  readonly keys: readonly string[];
}

type Row = Readonly<Record<string, unknown>> & { readonly sealedText: string };

const columns = sealedColumnsOf(Object.values(entities));
const plain = columns.flatMap((column) =>
  column.sealing === 'within'
    ? []
    : [{ ...statementsOf(column, column.sealing), ...column.sealing }],
);

export async function walkTenant(walk: Walk): Promise<void> {
  // Rows that are made of the file have its texts, and get the same new ones.
  const ofFile = new Map<string, string>();
  const label = await walkFile({
    ...walk,
    reseal(text, context) {
      const renewed = walk.reseal(text, context);
      ofFile.set(text, renewed);
      return renewed;
    },
  });
  const reseal: Reseal = (text, context) => ofFile.get(text) ?? walk.reseal(text, context);
  for (const column of plain) {
    let after: readonly unknown[] | undefined = [];
    while (after !== undefined) {
      const from: readonly unknown[] = after;
      after = await inTenant(
        walk.db,
        walk.tenantId,
        (tx) => walkPage(tx, { ...walk, reseal }, { column, label, after: from }),
        { readOnly: !walk.writes },
      );
      walk.onBatch?.();
    }
  }
}

/** The tenant's label. Whoever applies the file waits, or is waited for. */
function walkFile({ db, tenantId, writes, reseal, onBatch }: Walk): Promise<string> {
  return inTenant(
    db,
    tenantId,
    async (tx) => {
      const [{ label } = { label: '' }] = await tx.query<{ label: string }>(
        'select label from tenant where id = $1',
        [tenantId],
      );
      if (writes) await lockLabel(tx, label);
      const file = (await readTenantRow(tx))?.file;
      if (file === undefined) return label;
      const renewed = JSON.stringify(resealed(label, file, reseal));
      if (writes && renewed !== JSON.stringify(file)) {
        await tx.query('update tenant set file = $2 where id = $1', [tenantId, renewed]);
      }
      onBatch?.();
      return label;
    },
    { readOnly: !writes },
  );
}

interface Place {
  readonly column: Statements & Sealing;
  readonly label: string;
  /** The key of the last row of the page before; empty for the first page. */
  readonly after: readonly unknown[];
}

/** The key of its last row; undefined after the last page. */
async function walkPage(
  tx: Tx,
  { vault, writes, reseal }: Pick<Walk, 'vault' | 'writes' | 'reseal'>,
  { column, label, after }: Place,
): Promise<readonly unknown[] | undefined> {
  const { page, update, keys, contextOf } = column;
  const from = after.length > 0 ? after : keys.map(() => null);
  const locking = writes ? ' for no key update skip locked' : '';
  const rows = await tx.query<Row>(page + locking, [
    tx.tenantId,
    `${markOf(vault.ids[0])}%`,
    after.length === 0,
    ...from,
  ]);
  for (const row of rows) {
    const { sealedText } = row;
    const renewed = reseal(sealedText, contextOf({ ...row, tenantId: tx.tenantId, label }));
    if (!writes || renewed === sealedText) continue;
    tx.send(update, [tx.tenantId, renewed, ...keys.map((key) => row[key])]);
  }
  const last = rows.length < BATCH_ROWS ? undefined : rows.at(-1);
  return last && keys.map((key) => last[key]);
}

function statementsOf({ entity, table, column, keys }: SealedColumn, { by }: Sealing): Statements {
  const names = keys.map(columnOf);
  const also = by.filter((key) => key !== 'tenantId' && !keys.includes(key)).map(columnOf);
  const parameters = keys.map((key, index) => `$${index + 4}::${sqlTypeOf(entity, key)}`);
  const same = names.map((name, index) => `${name} = $${index + 3}`);
  return {
    keys,
    page: `select ${[...names, ...also].join(', ')}, ${column} as sealed_text from ${table}
      where tenant_id = $1 and ${column} ~ '${SEALED_PATTERN}' and ${column} not like $2
        and ($3 or (${names.join(', ')}) > (${parameters.join(', ')}))
      order by ${names.join(', ')} limit ${BATCH_ROWS}`,
    update: `update ${table} set ${column} = $2 where ${['tenant_id = $1', ...same].join(' and ')}`,
  };
}
