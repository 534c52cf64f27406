/** Helpers for tests of the tenant file: a file to change, and a database to apply it to. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { parse } from 'yaml';
import type { Database } from '../../../db/connection/database.ts';
import { tenantIdOf } from '../../../operations/context/context.ts';
import { inTenant, type Tx } from '../../../db/connection/tenancy.ts';
import {
  applyTenantFile,
  type Applied,
  type ApplyRequest,
} from '../../../operations/tenants/apply.ts';
import { cheapCost } from '../../../operations/access/passwords.ts';
import { changeText } from '../../../operations/tenants/file/changes.ts';
import { createVault } from '../../../providers/vault.ts';
import { checkTemplates } from '../../../providers/mail/check-templates.ts';
import { ownDatabase, type OpenedDatabase } from '../../support/shared-database.ts';

export const root = join(import.meta.dirname, '../../..');

export function sample(name: 'demo' | 'acme'): string {
  return readFileSync(join(root, 'tenants', `${name}.yaml`), 'utf8');
}

/** A file as a value, to be changed; JSON is YAML too. */
export type Draft = Record<string, unknown>;

export function draftOf(text: string): Draft {
  return parse(text, { schema: 'failsafe' }) as Draft;
}

export const textOf = (draft: Draft): string => JSON.stringify(draft, null, 1);

/** The smallest valid file. */
export const smallest: Draft = {
  tenant: 'tiny',
  name: 'Tiny',
  timezone: 'Europe/Berlin',
  currency: 'EUR',
};

/** A plan of 1 a month, as a file has it. */
export const monthlyPlan = (contractCode: string) => ({
  contractCode,
  name: contractCode,
  billingPeriod: 'Monthly',
  charges: [
    { priceCode: 'F', chargeType: 'RecurringCharge', pricingType: 'FixedPricing', price: '1' },
  ],
});

/** Sets a value at a path such as `plans[0].charges[1].price`; undefined removes the key. */
export function put(draft: Draft, path: string, value: unknown): void {
  const parts = path.match(/[^.[\]]+/g) ?? [];
  const last = parts.pop();
  if (last === undefined) throw new Error('an empty path');
  let place = draft;
  for (const part of parts) place = (place[part] ??= {}) as Draft;
  if (value === undefined) delete place[last];
  else place[last] = value;
}

/** A copy of the draft with these paths changed. */
export function spoiled(draft: Draft, edits: Readonly<Record<string, unknown>>): Draft {
  const copy = structuredClone(draft);
  for (const [path, value] of Object.entries(edits)) put(copy, path, value);
  return copy;
}

/** 2027-03-15, 10:00 in Berlin. */
export const realNow = Date.UTC(2027, 2, 15, 9);
export const callbackSecret = 'whsec_Y2xlYXIgc2VjcmV0IG9mIHRoZSBkZW1vIGhvb2s=';
export const secretKey = 'a key of the tests, of 32 or more characters';

export interface Bench {
  readonly db: Database;
  readonly ownerUrl: string;
  readonly apply: (text: string, options?: Partial<ApplyRequest>) => Promise<Applied>;
  /** Applies, and returns the printed changes; throws if the file has mistakes. */
  readonly changes: (draft: Draft, options?: Partial<ApplyRequest>) => Promise<string[]>;
  /** Applies, and returns the mistakes as `path: message`; throws if it has none. */
  readonly mistakes: (draft: Draft) => Promise<string[]>;
  readonly in: <Result>(label: string, work: (tx: Tx) => Promise<Result>) => Promise<Result>;
}

/** Databases whose tests are over, and whose tenants nobody finds by their labels any more. */
const free: OpenedDatabase[] = [];

/** In a database where no tenant has a label: to make one takes longer than most of these tests. */
export async function bench(t: ExecutionContext): Promise<Bench> {
  const place = free.pop() ?? (await ownDatabase());
  const { app: db, ownerUrl, owner } = place;
  t.teardown(async () => {
    await owner.query(`update tenant set label = 'over-' || id where label not like 'over-%'`);
    free.push(place);
  });
  const apply = (text: string, options: Partial<ApplyRequest> = {}) =>
    applyTenantFile(
      { db, realNow: () => realNow },
      {
        text,
        vault: createVault(secretKey),
        secretOf: (name) => (name === 'DEMO_CALLBACK_SECRET' ? callbackSecret : undefined),
        checkTemplates,
        hashCost: cheapCost,
        isStrict: false,
        isDryRun: false,
        ...options,
      },
    );
  return {
    db,
    ownerUrl,
    apply,
    async changes(draft, options) {
      const applied = await apply(textOf(draft), options);
      if (!applied.isValid) throw new Error(JSON.stringify(applied.mistakes));
      return applied.changes.map(changeText);
    },
    async mistakes(draft) {
      const applied = await apply(textOf(draft));
      if (applied.isValid) throw new Error('the file has no mistakes');
      return applied.mistakes.map(({ path, message }) => `${path}: ${message}`);
    },
    async in(label, work) {
      const id = await tenantIdOf(db, label);
      if (id === null) throw new Error(`there is no tenant ${label}`);
      return await inTenant(db, id, work);
    },
  };
}

/** The whole content of the database, as text. */
export async function everythingStored(bench: Bench, label: string): Promise<string> {
  const rows = await bench.in(label, (tx) =>
    tx.query<{ rows: string }>(
      `select concat_ws(' ', (select json_agg(t)::text from tenant t),
         (select json_agg(u)::text from base_user u), (select json_agg(o)::text from outbox o),
         (select json_agg(p)::text from plan p)) as rows`,
    ),
  );
  return rows[0]?.rows ?? '';
}
