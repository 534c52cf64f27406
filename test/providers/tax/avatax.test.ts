/** AvaTax by its package, against a server that checks every request as AvaTax would. */
import test, { type ExecutionContext } from 'ava';
import type { TaxDocument } from '../../../domain/tax/documents.ts';
import { createAvatax } from '../../../providers/tax/avatax/avatax.ts';
import { guarded } from '../../../providers/tax/guarded.ts';
import { TaxProviderError, type RecordedDocument } from '../../../providers/tax/tax-provider.ts';
import { avataxAccount, newYork, openAvatax, portland, startAvatax } from '../../support/avatax.ts';

const document: TaxDocument = {
  customerId: 42,
  invoiceDate: '2027-01-15',
  currency: 'USD',
  shipFrom: portland,
  shipTo: newYork,
  lines: [
    { number: '1', amount: '36.00', taxCode: 'STANDARD', priceCode: 'GOLD-FEE' },
    { number: '2', amount: '0.99', taxCode: 'SW054000', priceCode: 'SUPPORT' },
  ],
};
const invoice: RecordedDocument = { ...document, code: '1001', returnOf: null, credits: [] };

async function failure(t: ExecutionContext, call: Promise<unknown>): Promise<TaxProviderError> {
  const error = await t.throwsAsync(call, { instanceOf: TaxProviderError });
  return error ?? t.fail();
}

test('each jurisdiction taxes each line, to the cent', async (t) => {
  const { provider, double } = await openAvatax(t);
  const answer = await provider.calculate(document);
  t.deepEqual(answer, [
    {
      number: '1',
      taxes: [
        { name: 'NY STATE TAX', jurisdiction: 'US/36', percent: '4', amount: '1.44' },
        { name: 'NY CITY TAX', jurisdiction: 'US/51000', percent: '4.5', amount: '1.62' },
        { name: 'NY SPECIAL TAX', jurisdiction: 'US/359071', percent: '0.375', amount: '0.14' },
      ],
    },
    {
      number: '2',
      taxes: [
        { name: 'NY STATE TAX', jurisdiction: 'US/36', percent: '4', amount: '0.04' },
        { name: 'NY CITY TAX', jurisdiction: 'US/51000', percent: '4.5', amount: '0.04' },
        { name: 'NY SPECIAL TAX', jurisdiction: 'US/359071', percent: '0.375', amount: '0' },
      ],
    },
  ]);
  t.is(double.records.size, 0, 'an estimate is stored');
});

test('a state that takes no tax says so', async (t) => {
  const { provider } = await openAvatax(t);
  const [line] = await provider.calculate({ ...document, shipTo: portland });
  t.deepEqual(line?.taxes, [
    { name: 'OR STATE TAX', jurisdiction: 'US/41', percent: '0', amount: '0' },
  ]);
});

test('an invoice is recorded once, however often it is sent, with the tax of its credits', async (t) => {
  const { provider, double } = await openAvatax(t);
  const credits = [
    { number: 'c1', amount: '-12.18', taxAmount: '-1.08', taxCode: 'STANDARD' },
  ] as const;
  const first = await provider.record({ ...invoice, credits });
  t.deepEqual(await provider.record({ ...invoice, credits }), first);
  // 36.00 + 0.99 - 12.18; 1.44 + 1.62 + 0.14 + 0.04 + 0.04 - 1.08
  t.deepEqual(first, { total: '24.81', tax: '2.2' });
  t.deepEqual(
    [...double.records],
    [
      [
        '1001',
        {
          status: 'Committed',
          customerCode: '42',
          date: '2027-01-15',
          currencyCode: 'USD',
          type: 'SalesInvoice',
          total: 24.81,
          tax: 2.2,
        },
      ],
    ],
  );
});

test('a return names its invoice, and is voided as a return', async (t) => {
  const { provider, double } = await openAvatax(t);
  const name = { code: '1001-7', returnOf: '1001' };
  const credits = [
    { number: '1', amount: '-12.18', taxAmount: '-1.08', taxCode: 'STANDARD' },
  ] as const;
  const record = await provider.record({ ...document, ...name, lines: [], credits });
  t.deepEqual(record, { total: '-12.18', tax: '-1.08' });
  t.like(double.records.get('1001-7'), { type: 'ReturnInvoice', referenceCode: '1001' });
  t.is(await provider.void({ ...name, returnOf: null }), 'unknown');
  t.is(await provider.void(name), 'voided');
  t.is(double.records.get('1001-7')?.status, 'Cancelled');
});

