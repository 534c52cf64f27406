/** The chain of the audit log: numbers without gaps, hashes, and what the audit finds when it is broken. */
import test from 'ava';
import type { QueryResultRow } from 'pg';
import { type Tx, inTenant } from '../../../db/connection/tenancy.ts';
import { hashIn } from '../../../db/queries/access/audit-log.ts';
import { auditHeads } from '../../../operations/books/checks/access.ts';
import { CHAINED_AT_ONCE_MAX, chainPass } from '../../../operations/access/audit-chain.ts';
import {
  type AuditHeadsOptions,
  type ShownHead,
  headsPass,
} from '../../../operations/access/audit-heads.ts';
import { writeAudit } from '../../../operations/access/audit-log.ts';
import { type AuditQuery, listAuditLog } from '../../../operations/access/audit-read.ts';
import type { Reader } from '../../../operations/context/listing.ts';
import { retentionPass } from '../../../operations/processes/retention.ts';
import { administer } from '../../support/template.ts';
import { openBooks, ownDatabase, type Books } from '../support/books.ts';
import { rowsReadOf } from '../support/plan-reading.ts';

const db = await ownDatabase();
const DAY_MS = 86_400_000;

const open = (file: Readonly<Record<string, unknown>> = {}): Promise<Books> =>
  openBooks(db, { today: '2027-01-15', plans: [], file });

const write = (books: Books, paths: readonly string[]) =>
  books.work(async ({ tx }) => {
    for (const path of paths) {
      const changes = [{ field: 'status', before: 'a\nb', after: 'ü' }, { field: 'name' }];
      writeAudit(tx, { action: 'write', path, object: { type: 'customer', id: 23 }, changes });
    }
  });

function optionsOf(
  { dependencies }: Books,
  more: Partial<AuditHeadsOptions> = {},
): AuditHeadsOptions {
  const onError = (error: unknown): void => {
    throw error;
  };
  return { dependencies, relayDb: db.relay, onError, ...more };
}

async function chain(books: Books): Promise<void> {
  while (await chainPass(optionsOf(books)));
}

interface Row {
  readonly path: string;
  readonly sequence: number | null;
}

const rowsOf = (books: Books): Promise<Row[]> =>
  books.read((tx) =>
    tx.query<Row & Record<string, unknown>>('select path, sequence from audit_log order by id'),
  );

/** As the owner of the tables, whom neither rights nor, for once, triggers restrict. */
const tamper = ({ tenantId }: Books, statement: string): Promise<unknown> =>
  administer(
    db.ownerUrl,
    `alter table audit_log disable trigger user;
     alter table audit_log no force row level security;
     alter table audit_head no force row level security;
     ${statement.replaceAll('OWN', `tenant_id = ${tenantId}`)};
     alter table audit_head force row level security;
     alter table audit_log force row level security;
     alter table audit_log enable trigger user`,
  );

const faultsOf = async (books: Books): Promise<string[]> =>
  (await books.audit()).faults
    .filter(({ check }) => check === 'audit.chain')
    .map(({ object, detail }) => `${object}: ${detail}`);

test.serial(
  'committed rows are numbered by their ids from 1, without gaps, however late they come',
  async (t) => {
    const books = await open();
    // This transaction takes its ids first, and commits last.
    const late = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const slow = books.work(async ({ tx }) => {
      writeAudit(tx, { action: 'write', path: 'late' });
      await tx.query('select 1');
      begun.resolve();
      await late.promise;
    });
    await begun.promise;
    await write(books, ['one', 'two']);
    // Of two processes that chain at once, each row has one number.
    await Promise.all([chain(books), chain(books)]);
    late.resolve();
    await slow;
    await chain(books);
    await chain(books);
    t.deepEqual(await rowsOf(books), [
      { path: 'late', sequence: 3 },
      { path: 'one', sequence: 1 },
      { path: 'two', sequence: 2 },
    ]);
    t.deepEqual(await faultsOf(books), []);
  },
);

test.serial(
  'more rows than one turn takes, as after an upgrade, are chained turn by turn',
  async (t) => {
    const books = await open();
    await write(
      books,
      Array.from({ length: CHAINED_AT_ONCE_MAX + 1 }, (_, n) => String(n)),
    );
    t.true(await chainPass(optionsOf(books)));
    await chain(books);
    const rows = await rowsOf(books);
    t.true(rows.every(({ path, sequence }) => sequence === Number(path) + 1));
    t.deepEqual(await faultsOf(books), []);
  },
);

