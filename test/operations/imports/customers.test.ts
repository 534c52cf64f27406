/** Files of customers: what becomes of each row, in the books and in the result. */
import test from 'ava';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { csv, importsOf, rowsAre, type Table } from '../support/imports.ts';

const db = await sharedDatabase();
const columns = ['emailPrimary', 'extCustomerRef', 'firstName', 'lastName', 'outstandingBalance'];
const mailed = (rows: Table): Table => rows.map((cells) => ['ada@example.com', ...cells]);
const isClean = async (books: Books) => (await books.audit()).faults;

async function opened() {
  const books = await openBooks(db, { today: '2027-01-15', plans: [] });
  return { books, imports: await importsOf(books) };
}

const stored = (books: Books) =>
  books.read((tx) =>
    tx.query(
      `select c.ext_customer_ref as ref, c.name, c.currency, k.email_primary as mail, k.login,
         coalesce(b.balance, 0)::numeric(20, 2)::text as balance
       from customer c
       left join contact k on k.tenant_id = c.tenant_id and k.customer_id = c.id
       left join customer_balance b on b.tenant_id = c.tenant_id and b.customer_id = c.id
       order by c.ext_customer_ref`,
    ),
  );

test('good rows become customers, and bad ones fail alone, with line, column and code', async (t) => {
  const { books, imports } = await opened();
  const { finished, rows, ids } = await imports.customers(
    csv(
      columns,
      mailed([
        ['A-1', 'Ada', 'Byron', '12.34'],
        ['A-2', 'Grace', '', ''],
        ['A-3', 'Emmy', 'Noether', '-5.00'],
        ['A-1', 'Other', 'Name', ''],
        ['A-4', 'Cut'],
        ['A-5', 'Ida', 'Rhodes', '1.005'],
      ]),
    ),
  );
  t.deepEqual(finished, { status: 'PartialSuccess', successes: 2, failures: 4 });
  rowsAre(t, rows, [
    '2 Success',
    '3 Failure line 3: lastName: field.required: lastName is required',
    '4 Success',
    '5 Failure line 5: extCustomerRef: import.repeated: an earlier row of the file has the same ' +
      'value, and the first one counts',
    '6 Failure line 6: import.cells: the number of cells is 3, and that of columns 5',
    '7 Failure line 7: outstandingBalance: field.invalid: outstandingBalance has more than the 2 ' +
      'decimals of USD',
  ]);
  t.true((ids[0] ?? 0) > 0);
  const [ada, emmy] = await stored(books);
  t.like(ada, { ref: 'A-1', name: 'Ada Byron', balance: '12.34', currency: 'USD' });
  t.like(emmy, { ref: 'A-3', name: 'Emmy Noether', balance: '-5.00' });
  t.deepEqual(await isClean(books), []);
});

test('a row that cannot be cut comes back as it was sent, but beside passwords', async (t) => {
  const { imports } = await opened();
  const rows = 'C-1,Field, Ltd,Ada,Field,ada@example.com\nC-2,Grace "Amazing" Hopper\n';
  const { cells } = await imports.customers(
    `extCustomerRef,companyName,firstName,lastName,emailPrimary\n${rows}`,
  );
  t.deepEqual(
    cells.map((each) => each.slice(0, 5)),
    [
      ['C-1', 'Field', ' Ltd', 'Ada', 'Field,ada@example.com'],
      ['C-2', 'Grace "Amazing" Hopper', '', '', ''],
    ],
  );
  const secret = await imports.customers(
    'extCustomerRef,username,passwd\nC-1,ada,hunter,2\nC-2,"hunter2"x,y\n',
  );
  t.deepEqual(
    secret.cells.map((each) => each.slice(0, 5)),
    [
      ['', '', '', '2', 'Failure'],
      ['', '', '', '3', 'Failure'],
    ],
  );
});

