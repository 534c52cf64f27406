/** A secret key is replaced while the service runs, and nothing that it encrypted is lost. */
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { openDatabase } from '../../../db/connection/database.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import * as entities from '../../../db/entities/index.ts';
import { keyOf } from '../../../db/entities/rows.ts';
import { type SealedColumn, sealedColumnsOf, secretContext } from '../../../db/entities/sealed.ts';
import { countValues, rekey } from '../../../operations/processes/rekey.ts';
import { holdSecretKey, SecretKeyError } from '../../../operations/processes/secret-key.ts';
import { createVault, keyIdOf, type SecretKeys, type Vault } from '../../../providers/vault.ts';
import { command } from '../../support/commands.ts';
import { patientSession, testDatabase } from '../../support/database.ts';
import { callbackSecret } from '../../support/receiver.ts';
import { makeTenant, SECRET_KEY as old } from '../../support/tenants.ts';

const next = 'the next key of the installation, of 32 or more';
const columns = sealedColumnsOf(Object.values(entities));

/** More than two batches. */
const PASSWORDS = 1_100;
/** With those of the file, and two of each other column. */
const OTHERS = 6 + 5 * 2;
/** Rows of endpoints and agents repeat texts of the file. */
const REPEATED = 3;

const file = {
  address: { street1: 'a', city: 'b', zip: '1', country: 'Germany', countryCode: 'DE' },
  gateway: { type: 'stripe', secretKey: 'sk_test_1', webhookSecret: 'whsec_1' },
  tax: { type: 'avatax', accountId: '20', licenseKey: 'LICENSE-1', companyCode: 'EULER' },
  callbacks: [
    { url: 'http://127.0.0.1:9/hook', secret: callbackSecret, events: ['invoice.created'] },
  ],
  salesAgents: [{ code: 'ann', disbursementToken: 'token-1', achAccountNumber: '000123456789' }],
};

/** A tenant with values in each encrypted column, under the old key. */
async function opened(t: ExecutionContext, passwords: number) {
  const { ownerUrl } = await testDatabase(t);
  const pool = { url: ownerUrl, role: 'sundial_app', poolMax: 4, ...patientSession } as const;
  const db = await openDatabase({ ...pool, name: 'test' });
  t.teardown(() => db.close());
  const { id: tenantId, label } = await makeTenant({ db, realNow: Date.now }, { file });
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  t.teardown(() => owner.end());
  // No trigger, no key of another table.
  await owner.query('set session_replication_role = replica');
  const place = { owner, tenantId, label, vault: createVault(old) };
  for (const column of columns) {
    if (column.sealing === 'within' || isOfFile(column)) continue;
    await fill(place, column, column.table === 'password_to_hash' ? passwords : 2);
  }
  const withKeys = (keys: SecretKeys) => ({ db, tenantIds: [tenantId], vault: createVault(keys) });
  return { ...place, db, ownerUrl, withKeys };
}

const isOfFile = ({ table }: SealedColumn): boolean => /callback_endpoint|sales_agent/.test(table);

interface Place {
  readonly owner: Client;
  readonly tenantId: number;
  readonly label: string;
  readonly vault: Vault;
}

/** Rows whose other values are any of their type. */
async function fill(place: Place, column: SealedColumn, count: number): Promise<void> {
  const { owner, tenantId, label, vault } = place;
  const { table, sealing } = column;
  const { rows: checks } = await owner.query<{ name: string }>(
    `select conname as name from pg_constraint where conrelid = $1::regclass and contype = 'c'`,
    [table],
  );
  for (const { name } of checks) await owner.query(`alter table ${table} drop constraint ${name}`);
  const { rows: required } = await owner.query<{ name: string; type: string }>(
    `select column_name as name, udt_name as type from information_schema.columns
     where table_name = $1 and is_nullable = 'NO' and is_generated = 'NEVER'`,
    [table],
  );
  for (let n = 1; n <= count; n += 1) {
    const row: Record<string, unknown> = Object.fromEntries(
      required.map(({ name, type }) => [name, anyOf(type, n)]),
    );
    row['tenant_id'] = tenantId;
    const named = Object.fromEntries(
      Object.entries(row).map(([key, value]) => [keyOf(key), value]),
    );
    const context = sealing === 'within' ? '' : sealing.contextOf({ ...named, label });
    row[column.column] = vault.seal(`secret ${n} of ${table}`, context);
    const names = Object.keys(row).join(', ');
    await owner.query(
      `insert into ${table} (${names}) select ${names} from jsonb_populate_record(null::${table}, $1)`,
      [JSON.stringify(row)],
    );
  }
}

