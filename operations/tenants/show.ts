/** What is in force for a tenant, in the form of its file: secrets are named, and never shown. */
import { z } from 'zod';
import { type Tx, inTenant } from '../../db/connection/tenancy.ts';
import { isWithheld } from './file/secrets.ts';
import { type Part, type PartKey, type StoredFile, partKeys, parts, tenantFile } from './parts.ts';
import { readTenantRow } from './tenant-row.ts';
import { type Database, rowTypes } from '../../db/connection/database.ts';
import type { Tenant } from '../../db/entities/tenants.ts';
import type { RowOf } from '../../db/entities/rows.ts';

export type ShownFile = Readonly<Record<string, unknown>>;

/** Runs in the tenant's transaction. */
export async function readShownFile(tx: Tx): Promise<ShownFile> {
  const row = await readTenantRow(tx);
  if (!row) throw new Error('a tenant without its row');
  return shownFile(row.file);
}

function shownFile(file: StoredFile): ShownFile {
  const shown = Object.fromEntries(partKeys.map((key) => [key, shownPart(key, file)]));
  return inOrder(tenantFile, shown) as ShownFile;
}

function shownPart<Key extends PartKey>(key: Key, file: StoredFile): unknown {
  const part: Part<Key> = parts[key];
  return part.show ? part.show(file[key]) : file[key];
}

/** The database does not keep the order of keys; the format has one. */
function inOrder(schema: unknown, value: unknown): unknown {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    return inOrder(schema.unwrap(), value);
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => inOrder(schema.element, item));
  }
  if (!(schema instanceof z.ZodObject) || isWithheld(value)) return value;
  const given = new Map(Object.entries(value ?? {}));
  const keys = Object.keys(schema.shape).filter((key) => given.get(key) !== undefined);
  return Object.fromEntries(keys.map((key) => [key, inOrder(schema.shape[key], given.get(key))]));
}

/* The tenants of the installation, for the people who run it. */

export interface ListedTenant {
  readonly tenant: string;
  readonly name: string;
  readonly timezone: string;
  readonly currency: string;
  /** The instant of its test clock; null for a tenant in real time. */
  readonly testClock: string | null;
  /** The users who may log in. */
  readonly users: number;
  /** The plans that accept orders now or later: the newest versions without a past endDate. */
  readonly plans: number;
}

type TenantRow = RowOf<typeof Tenant, 'id' | 'label' | 'name' | 'timezone' | 'currency'>;

/** @param relay of the one role that sees every tenant's row */
export async function listTenants(relay: Database, app: Database): Promise<ListedTenant[]> {
  const { rows } = await relay.pool.query<TenantRow>({
    text: 'select id, label, name, timezone, currency from tenant order by label',
    types: rowTypes,
  });
  const listed: ListedTenant[] = [];
  for (const { id, label, ...row } of rows) {
    const [counts] = await inTenant(
      app,
      id,
      (tx) =>
        tx.query<{ now: Date | null; users: number; plans: number }>(
          `select c.now,
             (select count(*) from base_user
              where disabled_at is null and suspended_at is null) as users,
             (select count(*) from plan where is_newest and (end_date is null
              or end_date >= (coalesce(c.now, now()) at time zone t.timezone)::date)) as plans
           from tenant t left join test_clock c on c.tenant_id = t.id where t.id = $1`,
          [id],
        ),
      { readOnly: true },
    );
    if (!counts) continue;
    const testClock = counts.now?.toISOString() ?? null;
    listed.push({ tenant: label, ...row, testClock, users: counts.users, plans: counts.plans });
  }
  return listed;
}
