/** What a database that was put back to an older state has given, and how far it is raised. */
import type { Pool } from 'pg';
import { rowTypes } from '../../connection/database.ts';
import type { Tx } from '../../connection/tenancy.ts';
import type { Counter, LostNumber, Restoration } from '../../entities/tenants.ts';
import type { GatewayFinding } from '../../entities/gateways.ts';
import type { PaymentMethod } from '../../entities/payments.ts';
import type { RowOf } from '../../entities/rows.ts';
import { givenOf } from '../context/insertion.ts';
import { keepInstallation, readInstallation } from '../context/installation.ts';

/* Of the installation. */

const KEY = 'restoration';

/** What a restoration has decided; one that was killed goes on with it. */
export interface RestorationPlan {
  /** Counts the restorations of this installation. */
  readonly epoch: number;
  /** The last id that the backup has given. */
  readonly idsBefore: number;
  /** No id up to here is given from now on. */
  readonly idsUpTo: number;
  /** In real time: the backup has nothing of later. */
  readonly lostFrom: string;
  /** Null while it is under way. */
  readonly finishedAt: string | null;
}

/** That of the last restoration; undefined if there was none. */
export async function readPlan(pool: Pool): Promise<RestorationPlan | undefined> {
  const value = await readInstallation(pool, KEY);
  return value === undefined ? undefined : (JSON.parse(value) as RestorationPlan);
}

export function keepPlan(pool: Pool, plan: RestorationPlan): Promise<void> {
  return keepInstallation(pool, KEY, JSON.stringify(plan));
}

/** The last id that was given. */
export async function lastId(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ last: string }>('select last_value as last from id_seq');
  return Number(rows[0]?.last);
}

export async function raiseIds(pool: Pool, upTo: number): Promise<void> {
  await pool.query('select raise_ids($1)', [upTo]);
}

/**
 * Until when a worker has certainly written here, by the database's clock, and the present time;
 * `until` is null if no worker ever has.
 */
export async function lastWritten(pool: Pool, leaseSeconds: number) {
  const { rows } = await pool.query<{ until: Date | null; now: Date }>({
    text: `select greatest((select max(beat_at) from worker_heartbeat),
       (select (value::jsonb ->> 'until')::timestamptz - make_interval(secs => $1)
        from installation where key = 'supervision')) as until, now() as now`,
    values: [leaseSeconds],
    types: rowTypes,
  });
  return rows[0] ?? { until: null, now: new Date() };
}