function anyOf(type: string, n: number): unknown {
  if (type.startsWith('_')) return [];
  if (type === 'bytea') return `\\x${n.toString(16).padStart(8, '0')}`;
  if (/^(timestamptz|date)$/.test(type)) return '2027-01-01';
  if (type === 'bool') return false;
  if (type.startsWith('json')) return {};
  return /^(int|numeric|xid)/.test(type) ? 1_000 + n : `x${n}`;
}

/** Each encrypted text of the database, wherever it is. */
async function textsIn(owner: Client): Promise<readonly string[]> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await owner.query<{ all: string | null }>(
      `select string_agg(to_jsonb(r)::text, ' ') as all from ${name} r`,
    );
    found.push(...((rows[0]?.all ?? '').match(/\bv(?:1|2\.[0-9a-f]{16})\.[\w-]{38,}/g) ?? []));
  }
  return found;
}

test('rekey leaves nothing under the old key, goes on where it was ended, and the values are the same', async (t) => {
  const place = await opened(t, PASSWORDS);
  const { db, owner, tenantId, label, withKeys } = place;
  const before = await textsIn(owner);
  const values = PASSWORDS + OTHERS;
  t.is(before.length, values + REPEATED);
  const held = await holdSecretKey(db, createVault(old));
  // Everywhere the new key is readable; then it comes first.
  const readable = await holdSecretKey(db, createVault([old, next]));
  t.deepEqual(readable.older, []);
  const both = await holdSecretKey(db, createVault([next, old]));
  t.deepEqual(both.older, [keyIdOf(old)]);
  t.deepEqual(both.fingerprintKey, held.fingerprintKey, 'what is looked up stays the same');
  const refused = await t.throwsAsync(
    holdSecretKey(db, createVault(next), { url: place.ownerUrl }),
    { instanceOf: SecretKeyError },
  );
  t.regex(refused.message, new RegExp(`${values} values cannot be decrypted without it`));

  const options = withKeys([next, old]);
  class Killed extends Error {}
  const onProgress = (done: number): void => {
    if (done > PASSWORDS / 2) throw new Killed();
  };
  await t.throwsAsync(rekey({ ...options, onProgress }), { instanceOf: Killed });
  const half = await countValues(options);
  const left = half.others.get(keyIdOf(old)) ?? 0;
  t.true(left > 0 && left < values - PASSWORDS / 2, `${left} are left`);

  // Somebody holds a row: it is passed over, and taken once he is gone.
  await owner.query('begin');
  await owner.query(`update sandbox_method set stored_at = now() where token = 'x1'`);
  const running = rekey(options);
  // A process that still has the old key first writes meanwhile, and another one what is not for its row.
  const write = (contactId: number, context: string) =>
    inTenant(db, tenantId, (tx) =>
      tx.query('update password_to_hash set sealed = $3 where tenant_id = $1 and contact_id = $2', [
        tenantId,
        contactId,
        createVault([old, next]).seal('late', context),
      ]),
    );
  await write(1_007, `tenant ${tenantId} contact 1007 passwd`);
  await write(1_008, `tenant ${tenantId} contact 7 passwd`);
  await owner.query('commit');
  const done = await running;
  t.is(done.others.size, 0);
  t.is(done.unreadable, 1);
  t.deepEqual(done.retired, [], 'the old key is needed as long as a value is not readable');
  await owner.query('delete from password_to_hash where contact_id = 1008');
  t.deepEqual((await rekey(options)).retired, [keyIdOf(old)]);

  const after = await textsIn(owner);
  t.is(after.length, before.length - 1 + 2, 'and the two of the installation');
  t.deepEqual(
    after.filter((each) => !each.startsWith(`v2.${keyIdOf(next)}.`)),
    [],
  );
  const vault = createVault(next);
  const { rows } = await owner.query<{ file: Stored; hook: string; agent: string }>(
    `select file, (select secret from callback_endpoint) as hook,
       (select ach_account_number from sales_agent) as agent from tenant`,
  );
  const [row] = rows;
  t.is(row?.hook, row?.file.callbacks[0]?.secret.sealed, 'rows of the file have its texts');
  const url = 'http://127.0.0.1:9/hook';
  t.is(vault.open(row?.hook ?? '', secretContext(label, { callbackUrl: url })), callbackSecret);
  const account = { salesAgent: 'ann', key: 'achAccountNumber' };
  t.is(vault.open(row?.agent ?? '', secretContext(label, account)), '000123456789');
  t.is(
    vault.open(row?.file.gateway.secretKey.sealed ?? '', secretContext(label, 'gateway')),
    'sk_test_1',
  );

  // The old key is removed; who has it alone is refused.
  const alone = await holdSecretKey(db, vault);
  t.deepEqual([alone.older, alone.fingerprintKey], [[], held.fingerprintKey]);
  await t.throwsAsync(holdSecretKey(db, createVault(old)), { instanceOf: SecretKeyError });
});

