/** The sandbox on a separate database, and calls of it that the test can pause. */
import { registerCompletionHandler } from 'ava';
import { openDatabase, type Database } from '../../../db/connection/database.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import type { GatewayAdapter } from '../../../providers/gateway/adapter.ts';
import {
  GatewayError,
  type AskedFor,
  type BankAccountDetails,
  type CardDetails,
  type ChargeCall,
  type MethodDetails,
  type ReturnCall,
  type ValidateCall,
} from '../../../providers/gateway/gateway.ts';
import { createSandbox } from '../../../providers/gateway/sandbox/sandbox.ts';
import { createVault } from '../../../providers/vault.ts';
import { patientSession, testDatabase } from '../../support/database.ts';
import { makeTenant, type TestTenant } from '../../support/tenants.ts';

export const secretKey = 'a key of the gateway tests, of 32 or more characters';

export function card(cardNumber: string, more: Partial<CardDetails> = {}): CardDetails {
  return {
    type: 'CreditCard',
    cardNumber,
    expiry: '2029-08-01',
    cardholderName: 'Rowan Example',
    cvv: '739',
    billingAddress: { street1: '1 Elm', city: 'Salem', state: 'MA', zip: '01970', country: 'US' },
    ...more,
  };
}

export function account(accountNumber: string, accountName = 'Rowan Example'): BankAccountDetails {
  return {
    type: 'ACH',
    abaRoutingNumber: '021000021',
    accountNumber,
    accountName,
    accountType: 'Checking',
    institutionName: 'Example Bank',
  };
}

export function chargeOf(idempotencyKey: string, token: string, amount = '12.50'): ChargeCall {
  return {
    idempotencyKey,
    token,
    methodType: 'CreditCard',
    amount,
    currency: 'USD',
    description: 'Payment 1001',
    payer: 'absent',
    returnUrl: null,
    savesMethod: false,
  };
}

export function validationOf(idempotencyKey: string, token: string): ValidateCall {
  return { idempotencyKey, token, payer: 'absent', returnUrl: null };
}

export function returnOf(key: string, transactionId: string | null, amount = '12.50'): ReturnCall {
  return {
    idempotencyKey: key,
    transactionId: transactionId ?? 'none',
    amount,
    currency: 'USD',
  };
}

/** The request of a call with that key, for its status. */
export function askedFor(idempotencyKey: string, amount = '12.50'): AskedFor {
  return { idempotencyKey, amount, currency: 'USD' };
}

/** A caller that waits until the test ends its time. */
export function patience(): AbortController {
  return new AbortController();
}

export const { signal: endless } = patience();

/** The pauses of the SLOW methods, which end when the test says so. */
export interface Pauses {
  readonly pause: (ms: number) => Promise<void>;
  /** Resolves with its length when a pause begins. */
  readonly begun: Promise<number>;
  readonly end: () => void;
}

export function pauses(): Pauses {
  const begun = Promise.withResolvers<number>();
  const over = Promise.withResolvers<void>();
  return {
    pause: (ms) => {
      begun.resolve(ms);
      return over.promise;
    },
    begun: begun.promise,
    end: over.resolve,
  };
}

export interface LoggedCall {
  readonly operation: string;
  readonly status: string;
  readonly errorCode: string | null;
  readonly amount: string;
  readonly calls: number;
}

export interface Bench {
  readonly db: Database;
  readonly ownerUrl: string;
  readonly tenant: TestTenant;
  readonly sandbox: GatewayAdapter;
  readonly sandboxOf: (
    options: Partial<Parameters<typeof createSandbox>[0]> & { readonly tenantId?: number },
  ) => GatewayAdapter;
  readonly tokenOf: (details: MethodDetails) => Promise<string>;
  /** The sandbox's log of a key; undefined if it has never seen the key. */
  readonly logged: (key: string) => Promise<LoggedCall | undefined>;
}

export interface SharedDatabase {
  readonly ownerUrl: string;
  readonly db: Database;
}

/** One database for the tests of a file, each with its own tenant. */
export async function sharedDatabase(): Promise<SharedDatabase> {
  const { ownerUrl } = await testDatabase();
  return { ownerUrl, db: await openPool(ownerUrl) };
}

export async function openBench({ db, ownerUrl }: SharedDatabase): Promise<Bench> {
  const tenant = await makeTenant({ db, realNow: Date.now });
  const today = (): Promise<string> => Promise.resolve('2027-01-15');
  const given = { db, tenantId: tenant.id, vault: createVault(secretKey), today };
  const sandboxOf: Bench['sandboxOf'] = (options) => createSandbox({ ...given, ...options });
  const sandbox = sandboxOf({});
  let stored = 0;
  return {
    db,
    ownerUrl,
    tenant,
    sandbox,
    sandboxOf,
    tokenOf: async (details) => {
      stored += 1;
      return (await sandbox.store(details, `store-${stored}`, endless)).token;
    },
    logged: (key) =>
      inTenant(db, tenant.id, async (tx) => {
        const [row] = await tx.query<LoggedCall & Record<string, unknown>>(
          `select operation, status, error_code, trim_scale(amount)::text as amount, calls
           from sandbox_transaction where idempotency_key = $1`,
          [key],
        );
        return row;
      }),
  };
}

export async function openPool(url: string): Promise<Database> {
  const options = { poolMax: 4, ...patientSession, name: 'test' };
  const db = await openDatabase({ ...options, url, role: 'sundial_app' });
  registerCompletionHandler(() => {
    // The database is dropped at the same moment, so errors of the pool's connections are ignored.
    db.pool.on('error', () => {});
    void db.close().catch(() => {});
  });
  return db;
}

/** The kind and code of the GatewayError that a call ends in; `answered` if there is none. */
export async function failure(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'answered';
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return [error.kind, error.code, error.field].filter((part) => part !== null).join(' ');
  }
}

/** The rows of all tables as text, like a dump of the database. */
export async function wholeDatabase(db: Database, tenantId: number): Promise<string> {
  return inTenant(db, tenantId, async (tx) => {
    const tables = await tx.query<{ name: string }>(
      `select table_name as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE'
         and has_table_privilege(quote_ident(table_name), 'select')`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const rows = await tx.query<{ text: string }>(
        `select to_jsonb(t)::text as text from ${name} t`,
      );
      texts.push(...rows.map(({ text }) => `${name} ${text}`));
    }
    return texts.join('\n');
  });
}
