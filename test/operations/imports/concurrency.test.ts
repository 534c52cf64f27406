/** Imports beside each other and beside other work: each row once, each key once, and no deadlock. */
import test from 'ava';
import { importChunk } from '../../../operations/imports/chunk.ts';
import { finishImport } from '../../../operations/imports/finish.ts';
import { prepareImport } from '../../../operations/imports/prepare.ts';
import { openRows } from '../../../operations/imports/rows.ts';
import { importSlice } from '../../../operations/imports/slice.ts';
import { gateBefore, gateOn } from '../../system/crash/gate.ts';
import { administer } from '../../support/template.ts';
import { until } from '../../support/until.ts';
import { beginInit, everything, finishInit } from '../support/batch-init.ts';
import { ownDatabase } from '../support/books.ts';
import { heldUp } from '../support/held-up.ts';
import { csv, hooks, importsOf, type Imports } from '../support/imports.ts';
import { noteAsserted } from '../../support/asserted.ts';
import { openPaymentBooks } from '../support/payment-books.ts';
import { prepaid, recurring } from '../support/plans.ts';
import { allOf, chunksOf } from './files.ts';

const db = await ownDatabase();
const customerColumns = [
  'emailPrimary',
  'extCustomerRef',
  'firstName',
  'lastName',
  'outstandingBalance',
];
const mail = 'ada@example.com';
const loginColumns = [
  'emailPrimary',
  'extCustomerRef',
  'firstName',
  'lastName',
  'username',
  'passwd',
];
const invoiceColumns = ['invoiceNumber', 'extCustomerRef', 'invoiceDate', 'dueDate'];
const lineColumns = ['invoiceNumber', 'position', 'unitPrice', 'quantity'];

async function opened() {
  const plans = [recurring('P', 10, prepaid)];
  const books = await openPaymentBooks(db, { today: '2027-01-15', plans });
  return { books, imports: await importsOf(books) };
}
type Opened = Awaited<ReturnType<typeof opened>>['books'];

const numbered = (prefix: string, from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, nth) => `${prefix}${from + nth}`);

const customersOf = (refs: readonly string[], balance = ''): string =>
  csv(
    customerColumns,
    refs.map((ref) => [mail, ref, 'Ada', 'Byron', balance]),
  );
const invoicesOf = (numbers: readonly string[], refOf: (nth: number) => string): string =>
  csv(
    invoiceColumns,
    numbers.map((number, nth) => [number, refOf(nth), '2027-01-01', '2027-02-01']),
  );
const linesOf = (numbers: readonly string[], price = '5.00', quantity = 1): string =>
  csv(
    lineColumns,
    numbers.map((number) => [number, 1, price, quantity]),
  );

const count = async ({ read }: Pick<Opened, 'read'>, table: string): Promise<number> => {
  const [row] = await read((tx) =>
    tx.query<{ n: number }>(`select count(*)::int as n from ${table}`),
  );
  return row?.n ?? 0;
};

/** `customer.refTaken 3` for each code of a job's failures. */
const codesOf = ({ read }: Pick<Opened, 'read'>, ...ids: readonly number[]): Promise<string[]> =>
  read(async (tx) => {
    const rows = await tx.query<{ text: string }>(
      `select code || ' ' || count(*) as text from import_row
       where batch_id = any($1) and code is not null group by code order by code`,
      [ids],
    );
    return rows.map(({ text }) => text);
  });

/** Resolves when so many transactions of this file wait, for others or at a gate. */
const waiting = ({ read }: Pick<Opened, 'read'>, wanted: number): Promise<void> =>
  until(`${wanted} wait`, async () => {
    const rows = await read((tx) =>
      tx.query(
        `select from pg_locks l join pg_stat_activity a on a.pid = l.pid
         where not l.granted and a.datname = current_database()`,
      ),
    );
    return rows.length >= wanted;
  });

/** How many deadlocks the database of this file has seen. */
const deadlocks = async ({ read }: Pick<Opened, 'read'>): Promise<number> => {
  const [row] = await read((tx) =>
    tx.query<{ n: number }>(
      'select deadlocks::int as n from pg_stat_database where datname = current_database()',
    ),
  );
  return row?.n ?? 0;
};

