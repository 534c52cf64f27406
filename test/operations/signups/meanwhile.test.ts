/** What others do at the moment of a submit: each sign-up ends as a whole all the same. */
import test, { type ExecutionContext } from 'ava';
import { openDatabase } from '../../../db/connection/database.ts';
import { advanceSignup } from '../../../operations/signups/advance.ts';
import { cancelSignup } from '../../../operations/signups/cancel.ts';
import { afterCommit, beforeCommit, startProxy, type Cut } from '../../support/proxy.ts';
import { batchInit, everything } from '../support/batch-init.ts';
import { sharedDatabase } from '../support/books.ts';
import { amounting, check } from '../support/payment-books.ts';
import { openSignupBooks, type SignupBooks } from '../support/signups.ts';

const db = await sharedDatabase();

test('two forms at the same instant make one try', async (t) => {
  const books = await openSignupBooks(db);
  const id = await books.link();
  const taken = await Promise.all([
    books.take(id),
    books.take(id),
    books.take(id, { formKey: 'twice' }),
    books.take(id, { formKey: 'twice' }),
  ]);
  t.deepEqual(taken.map(({ kind }) => kind).toSorted(), ['taken', 'working', 'working', 'working']);
  t.is(await books.state(id), 'DRAFT: 1 storing');
});

test('several looks at once make one order, one payment, one end', async (t) => {
  const books = await openSignupBooks(db);
  const id = await books.link();
  await books.submit(id);
  const looks = () => Promise.all([books.advance(id), books.advance(id), books.advance(id)]);
  await looks();
  await books.settle();
  for (const { phase } of await looks()) t.is(phase, 'Processed');
  t.deepEqual(await books.payments(), ['#1 Payment Paid 73.44 CreditCard']);
  t.is((await books.invoices()).length, 1);
  t.is(await books.mails(), 'newOrder, newInvoice, paymentReceived');
  t.is(await processedEvents(books, id), 1);
  t.deepEqual(await books.faults(), []);
});

async function processedEvents({ read }: SignupBooks, id: number): Promise<number> {
  const rows = await read((tx) =>
    tx.query(`select from event where type = 'signup.processed' and object_id = $1`, [id]),
  );
  return rows.length;
}

const cancel = ({ dependencies, tenantId }: SignupBooks, id: number) =>
  cancelSignup(dependencies, tenantId, { signupId: id, reason: 'a test', requestId: `of ${id}` });

test('an operator ends it beside a submit: it is made as a whole, or not at all', async (t) => {
  const books = await openSignupBooks(db);
  for (let round = 0; round < 4; round += 1) {
    const own = { email: `ada${round}@example.org`, phone: null };
    const [first, second] = [await books.link(own), await books.link(own)];
    await books.submit(second);
    await Promise.all([
      books.submit(first).catch(() => null),
      books.advance(second),
      cancel(books, first),
      cancel(books, second).catch(() => null),
    ]);
    for (const id of [first, second]) {
      t.true((await books.carry(id)).ended);
      const { status, orderId } = await books.row(id);
      t.is(orderId !== null, status === 'PROCESSED');
      t.is(await processedEvents(books, id), status === 'PROCESSED' ? 1 : 0);
    }
  }
  t.deepEqual(await books.faults(), []);
});

/** A sign-up whose payment waits for its turn, or is being charged. */
async function paying(
  books: SignupBooks,
  isCharging: boolean,
): Promise<{ readonly id: number; readonly ends: () => Promise<string> }> {
  const id = await books.link();
  await books.submit(id);
  await books.advance(id);
  const held = books.gateway.hold('tok');
  const settling = isCharging ? books.settle() : Promise.resolve();
  if (isCharging) await held.arrived;
  return {
    id,
    async ends() {
      held.release();
      await settling;
      await books.settle();
      await books.advance(id);
      return books.state(id);
    },
  };
}

interface Meanwhile {
  readonly does: string;
  readonly act: (books: SignupBooks, id: number) => Promise<unknown>;
  /** By whether it is being charged already. */
  readonly waiting: readonly [state: string, payments: string];
  readonly charging: readonly [state: string, payments: string];
}

const paid = '#1 Payment Paid 73.44 CreditCard';
/** The card was never charged, so it has paid nothing. */
const otherwise = 'PROCESSED: 1 returned payment.canceled';
const overpaid = '#1 Payment Paid 73.44 CreditCard left 73.44';

