/** A small business as its former biller exports it: 15 customers, and 101 invoices of three years. */
import { csv, type Table } from '../support/imports.ts';

const customerColumns = [
  'extCustomerRef',
  'firstName',
  'lastName',
  'emailPrimary',
  'username',
  'passwd',
  'outstandingBalance',
];
const invoiceColumns = [
  'invoiceNumber',
  'extCustomerRef',
  'invoiceDate',
  'dueDate',
  'status',
  'paymentsAndAdjustments',
];
const lineColumns = ['invoiceNumber', 'position', 'invoiceText', 'amount'];

/** Customers whose every invoice was paid before. */
export const regulars = Array.from({ length: 8 }, (_, index) => `REG-${index + 1}`);
/** In their file's order after the regulars; the last three rows are bad at first. */
const special: Table = [
  ['CREDIT', 'Cora', 'Lamarr', 'cora@test.example', 'cora', 'Secret-of-cora-1', '-5.00'],
  ['PART', 'Paul', 'Erdos', 'paul@test.example', '', '', ''],
  ['LATE', 'Lise', 'Meitner', 'lise@test.example', '', '', '0'],
  ['AUTO', 'Alan', 'Turing', 'alan@test.example', 'alan', 'Secret-of-alan-1', ''],
];
const wrong: Table = [
  ['DEBT', 'Dora', 'Diaz', 'dora@test.example', '', '', '12.345'],
  ['NEAR', 'Niels', '', 'niels@test.example', '', '', ''],
  ['UNDO', 'Una', 'Field', 'una@test.example', 'cora', 'Secret-of-una-1', ''],
];
const corrected: Table = [
  ['DEBT', 'Dora', 'Diaz', 'dora@test.example', '', '', '12.34'],
  ['NEAR', 'Niels', 'Abel', 'niels@test.example', '', '', ''],
  ['UNDO', 'Una', 'Field', 'una@test.example', 'una', 'Secret-of-una-1', ''],
];

const whole: Table = [
  ...regulars.map((ref, index) => [
    ref,
    'Regular',
    `Number ${index + 1}`,
    `regular-${index + 1}@test.example`,
    '',
    '',
    '',
  ]),
  ...special,
];

export const customerFile = csv(customerColumns, [...whole, ...wrong]);
export const correctedCustomers = csv(customerColumns, corrected);

/** Of each regular customer: one a quarter from January 2024 to October 2026, of 30.00 + 10.00. */
const quarters = [2024, 2025, 2026].flatMap((year) =>
  ['01', '04', '07', '10'].map((month) => ({
    name: `${year % 100}${month}`,
    invoiceDate: `${year}-${month}-01`,
    dueDate: `${year}-${month}-15`,
  })),
);
const quarterly = regulars.flatMap((ref, index) =>
  quarters.map(({ name, ...dates }) => ({ number: `Q${index + 1}-${name}`, ref, ...dates })),
);

const paid: Table = quarterly.map(({ number, ref, invoiceDate, dueDate }) => [
  number,
  ref,
  invoiceDate,
  dueDate,
  'Paid',
  '',
]);

/** Of 100.00, 40.00 were paid before. */
const open: Table = [
  ['PART-1', 'PART', '2027-01-10', '2027-02-14', '', '-40.00'],
  ['UNDO-1', 'UNDO', '2027-01-10', '2027-02-14', '', '-40.00'],
  ['AUTO-1', 'AUTO', '2027-01-10', '2027-02-01', '', ''],
];
const wrongInvoices: Table = [
  // Its second line has three decimals.
  ['LATE-1', 'LATE', '2026-06-01', '2026-06-30', '', ''],
  ['NEAR-1', 'NEAR', '2027-01-10', '2027-01-09', '', ''],
];
const correctedInvoices: Table = [
  ['LATE-1', 'LATE', '2026-06-01', '2026-06-30', '', ''],
  ['NEAR-1', 'NEAR', '2026-12-27', '2027-01-10', '', ''],
];
const openLines: Table = [
  ['PART-1', 1, 'Web site', '100.00'],
  ['UNDO-1', 1, 'Web site', '100.00'],
  ['AUTO-1', 1, 'Hosting of a year', '70.00'],
];

export const invoiceFile = csv(invoiceColumns, [...paid, ...open, ...wrongInvoices]);
export const correctedInvoiceFile = csv(invoiceColumns, correctedInvoices);

/** The second one has what the first one lacks of the same invoices. */
export const lineFiles = [
  csv(lineColumns, [
    ...quarterly.map(({ number }) => [number, 1, 'Hosting', '30.00']),
    ...openLines,
    ['LATE-1', 1, 'Shop', '200.00'],
    ['NEAR-1', 1, 'Shop', '80.00'],
  ]),
  csv(lineColumns, [
    ...quarterly.map(({ number }) => [number, 2, 'Mail', '10.00']),
    ['LATE-1', 2, 'Mail', '50.005'],
  ]),
];
export const correctedLineFiles = [
  csv(lineColumns, [
    ['LATE-1', 1, 'Shop', '200.00'],
    ['NEAR-1', 1, 'Shop', '80.00'],
  ]),
  csv(lineColumns, [['LATE-1', 2, 'Mail', '50.00']]),
];