async function prepared(
  imports: Imports,
  kind: 'customers' | 'invoices' | 'lines',
  text: string,
  parentId?: number,
): Promise<number> {
  const file = parentId === undefined ? { kind, text } : { kind, text, parentId };
  const id = await imports.finalized(file);
  await prepareImport(imports.options, id, hooks);
  return id;
}

test.after('no transaction has met a deadlock', async (t) => {
  const { books } = await opened();
  t.is(await deadlocks(books), 0);
});

test.serial('of two imports that insert the same references, each is there once', async (t) => {
  const { books, imports } = await opened();
  const both = await Promise.all([
    imports.customers(customersOf(numbered('C', 0, 2_500), '1.00')),
    imports.customers(customersOf(numbered('C', 1_000, 3_000).toReversed(), '1.00')),
  ]);
  t.is(await count(books, 'customer'), 3_000);
  t.is(await count(books, 'ledger_entry'), 3_000);
  const succeeded = both.map(({ finished }) => finished.successes);
  t.deepEqual(
    [
      succeeded.reduce((sum, each) => sum + each, 0),
      await codesOf(books, ...both.map((b) => b.id)),
    ],
    [3_000, ['customer.refTaken 1500']],
  );
  t.deepEqual(await books.faults(), []);
});

test.serial('a row whose reference another import is about to take says so', async (t) => {
  const { books, imports } = await opened();
  const gate = await gateOn('contact', db.ownerUrl);
  t.teardown(() => gate.end());
  await gate.close();
  const both = [1, 2].map(() => imports.customers(customersOf(['C1'])));
  await gate.reached();
  await waiting(books, 2);
  await gate.open();
  const rows = (await Promise.all(both)).flatMap((each) => each.rows);
  t.deepEqual(
    rows.toSorted((one, other) => one.length - other.length),
    [
      '2 Success',
      '2 Failure line 2: extCustomerRef: customer.refTaken: another customer has extCustomerRef C1',
    ],
  );
  t.deepEqual(await books.faults(), []);
});

test.serial(
  'so does an invoice whose number is about to be taken, and its lines fail',
  async (t) => {
    const { books, imports } = await opened();
    for (const ref of ['A', 'B']) await books.customer({ ref });
    const gate = await gateOn('invoice_line', db.ownerUrl);
    t.teardown(() => gate.end());
    await gate.close();
    const both = ['A', 'B'].map((ref) =>
      imports.invoices(
        invoicesOf(['X-1'], () => ref),
        [linesOf(['X-1'])],
      ),
    );
    await gate.reached();
    await waiting(books, 2);
    await gate.open();
    const results = await Promise.all(both);
    t.deepEqual(
      results
        .map(({ rows, children }) => [...rows, ...(children[0]?.rows ?? [])].join('; '))
        .toSorted((one, other) => one.length - other.length),
      [
        '2 Success; 2 Success',
        '2 Failure line 2: invoiceNumber: invoice.numberTaken: another invoice has invoiceNumber X-1; ' +
          '2 Failure line 2: invoiceNumber: import.dependent: the invoice failed, see line 2 of its file',
      ],
    );
    t.deepEqual(await books.faults(), []);
  },
);

test.serial('two imports of invoices of the same customers import each number once', async (t) => {
  const { books, imports } = await opened();
  const refs = numbered('C', 0, 40);
  await imports.customers(customersOf(refs, '-7.00'));
  const importOf = (numbers: readonly string[], turned: boolean) =>
    imports.invoices(
      invoicesOf(numbers, (nth) => refs[turned ? 39 - (nth % 40) : nth % 40] ?? ''),
      [linesOf(numbers)],
    );
  const both = await Promise.all([
    importOf(numbered('N', 0, 1_600), false),
    importOf(numbered('N', 800, 2_400).toReversed(), true),
  ]);
  t.is(await count(books, 'invoice'), 2_400);
  t.is(await count(books, 'invoice_line'), 2_400);
  t.deepEqual(await codesOf(books, ...both.map((b) => b.id)), ['invoice.numberTaken 800']);
  t.is(
    both.reduce((sum, { finished }) => sum + finished.successes, 0),
    4_800,
  );
  t.deepEqual(await books.faults(), []);
});

