/** What imported rows say and cost: examples for `docs/rules/imports.md`. */
import test from 'ava';
import { seriesOf } from '../../../domain/invoices/number-series.ts';
import { fc } from '../../support/random.ts';
import { invoiceImported } from '../../../domain/invoices/transitions.ts';
import { customerName } from '../../../domain/customers/name.ts';
import { customerFaults, openingBalance } from '../../../domain/imports/customer.ts';
import { invoiceFaults, summedRow } from '../../../domain/imports/invoice.ts';
import { lineFaults, pricedRow } from '../../../domain/imports/line.ts';
import { errorText, type RowFault } from '../../../domain/imports/rows.ts';
import { add, compare, formatAmount, sum } from '../../../domain/money/money.ts';
import { customer, invoice, line } from './fixtures.ts';

const texts = (faults: readonly RowFault[] | null): string[] =>
  (faults ?? []).map(({ code, column, message }) => `${column}: ${code}: ${message}`);

/** The series without a prefix, which has given 1001 and 1002. */
const given1002 = { series: seriesOf(1001), next: new Map([[0, 1003]]) };

test('a new customer has both names and an address for mails, a known one gets no opening balance', (t) => {
  const nameless = customer({ firstName: null, lastName: null, emailPrimary: null });
  t.deepEqual(texts(customerFaults(nameless, 'USD')), [
    'firstName: field.required: firstName is required',
    'lastName: field.required: lastName is required',
    'emailPrimary: field.required: emailPrimary is required',
  ]);
  const known = { ...nameless, updateMode: 'U' } as const;
  t.deepEqual(customerFaults(known, 'USD'), []);
  t.deepEqual(texts(customerFaults({ ...known, outstandingBalance: '0' }, 'USD')), [
    'outstandingBalance: field.invalid: a known customer gets no opening balance',
  ]);
});

test('a username goes with a password, and the currency is a known one', (t) => {
  t.deepEqual(texts(customerFaults(customer({ username: 'ada' }), 'USD')), [
    'passwd: field.required: passwd is required with username',
  ]);
  t.deepEqual(texts(customerFaults(customer({ passwd: 'Secret-1' }), 'USD')), [
    'username: field.required: username is required with passwd',
  ]);
  t.deepEqual(customerFaults(customer({ username: 'ada', passwd: 'Secret-1' }), 'USD'), []);
  t.deepEqual(texts(customerFaults(customer({ currency: 'EUX' }), 'USD')), [
    'currency: field.invalid: currency must be a code of ISO 4217, not EUX',
  ]);
  t.deepEqual(texts(customerFaults(customer({ outstandingBalance: '1.005' }), 'USD')), [
    'outstandingBalance: field.invalid: outstandingBalance has more than the 2 decimals of USD',
  ]);
  t.deepEqual(customerFaults(customer({ outstandingBalance: '1.50' }), 'USD'), []);
});

const asHashes: readonly string[] = [
  '$2b$12$abcdefghijklmnopqrstuuPzVnrUH5lGnSTpMZZSgNpbDgW1q9bKy',
  '$2y$10$abcdefghijklmnopqrstuuPzVnrUH5lGnSTpMZZSgNpbDgW1q9bKy',
  '$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub+b5dWRWJTmaaJObG',
  '$6$rounds=5000$usesomesilly$D4IrlXatmP7rx3P3InaxBeoomnAihCKR',
  '$1$O3JMY.Tw$AdLnLjQ/5jXF9.MTp3gHv/',
  '$P$B9ApIHIGcPhQvqGAyCHpqk3NwfW4r0',
  '{SSHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=',
  'pbkdf2_sha256$260000$Ykk1nKkPuBiw$mtqkPvVNyHTi2CGVCSzC1FlaYjdxG1',
  '5f4dcc3b5aa765d61d8327deb882cf99',
  '5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8',
  `0x${'0123456789abcdef'.repeat(4)}`,
];

for (const passwd of asHashes) {
  test(`the hash of a password does not become the password: ${passwd.slice(0, 12)}`, (t) => {
    t.deepEqual(texts(customerFaults(customer({ username: 'ada', passwd }), 'USD')), [
      'passwd: field.invalid: passwd must be the password itself: a hash of it would become the password',
    ]);
  });
}

test('passwords with signs of hashes are passwords', (t) => {
  for (const passwd of [
    '$2 and $3 are few',
    'Cash$Money$2',
    '{Ada}',
    'deadbeef',
    '$1$x',
    'a$b$c',
  ]) {
    t.deepEqual(customerFaults(customer({ username: 'ada', passwd }), 'USD'), [], passwd);
  }
});

