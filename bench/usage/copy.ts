/**
 * The baseline of uploads: PostgreSQL's own COPY of the rows that they wrote, into the same tables,
 * for another tenant. COPY refuses tables with policies that apply to its role, so the owner does it.
 */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { cpuSecondsOf } from '../support/cpu.ts';
import type { BenchSystem } from '../support/system.ts';

export interface CopyBaseline {
  /** The last id that is taken. */
  readonly lastId: () => Promise<number>;
  /** Copies what the uploads have written between two ids. */
  readonly copy: (copy: Copy) => Promise<Copied>;
  readonly close: () => Promise<void>;
}

export interface Copied {
  readonly seconds: number;
  /** Of PostgreSQL. */
  readonly cpuSeconds: number;
}

export interface Copy {
  readonly afterId: number;
  readonly lastId: number;
  /** Its customers and orders are those of the tenants that uploaded. */
  readonly toTenant: number;
  readonly connections: number;
}

const columns = [
  'tenant_id',
  'id',
  'batch_id',
  'customer_id',
  'order_line_id',
  'window_id',
  'ext_ref_id',
  'quantity',
  'charge_date',
  'created_at',
].join(', ');

/** The rows of the other tenant, with ids of their own. */
const rowsOf = ({ afterId, lastId, toTenant, connections }: Copy, part: number): string => `
  select ${toTenant} as tenant_id, nextval('id_seq') as id, r.batch_id, r.customer_id,
    r.order_line_id, r.window_id, r.ext_ref_id, r.quantity, r.charge_date, r.created_at
  from (
    select a.batch_id, own.id as customer_id, l.id as order_line_id, w.id as window_id,
      a.ext_ref_id, a.quantity, a.charge_date, a.created_at
    from activity a
    join customer c on c.tenant_id = a.tenant_id and c.id = a.customer_id
    join customer own on own.tenant_id = ${toTenant} and own.ext_customer_ref = c.ext_customer_ref
    join subscription_order o on o.tenant_id = ${toTenant} and o.customer_id = own.id
    join order_line l on l.tenant_id = ${toTenant} and l.order_id = o.id
    join usage_window w on w.tenant_id = ${toTenant} and w.order_line_id = l.id
    where a.id > ${afterId} and a.id <= ${lastId} and a.batch_id % ${connections} = ${part} order by a.id) r`;

const makeWindows = `
  insert into usage_window (tenant_id, order_line_id, period_index)
  select l.tenant_id, l.id, 0 from order_line l where l.tenant_id = $1 on conflict do nothing`;

export async function openCopyBaseline({ ownerUrl, pids }: BenchSystem): Promise<CopyBaseline> {
  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: ownerUrl });
    await client.connect();
    return client;
  };
  const owner = await open();
  return {
    async lastId() {
      const { rows } = await owner.query<{ last: string }>('select last_value as last from id_seq');
      return Number(rows[0]?.last);
    },
    async copy(copy) {
      await owner.query(makeWindows, [copy.toTenant]);
      const parts = Array.from({ length: copy.connections }, (_, part) => part);
      const files = parts.map((part) =>
        join(tmpdir(), `sundial-bench-${process.pid}-${copy.toTenant}-${part}.copy`),
      );
      const clients = await Promise.all(parts.map(open));
      try {
        for (const [part, file] of files.entries()) {
          await owner.query(`copy (${rowsOf(copy, part)}) to '${file}'`);
        }
        const before = await cpuSecondsOf([pids.postgres]);
        const began = performance.now();
        await Promise.all(
          clients.map((client, part) =>
            client.query(`copy activity (${columns}) from '${files[part]}'`),
          ),
        );
        const seconds = (performance.now() - began) / 1_000;
        return { seconds, cpuSeconds: (await cpuSecondsOf([pids.postgres])) - before };
      } finally {
        for (const client of clients) await client.end();
        for (const file of files) await rm(file, { force: true });
      }
    },
    close: () => owner.end(),
  };
}
