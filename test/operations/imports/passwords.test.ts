/** Imported passwords wait sealed, until they are hashed or replaced. */
import test from 'ava';
import { updateContact } from '../../../operations/customers/contact-write.ts';
import { hashPasswords } from '../../../operations/imports/passwords.ts';
import { requestResets } from '../../../operations/self-service/password-reset.ts';
import { startSession } from '../../../operations/self-service/start.ts';
import { switchesOf } from '../../../domain/self-service/switches.ts';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { csv, importsOf } from '../support/imports.ts';

const db = await sharedDatabase();
const columns = [
  'extCustomerRef',
  'firstName',
  'lastName',
  'emailPrimary',
  'username',
  'passwd',
  'updateMode',
];

const sessionOf = (id: number) => ({
  customer: { id },
  cssUrl: '/css/signup.css',
  loginUrl: 'https://www.demo.example/login',
  switches: switchesOf({}, undefined),
});

/** A tenant with the customer A-1, whose password waits. */
async function opened() {
  const books = await openBooks(db, { today: '2027-01-15', plans: [] });
  const imports = await importsOf(books);
  const importPassword = (password: string, mode = 'I') =>
    imports.customers(
      csv(columns, [['A-1', 'Ada', 'Byron', 'ada@example.com', 'ada', password, mode]]),
    );
  const { ids } = await importPassword('Secret-one-1');
  const hashWith = (hash: (password: string) => Promise<string>) =>
    hashPasswords(books.dependencies, books.tenantId, {
      open: (sealed) => {
        if (sealed.startsWith('broken')) throw new Error('not a sealed secret');
        return sealed;
      },
      hash,
      onProgress: () => undefined,
      signal: new AbortController().signal,
    });
  const stored = async () => {
    const [row] = await books.read((tx) =>
      tx.query<{ hash: string | null; waiting: number }>(
        `select password_hash as hash, (select count(*)::int from password_to_hash) as waiting
         from contact`,
      ),
    );
    return row;
  };
  return { books, imports, importPassword, hashWith, stored, customerId: ids[0] ?? 0 };
}

test('an imported password ends the sessions of its customer, and links for a new one', async (t) => {
  const { books, imports, importPassword, customerId } = await opened();
  const open = (): Promise<readonly Record<string, unknown>[]> =>
    books.read((tx) =>
      tx.query(
        `select 'session' as what from self_service_session where ended_at is null
         union all select 'reset' from password_reset where used_at is null order by 1`,
      ),
    );
  await books.work((context) => startSession(context, sessionOf(customerId)));
  await books.work((context) => requestResets(context, 'ada'));
  await imports.customers(csv(['extCustomerRef', 'city', 'updateMode'], [['A-1', 'Rome', 'U']]));
  t.deepEqual(await open(), [{ what: 'reset' }, { what: 'session' }]);
  await importPassword('Secret-two-2', 'U');
  t.deepEqual(await open(), []);
});

test('a link that was mailed to an address ends when an import changes the address', async (t) => {
  const { books, imports } = await opened();
  const open = () =>
    books.read((tx) => tx.query('select from password_reset where used_at is null'));
  await books.work((context) => requestResets(context, 'ada'));
  const change = (email: string) =>
    imports.customers(csv(['extCustomerRef', 'emailPrimary', 'updateMode'], [['A-1', email, 'U']]));
  await change('ada@example.com');
  t.is((await open()).length, 1);
  await change('byron@example.com');
  t.is((await open()).length, 0);
});

test('a password is hashed once, and nothing of it is left', async (t) => {
  const { hashWith, stored } = await opened();
  t.deepEqual(await stored(), { hash: null, waiting: 1 });
  t.deepEqual(await hashWith((sealed) => Promise.resolve(`hash of ${sealed.length}`)), {
    hashed: 1,
    open: 0,
    waitMs: null,
  });
  t.regex((await stored())?.hash ?? '', /^hash of \d+$/);
  t.is((await stored())?.waiting, 0);
  t.is((await hashWith(() => Promise.resolve('again'))).hashed, 0);
});

test('a newer password of the interface, or of another import, takes the place of one that waits', async (t) => {
  const { books, importPassword, hashWith, stored, customerId } = await opened();
  await books.work((context) =>
    updateContact(context, { id: customerId }, 'billing', { passwordHash: 'newer' }),
  );
  t.deepEqual(await stored(), { hash: 'newer', waiting: 0 });
  await importPassword('Secret-two-22', 'U');
  t.deepEqual(await stored(), { hash: null, waiting: 1 });
  // While one is hashed, a third one comes: the hash of the second is not stored.
  const hashed: string[] = [];
  const hash = async (sealed: string): Promise<string> => {
    if (hashed.length === 0) await importPassword('Secret-three-333', 'U');
    hashed.push(sealed);
    return `hash of ${sealed.split(' ').at(-1)}`;
  };
  // A pass ends after some seconds, which the import takes where the machine is slow.
  while ((await hashWith(hash)).open > 0);
  t.is(hashed.length, 2);
  t.deepEqual(await stored(), { hash: 'hash of 16', waiting: 0 });
});

test('a password that cannot be decrypted is dropped, and a person is told', async (t) => {
  const { books, hashWith, stored } = await opened();
  await books.work(async ({ tx }) => {
    tx.send(`update password_to_hash set sealed = 'broken'`);
  });
  t.like(await hashWith(() => Promise.resolve('none')), { hashed: 1, open: 0 });
  t.deepEqual(await stored(), { hash: null, waiting: 0 });
  t.is(books.raised.length, 1);
  t.regex(books.raised[0] ?? '', /^the imported password of contact \d+ cannot be decrypted$/);
});
