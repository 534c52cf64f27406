/** What is in force for a tenant, in the form of its file: secrets are named, and never shown. */
import { z } from 'zod';
import type { Tx } from '../../db/connection/tenancy.ts';
import { readTenantRow } from './apply-tenant.ts';
import { tenantFile } from './schema.ts';
import type { StoredFile, StoredSecret } from './stored.ts';

/** Stands where the file has something that is not shown. */
export interface Withheld {
  /** `set`, `not set: the callback stays off`, `image/png, 12 kB`. */
  readonly withheld: string;
}

export function isWithheld(value: unknown): value is Withheld {
  return typeof value === 'object' && value !== null && 'withheld' in value;
}

export type ShownFile = Readonly<Record<string, unknown>>;

/** Runs in the tenant's transaction. */
export async function readShownFile(tx: Tx): Promise<ShownFile> {
  const row = await readTenantRow(tx);
  if (!row) throw new Error('a tenant without its row');
  return shownFile(row.file);
}

function shownFile(file: StoredFile): ShownFile {
  const { users, gateway, callbacks, settings, logo, ...rest } = file;
  const { secretKey, webhookSecret, ...gatewayRest } = gateway;
  const shown: ShownFile = {
    ...rest,
    ...(logo?.startsWith('data:') ? { logo: pictureText(logo) } : { logo }),
    settings,
    // Every user has one.
    users: users.map((user) => ({ ...user, password: { withheld: 'set' } })),
    gateway: {
      ...gatewayRest,
      ...(secretKey === undefined ? {} : { secretKey: secretText(secretKey) }),
      ...(webhookSecret === undefined ? {} : { webhookSecret: secretText(webhookSecret) }),
    },
    callbacks: callbacks.map((callback) => ({ ...callback, secret: secretText(callback.secret) })),
  };
  return inOrder(tenantFile, shown) as ShownFile;
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

function secretText(secret: StoredSecret): Withheld {
  return { withheld: secret === null ? 'not set, so this one is off' : 'set' };
}

function pictureText(uri: string): Withheld {
  const [type = ''] = uri.slice('data:'.length).split(';');
  const bytes = Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64').length;
  return { withheld: `${type}, ${Math.ceil(bytes / 1_000)} kB` };
}
