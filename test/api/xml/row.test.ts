/** Cells of imported rows are checked as the elements of those names. */
import test from 'ava';
import { customerRows, invoiceRows, lineRows } from '../../../api/resources/imports/rows.ts';
import { errorText } from '../../../domain/imports/rows.ts';

const reading = ['extCustomerRef', 'firstName', 'emailPrimary', 'paymentTermsValue', 'passwd'];
const read = (cells: readonly string[]) => customerRows.read(reading, cells);
const textOf = (cells: readonly string[]) => errorText(7, read(cells).faults ?? []);

test('cells become values: decimals, whole numbers, defaults, and null for what is empty', (t) => {
  const { value } = read([' C-1 ', 'Ada', '', '030', ' Secret-1 ']);
  t.like(value, {
    updateMode: 'I',
    extCustomerRef: 'C-1',
    firstName: 'Ada',
    emailPrimary: null,
    paymentTermsValue: 30,
    // Blanks at both ends are part of a password.
    passwd: ' Secret-1 ',
    outstandingBalance: null,
  });
  const columns = ['invoiceNumber', 'position', 'unitPrice', 'amount', 'billingStartDate'];
  t.like(lineRows.read(columns, ['OLD-1', '3', '+07.50', '.5', '2026-02-28']).value, {
    invoiceNumber: 'OLD-1',
    position: 3,
    unitPrice: '7.50',
    amount: '0.5',
    quantity: null,
    billingStartDate: '2026-02-28',
  });
});

test('zeros beyond the six decimals of a decimal count for nothing', (t) => {
  const columns = ['invoiceNumber', 'position', 'unitPrice', 'quantity', 'amount'];
  const read6 = (amount: string) =>
    lineRows.read(columns, ['OLD-1', '3', '2.0000000000', '', amount]);
  t.like(read6('1234.5000000').value, { unitPrice: '2.000000', amount: '1234.500000' });
  t.like(read6('-0.12345600000').value, { amount: '-0.123456' });
  t.like(read6('0.00000000').value, { amount: '0.000000' });
  t.deepEqual(
    read6('1.0000001').faults?.map(({ column, code }) => `${column} ${code}`),
    ['amount field.invalid'],
  );
});

test('a row names every column that is wrong, and no secret', (t) => {
  t.is(
    textOf(['', 'Ada', 'nowhere', '3.5', 'Secret-1'.repeat(40)]),
    'line 7: extCustomerRef: field.required: extCustomerRef is required; ' +
      'emailPrimary: field.invalid: emailPrimary must be an e-mail address, not "nowhere"; ' +
      'passwd: field.tooLong: passwd must be at most 255 characters long; ' +
      'paymentTermsValue: field.invalid: paymentTermsValue must be a whole number from 0 to 3650, ' +
      'not "3.5"',
  );
  t.regex(textOf(['C-1', 'A\u0000', '', '', '']), /^line 7: firstName: document\.character: /);
  t.regex(textOf(['C-1', 'x'.repeat(256), '', '', '']), /^line 7: firstName: field\.tooLong: /);
});

test('dates exist, enumerations are those of the file, and a number has at most 20 characters', (t) => {
  const columns = ['updateMode', 'invoiceNumber', 'invoiceDate', 'dueDate', 'status'];
  const { faults } = invoiceRows.read(columns, [
    'U',
    'OLD-12345678901234567',
    '2027-02-29',
    '',
    'Cancelled',
  ]);
  t.deepEqual(
    faults?.map(({ code, column }) => `${column} ${code}`),
    [
      'updateMode field.invalid',
      'invoiceNumber field.tooLong',
      'invoiceDate field.invalid',
      'dueDate field.required',
      'status field.invalid',
    ],
  );
});

test('card numbers in free texts are masked', (t) => {
  const columns = ['invoiceNumber', 'position', 'invoiceText'];
  const { value } = lineRows.read(columns, ['OLD-1', '1', 'card 4111111111111111']);
  t.notRegex(value?.invoiceText ?? '', /4111111111111111/);
});

test('a column that no row has is a fault of the program: the header was checked before', (t) => {
  t.throws(() => customerRows.read(['nickname'], ['x']), { message: /nickname is no column/ });
});