interface Stored {
  readonly gateway: { readonly secretKey: { readonly sealed: string } };
  readonly callbacks: readonly { readonly secret: { readonly sealed: string } }[];
}

test('the command counts, encrypts again, and says when the old key may go', async (t) => {
  const { db, ownerUrl } = await opened(t, 2);
  await holdSecretKey(db, createVault(old));
  const ran = async (keys: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    const env = { DATABASE_URL: ownerUrl, ...keys };
    const { code, stdout, stderr } = await command({ entry: 'cli/rekey.ts', args, env });
    return { code, said: stdout + stderr };
  };
  const both = { SECRET_KEY: next, SECRET_KEYS_OTHER: JSON.stringify([old]) };
  const counted = await ran(both, '--count');
  t.is(counted.code, 1);
  t.is(counted.said, `${2 + OTHERS} values under the key ${keyIdOf(old)}\n`);
  const stranger = await ran({ SECRET_KEY: next });
  t.is(stranger.code, 1);
  t.regex(stranger.said, new RegExp(`^SECRET_KEY is not that of.* ${2 + OTHERS} values cannot be`));
  const done = await ran(both);
  t.is(done.code, 0, done.said);
  t.regex(done.said, new RegExp(`${2 + OTHERS} values encrypted again under SECRET_KEY`));
  t.regex(done.said, new RegExp(`the key ${keyIdOf(old)} may be removed\n$`));
  const after = await ran({ SECRET_KEY: next }, '--count');
  t.is(after.said, `every value is under SECRET_KEY (${keyIdOf(next)})\n`);
  t.is(after.code, 0);
  // The key is lost: the installation begins anew with another one.
  const lost = await ran({ SECRET_KEY: 'a third key, because the second one is lost' }, '--lost');
  t.is(lost.code, 1);
  t.regex(lost.said, new RegExp(`${2 + OTHERS} values that no key opens\n$`));
  await t.notThrowsAsync(
    holdSecretKey(db, createVault('a third key, because the second one is lost')),
  );
});

test('a column with an encrypted text says what for', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  t.teardown(() => owner.end());
  const { rows } = await owner.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and column_name ~ 'sealed'`,
  );
  t.true(rows.length >= 4);
  const declared = columns.map(({ table, column }) => `${table}.${column}`);
  t.deepEqual(
    rows.map(({ name }) => name).filter((name) => !declared.includes(name)),
    [],
  );
});