test.serial(
  'nobody but the owner of the tables changes a row, or deletes one of the last year',
  async (t) => {
    const books = await open();
    await write(books, ['one', 'two']);
    await chain(books);
    const forbidden = [
      `update audit_log set path = 'other'`,
      `update audit_log set hash = repeat('0', 64)`,
      'update audit_log set sequence = null, previous_hash = null, hash = null',
      'delete from audit_log',
      'truncate audit_log',
    ];
    for (const statement of forbidden) {
      const change = inTenant(db.app, books.tenantId, (tx) => tx.query(statement));
      await t.throwsAsync(change, { message: /permission denied|append-only/ }, statement);
    }
    await write(books, ['three']);
    await t.throwsAsync(
      inTenant(db.app, books.tenantId, (tx) =>
        tx.query(`delete from audit_log where path = 'three'`),
      ),
      { message: /append-only/ },
    );
  },
);

const breaks: readonly [rule: string, statement: string, found: readonly string[]][] = [
  [
    'a changed row',
    `update audit_log set username = 'nobody' where OWN and sequence = 2`,
    ['audit row 2: is not as it was when it was chained'],
  ],
  [
    'a changed value of a change',
    `update audit_log set changes = jsonb_set(changes, '{0,after}', '"c"') where OWN and sequence = 3`,
    ['audit row 3: is not as it was when it was chained'],
  ],
  [
    'a missing row',
    'delete from audit_log where OWN and sequence = 2',
    ['audit row 3: follows row 1: the rows in between are missing'],
  ],
  [
    'a missing beginning',
    'delete from audit_log where OWN and sequence = 1',
    ['audit row 2: follows row 0: the rows in between are missing'],
  ],
  [
    'a row that is rewritten with a right hash of its own',
    `update audit_log a set username = 'nobody', hash = repeat('f', 64) where OWN and sequence = 2;
     update audit_log a set hash = ${hashIn('a')} where OWN and sequence = 2`,
    ['audit row 3: does not have the hash of row 2'],
  ],
  [
    'a missing end',
    'delete from audit_log where OWN and sequence = 4',
    ['audit log: ends at row 3, and row 4 was the last one'],
  ],
  [
    'no row at all',
    'delete from audit_log where OWN',
    ['audit log: ends at row 0, and row 4 was the last one'],
  ],
];

for (const [rule, statement, found] of breaks) {
  test.serial(`the audit finds ${rule}`, async (t) => {
    const books = await open();
    await write(books, ['one', 'two', 'three', 'four']);
    await chain(books);
    t.deepEqual(await faultsOf(books), []);
    await tamper(books, statement);
    t.deepEqual(await faultsOf(books), found);
  });
}

test.serial(
  'a head that left the database shows that the end was cut together with the head',
  async (t) => {
    const books = await open();
    await write(books, ['one', 'two', 'three']);
    await chain(books);
    const kept: ShownHead[] = [];
    const startMs = books.dependencies.realNow();
    const at = (days: number): AuditHeadsOptions => ({
      ...optionsOf(books, {
        keepHead: async (head) => void kept.push(head),
      }),
      dependencies: { ...books.dependencies, realNow: () => startMs + days * DAY_MS },
    });
    const failing = {
      ...at(0),
      onError: () => undefined,
      keepHead: () => Promise.reject(new Error('full')),
    };
    await headsPass(failing);
    await headsPass(at(0));
    const { label } = books;
    const own = (): ShownHead[] => kept.filter(({ tenant }) => tenant === label);
    t.deepEqual(
      own().map(({ sequence }) => sequence),
      [3],
      'what could not be kept is kept later',
    );
    await write(books, ['four']);
    await chain(books);
    await headsPass(at(0.9));
    await headsPass(at(1.1));
    await headsPass(at(3));
    t.deepEqual(
      own().map(({ sequence }) => sequence),
      [3, 4],
      'once a day, if it has moved',
    );
    const found = (): Promise<string[]> =>
      books.read(async (tx) =>
        (await auditHeads(tx, label, kept)).map(
          ({ object, detail }) => `${object}: ${detail.replace(/kept at .*/, 'kept')}`,
        ),
      );
    t.deepEqual(await found(), []);
    await tamper(
      books,
      `delete from audit_log where OWN and sequence > 2;
     update audit_head set sequence = 2, hash =
       (select hash from audit_log where OWN and sequence = 2) where OWN`,
    );
    t.deepEqual(await faultsOf(books), [], 'the database alone does not show it');
    const was = 'and was the last one when the head was kept';
    t.deepEqual(await found(), [
      `audit row 3: is missing, ${was}`,
      `audit row 4: is missing, ${was}`,
    ]);
    await write(books, ['other', 'another']);
    await chain(books);
    t.deepEqual(await found(), [
      `audit row 3: has another hash, ${was}`,
      `audit row 4: has another hash, ${was}`,
    ]);
  },
);