const others: readonly Meanwhile[] = [
  {
    does: 'a BatchInit carries the invoice over',
    act: (books) => batchInit(books, { ...everything, zeroOutCustomerBalance: true }),
    waiting: [otherwise, '#1 Payment Canceled 73.44 CreditCard'],
    charging: ['PROCESSED: 1 paid', overpaid],
  },
  {
    does: 'the invoice is cancelled',
    act: (books) => books.cancelInvoice(1001),
    waiting: ['FAILED operator: 1 returned operator', '#1 Payment Canceled 73.44 CreditCard'],
    charging: ['PROCESSED: 1 paid', overpaid],
  },
  {
    does: 'a check pays the invoice',
    async act(books, id) {
      const { customerId, invoiceIds } = await books.row(id);
      const named = { customerId: customerId ?? 0, invoiceIds };
      await books.pay({ ...named, amount: '73.44', method: check });
    },
    waiting: [otherwise, '#1 Payment Canceled 73.44 CreditCard, #2 Payment Paid 73.44 Check'],
    charging: ['PROCESSED: 1 paid', `${overpaid}, #2 Payment Paid 73.44 Check`],
  },
  {
    does: 'another invoice of the customer is made and billed',
    async act(books, id) {
      const { customerId } = await books.row(id);
      await books.manualInvoice(customerId ?? 0, amounting('10'));
    },
    waiting: ['PROCESSED: 1 paid', paid],
    charging: ['PROCESSED: 1 paid', paid],
  },
];

for (const { does, act, ...ways } of others) {
  for (const way of ['waiting', 'charging'] as const) {
    test(`${does} while the payment is ${way}`, async (t) => {
      const books = await openSignupBooks(db);
      const { id, ends } = await paying(books, way === 'charging');
      await act(books, id);
      const [state, payments] = ways[way];
      t.is(await ends(), state);
      t.is((await books.payments()).join(', '), payments);
      t.deepEqual(await books.faults(), []);
    });
  }
}

/** Reads beside the step have commits of their own. */
function ofSignup(cut: Cut): Cut {
  let writing: object | undefined;
  return (chunk, direction, connection) => {
    if (direction === 'toServer' && chunk.includes('update signup set')) writing = connection;
    return connection === writing ? cut(chunk, direction, connection) : undefined;
  };
}

/** A look whose first commit is lost: it was done, or it was not. */
async function cutOff(
  t: ExecutionContext,
  books: SignupBooks,
  { id, isDone }: { readonly id: number; readonly isDone: boolean },
): Promise<void> {
  const proxy = await startProxy(db.ownerUrl);
  const options = { role: 'sundial_app', poolMax: 2, statementTimeoutMs: 30_000 } as const;
  const behind = await openDatabase({ ...options, url: proxy.url, name: 'behind a proxy' });
  t.teardown(() => behind.close().then(proxy.stop));
  const dependencies = { ...books.dependencies, db: behind };
  proxy.cutOnce(ofSignup(isDone ? afterCommit() : beforeCommit()));
  const { gateways } = books.gateway;
  const look = advanceSignup(dependencies, { gateways, dispatch: () => {} }, books.tenantId, id);
  await t.throwsAsync(look, { name: 'OutcomeUnknownError' });
}

for (const isDone of [true, false]) {
  test(`the commits are ${isDone ? 'not answered' : 'lost'}: made once, ended once`, async (t) => {
    const books = await openSignupBooks(db);
    const id = await books.link();
    await books.submit(id);
    await cutOff(t, books, { id, isDone });
    t.is(await books.state(id), isDone ? 'DRAFT: 1 charging' : 'DRAFT: 1 submitted');
    await books.advance(id);
    await books.settle();
    await cutOff(t, books, { id, isDone });
    t.is(await books.state(id), isDone ? 'PROCESSED: 1 paid' : 'DRAFT: 1 charging');
    t.is((await books.advance(id)).phase, 'Processed');
    t.deepEqual(await books.payments(), [paid]);
    t.is((await books.invoices()).length, 1);
    t.is(await books.mails(), 'newOrder, newInvoice, paymentReceived');
    t.is(await processedEvents(books, id), 1);
    t.deepEqual(await books.faults(), []);
  });
}
