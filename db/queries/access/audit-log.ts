/** Rows of the audit log: chained after their commit, read by their numbers, deleted from the oldest on. */
import { type ChainedEntry, NO_HASH } from '../../../domain/access/audit-log.ts';
import { type Database, rowTypes } from '../../connection/database.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { type AuditHead, AuditLog } from '../../entities/access.ts';
import type { RowOf } from '../../entities/rows.ts';
import { given } from '../context/insertion.ts';
import { lostBetween } from '../context/lost-numbers.ts';

/** Tenants with rows to chain, read as the relay's role: one look into the index for each. */
export const tenantsToChain = (relayDb: Database): Promise<number[]> =>
  idsOf(
    relayDb,
    'tenants-to-chain',
    `with recursive next as (
       (select tenant_id from audit_log where sequence is null order by tenant_id limit 1)
       union all
       select (select a.tenant_id from audit_log a
               where a.sequence is null and a.tenant_id > next.tenant_id
               order by a.tenant_id limit 1)
       from next where next.tenant_id is not null)
     select tenant_id as id from next where tenant_id is not null`,
  );

async function idsOf(
  relayDb: Database,
  name: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<number[]> {
  const rows = await relayDb.ask<{ id: number }>({
    name,
    text,
    values: [...values],
    types: rowTypes,
  });
  return rows.map(({ id }) => id);
}

export type Head = RowOf<typeof AuditHead, 'sequence' | 'hash'>;

/** Undefined while another process has it. */
export async function lockHead(tx: Tx): Promise<Head | undefined> {
  const [head] = await tx.query<Head & Record<string, unknown>>(
    'select sequence, hash from audit_head where tenant_id = $1 for update skip locked',
    [tx.tenantId],
    'lock-audit-head',
  );
  if (head !== undefined) return head;
  const [made] = await tx.query<Head & Record<string, unknown>>(
    `insert into audit_head (tenant_id) values ($1)
     on conflict do nothing returning sequence, hash`,
    [tx.tenantId],
    'insert-audit-head',
  );
  return made;
}

/** The instant as it is shown and hashed: real time, in milliseconds. */
export const atOf = (row: string): string =>
  `to_char(${row}.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** What is shown of a row `a` besides its number and hashes. */
export const entryColumns = `${atOf('a')} as at, a.action, a.username, a.user_id, a.address,
  a.method, a.path, a.status, a.code, a.request_id, a.object_type, a.object_id,
  coalesce(a.changes, '[]') as changes`;

export type UnchainedEntry = Omit<ChainedEntry, 'sequence'> & { readonly id: number };

/** The committed rows with the lowest ids. */
export function unchained(tx: Tx, limit: number): Promise<UnchainedEntry[]> {
  return tx.query<UnchainedEntry & Record<string, unknown>>(
    `select a.id, ${entryColumns} from audit_log a
     where a.tenant_id = $1 and a.sequence is null order by a.id limit $2`,
    [tx.tenantId, limit],
    'unchained-audit',
  );
}

const links = given(AuditLog, ['id', 'sequence', 'previousHash', 'hash']);

export interface Link {
  readonly id: number;
  readonly sequence: number;
  readonly previousHash: string;
  readonly hash: string;
}

/** The head is locked. */
export function writeLinks(tx: Tx, chained: readonly Link[], { sequence, hash }: Head): void {
  tx.send(
    `with chained as (
       update audit_log a
       set sequence = r.sequence, previous_hash = r."previousHash", hash = r.hash
       from ${links.recordset} where a.tenant_id = $1 and a.id = r.id)
     update audit_head set sequence = $3, hash = $4 where tenant_id = $1`,
    [tx.tenantId, links.json(chained), sequence, hash],
    'chain-audit',
  );
}

/* The heads leave the database, so that whoever cuts the log's end cannot hide it. */

export const tenantsToShow = (relayDb: Database, before: Date): Promise<number[]> =>
  idsOf(
    relayDb,
    'audit-heads-to-show',
    `select tenant_id as id from audit_head
     where sequence > shown_sequence and (shown_at is null or shown_at < $1) order by tenant_id`,
    [before],
  );

/** Marks the head as shown at an instant, and returns it; undefined if another process has it. */
export async function showHead(
  tx: Tx,
  { at, before }: { readonly at: Date; readonly before: Date },
): Promise<Head | undefined> {
  const [head] = await tx.query<Head & Record<string, unknown>>(
    `update audit_head set shown_sequence = sequence, shown_at = $2
     where tenant_id = (select tenant_id from audit_head
       where tenant_id = $1 and sequence > shown_sequence and (shown_at is null or shown_at < $3)
       for update skip locked)
     returning sequence, hash`,
    [tx.tenantId, at, before],
    'show-audit-head',
  );
  return head;
}

/* Retention: the chain begins after the last row that went. */

/** Deletes the oldest rows, as far as all of them are of before an instant; returns their number. */
export async function deleteOldest(
  tx: Tx,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  if ((await lockHead(tx)) === undefined) return 0;
  const [row] = await tx.query<{ deleted: number }>(
    `with oldest as (
       select sequence, at, hash from audit_log
       where tenant_id = $1 and sequence is not null order by sequence limit $3),
     young as (select min(sequence) as first from oldest where at >= $2),
     gone as (
       delete from audit_log a using oldest o
       where a.tenant_id = $1 and a.sequence = o.sequence
         and ((select first from young) is null or o.sequence < (select first from young))
       returning a.sequence, a.hash),
     moved as (
       update audit_head h set removed_sequence = g.sequence, removed_hash = g.hash
       from (select sequence, hash from gone order by sequence desc limit 1) g
       where h.tenant_id = $1)
     select count(*) as deleted from gone`,
    [tx.tenantId, before, limit],
    'delete-old-audit',
  );
  return row?.deleted ?? 0;
}

/* The same hash in SQL, for the audit of the books. */

const inLine = (value: string): string => `translate(coalesce(${value}, ''), E'\\n', ' ')`;

const hashedColumns =
  'action username user_id::text address method path status::text code request_id object_type ' +
  'object_id::text';

const hashed = (row: string): string => {
  const rest = hashedColumns.split(' ').map((column) => `${row}.${column}`);
  const values = [`${row}.previous_hash`, `${row}.sequence::text`, atOf(row), ...rest];
  return values.map(inLine).join(` || E'\\n' || `);
};

const ofChange = ['field', 'before', 'after'].map(
  (key) => `E'\\n' || ${inLine(`c.value->>'${key}'`)}`,
);

/** What the hash of a row must be, by what it says. */
export const hashIn = (row: string): string =>
  `encode(sha256(convert_to(${hashed(row)} || coalesce((
     select string_agg(${ofChange.join(' || ')}, '' order by c.ordinality)
     from jsonb_array_elements(${row}.changes) with ordinality c(value, ordinality)), ''),
     'UTF8')), 'hex')`;

/** Finds what is missing of the chain, and what is not as it was chained; $1 is the tenant. */
export const brokenChain = `
  with linked as (
    select a.sequence, a.previous_hash, a.hash, ${hashIn('a')} as right_hash,
           lag(a.sequence) over w as before, lag(a.hash) over w as hash_before
    from audit_log a where a.tenant_id = $1 and a.sequence is not null
    window w as (order by a.sequence)),
  head as (
    select coalesce(max(h.sequence), 0) as sequence, coalesce(max(h.hash), '${NO_HASH}') as hash,
           coalesce(max(h.removed_sequence), 0) as removed_sequence,
           coalesce(max(h.removed_hash), '${NO_HASH}') as removed_hash
    from audit_head h where h.tenant_id = $1),
  placed as (
    select l.sequence, l.previous_hash, l.hash, l.right_hash,
           coalesce(l.before, head.removed_sequence) as before,
           coalesce(l.hash_before, head.removed_hash) as hash_before,
           ${lostBetween('auditLog', 'coalesce(l.before, head.removed_sequence)', 'l.sequence')} as lost
    from linked l cross join head),
  ending as (
    select coalesce((select max(sequence) from linked), head.removed_sequence) as sequence,
           coalesce((select hash from linked order by sequence desc limit 1), head.removed_hash)
             as hash
    from head)
  select sequence, 'audit row ' || sequence as object,
         'follows row ' || before || ': the rows in between are missing' as detail
  from placed where sequence <> before + 1 + lost
  union all
  select sequence, 'audit row ' || sequence, 'is not as it was when it was chained'
  from placed where hash <> right_hash
  union all
  select sequence, 'audit row ' || sequence, 'does not have the hash of row ' || before
  from placed where sequence = before + 1 + lost and previous_hash <> hash_before
  union all
  select ending.sequence, 'audit log',
         'ends at row ' || ending.sequence || ', and row ' || head.sequence || ' was the last one'
  from ending cross join head
  where ending.sequence + ${lostBetween('auditLog', 'ending.sequence', 'head.sequence + 1')}
      <> head.sequence or ending.hash <> head.hash`;