test.serial('after its retention the chain begins at the last hash that went', async (t) => {
  const books = await open({ retention: { auditLog: 365 } });
  const forever = await open();
  for (const each of [books, forever]) {
    await write(each, ['old', 'older', 'young']);
    await tamper(
      each,
      `update audit_log set at = now() - interval '366 days' where OWN and path like 'old%'`,
    );
    await chain(each);
  }
  const kept: ShownHead[] = [];
  const now = Date.now();
  const dependencies = { ...books.dependencies, realNow: () => now };
  const onError = (error: unknown): void => t.fail(String(error));
  await headsPass({
    dependencies,
    relayDb: db.relay,
    onError,
    keepHead: async (head) => void kept.push(head),
  });
  await retentionPass({ dependencies, relayDb: db.relay, onError });
  t.deepEqual(await rowsOf(books), [{ path: 'young', sequence: 3 }]);
  t.is((await rowsOf(forever)).length, 3);
  await write(books, ['new']);
  await chain(books);
  t.deepEqual(await faultsOf(books), []);
  t.deepEqual(await books.read((tx) => auditHeads(tx, books.label, kept)), []);
  await tamper(books, 'delete from audit_log where OWN and sequence = 3');
  t.deepEqual(await faultsOf(books), [
    'audit row 4: follows row 2: the rows in between are missing',
  ]);
});

/* Its filters, on a long log: an entry each ten minutes from 1 January 2026 on, nearly all alike. */

const LONG = 20_000;
const long = `
  insert into audit_log (tenant_id, at, username, action, path, code, object_type, object_id,
    sequence, previous_hash, hash)
  select TENANT, '2026-01-01 05:00Z'::timestamptz + n * interval '10 minutes',
    case n % 4000 when 1 then 'rare' else 'shop' end,
    case n % 4000 when 1 then 'export' when 2 then 'refused' else 'write' end, '/rest/customer',
    case n % 4000 when 2 then 'auth.role' end,
    case n % 4000 when 3 then 'batchProcess' else 'customer' end, n % 5000, n, 'before', 'hash'
  from generate_series(1, ${LONG}) n;
  insert into audit_head (tenant_id, sequence, hash) values (TENANT, ${LONG}, 'hash')`;

const everything: AuditQuery = {
  after: 0,
  max: 10,
  from: null,
  to: null,
  username: null,
  action: null,
  objectType: null,
  objectId: null,
  code: null,
};

/** In New York: 144 entries a day. */
const filters: readonly [Partial<AuditQuery>, sequences: string][] = [
  [{}, '1 2 3 4 5 6 7 8 9 10'],
  [{ after: 19_995 }, '19996 19997 19998 19999 20000'],
  // 59 days after 1 January, at 00:00, is the entry 59 * 144 = 8,496.
  [{ from: '2026-03-01', max: 3 }, '8496 8497 8498'],
  [{ to: '2026-03-01', after: 8_637 }, '8638 8639'],
  [{ from: '2026-03-01', to: '2026-03-01', after: 8_638 }, '8639'],
  [{ from: '2025-01-01', to: '2025-12-31' }, ''],
  [{ from: '2026-12-01' }, ''],
  [{ username: 'rare' }, '1 4001 8001 12001 16001'],
  [{ username: 'rare', from: '2026-03-01' }, '12001 16001'],
  [{ username: 'shop', max: 2 }, '2 3'],
  [{ action: 'export' }, '1 4001 8001 12001 16001'],
  [{ action: 'write', max: 2 }, '3 4'],
  [{ code: 'auth.role' }, '2 4002 8002 12002 16002'],
  [{ objectType: 'batchProcess' }, '3 4003 8003 12003 16003'],
  [{ objectType: 'customer', objectId: 77 }, '77 5077 10077 15077'],
  [{ objectId: 77 }, '77 5077 10077 15077'],
];

/** A page of ten, the entries of the hour around a day, and a search by halves for each of two days. */
const READ_MAX = 10 + 2 * 12 + 2 * 15;

test.serial('a page by each filter reads few of many entries, by an index', async (t) => {
  const books = await open();
  const { tenantId } = books;
  await tamper(books, long.replaceAll('TENANT', String(tenantId)));
  await administer(db.ownerUrl, 'vacuum analyze audit_log');
  for (const [query, expected] of filters) {
    await books.read(async (tx) => {
      const said: { text: string; values: readonly unknown[] }[] = [];
      const reader: Reader = {
        query<Row extends QueryResultRow>(...asked: Parameters<Tx['query']>): Promise<Row[]> {
          const [text, values = []] = asked;
          said.push({ text, values });
          return tx.query<Row>(...asked);
        },
      };
      const asked = { ...everything, ...query };
      const entries = await listAuditLog(reader, { timezone: 'America/New_York' }, asked);
      const name = JSON.stringify(query);
      t.is(entries.map(({ sequence }) => sequence).join(' '), expected, name);
      const read = await rowsReadOf((text, values) => tx.query(text, values), said);
      const { audit_log: count = 0 } = read;
      t.true(count <= READ_MAX, `${name} reads ${count}`);
    });
  }
});