test('a key with an invisible character is refused, blanks and other scripts are not', (t) => {
  const rules = { today: '2027-01-10', series: [given1002] };
  const hidden = (column: string, code: string, place: number): string =>
    `${column}: field.invalid: ${column} has the invisible character U+${code} at place ${place}`;
  const faultsOf = (key: string): string[] => [
    ...texts(customerFaults(customer({ extCustomerRef: key }), 'USD')),
    ...texts(invoiceFaults(invoice({ extCustomerRef: key }), rules)),
    ...texts(invoiceFaults(invoice({ invoiceNumber: key }), rules)),
    ...texts(lineFaults(line({ invoiceNumber: key }))),
  ];
  for (const [character, code] of [
    ['\u200B', '200B'],
    ['\u00A0', '00A0'],
    ['\uFEFF', 'FEFF'],
    ['\u00AD', '00AD'],
    ['\u202E', '202E'],
    ['\t', '0009'],
    ['\u2028', '2028'],
    ['\uFE0F', 'FE0F'],
    ['\u{E0041}', 'E0041'],
  ] as const) {
    t.deepEqual(faultsOf(`C-${character}1`), [
      hidden('extCustomerRef', code, 3),
      hidden('extCustomerRef', code, 3),
      hidden('invoiceNumber', code, 3),
      hidden('invoiceNumber', code, 3),
    ]);
  }
  t.deepEqual(faultsOf('Ærø 7/Ж-漢 é'), []);
  const named = customer({ username: 'ad\u200Ba', passwd: 'Secret-1' });
  t.deepEqual(texts(customerFaults(named, 'USD')), [hidden('username', '200B', 3)]);
});

test('a company is named by its name, a person by both of its names', (t) => {
  t.is(customerName(customer({ companyName: 'Engines Ltd' })), 'Engines Ltd');
  t.is(customerName(customer({})), 'Ada Byron');
});

test('what a customer owes is a debit, what was paid too much is a credit', (t) => {
  const debit = { kind: 'debit', amount: '-12.34', ledger: '12.34' } as const;
  t.deepEqual(openingBalance('12.34'), debit);
  t.deepEqual(openingBalance('-5.00'), { kind: 'credit', amount: '5', ledger: '-5.00' });
  t.is(openingBalance('0.00'), null);
  t.is(openingBalance(null), null);
});

test('an invoice is of a customer, not of tomorrow, due later, and outside of the sequence', (t) => {
  const rules = { today: '2027-01-10', series: [given1002] };
  const faultsOf = (more: Parameters<typeof invoice>[0]) =>
    texts(invoiceFaults(invoice(more), rules));
  t.deepEqual(faultsOf({}), []);
  t.deepEqual(faultsOf({ invoiceNumber: '1000' }), []);
  t.deepEqual(faultsOf({ invoiceNumber: '1002' }), []);
  t.deepEqual(faultsOf({ invoiceNumber: '0001003' }), []);
  t.deepEqual(faultsOf({ invoiceNumber: '1003' }), [
    "invoiceNumber: field.invalid: invoiceNumber is one that the tenant's own series may still give",
  ]);
  t.deepEqual(faultsOf({ invoiceNumber: 'A-1001', extCustomerRef: null }), [
    'extCustomerRef: field.required: customerId or extCustomerRef is required',
  ]);
  t.deepEqual(faultsOf({ extCustomerRef: null, customerId: 7 }), []);
  t.deepEqual(faultsOf({ invoiceDate: '2027-01-10', dueDate: '2027-01-10' }), []);
  t.deepEqual(faultsOf({ invoiceDate: '2027-01-11', dueDate: '2027-01-11' }), [
    'invoiceDate: field.invalid: invoiceDate is after today, 2027-01-10',
  ]);
  t.deepEqual(faultsOf({ dueDate: '2026-11-30', paymentsAndAdjustments: '0.01' }), [
    'dueDate: field.invalid: dueDate is before the invoiceDate, 2026-12-01',
    'paymentsAndAdjustments: field.invalid: paymentsAndAdjustments must be 0 or less',
  ]);
  t.deepEqual(faultsOf({ billingStartDate: '2026-12-01', billingEndDate: '2026-11-30' }), [
    'billingEndDate: field.invalid: billingEndDate is before the billingStartDate, 2026-12-01',
  ]);
});

