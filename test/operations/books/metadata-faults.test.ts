/** Breaks the metadata of books, and expects the audit to report it. */
import test from 'ava';
import { createCreditNote } from '../../../operations/refunds/credit-note.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';
import { corrupt, own } from './corrupt.ts';

const db = await sharedDatabase();
const plans = [recurring('P', 31, prepaid)];

/** Orders 1001 and 1002 of a customer, their invoice 1001, and its credit note 1002. */
async function story(): Promise<Books> {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'P' };
  await books.order({ ...order, metadata: { crm: 'A-1', team: 'north' } });
  await books.order({ ...order, metadata: { crm: 'B-2', zone: '4' } }, { generateInvoice: true });
  await books.work((its) =>
    createCreditNote(its, { number: '1001' }, { reason: 'x', amount: '5.00' }),
  );
  return books;
}

const faultsOf = async (books: Books): Promise<string[]> =>
  (await books.audit()).faults.map(({ check, object, detail }) =>
    `${check}: ${object}: ${detail}`.replaceAll(/(order|customer) \d+/g, '$1 #'),
  );

test('an invoice has the metadata of its orders, and its note that of the invoice', async (t) => {
  const books = await story();
  t.deepEqual(await faultsOf(books), []);
  const rows = await books.read((tx) =>
    tx.query<{ number: string; metadata: object }>(
      'select invoice_number as number, metadata from invoice order by id',
    ),
  );
  const metadata = { crm: 'A-1', team: 'north', zone: '4' };
  t.deepEqual(rows, [
    { number: '1001', metadata },
    { number: '1002', metadata },
  ]);
});

const breaks: readonly [rule: string, statement: string, found: readonly string[]][] = [
  [
    'an invoice that took nothing of its orders',
    `update invoice set metadata = null where ${own} and invoice_number = '1001'`,
    [
      'metadata.copy: invoice 1001: does not have the metadata of its orders',
      'metadata.copy: invoice 1002: does not have the metadata of the invoice of which it gives back',
    ],
  ],
  [
    'an invoice that took a key of the wrong order',
    `update invoice set metadata = metadata || '{"crm": "B-2"}' where ${own}`,
    ['metadata.copy: invoice 1001: does not have the metadata of its orders'],
  ],
  [
    'a note that took nothing of its invoice',
    `update invoice set metadata = null where ${own} and invoice_number = '1002'`,
    [
      'metadata.copy: invoice 1002: does not have the metadata of the invoice of which it gives back',
    ],
  ],
  [
    'an entry that no list finds',
    `delete from metadata_entry where ${own} and kind = 'order' and key = 'zone'`,
    ['metadata.copy: order #: is not found by its metadata as it is'],
  ],
  [
    'an object that is found by what it had',
    `insert into metadata_entry (tenant_id, kind, key, value, object_id)
     select tenant_id, 'customer', 'crm', 'A-0', id from customer where ${own}`,
    ['metadata.copy: customer #: is not found by its metadata as it is'],
  ],
];

for (const [rule, statement, found] of breaks) {
  test(`${rule} is found`, async (t) => {
    const books = await story();
    await corrupt(books, [statement]);
    t.deepEqual(await faultsOf(books), found);
  });
}
