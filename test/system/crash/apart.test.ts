/** The process for suspects: which of its ends are a customer's fault, and which are not. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { startApart } from '../../../activities/apart.ts';
import { openBooks, sharedDatabase } from '../../operations/support/books.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { testFolder } from '../../support/folder.ts';
import { lives, pidsAt } from './processes.ts';
import { SECRET_KEY } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';

// The process for suspects gets the Node options of the process that starts it.
process.execArgv.push('--import', pathToFileURL(join(import.meta.dirname, 'poison.ts')).href);

const db = await sharedDatabase();

/** A customer whose order is due, and the process that would bill it. */
async function withOrder(t: ExecutionContext, invoiceNotes: string, standstillSeconds = 60) {
  const books = await openBooks(db, {
    today: '2027-01-15',
    testClock: '2027-01-15T12:00:00Z',
    plans: [recurring('P', 10, prepaid)],
  });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'P', invoiceNotes });
  await books.work(async ({ tx }) => {
    await tx.query(`update test_clock set now = '2027-01-16T12:00:00Z'`);
    await tx.query('insert into billing_suspect (tenant_id, customer_id) values ($1, $2)', [
      books.tenantId,
      customerId,
    ]);
  });
  const errors: string[] = [];
  const apart = startApart({
    dependencies: books.dependencies,
    databaseUrl: db.ownerUrl,
    secretKeys: SECRET_KEY,
    onError: (error) => errors.push((error as Error).message),
    standstillSeconds,
  });
  t.teardown(() => apart.stop());
  const read = async (sql: string) => (await books.read((tx) => tx.query(sql))) as unknown;
  return {
    errors,
    apart,
    bill: () => apart.bill(books.tenantId, customerId),
    customerId,
    suspects: () => read('select blamed_at is not null as blamed from billing_suspect'),
    held: () => read('select billing_held_code as code from customer'),
    invoices: () => read('select round(current_amount_due) as due from invoice'),
  };
}

const fatal = [
  ['runs out of memory', 'heap', /SIG(ABRT|TRAP|ILL)/],
  ['aborts', 'abort', /SIGABRT/],
  ['exits', 'exit', /exit code 1/],
  ['loops forever', 'loop', /its event loop was blocked/],
] as const;

for (const [what, how, why] of fatal) {
  test.serial(`a customer is held if the process that rates it ${what}`, async (t) => {
    const { bill, customerId, held, suspects, invoices, errors } = await withOrder(
      t,
      `poison: ${how}`,
      how === 'loop' ? 3 : undefined,
    );
    t.like(await bill(), { invoices: 0, held: [{ customerId, code: 'billing.crashed' }] });
    t.deepEqual(await held(), [{ code: 'billing.crashed' }]);
    t.deepEqual(await suspects(), [{ blamed: true }]);
    t.deepEqual(await invoices(), []);
    t.is(errors.length, 1);
    t.regex(errors[0] ?? '', why);
  });
}

test.serial('a customer that is billed without a crash is no longer a suspect', async (t) => {
  const { bill, held, suspects, invoices, errors } = await withOrder(t, 'healthy');
  t.like(await bill(), { invoices: 1, held: [] });
  t.deepEqual(await held(), [{ code: null }]);
  t.deepEqual(await suspects(), []);
  t.deepEqual(await invoices(), [{ due: '10' }]);
  t.deepEqual(errors, []);
});

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  test.serial(`${signal} from outside blames nobody: the customer is tried again`, async (t) => {
    const gate = join(testFolder(t), 'gate');
    const { bill, held, suspects, invoices, errors } = await withOrder(t, `poison: gate ${gate}`);
    const billed = bill();
    const [pid = 0] = await pidsAt(gate, 1);
    process.kill(pid, signal);
    const [, next = 0] = await pidsAt(gate, 2);
    t.not(next, pid);
    writeFileSync(`${gate}.open`, '');
    t.like(await billed, { invoices: 1, held: [] });
    t.deepEqual(await held(), [{ code: null }]);
    t.deepEqual(await suspects(), []);
    t.deepEqual(await invoices(), [{ due: '10' }]);
    t.deepEqual(
      errors.map((text) => text.split(': ')[1]),
      [signal],
    );
  });
}

test.serial('a worker that stops ends the process for suspects and blames nobody', async (t) => {
  const gate = join(testFolder(t), 'gate');
  const { bill, apart, held, suspects, errors } = await withOrder(t, `poison: gate ${gate}`);
  const billed = bill();
  const [pid = 0] = await pidsAt(gate, 1);
  await apart.stop();
  t.is(await billed, undefined);
  await until('it is gone', () => Promise.resolve(!lives(pid)));
  t.deepEqual(await held(), [{ code: null }]);
  t.deepEqual(await suspects(), [{ blamed: false }]);
  t.deepEqual(errors, []);
});