/** The processes of the service that are connected now. */
export async function processesHere(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
     where datname = current_database() and application_name ~ '^(api|worker) ' order by 1`,
  );
  return rows.map(({ name }) => name);
}

/* Of a tenant. */

export type CounterRow = RowOf<typeof Counter, 'kind' | 'prefix' | 'year' | 'first' | 'next'>;
export type Lost = RowOf<typeof LostNumber, 'kind' | 'prefix' | 'year' | 'after' | 'upTo'>;

/** What a restoration has raised is read as it was before. */
export function readCounters(tx: Tx, epoch: number): Promise<CounterRow[]> {
  return tx.query<CounterRow & Record<string, unknown>>(
    `select c.kind, c.prefix, c.year, c.first, coalesce((select l.after + 1 from lost_number l
       where l.tenant_id = $1 and l.epoch = $2 and l.kind = c.kind and l.prefix = c.prefix
         and l.year = c.year), c.next) as next
     from counter c where c.tenant_id = $1 order by c.kind desc, c.prefix, c.year`,
    [tx.tenantId, epoch],
    'counters',
  );
}

/** The last numbers of its events and of its audit log, as they were before a restoration. */
export async function lastNumbers(
  tx: Tx,
  epoch: number,
): Promise<{ event: number; auditLog: number }> {
  const [row] = await tx.query<{ event: number; auditLog: number }>(
    `select greatest((select max(sequence) from event where tenant_id = $1),
              (select max(l.up_to) from lost_number l
               where l.tenant_id = $1 and l.kind = 'event' and l.epoch < $2), 0) as event,
            coalesce((select l.after from lost_number l
               where l.tenant_id = $1 and l.kind = 'auditLog' and l.epoch = $2),
              (select sequence from audit_head where tenant_id = $1), 0) as audit_log`,
    [tx.tenantId, epoch],
    'last-numbers',
  );
  return row ?? { event: 0, auditLog: 0 };
}

/** False if an earlier try has noted it. */
export async function noteRestoration(
  tx: Tx,
  row: RowOf<typeof Restoration, 'epoch' | 'firstId' | 'lostFrom'>,
): Promise<boolean> {
  const before = await tx.query('select from restoration where tenant_id = $1 and epoch = $2', [
    tx.tenantId,
    row.epoch,
  ]);
  await tx.query(
    `insert into restoration (tenant_id, epoch, first_id, lost_from) values ($1, $2, $3, $4)
     on conflict (tenant_id, epoch) do update
       set first_id = greatest(restoration.first_id, excluded.first_id)`,
    [tx.tenantId, row.epoch, row.firstId, row.lostFrom],
    'note-restoration',
  );
  return before.length === 0;
}

/**
 * Notes that numbers up to one may have been given. Another try of the same restoration only raises it.
 * Returns all that is lost of these numbers.
 */
export async function loseNumbers(tx: Tx, epoch: number, lost: Lost): Promise<Lost> {
  const { kind, prefix, year, after, upTo } = lost;
  const [row] = await tx.query<{ upTo: number }>(
    `insert into lost_number (tenant_id, epoch, kind, prefix, year, after, up_to)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (tenant_id, kind, prefix, year, after) do update
       set up_to = greatest(lost_number.up_to, excluded.up_to)
     returning up_to`,
    [tx.tenantId, epoch, kind, prefix, year, after, upTo],
    'lose-numbers',
  );
  return { ...lost, ...row };
}

/** The chain goes on with the hash that it had. */
export function raiseAuditHead(tx: Tx, { upTo }: Pick<Lost, 'upTo'>): void {
  tx.send(
    `insert into audit_head (tenant_id, sequence) values ($1, $2)
     on conflict (tenant_id) do update
       set sequence = greatest(audit_head.sequence, excluded.sequence)`,
    [tx.tenantId, upTo],
    'raise-audit-head',
  );
}

/** Documents take the numbers after it; those in between are skipped. */
export function raiseCounter(tx: Tx, { kind, prefix, year, after, upTo }: Lost): void {
  tx.send(
    `insert into counter (tenant_id, kind, prefix, year, first, next, skipped)
     values ($1, $2, $3, $4, $5 + 1, $6 + 1, int8multirange(int8range($5 + 1, $6 + 1)))
     on conflict (tenant_id, kind, prefix, year) do update
       set next = greatest(counter.next, excluded.next),
           skipped = counter.skipped + excluded.skipped`,
    [tx.tenantId, kind, prefix, year, after, upTo],
    'raise-counter',
  );
}

/* What gateways know. */

/** The gateways at which the tenant may have charged. */
export async function gatewaysOf(
  tx: Tx,
): Promise<readonly RowOf<typeof PaymentMethod, 'gateway'>['gateway'][]> {
  const rows = await tx.query<RowOf<typeof PaymentMethod, 'gateway'>>(
    `select distinct gateway from payment where tenant_id = $1 and gateway is not null
     union select gateway from payment_method where tenant_id = $1
     union select coalesce(file->'gateway'->>'type', 'sandbox') from tenant where id = $1
     order by 1`,
    [tx.tenantId],
    'gateways-of',
  );
  return rows.map(({ gateway }) => gateway);
}

const asked = givenOf({ key: 'text', id: 'bigint', method: 'text?', charge: 'text?' }, '$2');

export type UnknownKey = RowOf<typeof GatewayFinding, 'gatewayKey' | 'customerId'>;

/** Those keys that no payment and no share of a refund has, each with the customer whose money it is. */
export function unknownKeys(
  tx: Tx,
  calls: readonly {
    readonly key: string;
    /** Of the payment or the share, as the key says. */
    readonly id: number;
    readonly method: string | null;
    readonly charge: string | null;
  }[],
): Promise<UnknownKey[]> {
  return tx.query<UnknownKey & Record<string, unknown>>(
    `with unknown as materialized (
       select r.key, r.method, r.charge from ${asked.recordset}
       where not exists (select from payment p
           where p.tenant_id = $1 and p.id = r.id and p.gateway_key = r.key)
         and not exists (select from refund_share s
           where s.tenant_id = $1 and s.id = r.id and s.gateway_key = r.key))
     select u.key as gateway_key, coalesce(
       (select m.customer_id from payment_method m where m.tenant_id = $1
          and (m.token = u.method or right(m.token, length(u.method) + 1) = '/' || u.method)
        order by m.id limit 1),
       (select p.customer_id from payment p where p.tenant_id = $1
          and p.transaction_id = u.charge order by p.id limit 1)) as customer_id
     from unknown u`,
    [tx.tenantId, asked.json(calls)],
    'unknown-keys',
  );
}