test.serial(
  'imports that take the same user names in other orders wait for each other',
  async (t) => {
    const { books, imports } = await opened();
    const gate = await gateOn('contact', db.ownerUrl);
    t.teardown(() => gate.end());
    await gate.close();
    const importOf = (prefix: string, names: readonly string[]) =>
      imports.customers(
        csv(
          loginColumns,
          names.map((name, nth) => [
            mail,
            `${prefix}${nth}`,
            nth === 0 ? 'First' : 'Second',
            'Byron',
            name,
            'Secret-one-1',
          ]),
        ),
      );
    const both = [importOf('A', ['x', 'y']), importOf('B', ['y', 'x'])];
    await gate.reached();
    await waiting(books, 2);
    await gate.open();
    const finished = (await Promise.all(both)).map((each) => each.finished.successes);
    t.deepEqual(
      finished.toSorted((one, other) => one - other),
      [0, 2],
    );
    t.is(await deadlocks(books), 0);
  },
);

test.serial('files of lines that name the same positions wait for each other', async (t) => {
  const { books, imports } = await opened();
  await books.customer({ ref: 'A' });
  const id = await prepared(
    imports,
    'invoices',
    invoicesOf(['X', 'Y'], () => 'A'),
  );
  const gate = await gateBefore('import_line', 'new.unit_price = 2', db.ownerUrl);
  t.teardown(() => gate.end());
  await gate.close();
  const childIds: number[] = [];
  for (const numbers of [
    ['X', 'Y'],
    ['Y', 'X'],
  ]) {
    const lines = numbers.map((number, nth) => [number, 1, nth + 1, 1]);
    childIds.push(await prepared(imports, 'lines', csv(lineColumns, lines), id));
  }
  const staging = childIds.map((childId) => imports.rowsOf(childId));
  await gate.reached();
  await waiting(books, 2);
  await gate.open();
  await Promise.all(staging);
  await imports.rowsOf(id);
  for (const childId of childIds) await finishImport(imports.options, childId, hooks);
  t.like(await finishImport(imports.options, id, hooks), { successes: 0, failures: 6 });
  t.deepEqual(await codesOf(books, ...childIds), ['import.dependent 2', 'import.repeated 2']);
  t.is(await deadlocks(books), 0);
});

test.serial('two processes that carry one job do each row once', async (t) => {
  const { books, imports } = await opened();
  const refs = numbered('C', 0, 3_500);
  // Each thousandth row, and a repeated one, are bad.
  const bad = new Set(['C0', 'C1000', 'C2000', 'C3000']);
  const rows = refs.map((ref) => [mail, ref, 'Ada', bad.has(ref) ? '' : 'Byron', '1.00']);
  const id = await prepared(
    imports,
    'customers',
    csv(customerColumns, [...rows, [mail, 'C7', 'A', 'B', '']]),
  );
  const carry = async (): Promise<void> => {
    for (let isDone = false; !isDone;) {
      ({ isDone } = await importSlice(imports.options, id, hooks));
    }
  };
  await Promise.all([carry(), carry()]);
  const ends = await Promise.all([1, 2].map(() => finishImport(imports.options, id, hooks)));
  for (const end of ends) {
    t.deepEqual(end, { status: 'PartialSuccess', successes: 3_496, failures: 5 });
  }
  t.is((await imports.result(id)).rows.length, 3_501);
  t.is(await count(books, 'customer'), 3_496);
  t.is(await count(books, `event where type = 'batch.finished'`), 1);
  t.deepEqual(await books.faults(), []);
});

test.serial(
  'a process that halves a refused chunk leaves out no row that another one is at',
  async (t) => {
    const { books, imports } = await opened();
    const text = customersOf(numbered('C', 0, 8));
    const id = await prepared(imports, 'customers', text);
    const rows = await allOf((await openRows(chunksOf(text))).rows);
    // The whole chunk is refused; then another process does the first two rows.
    let [isRefused, isOtherDone] = [true, false];
    const app = heldUp(db.app, async () => {
      if (isRefused || isOtherDone) return;
      isOtherDone = true;
      await importChunk(imports.options, id, rows.slice(0, 2));
    });
    const options = {
      ...imports.options,
      dependencies: { ...imports.options.dependencies, db: app },
      readers: {
        ...imports.options.readers,
        customers: {
          ...imports.options.readers.customers,
          read(...given: Parameters<typeof imports.options.readers.customers.read>) {
            if (isRefused) {
              isRefused = false;
              throw new Error('the chunk is refused');
            }
            return imports.options.readers.customers.read(...given);
          },
        },
      },
    };
    t.false((await importChunk(options, id, rows)).goesOn);
    await imports.rowsOf(id);
    const finished = await finishImport(imports.options, id, hooks);
    t.deepEqual(finished, { status: 'Success', successes: 8, failures: 0 });
    t.is(await count(books, 'customer'), 8);
    t.deepEqual(await books.faults(), []);
  },
);