test('3.25 x 2 is 6.50; an amount that differs from it is refused', (t) => {
  t.is(pricedRow(line({ unitPrice: '3.25', quantity: '2' }), 'USD').charge?.amount, '6.50');
  t.is(pricedRow(line({ unitPrice: '3.25' }), 'USD').charge?.amount, '3.25');
  t.is(pricedRow(line({ amount: '-4' }), 'USD').charge?.amount, '-4.00');
  t.is(
    pricedRow(line({ unitPrice: '3.25', quantity: '2', amount: '6.5' }), 'USD').charge?.amount,
    '6.50',
  );
  const differs = line({ unitPrice: '3.25', quantity: '2', amount: '6.51' });
  t.deepEqual(texts(pricedRow(differs, 'USD').faults), [
    'amount: field.invalid: amount differs from the computed 6.50',
  ]);
  t.deepEqual(texts(pricedRow(line({ quantity: '2' }), 'USD').faults), [
    'amount: field.required: amount, or unitPrice with quantity is missing',
  ]);
  t.deepEqual(texts(pricedRow(line({ amount: '1.005' }), 'USD').faults), [
    'amount: field.invalid: an amount in USD has at most 2 decimals',
  ]);
});

const summed = (more: Parameters<typeof invoice>[0], lines: readonly string[]) => {
  const { amounts, faults } = summedRow(invoice(more), lines, 'USD');
  if (amounts === null) return texts(faults);
  const { currentAmountDue, paymentsAndAdjustments, totalDue } = amounts;
  const { status } = invoiceImported(totalDue).state;
  return `${currentAmountDue} ${paymentsAndAdjustments} = ${totalDue} ${status}`;
};

test('what was paid before is not open any more: 100.00 and -40.00 leave 60.00', (t) => {
  t.is(summed({}, ['60.00', '40.00']), '100.00 0.00 = 100.00 Outstanding');
  t.is(summed({ paymentsAndAdjustments: '-40' }, ['100.00']), '100.00 -40.00 = 60.00 Outstanding');
  t.is(summed({ paymentsAndAdjustments: '-100' }, ['100.00']), '100.00 -100.00 = 0.00 Paid');
  t.is(summed({ status: 'Paid' }, ['100.00']), '100.00 -100.00 = 0.00 Paid');
  t.is(
    summed({ status: 'Paid', paymentsAndAdjustments: '-100' }, ['100']),
    '100.00 -100.00 = 0.00 Paid',
  );
  t.is(summed({ currentAmountDue: '100.0' }, ['100.00']), '100.00 0.00 = 100.00 Outstanding');
  t.is(summed({}, ['5.00', '-5.00']), '0.00 0.00 = 0.00 Paid');
});

test('amounts that contradict each other are refused', (t) => {
  t.deepEqual(summed({}, []), [
    'invoiceNumber: field.required: no good line item names this invoiceNumber',
  ]);
  t.deepEqual(summed({ currentAmountDue: '99.99' }, ['100.00']), [
    'currentAmountDue: field.invalid: currentAmountDue differs from the sum of the lines, 100.00',
  ]);
  t.deepEqual(summed({ paymentsAndAdjustments: '-100.01' }, ['100.00']), [
    'paymentsAndAdjustments: field.invalid: paymentsAndAdjustments is more than the lines come to, 100.00',
  ]);
  t.deepEqual(summed({ status: 'Paid', paymentsAndAdjustments: '-40' }, ['100.00']), [
    'paymentsAndAdjustments: field.invalid: status Paid leaves nothing open, but 60.00 would be',
  ]);
  t.deepEqual(summed({}, ['-0.01']), [
    'currentAmountDue: field.invalid: the lines come to less than 0, -0.01',
  ]);
  t.deepEqual(summed({ paymentsAndAdjustments: '-0.005' }, ['1.00']), [
    'paymentsAndAdjustments: field.invalid: paymentsAndAdjustments has more than the 2 decimals of USD',
  ]);
});

test('for any lines and payments: what is due and what was paid give what is open', (t) => {
  const cents = (min: number, max: number) =>
    fc.integer({ min, max }).map((each) => (each / 100).toFixed(2));
  const lines = fc.array(cents(-50_000, 100_000), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(lines, fc.option(cents(-200_000, 0)), (amounts, paid) => {
      const { amounts: made } = summedRow(
        invoice({ paymentsAndAdjustments: paid }),
        amounts,
        'USD',
      );
      const open = add(sum(amounts), paid ?? '0');
      t.is(made === null, compare(open, '0') < 0 || compare(sum(amounts), '0') < 0);
      if (made === null) return;
      t.is(made.totalDue, formatAmount('USD', open));
      t.is(compare(add(made.currentAmountDue, made.paymentsAndAdjustments), made.totalDue), 0);
    }),
  );
});

test('the text of an error names the line, and each column with its code', (t) => {
  const faults = customerFaults(customer({ firstName: null, currency: 'EUX' }), 'USD');
  t.is(
    errorText(7, faults),
    'line 7: firstName: field.required: firstName is required; ' +
      'currency: field.invalid: currency must be a code of ISO 4217, not EUX',
  );
});