test('a record is voided once; what was never recorded is unknown', async (t) => {
  const { provider, double } = await openAvatax(t);
  await provider.record(invoice);
  t.is(await provider.void(invoice), 'voided');
  t.is(await provider.void(invoice), 'voided');
  t.is(double.records.get('1001')?.status, 'Cancelled');
  t.is(await provider.void({ code: '1002', returnOf: null }), 'unknown');
});

test('what AvaTax refuses of a document is a refusal in its words', async (t) => {
  const { provider } = await openAvatax(t);
  const badCode = { ...document.lines[0], taxCode: 'NONE' } as (typeof document.lines)[0];
  const refused = await failure(t, provider.calculate({ ...document, lines: [badCode] }));
  t.like(refused, { kind: 'refused', code: 'GetTaxError', text: 'TaxCode NONE is not known.' });
  const nowhere = { ...newYork, countryCode: null };
  const address = await failure(t, provider.calculate({ ...document, shipTo: nowhere }));
  t.like(address, { kind: 'refused', code: 'InvalidAddress' });
});

test('wrong credentials and a wrong company concern everybody: they are silence', async (t) => {
  const stranger = await openAvatax(t, { licenseKey: 'WRONG' });
  const unknown = await failure(t, stranger.provider.calculate(document));
  t.like(unknown, { kind: 'silent', code: 'AuthenticationException', text: null });
  t.notRegex(`${unknown.message} ${unknown.stack}`, /2000134479|WRONG/);
  const nobody = await openAvatax(t, { companyCode: 'GAUSS' });
  t.like(await failure(t, nobody.provider.calculate(document)), {
    kind: 'silent',
    code: 'CompanyNotFoundError',
  });
});

test('a server that is down, answers in HTML, or whose taxes do not add up is silence', async (t) => {
  const { provider, double } = await openAvatax(t);
  double.be('down');
  t.like(await failure(t, provider.calculate(document)), { kind: 'silent', code: 'unreachable' });
  double.be('unavailable');
  t.like(await failure(t, provider.record(invoice)), { kind: 'silent', code: 'http_503' });
  double.be('wrong');
  t.like(await failure(t, provider.calculate(document)), {
    kind: 'silent',
    code: 'answer_invalid',
  });
});

test('a call that is stopped ends, and a silent server opens the breaker', async (t) => {
  const double = await startAvatax();
  t.teardown(double.close);
  double.be('silent');
  const limits: (() => void)[] = [];
  const provider = guarded(createAvatax({ ...avataxAccount, url: double.url }), {
    timeLimitMs: 5_000,
    now: () => 0,
    startLimit: (_ms, end) => {
      limits.push(end);
      return () => {};
    },
  });
  for (let call = 0; call < 5; call += 1) {
    const asked = failure(t, provider.calculate(document));
    limits.pop()?.();
    t.like(await asked, { kind: 'silent', code: 'timeout' });
  }
  t.like(await failure(t, provider.calculate(document)), { kind: 'silent', code: 'circuit_open' });
});

test('at most 8 calls ask at once, and 8 record', async (t) => {
  const { provider, double } = await openAvatax(t);
  await Promise.all(Array.from({ length: 30 }, () => provider.calculate(document)));
  t.true(double.atOnceMax() <= 8, `${double.atOnceMax()} at once`);
  t.is(double.calls.get('create'), 30);
});

test('an address is resolved, or its mistakes are named by field', async (t) => {
  const { provider } = await openAvatax(t);
  t.deepEqual(await provider.resolve(newYork), []);
  t.deepEqual(await provider.resolve({ ...newYork, zip: '00000', street1: null }), [
    { field: 'zip', text: 'The postal code is not known.' },
    { field: 'street1', text: 'The street is missing.' },
  ]);
});