test.serial('no row fails because the database stood still: it is done later', async (t) => {
  const { books, imports } = await opened();
  const id = await prepared(imports, 'customers', customersOf(numbered('C', 0, 4)));
  // The error of a statement beyond its time limit.
  await administer(
    db.ownerUrl,
    `create function stand_still() returns trigger language plpgsql as $$
     begin raise exception 'as asked' using errcode = 'query_canceled'; end $$`,
    `create trigger stand_still before insert on contact for each row
       when (new.email_primary = '${mail}') execute function stand_still()`,
  );
  await t.throwsAsync(imports.rowsOf(id), { message: 'as asked' });
  t.is(await count(books, `import_row where batch_id = ${id}`), 0);
  await administer(db.ownerUrl, 'drop trigger stand_still on contact');
  await imports.rowsOf(id);
  const finished = await finishImport(imports.options, id, hooks);
  t.deepEqual(finished, { status: 'Success', successes: 4, failures: 0 });
});

test.serial('a balance too large for the books fails its row alone', async (t) => {
  const { books, imports } = await opened();
  for (const ref of ['A', 'B']) await books.customer({ ref });
  const numbers = numbered('N', 0, 300);
  // Two of them are 9,998,999,999,990,001.00 each, and of one customer.
  const huge = new Set(['N100', 'N200']);
  const lines = numbers.map((number) =>
    huge.has(number) ? [number, 1, '999999999999', 9_999] : [number, 1, '5.00', 1],
  );
  const { finished, children, id } = await imports.invoices(
    invoicesOf(numbers, (nth) => (nth % 2 === 0 ? 'A' : 'B')),
    [csv(lineColumns, lines)],
  );
  t.deepEqual(finished, { status: 'PartialSuccess', successes: 598, failures: 2 });
  t.deepEqual(await codesOf(books, id), ['import.failed 1']);
  noteAsserted('import.failed');
  t.is(
    children[0]?.rows[200],
    '202 Failure line 202: invoiceNumber: import.dependent: the invoice failed, see line 202 of its file',
  );
  t.deepEqual(await books.faults(), []);
});

test.serial('billing, payments and a BatchInit beside imports disturb nothing', async (t) => {
  const { books, imports } = await opened();
  const refs = numbered('C', 0, 60);
  await imports.customers(customersOf(refs, '-3.00'));
  const known = await books.read((tx) => tx.query<{ id: number }>('select id from customer'));
  for (const { id: customerId } of known.slice(0, 30)) {
    await books.order({ customerId, contractCode: 'P' });
  }
  const numbers = numbered('N', 0, 2_000);
  books.tomorrow();
  const init = await beginInit(books, { ...everything, zeroOutCustomerBalance: true });
  const pay = async (): Promise<void> => {
    for (const { id: customerId } of known.slice(20, 50)) {
      await books.pay({ customerId, amount: '12.00' });
    }
  };
  const [{ finished }, added] = await Promise.all([
    imports.invoices(
      invoicesOf(numbers, (nth) => refs[nth % 60] ?? ''),
      [linesOf(numbers)],
    ),
    imports.customers(customersOf(numbered('D', 0, 1_500), '2.00')),
    books.run(),
    pay(),
    finishInit(books, init),
  ]);
  t.deepEqual(finished, { status: 'Success', successes: 4_000, failures: 0 });
  t.deepEqual(added.finished, { status: 'Success', successes: 1_500, failures: 0 });
  t.is(await count(books, "payment where payment_type = 'Payment'"), 30);
  t.is(await count(books, 'invoice where not is_imported'), 30);
  t.deepEqual(await books.faults(), []);
});
