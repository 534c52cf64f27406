/**
 * The baseline: PostgreSQL's own COPY of all rows that an import wrote, into the same tables with their
 * indexes, constraints and policies, for another tenant. Line items are copied twice, because they
 * are staged. COPY refuses tables with policies that apply to its role, so the owner does it.
 */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { BenchSystem } from '../support/system.ts';

export interface CopyBaseline {
  /** The last id that is taken. */
  readonly lastId: () => Promise<number>;
  /** Seconds for the rows of these tables whose ids came after one. */
  readonly copy: (tables: readonly CopiedTable[], afterId: number) => Promise<number>;
  readonly close: () => Promise<void>;
}

export interface CopiedTable {
  readonly table: string;
  /** Which of its rows, with the alias `r`; $after is the id. */
  readonly which: string;
  /** Another source of the rows than the table itself: the columns and where they come from. */
  readonly made?: { readonly columns: string; readonly from: string };
}

const byId = (table: string): CopiedTable => ({ table, which: 'r.id > $after' });

/** In the order of their foreign keys. */
export const customerTables: readonly CopiedTable[] = [
  byId('batch'),
  byId('customer'),
  byId('contact'),
  byId('payment'),
  byId('ledger_entry'),
  { table: 'customer_balance', which: 'r.customer_id > $after' },
  { table: 'import_row', which: 'r.batch_id > $after' },
];

const stagedColumns =
  'tenant_id, batch_id, line, parent_id, invoice_number, position, invoice_text, price_code, ' +
  'unit_price, quantity, amount';

export const invoiceTables: readonly CopiedTable[] = [
  byId('batch'),
  {
    table: 'import_line',
    which: 'r.batch_id > $after',
    made: {
      columns: stagedColumns,
      from: `(select l.tenant_id, w.batch_id, w.line, b.parent_id, i.imported_number as invoice_number,
          l.position, l.invoice_text, c.price_code, c.unit_price, c.quantity, null::numeric as amount
        from import_row w
        join batch b on b.tenant_id = w.tenant_id and b.id = w.batch_id and b.kind = 'lines'
        join invoice_line l on l.tenant_id = w.tenant_id and l.id = w.object_id
        join invoice i on i.tenant_id = l.tenant_id and i.id = l.invoice_id
        join invoice_charge c on c.tenant_id = l.tenant_id and c.invoice_line_id = l.id)`,
    },
  },
  byId('invoice'),
  byId('invoice_line'),
  byId('invoice_charge'),
  byId('ledger_entry'),
  { table: 'import_row', which: 'r.batch_id > $after' },
];

export async function openCopyBaseline(
  { ownerUrl }: BenchSystem,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<CopyBaseline> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  const fileOf = (table: string): string =>
    join(tmpdir(), `sundial-bench-${process.pid}-${table}.copy`);

  async function columnsOf({ table, made }: CopiedTable): Promise<string[]> {
    if (made) return made.columns.split(', ');
    const { rows } = await owner.query<{ name: string }>(
      `select attname as name from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    );
    return rows.map(({ name }) => name);
  }

  async function write(copied: CopiedTable, afterId: number): Promise<string> {
    const columns = await columnsOf(copied);
    const chosen = columns.map((name) => (name === 'tenant_id' ? `${to}` : `r.${name}`));
    const which = copied.which.replace('$after', String(afterId));
    await owner.query(
      `copy (select ${chosen.join(', ')} from ${copied.made?.from ?? copied.table} r
         where r.tenant_id = ${from} and ${which}) to '${fileOf(copied.table)}'`,
    );
    return `copy ${copied.table} (${columns.join(', ')}) from '${fileOf(copied.table)}'`;
  }

  return {
    async lastId() {
      const { rows } = await owner.query<{ last: string }>('select last_value as last from id_seq');
      return Number(rows[0]?.last);
    },
    async copy(tables, afterId) {
      try {
        const statements: string[] = [];
        for (const each of tables) statements.push(await write(each, afterId));
        await owner.query('checkpoint');
        const began = performance.now();
        for (const statement of statements) await owner.query(statement);
        return (performance.now() - began) / 1_000;
      } finally {
        for (const { table } of tables) await rm(fileOf(table), { force: true });
      }
    },
    close: () => owner.end(),
  };
}
