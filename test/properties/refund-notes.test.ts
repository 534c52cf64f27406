/**
 * Random lives of paid invoices: payments in several ways, credit notes with and without refunds,
 * refunds of invoices with and without notes, changes and cancellations of orders between, and
 * gateways that approve, decline or take days. The audit stays clean.
 */
import test from 'ava';
import { DomainError } from '../../domain/errors.ts';
import { addDays } from '../../domain/calendar/calendar.ts';
import { createCreditNote } from '../../operations/refunds/credit-note.ts';
import { assertClean, sharedDatabase } from '../operations/support/books.ts';
import {
  card,
  cash,
  check,
  openPaymentBooks,
  type PaymentBooks,
} from '../operations/support/payment-books.ts';
import { prorated, recurring } from '../operations/support/plans.ts';
import { countedTwice } from '../operations/support/recounted.ts';
import { costly, fc, isAuditedAfter, runs } from '../support/random.ts';

const db = await sharedDatabase();
const taxed = { ...prorated, taxCodes: ['STANDARD'] };
const rates = [{ country: 'US', state: 'NY', percent: 8.875, taxCode: 'STANDARD', name: 'Tax' }];

/** What a caller may be told: that what it asks for is not, or no longer, there. */
const known = new Set([
  'creditNote.nothingLeft',
  'creditNote.tooHigh',
  'field.invalid',
  'invoice.credited',
  'invoice.notCancellable',
  'invoice.notCreditable',
  'order.notChangeable',
  'order.transition',
  'order.notEditable',
  'payment.invoice',
  'payment.refundTooHigh',
]);