test('a second run changes given cells only, and a known reference is no new customer', async (t) => {
  const { books, imports } = await opened();
  const names = ['extCustomerRef', 'firstName', 'lastName', 'emailPrimary', 'updateMode'];
  await imports.customers(csv(names, [['A-1', 'Ada', 'Byron', 'ada@example.com', '']]));
  const { rows } = await imports.customers(
    csv(names, [
      ['A-1', '', 'Lovelace', '', 'U'],
      ['A-2', 'New', 'One', '', 'U'],
      ['A-1', 'Ada', 'Byron', '', 'I'],
    ]),
  );
  rowsAre(t, rows, [
    '2 Success',
    '3 Failure line 3: extCustomerRef: customer.unknown: there is no customer with extCustomerRef A-2',
    '4 Failure line 4: extCustomerRef: import.repeated: an earlier row of the file has the same ' +
      'value, and the first one counts',
  ]);
  const again = await imports.customers(
    csv(names, [['A-1', 'Ada', 'Byron', 'ada@example.com', 'I']]),
  );
  t.is(again.finished.status, 'Failure');
  t.deepEqual(again.rows, [
    '2 Failure line 2: extCustomerRef: customer.refTaken: another customer has extCustomerRef A-1',
  ]);
  t.like((await stored(books))[0], { name: 'Ada Lovelace', mail: 'ada@example.com' });
  t.deepEqual(await isClean(books), []);
});

test('a username is taken once, by a row or by a customer, and passwords wait sealed', async (t) => {
  const { books, imports } = await opened();
  const names = ['emailPrimary', 'extCustomerRef', 'firstName', 'lastName', 'username', 'passwd'];
  const { rows, cells } = await imports.customers(
    csv(
      names,
      mailed([
        ['A-1', 'Ada', 'Byron', 'ada', 'Secret-one-1'],
        ['A-2', 'Eve', 'Byron', 'ada', 'Secret-two-2'],
        ['A-3', 'Emmy', 'Noether', 'emmy', ''],
      ]),
    ),
  );
  rowsAre(t, rows, [
    '2 Success',
    '3 Failure line 3: username: contact.usernameTaken: another customer has the username ada',
    '4 Failure line 4: passwd: field.required: passwd is required with username',
  ]);
  t.deepEqual(
    cells.map((row) => row[5]),
    ['', '', ''],
  );
  const waiting = await books.read((tx) => tx.query('select sealed from password_to_hash'));
  t.is(waiting.length, 1);
  const later = await imports.customers(
    csv(names, mailed([['A-4', 'Eve', 'Byron', 'ada', 'Secret-two-2']])),
  );
  t.is(later.finished.status, 'Failure');
  t.deepEqual(await isClean(books), []);
});

test('a dry run says the same of each row, and stores nothing', async (t) => {
  const { books, imports } = await opened();
  const text = csv(
    columns,
    mailed([
      ['A-1', 'Ada', 'Byron', '12.34'],
      ['A-1', 'Ada', 'Byron', ''],
      ['A-2', 'Grace', '', ''],
    ]),
  );
  const dry = await imports.customers(text, true);
  t.deepEqual(await stored(books), []);
  t.deepEqual(dry.ids, [0, 0, 0]);
  const real = await imports.customers(text);
  t.deepEqual(dry.rows, real.rows);
  t.deepEqual(dry.finished, real.finished);
  t.is((await stored(books)).length, 1);
  t.deepEqual(await isClean(books), []);
});

test('a file without the key column fails whole, and its result says why', async (t) => {
  const { books, imports } = await opened();
  const { finished, rows } = await imports.customers(csv(['firstName'], [['Ada']]));
  t.is(finished.status, 'Failure');
  rowsAre(t, rows, ['1 Failure The file has no column "extCustomerRef".']);
  t.deepEqual(await isClean(books), []);
});

test('more rows than a chunk has are imported, each once', async (t) => {
  const { books, imports } = await opened();
  const many = Array.from({ length: 2_500 }, (_, n) => [`C-${n}`, 'First', `Last ${n}`, '1.00']);
  const { finished } = await imports.customers(csv(columns, mailed(many)));
  t.deepEqual(finished, { status: 'Success', successes: 2_500, failures: 0 });
  t.deepEqual(await isClean(books), []);
});
