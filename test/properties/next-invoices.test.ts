/**
 * After random lives, the preview of a customer's coming invoices equals the invoices that the runs
 * then make.
 */
import test from 'ava';
import { addDays, type IsoDate } from '../../domain/calendar/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import { withTaxes } from '../../operations/billing/asking.ts';
import { generateInvoices } from '../../operations/billing/generate.ts';
import { tenantInfo } from '../../operations/context/context.ts';
import { lockCustomers } from '../../operations/context/locks.ts';
import { nextInvoices } from '../../operations/invoices/next.ts';
import type { InvoicePreview } from '../../domain/invoices/preview.ts';
import { readInvoices, type InvoiceView } from '../../operations/invoices/read.ts';
import { sharedDatabase, type Books } from '../operations/support/books.ts';
import {
  newWorld,
  perform,
  step,
  type Step,
  type World,
} from '../operations/support/order-lives.ts';
import { costly, fc, runs } from '../support/random.ts';

const db = await sharedDatabase();

/** The invoices as a preview shows them: no money is applied, and no ids are known. */
async function madeAfter(books: Books, customerId: number, last: number) {
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const rows = await books.read((tx) =>
    tx.query<{ id: number }>(
      'select id from invoice where customer_id = $1 and number_value > $2',
      [customerId, last],
    ),
  );
  const ids = rows.map(({ id }) => id);
  const made = await books.read((tx) => readInvoices(tx, tenant, ids));
  return made.toSorted((a, b) => Number(a.invoiceNumber) - Number(b.invoiceNumber)).map(withoutIds);
}

function withoutIds(view: InvoiceView): InvoicePreview {
  const {
    id: _id,
    version: _version,
    invoiceNumber: _number,
    // No run makes a credit note.
    creditNoteOfId: _creditNoteOfId,
    refundId: _refundId,
    // Nor is what it makes cancelled.
    cancellationNumber: _cancellationNumber,
    dateCancelled: _dateCancelled,
    applications: _paid,
    // A preview has none.
    metadata: _metadata,
    ...shown
  } = view;
  const isOpen = Number(view.currentAmountDue) > 0;
  return {
    ...shown,
    lastUpdated: view.dateCreated,
    status: isOpen ? 'Outstanding' : 'Paid',
    outstandingBalance: isOpen ? view.currentAmountDue : zeroOf(view),
    lines: view.lines.map(({ id: _line, charges, ...line }) => ({
      ...line,
      charges: charges.map(({ id: _charge, ...charge }) => charge),
    })),
  };
}

/** `0.00` in dollars. */
function zeroOf({ currentAmountDue }: InvoiceView): string {
  return currentAmountDue
    .replace('-', '')
    .replaceAll(/\d/g, '0')
    .replace(/^0+(?=0)/, '');
}

const lastNumber = async (books: Books): Promise<number> => {
  const [row] = await books.read((tx) =>
    tx.query<{ last: number }>('select coalesce(max(number_value), 0) as last from invoice'),
  );
  return row?.last ?? 0;
};

async function preview(books: Books, customerId: number, asOf: IsoDate) {
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  return nextInvoices(books.dependencies, tenant, { id: customerId }, asOf);
}

const lives = fc.record({
  isProvided: fc.boolean(),
  steps: fc.array(step, { minLength: 4, maxLength: 15 }),
  ahead: fc.integer({ min: 1, max: 75 }),
});

test('the runs up to a day make the invoices that the preview of that day shows', async (t) => {
  let shown = 0;
  const property = fc.asyncProperty(lives, async ({ steps, ahead, isProvided }) => {
    const { books, customers } = await lived(steps, isProvided);
    await books.run();
    const asOf = addDays(books.today(), ahead);
    const last = await lastNumber(books);
    const expected = new Map<number, readonly InvoicePreview[]>();
    for (const id of customers) expected.set(id, await preview(books, id, asOf));
    await books.advance(asOf);
    for (const [id, invoices] of expected) {
      shown += invoices.length;
      t.deepEqual(await madeAfter(books, id, last), [...invoices]);
    }
    t.deepEqual((await books.audit()).faults, []);
  });
  await fc.assert(property, { ...costly, numRuns: runs(3) });
  t.true(shown > 3, `only ${shown} invoices were compared`);
});

test('the preview of today shows what generateInvoice makes', async (t) => {
  let shown = 0;
  const property = fc.asyncProperty(lives, async ({ steps, ahead, isProvided }) => {
    const { books, customers } = await lived(steps, isProvided);
    for (const id of customers) {
      // Due, but left to the next run.
      const startDate = addDays(books.today(), -ahead);
      await performed(books, () =>
        books.order({ customerId: id, contractCode: 'RATA', startDate }),
      );
      const last = await lastNumber(books);
      const expected = await preview(books, id, books.today());
      const generate = () =>
        books.work(async (context) => {
          await lockCustomers(context.tx, [id]);
          await generateInvoices(books.dependencies, context, id);
        });
      await withTaxes(books.dependencies, books.tenantId, generate);
      shown += expected.length;
      t.deepEqual(await madeAfter(books, id, last), [...expected]);
    }
    t.deepEqual((await books.audit()).faults, []);
  });
  await fc.assert(property, { ...costly, numRuns: runs(2) });
  t.true(shown > 1, `only ${shown} invoices were compared`);
});

async function lived(steps: readonly Step[], isProvided: boolean): Promise<World> {
  const world = await newWorld(db, { isProvided });
  for (const each of steps) await performed(world.books, () => perform(world, each));
  return world;
}

/** Random steps may be refused. */
async function performed(books: Books, work: () => Promise<unknown>): Promise<void> {
  try {
    await withTaxes(books.dependencies, books.tenantId, work);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}
