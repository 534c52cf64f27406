/** What is in force for a tenant, in the form of its file: secrets are named, and never shown. */
import { z } from 'zod';
import type { Tx } from '../../db/connection/tenancy.ts';
import { isWithheld } from './file/secrets.ts';
import { partKeys, parts, tenantFile, type Part, type PartKey, type StoredFile } from './parts.ts';
import { readTenantRow } from './tenant-row.ts';

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
