/** Answers of a tax provider: asked before the invoices are made, and kept by what was asked. */
import test, { type ExecutionContext } from 'ava';
import type { TaxDocument } from '../../../domain/tax/documents.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { askTaxes, documentHash, taxAnswersOf } from '../../../operations/billing/tax-answers.ts';
import { newYork, openAvatax, portland } from '../../support/avatax.ts';
import { openBooks, sharedDatabase } from '../support/books.ts';

const db = await sharedDatabase();

async function bench(t: ExecutionContext) {
  const { double, provider } = await openAvatax(t);
  const books = await openBooks(db, { today: '2027-01-15', plans: [] });
  const customerId = await books.customer();
  const document: TaxDocument = {
    customerId,
    invoiceDate: '2027-01-15',
    currency: 'USD',
    shipFrom: portland,
    shipTo: newYork,
    lines: [{ number: '1', amount: '36.00', taxCode: 'STANDARD', priceCode: 'GOLD-FEE' }],
  };
  const { tenantId } = books;
  const ask = (documents: readonly TaxDocument[]) =>
    askTaxes(db.app, { tenantId, provider }, documents);
  const answersFrom = (from: string, ids = [customerId]) =>
    inTenant(db.app, tenantId, (tx) => taxAnswersOf(tx, ids, from));
  return { double, document, ask, answersFrom };
}

/** Another customer, amount, address, code or day is another question. */
const others = [
  ['customer', (it: TaxDocument) => ({ ...it, customerId: it.customerId + 1 })],
  ['day', (it: TaxDocument) => ({ ...it, invoiceDate: '2027-01-16' })],
  ['currency', (it: TaxDocument) => ({ ...it, currency: 'CAD' })],
  ['zip of the buyer', (it: TaxDocument) => ({ ...it, shipTo: { ...it.shipTo, zip: '10119' } })],
  [
    'zip of the seller',
    (it: TaxDocument) => ({ ...it, shipFrom: { ...it.shipFrom, zip: '97202' } }),
  ],
  [
    'amount',
    (it: TaxDocument) => ({ ...it, lines: it.lines.map((line) => ({ ...line, amount: '36.01' })) }),
  ],
  [
    'code',
    (it: TaxDocument) => ({
      ...it,
      lines: it.lines.map((line) => ({ ...line, taxCode: 'SW054000' })),
    }),
  ],
  ['number of lines', (it: TaxDocument) => ({ ...it, lines: [...it.lines, ...it.lines] })],
] as const;

test('an answer is kept for exactly what was asked', async (t) => {
  const { document, ask, answersFrom } = await bench(t);
  t.deepEqual(await ask([document]), []);
  const answerTo = await answersFrom('2027-01-15');
  // 4%, 4.5% and 0.375% of 36.00
  t.deepEqual(
    answerTo(document)?.map(({ taxes }) => taxes.map(({ amount }) => amount)),
    [['1.44', '1.62', '0.14']],
  );
  for (const [what, other] of others) t.is(answerTo(other(document)), null, what);
});

test('whoever builds a document, the order of its keys is no part of the question', async (t) => {
  const { document } = await bench(t);
  const reversed = Object.fromEntries(
    Object.entries(document).toReversed(),
  ) as unknown as TaxDocument;
  t.is(documentHash(reversed), documentHash(document));
});

test('answers to documents of days that are over are not read', async (t) => {
  const { document, ask, answersFrom } = await bench(t);
  await ask([document]);
  t.is((await answersFrom('2027-01-16'))(document), null);
  t.is((await answersFrom('2027-01-15', []))(document), null);
  t.not((await answersFrom('2027-01-14'))(document), null);
});

test('the same document is asked about once, and a repetition is harmless', async (t) => {
  const { document, ask, answersFrom, double } = await bench(t);
  await ask([document, { ...document }, document]);
  t.is(double.calls.get('create'), 1);
  await ask([document]);
  t.is(double.calls.get('create'), 2);
  t.is((await answersFrom('2027-01-15'))(document)?.length, 1);
});

test('what the provider refuses leaves the other answers, and comes back with its words', async (t) => {
  const { document, ask, answersFrom } = await bench(t);
  const nowhere = { ...document, shipTo: { ...newYork, zip: '00000' } };
  const [failed, ...more] = await ask([nowhere, document]);
  t.deepEqual(more, []);
  t.deepEqual(failed?.document, nowhere);
  t.like(failed?.error, { kind: 'refused', code: 'InvalidAddress' });
  t.truthy(failed?.error.text);
  const answerTo = await answersFrom('2027-01-15');
  t.not(answerTo(document), null);
  t.is(answerTo(nowhere), null);
});

test('a provider that is down answers nothing, and nothing is stored', async (t) => {
  const { document, ask, answersFrom, double } = await bench(t);
  double.be('down');
  const failed = await ask([document, { ...document, invoiceDate: '2027-01-16' }]);
  t.deepEqual(
    failed.map(({ error }) => error.kind),
    ['silent', 'silent'],
  );
  t.is((await answersFrom('2027-01-15'))(document), null);
  double.be('well');
  t.deepEqual(await ask([document]), []);
});