const value = fc.integer({ min: 1, max: 6_000 }).map((cents) => (cents / 100).toFixed(2));
const little = fc.integer({ min: 1, max: 2_000 }).map((cents) => (cents / 100).toFixed(2));
const which = fc.nat({ max: 5 });
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('pay' as const),
      value,
      by: fc.constantFrom('cash', 'check', 'card'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('note' as const),
      which,
      of: fc.constantFrom('all', 'amount', 'charge'),
      value: little,
      refund: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('refund' as const),
      of: fc.uniqueArray(which, { minLength: 1, maxLength: 2 }),
      value: little,
      withNote: fc.boolean(),
    }),
  },
  fc.record({ does: fc.constant('refundAny' as const), value: little }),
  fc.record({ does: fc.constant('bill' as const), value }),
  fc.record({ does: fc.constant('cancelInvoice' as const), which }),
  fc.record({ does: fc.constantFrom('cancelOrder' as const, 'change' as const) }),
  fc.record({
    does: fc.constant('answer' as const),
    act: fc.constantFrom('approve', 'decline', 'accept', 'loseAnswer'),
  }),
  { weight: 2, arbitrary: fc.record({ does: fc.constant('settle' as const) }) },
  fc.record({ does: fc.constant('days' as const), days: fc.integer({ min: 1, max: 12 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

interface World {
  readonly books: PaymentBooks;
  readonly customerId: number;
}

async function newWorld(): Promise<World> {
  const books = await openPaymentBooks(db, {
    today: '2027-01-15',
    plans: [recurring('P', 31, taxed), recurring('Q', 47, taxed)],
    file: { tax: { type: 'table', rates }, settings: { creditUnusedOnCancel: true } },
  });
  const customerId = await books.customer({ address: { countryCode: 'US', state: 'NY' } });
  await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  return { books, customerId };
}

const invoicesOf = ({ books }: World) =>
  books.read((tx) =>
    tx.query<{ id: number; number: string; chargeId: number | null }>(
      `select i.id, i.invoice_number as number, (select min(c.id) from invoice_line n
         join invoice_charge c on c.invoice_line_id = n.id and c.kind in ('period', 'manual')
         where n.invoice_id = i.id) as charge_id
       from invoice i where i.credit_note_of is null order by i.id desc`,
    ),
  );

const orderOf = async ({ books }: World): Promise<number> => {
  const [order] = await books.read((tx) =>
    tx.query<{ id: number }>('select max(id) as id from subscription_order'),
  );
  return order?.id ?? 0;
};

const methods = { cash, check, card: card('tok_1') };

async function perform(world: World, each: Step): Promise<void> {
  const { books, customerId } = world;
  const { gateway } = books;
  const invoices = await invoicesOf(world);
  const at = (index: number) => invoices[index % invoices.length];
  switch (each.does) {
    case 'pay': {
      const method = methods[each.by];
      await books.pay({ customerId, amount: each.value, method });
      return;
    }
    case 'note': {
      const { id = 0, chargeId = null } = at(each.which) ?? {};
      const charges = [{ id: chargeId ?? 0, amount: each.value }];
      const of = {
        all: {},
        amount: { amount: each.value },
        charge: { invoiceLineItemCharges: charges },
      };
      const input = { reason: 'Line was down', ...of[each.of] };
      await books.work((its) => createCreditNote(its, { id }, input, { refund: each.refund }));
      return;
    }
    case 'refund': {
      const invoiceIds = [...new Set(each.of.flatMap((index) => at(index)?.id ?? []))];
      const { value: amount, withNote: creditNote } = each;
      const invoiceText = 'Line was down';
      await books.refund({ customerId, amount, invoiceIds, creditNote, invoiceText });
      return;
    }
    case 'refundAny':
      await books.refund({ customerId, amount: each.value });
      return;
    case 'bill':
      await books.bill(customerId, each.value);
      return;
    case 'cancelInvoice':
      return books.cancelInvoice(at(each.which)?.number ?? '');
    case 'cancelOrder':
      await books.put(await orderOf(world), { orderStatus: 'Canceled' });
      return;
    case 'change':
      await books.change(await orderOf(world), { contractCode: 'Q' }, { bills: true });
      return;
    case 'answer':
      return gateway.onReturn(each.act);
    case 'settle':
      return books.settle();
    case 'days':
      return books.advance(addDays(books.today(), each.days));
  }
}

/** Whatever is under way ends, and then all that stands goes back with what was paid. */
async function assertEnds(world: World): Promise<void> {
  const { books } = world;
  const end = async () => {
    for (let round = 0; round < 6; round += 1) {
      await books.gateway.finish('Approved');
      await books.settle();
    }
  };
  await end();
  await assertClean(world.books);
  for (const { id } of await invoicesOf(world)) {
    await tried(() =>
      books.work((its) => createCreditNote(its, { id }, { reason: 'Goodbye' }, { refund: true })),
    );
  }
  await end();
  await assertClean(world.books);
  const [sums] = await books.read((tx) =>
    tx.query<{ pending: number; stands: number; owed: number }>(
      `select (select count(*) from payment where status = 'Pending')::int as pending,
         (select coalesce(sum(abs(c.amount - coalesce((select sum(r.amount) from charge_credit r
            where r.invoice_charge_id = c.id and r.voided_at is null), 0))), 0)
          from invoice i join invoice_line n on n.invoice_id = i.id
          join invoice_charge c on c.invoice_line_id = n.id
          where i.status <> 'Cancelled' and i.credit_note_of is null and not exists (
            select from invoice_line m join invoice_charge k on k.invoice_line_id = m.id
            where m.invoice_id = i.id and k.kind = 'credit'))::float8 as stands,
         ((select coalesce(sum(balance), 0) from customer_balance)
          - (select coalesce(sum(current_amount_due), 0) from invoice where status <> 'Cancelled')
          + (select coalesce(sum(amount), 0) from payment where payment_type = 'Payment'
               and status in ('Paid', 'Refunded', 'Voided'))
          + (select coalesce(sum(amount), 0) from payment where payment_type = 'Refund'
               and status = 'Paid')
          + (select coalesce(sum(amount), 0) from payment where payment_type = 'Credit'
               and credited_invoice_id is null))::float8 as owed`,
    ),
  );
  // Nothing stands any more, and all money is where the books say.
  if (JSON.stringify(sums) !== JSON.stringify({ pending: 0, stands: 0, owed: 0 })) {
    throw new Error(JSON.stringify(sums));
  }
}

/** False if it was refused. */
async function tried(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (error instanceof DomainError && known.has(error.code)) return false;
    throw error;
  }
}

test('whatever goes back, no charge gives more than it is, no payment more than was paid, and all sums settle', async (t) => {
  const done = new Map<string, number>();
  const lives = fc.array(step, { minLength: 8, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(lives, async (steps) => {
      const world = await newWorld();
      for (const [index, each] of steps.entries()) {
        if (await tried(() => perform(world, each))) {
          done.set(each.does, (done.get(each.does) ?? 0) + 1);
        }
        if (isAuditedAfter(index)) await assertClean(world.books);
      }
      await assertEnds(world);
      const counts = await countedTwice(world.books, {
        from: '2027-01-15',
        to: world.books.today(),
      });
      t.deepEqual(counts.reported, counts.recounted);
    }),
    { ...costly, numRuns: runs(2) },
  );
  t.true((done.get('note') ?? 0) > 0 && (done.get('refund') ?? 0) > 0, JSON.stringify([...done]));
});
