/**
 * Notes of rated customers while the database is down. A separate file, because tests that look for
 * suspects of all tenants would find the notes of the connection that was cut.
 */
import test from 'ava';
import type { Client } from 'pg';
import { openDatabase, type Database } from '../../../db/connection/database.ts';
import { noteCustomers } from '../../../operations/billing/notes.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';

const db = await sharedDatabase();

const suspectsOf = (books: Books) => books.read((tx) => tx.query('select from billing_suspect'));

const notesOf = (books: Books) =>
  books.read(async (tx) => (await tx.query('select from billing_note')).length);

/** A separate process whose connection for notes can be cut, and stays cut for a while. */
async function cuttable() {
  const real = await openDatabase({
    url: db.ownerUrl,
    role: 'sundial_app',
    poolMax: 1,
    statementTimeoutMs: 30_000,
    name: 'is cut',
  });
  const clients: Client[] = [];
  let isAway = false;
  const missed = Promise.withResolvers<void>();
  const database: Database = {
    ...real,
    async openBeside() {
      if (isAway) {
        // Resolves when the refusal was reported.
        setImmediate(missed.resolve);
        throw new Error('the database is away');
      }
      const client = await real.openBeside();
      clients.push(client);
      return client;
    },
  };
  return {
    database,
    cut: async () => {
      isAway = true;
      await Promise.all(clients.splice(0).map((client) => client.end()));
    },
    comeBack: () => {
      isAway = false;
    },
    /** Resolves when a connection was requested and failed. */
    missed: () => missed.promise,
  };
}

test('a note that finished while the database was down makes no suspect when it is up again', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15' });
  const first = await books.customer();
  const second = await books.customer();
  const { database, cut, comeBack, missed } = await cuttable();
  const note = await noteCustomers(database, books.tenantId, [first]);
  await cut();
  note.done();
  await missed();
  comeBack();
  const later = await noteCustomers(database, books.tenantId, [second]);
  t.deepEqual(await suspectsOf(books), []);
  t.is(await notesOf(books), 1);
  later.done();
  await database.close();
  t.is(await notesOf(books), 0);
});

test('notes that finish while the database is down are deleted later, without a further note', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15' });
  const customer = await books.customer();
  const { database, cut, comeBack, missed } = await cuttable();
  const note = await noteCustomers(database, books.tenantId, [customer]);
  await cut();
  note.done();
  await missed();
  t.is(await notesOf(books), 1);
  comeBack();
  while ((await notesOf(books)) > 0);
  t.deepEqual(await suspectsOf(books), []);
  await database.close();
});
