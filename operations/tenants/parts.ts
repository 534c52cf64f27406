/**
 * The parts of a tenant file, in the order of the format: one row for each key. A new part is a
 * module in `parts/` and a row here.
 */
import { z } from 'zod';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Templates } from '../../providers/mail/templates.ts';
import type { Change } from './file/changes.ts';
import type { Loose } from './file/loose.ts';
import type { Report } from './file/mistakes.ts';
import type { ApplyTime, UnbuiltPart } from './file/part.ts';
import type { SecretPlace, Storing } from './file/secrets.ts';
import { accounting } from './parts/accounting.ts';
import { callbacks, type CallbackOptions } from './parts/callbacks.ts';
import { commissionPlans } from './parts/commission-plans.ts';
import { coupons } from './parts/coupons.ts';
import { documents } from './parts/documents.ts';
import { dunning } from './parts/dunning.ts';
import { gateway } from './parts/gateway.ts';
import { hostedPages } from './parts/hosted-pages.ts';
import { notices } from './parts/notices.ts';
import { notifications } from './parts/notifications.ts';
import { plans } from './parts/plans/plans.ts';
import { productOfferings } from './parts/product-offerings.ts';
import { profile } from './parts/profile.ts';
import { retention } from './parts/retention.ts';
import { salesAgents } from './parts/sales-agents.ts';
import { selfServiceProfiles } from './parts/self-service-profiles.ts';
import { settings } from './parts/settings.ts';
import { tax } from './parts/tax.ts';
import { users, type PreparedPasswords } from './parts/users.ts';

const table = {
  ...profile,
  documents,
  settings,
  users,
  gateway,
  tax,
  accounting,
  dunning,
  callbacks,
  notifications,
  notices,
  retention,
  productOfferings,
  plans,
  coupons,
  commissionPlans,
  salesAgents,
  selfServiceProfiles,
  hostedPages,
};

type Table = typeof table;
type Schemas = { readonly [Key in keyof Table]: Table[Key]['schema'] };

/** The whole format; its descriptions are the documentation of the format. */
export const tenantFile = z.strictObject(
  Object.fromEntries(Object.entries(table).map(([key, { schema }]) => [key, schema])) as Schemas,
);

/** A file that passed every check, its defaults filled in. */
export type TenantFile = z.output<typeof tenantFile>;
export type PartKey = keyof Table;

/** The same file, but any value of it may be missing. */
export type LooseFile = Loose<TenantFile>;

/**
 * The form in which `tenant.file` stores a file: its own key names, its defaults filled in, without
 * a clear secret; decimals are texts.
 */
export type StoredFile = {
  readonly [Key in keyof TenantFile]: Table[Key] extends {
    readonly store: (...given: never) => infer Stored;
  }
    ? Stored
    : TenantFile[Key];
};

/** What applying hands to each part. */
export interface Applying extends ApplyTime {
  readonly file: TenantFile;
  readonly stored: StoredFile;
  /** The stored file so far; undefined for a new tenant. */
  readonly previous: StoredFile | undefined;
  readonly passwords: PreparedPasswords;
  readonly templates: Templates;
}

/** What a key of the file is, and what follows from it. Only the schema is needed. */
export interface Part<Key extends PartKey> {
  readonly schema: z.ZodType<TenantFile[Key]>;
  /** Reports what the form of single values does not show; anything may be missing or unreadable. */
  readonly check?: (file: LooseFile, report: Report, options: CallbackOptions) => void;
  /** Tells what is no mistake of a valid file, and that whoever wrote it may not expect. */
  readonly remarks?: (file: TenantFile, remark: Report) => void;
  /** The same about the tenant's rows, in the transaction that applies the file. */
  readonly remarksOfRows?: (tx: Tx, file: TenantFile, remark: Report) => Promise<void>;
  /** The places of its secrets. */
  readonly secrets?: (file: LooseFile) => readonly SecretPlace[];
  /** Its stored form; without it the value itself. */
  readonly store?: (value: TenantFile[Key], storing: Storing<StoredFile[Key]>) => StoredFile[Key];
  /** What is new; without it the part changes as a whole. */
  readonly changes?: (before: StoredFile[Key] | undefined, after: StoredFile[Key]) => Change[];
  /** Writes its rows, after the tenant's own, and returns their changes. */
  readonly apply?: (tx: Tx, applying: Applying) => Promise<Change[]>;
  /** What people see of it; without it what is stored. */
  readonly show?: (stored: StoredFile[Key]) => unknown;
  readonly notInForce?: readonly UnbuiltPart[];
}

export const parts: { readonly [Key in keyof Table]: Part<Key> } = table;

export const partKeys = Object.keys(table) as readonly PartKey[];
