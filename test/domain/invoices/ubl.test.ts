/** The electronic form of an invoice, and what has to be known for it. */
import test from 'ava';
import { cancellationUbl } from '../../../domain/invoices/cancellation.ts';
import type { Branch, Leaf } from '../../../domain/invoices/ubl-nodes.ts';
import { missingOf } from '../../../domain/invoices/ubl-missing.ts';
import { supplementOf, supplemented } from '../../../domain/invoices/ubl-supplement.ts';
import { subtotalsOf } from '../../../domain/invoices/ubl-taxes.ts';
import { ublDocument, type UblSource } from '../../../domain/invoices/ubl.ts';
import {
  buyerIn,
  rateOf,
  senderIn,
  taxCharge,
  taxed,
  ublCharge,
  ublSource,
  type Rated,
  type SourceParts,
} from '../../support/ubl/samples.ts';

/** The texts of all elements at a path: `TaxTotal/TaxAmount`. */
function texts(element: Branch | Leaf, path: string): string[] {
  const [first, ...rest] = path.split('/');
  if (first === undefined || first === '') return 'text' in element ? [element.text] : [];
  if ('text' in element) return [];
  return element.children
    .filter(({ name }) => name.replace(/^c[ab]c:/, '') === first)
    .flatMap((child) => texts(child, rest.join('/')));
}

const said = (source: UblSource, path: string): string =>
  texts(ublDocument(source), path).join(' ');

const vat20 = rateOf('S', '20');
/** 29.95 for 14 of 31 days, 10% off, 20% tax. */
const fee = taxed(ublCharge({ amount: '13.53', unitPrice: '29.95', quantity: '1' }), vat20);
const discount = taxed(ublCharge({ amount: '-1.35', isPercent: true, unitPrice: '-10' }), vat20);
const tax = taxCharge(vat20, '2.44');
const month: SourceParts['lines'] = [[fee, discount, tax]];

test('29.95 for 14 of 31 days, 10% off and 20% tax: 12.18, 2.44 and 14.62', (t) => {
  const source = ublSource({ lines: month });
  t.is(said(source, 'InvoiceTypeCode'), '380');
  t.is(said(source, 'InvoiceLine/ID'), '1 2');
  t.is(said(source, 'InvoiceLine/InvoicedQuantity'), '1 -1');
  t.is(said(source, 'InvoiceLine/LineExtensionAmount'), '13.53 -1.35');
  t.is(said(source, 'InvoiceLine/Price/PriceAmount'), '13.53 1.35');
  t.is(said(source, 'TaxTotal/TaxAmount'), '2.44');
  t.is(said(source, 'TaxTotal/TaxSubtotal/TaxableAmount'), '12.18');
  t.is(said(source, 'TaxTotal/TaxSubtotal/TaxCategory/Percent'), '20');
  const totals = ['LineExtension', 'TaxExclusive', 'TaxInclusive', 'Payable'].map((name) =>
    said(source, `LegalMonetaryTotal/${name}Amount`),
  );
  t.deepEqual(totals, ['12.18', '12.18', '14.62', '14.62']);
});

test('a negative invoice is a CreditNote with the opposite signs', (t) => {
  const back = ([charge, its]: Rated, amount: string): Rated => [{ ...charge, amount }, its];
  const lines = [[back(fee, '-13.53'), back(discount, '1.35'), back(tax, '-2.44')]];
  const credited = [{ invoiceNumber: '1000', invoiceDate: '2027-01-01' }];
  const source = ublSource({ lines, credited });
  t.is(said(source, 'CreditNoteTypeCode'), '381');
  t.is(said(source, 'DueDate'), '');
  t.is(said(source, 'CreditNoteLine/CreditedQuantity'), '1 -1');
  t.is(said(source, 'CreditNoteLine/LineExtensionAmount'), '13.53 -1.35');
  t.is(said(source, 'LegalMonetaryTotal/PayableAmount'), '14.62');
  t.is(said(source, 'BillingReference/InvoiceDocumentReference/ID'), '1000');
  t.is(said(source, 'BillingReference/InvoiceDocumentReference/IssueDate'), '2027-01-01');
});

test('a cancellation is a CreditNote with the figures of its invoice, which it names', (t) => {
  const source = ublSource({ lines: month });
  t.is(cancellationUbl(source), undefined);
  const invoice = { ...source.invoice, notes: 'Thank you', cancellationNumber: '1002' };
  const own = cancellationUbl({ ...source, invoice: { ...invoice, dateCancelled: '2027-02-03' } });
  if (own === undefined) return t.fail();
  t.is(said(own, 'CreditNoteTypeCode'), '381');
  t.is(said(own, 'ID'), '1002');
  t.is(said(own, 'IssueDate'), '2027-02-03');
  t.is(said(own, 'Note'), '');
  t.is(said(own, 'CreditNoteLine/CreditedQuantity'), '1 -1');
  t.is(said(own, 'CreditNoteLine/LineExtensionAmount'), '13.53 -1.35');
  t.is(said(own, 'TaxTotal/TaxAmount'), '2.44');
  t.is(said(own, 'LegalMonetaryTotal/PayableAmount'), '14.62');
  t.is(said(own, 'BillingReference/InvoiceDocumentReference/ID'), source.invoice.invoiceNumber);
  t.is(
    said(own, 'BillingReference/InvoiceDocumentReference/IssueDate'),
    source.invoice.invoiceDate,
  );
});

const priced: readonly (readonly [string, string | null, string | null, string, string])[] = [
  // amount, quantity, unit price, and what the line says of both
  ['90.00', '1.5', '60', '1.5', '60'],
  ['-90.00', '1.5', '-60', '-1.5', '60'],
  ['4.24', '123', '0.0345', '123', '0.0345'],
  ['13.53', '1', '29.95', '1', '13.53'],
  ['0.00', '0', '5', '0', '5'],
  ['7.00', null, null, '1', '7.00'],
  ['-7.00', null, '7', '-1', '7.00'],
];

for (const [amount, quantity, unitPrice, billed, price] of priced) {
  test(`${amount} for ${quantity} at ${unitPrice} is a line of ${billed} at ${price}`, (t) => {
    const other = taxed(ublCharge({ amount: '500.00' }));
    const source = ublSource({
      lines: [[taxed(ublCharge({ amount, quantity, unitPrice })), other]],
    });
    t.is(said(source, 'InvoiceLine/InvoicedQuantity'), `${billed} 1`);
    t.is(said(source, 'InvoiceLine/Price/PriceAmount'), `${price} 500.00`);
  });
}

test('a sum that repeats usage is no line, nor is a tax', (t) => {
  const usage = taxed(ublCharge({ amount: '5.00' }), vat20);
  const repeated = taxed(ublCharge({ amount: '5.00', isUsageChargeSubTotal: true }), vat20);
  const source = ublSource({ lines: [[usage, repeated, taxCharge(vat20, '1.00')]] });
  t.is(said(source, 'InvoiceLine/LineExtensionAmount'), '5.00');
  t.is(said(source, 'LegalMonetaryTotal/PayableAmount'), '6.00');
});

test('without any tax an invoice is outside of the scope of tax, and names no VAT number', (t) => {
  const source = ublSource({ lines: [[taxed(ublCharge({ amount: '5.00' }))]] });
  t.is(said(source, 'TaxTotal/TaxSubtotal/TaxCategory/ID'), 'O');
  t.is(said(source, 'TaxTotal/TaxSubtotal/TaxCategory/Percent'), '');
  t.is(said(source, 'TaxTotal/TaxSubtotal/TaxCategory/TaxExemptionReason'), 'Not subject to VAT');
  t.is(said(source, 'TaxTotal/TaxSubtotal/TaxCategory/TaxExemptionReasonCode'), 'VATEX-EU-O');
  t.is(said(source, 'AccountingSupplierParty/Party/PartyTaxScheme/CompanyID'), '');
});

test('a charge without tax beside others has the category that the tenant says', (t) => {
  const lines = [[taxed(ublCharge({ amount: '5.00' })), fee, tax]];
  t.is(said(ublSource({ lines }), 'TaxTotal/TaxSubtotal/TaxCategory/ID'), 'Z S');
  const untaxed = { category: 'E', exemptionReason: 'Education' } as const;
  const exempt = ublSource({ lines, sender: { untaxed } });
  t.is(said(exempt, 'TaxTotal/TaxSubtotal/TaxCategory/ID'), 'E S');
  t.is(said(exempt, 'TaxTotal/TaxSubtotal/TaxCategory/TaxExemptionReason'), 'Education');
});

test('a supply within the Union names its last day and the country of the buyer', (t) => {
  const within = rateOf('K');
  const lines = [[taxed(ublCharge({ amount: '5.00' }), within), taxCharge(within, '0.00')]];
  const source = ublSource({ lines, buyer: 'NL' });
  t.is(said(source, 'Delivery/ActualDeliveryDate'), '2027-01-31');
  t.is(said(source, 'Delivery/DeliveryLocation/Address/Country/IdentificationCode'), 'NL');
});

test('a purchase order is that of the invoice, or of each line where they differ', (t) => {
  const lines = [...month, [taxed(ublCharge({ amount: '5.00' }), vat20), taxCharge(vat20, '1.00')]];
  const one = ublSource({
    lines,
    orders: ['PO-1', 'PO-1'],
    invoice: { purchaseOrder: 'PO-1' },
  });
  t.is(said(one, 'OrderReference/ID'), 'PO-1');
  t.is(said(one, 'InvoiceLine/Item/AdditionalItemProperty/Value'), '');
  const several = ublSource({ lines, orders: ['PO-1', 'PO-2'] });
  t.is(said(several, 'OrderReference/ID'), '');
  t.is(said(several, 'InvoiceLine/Item/AdditionalItemProperty/Value'), 'PO-1 PO-1 PO-2');
  t.is(
    said(several, 'InvoiceLine/Item/AdditionalItemProperty/Name').slice(0, 14),
    'Purchase order',
  );
});

test('a line has its days only within those of the document', (t) => {
  const its = (from: string, to: string) =>
    taxed(ublCharge({ amount: '1.00', billingStartDate: from, billingEndDate: to }));
  const lines = [[its('2027-01-20', '2027-01-31'), its('2026-12-01', '2027-01-31')]];
  const source = ublSource({ lines });
  t.is(said(source, 'InvoicePeriod/StartDate'), '2027-01-18');
  t.is(said(source, 'InvoiceLine/InvoicePeriod/StartDate'), '2027-01-20');
});

test('a text of blanks is no element', (t) => {
  const source = ublSource({ lines: month, invoice: { notes: ' \n ' } });
  t.deepEqual(texts(ublDocument(source), 'Note'), []);
});

const outside = [[taxed(ublCharge({ amount: '5.00' }))]];
const reverse = rateOf('AE');
const several = [
  [taxed(ublCharge({ amount: '5.00' }), vat20, rateOf('S', '5')), taxCharge(vat20, '1.00')],
];
const address = { ...senderIn('AT').address, countryCode: null };
const noPlace = { street1: null, city: ' ', zip: null };

const missing: readonly (readonly [string, Partial<SourceParts>, readonly string[]])[] = [
  [
    'the seller has no electronic address',
    { sender: { electronicAddress: null } },
    ['tenant/electronicAddress'],
  ],
  ['the seller has no country', { sender: { address } }, ['tenant/address/countryCode']],
  ['the seller has no VAT number', { sender: { taxId: null } }, ['tenant/taxId']],
  [
    'the seller has a number of a register, and no tax is taken',
    { seller: 'BE', lines: outside, sender: { taxId: null } },
    [],
  ],
  [
    'the buyer has no electronic address',
    { customer: { electronicAddress: null } },
    ['customer/electronicAddress'],
  ],
  [
    'the buyer has no contact',
    { customer: { billingContact: null } },
    ['customer/billingContact/address/countryCode'],
  ],
  [
    'the buyer has no reference',
    { customer: { extCustomerRef: null } },
    ['customer/buyerReference'],
  ],
  [
    'a purchase order stands for the reference',
    { customer: { extCustomerRef: null }, invoice: { purchaseOrder: 'PO-1' } },
    [],
  ],
  [
    'a purchase order does not stand for the reference in Germany',
    { seller: 'DE', customer: { extCustomerRef: null }, invoice: { purchaseOrder: 'PO-1' } },
    ['customer/buyerReference'],
  ],
  [
    'the buyer of reverse charge has no VAT number',
    {
      lines: [[taxed(ublCharge({ amount: '5.00' }), reverse), taxCharge(reverse, '0.00')]],
      customer: { taxId: '12-3456789' },
    },
    ['customer/taxId'],
  ],
  ['a charge has two rates', { lines: several }, ['invoice/invoiceLineItems/FEE']],
  [
    'what is outside of the scope of tax stands beside others',
    { lines: [[...(month[0] ?? []), taxed(ublCharge({ amount: '5.00' }), rateOf('O'))]] },
    ['invoice/invoiceLineItems'],
  ],
  ['the currency has three decimals', { invoice: { currency: 'KWD' } }, ['invoice/currency']],
  ['the invoice has no charges', { lines: [[]] }, ['invoice/invoiceLineItems']],
  [
    'a seller in Germany says only who it is',
    {
      seller: 'DE',
      sender: { contact: { name: 'Ada' }, bankAccount: { note: 'in cash' } },
    },
    ['tenant/contact', 'tenant/bankAccount'],
  ],
  [
    'buyers and sellers in Germany have no town',
    {
      seller: 'DE',
      sender: { address: { ...senderIn('DE').address, ...noPlace } },
      customer: {
        billingContact: {
          firstName: null,
          lastName: null,
          companyName: null,
          address: { ...senderIn('DE').address, ...noPlace },
        },
      },
    },
    [
      'tenant/address/city',
      'tenant/address/zip',
      'customer/billingContact/address/city',
      'customer/billingContact/address/zip',
    ],
  ],
  [
    'companies in Germany have an invoice outside of the scope of tax',
    { seller: 'DE', lines: outside },
    ['invoice/invoiceLineItems'],
  ],
  [
    'a seller in the Netherlands has another number, no place and no account',
    {
      seller: 'NL',
      buyer: 'AT',
      sender: {
        electronicAddress: '9944:NL001234567B01',
        address: { ...senderIn('NL').address, ...noPlace },
        bankAccount: null,
      },
    },
    [
      'tenant/address/street1',
      'tenant/address/city',
      'tenant/address/zip',
      'tenant/electronicAddress',
      'tenant/bankAccount',
    ],
  ],
  [
    'a credit note of a seller in the Netherlands names no invoice',
    { seller: 'NL', lines: [[taxed(ublCharge({ amount: '-5.00' }))]] },
    ['invoice/creditNoteOf'],
  ],
  [
    'a seller in Italy has no place',
    { seller: 'IT', sender: { address: { ...senderIn('IT').address, ...noPlace } } },
    ['tenant/address/street1', 'tenant/address/city', 'tenant/address/zip'],
  ],
  ['nothing is missing', {}, []],
];

for (const [title, parts, expected] of missing) {
  test(`what an electronic invoice lacks: ${title}`, (t) => {
    const errors = missingOf(ublSource({ lines: month, ...parts }));
    t.deepEqual(
      errors.map(({ path }) => path),
      expected,
    );
    for (const { code } of errors) t.is(code, 'invoice.ubl');
  });
}

test('what the parties of then do not say comes from those of today, and nothing else does', (t) => {
  const frozen = {
    sender: { ...senderIn('AT'), electronicAddress: null, address },
    customer: { ...buyerIn('AT'), electronicAddress: null, buyerReference: null },
  };
  const today = {
    sender: { ...senderIn('AT'), name: 'New', electronicAddress: '9915:new' },
    customer: { ...buyerIn('AT'), name: 'New', buyerReference: 'R', extCustomerRef: 'NEW' },
  };
  const filled = supplemented(frozen, supplementOf(frozen, today));
  t.deepEqual(filled.sender, {
    ...frozen.sender,
    electronicAddress: '9915:new',
    address: { ...address, countryCode: 'AT' },
  });
  t.deepEqual(filled.customer, {
    ...frozen.customer,
    electronicAddress: '9915:b',
    buyerReference: 'R',
  });
});

test('what was said then stays, and an address that has moved tells no country', (t) => {
  const was = { ...senderIn('AT'), address };
  const frozen = { sender: was, customer: { ...buyerIn('AT'), buyerReference: 'OLD' } };
  const today = {
    sender: { ...senderIn('DE'), address: { ...senderIn('DE').address, street1: 'Elsewhere 2' } },
    customer: { ...buyerIn('DE'), buyerReference: 'NEW' },
  };
  const filled = supplemented(frozen, supplementOf(frozen, today));
  t.deepEqual(filled, {
    sender: { ...was, electronicAddress: '9915:b' },
    customer: { ...frozen.customer, electronicAddress: '9915:b' },
  });
});

test('a tax of nothing that no line has is none of the breakdown; one that a line has is', (t) => {
  const tax = (percent: string) => ({ category: 'S', percent, reason: null }) as const;
  const lines = [{ tax: tax('21'), amount: '600.00' }];
  const taxes = [
    { tax: tax('21'), amount: '126.00' },
    { tax: tax('8.875'), amount: '0.00' },
  ];
  t.deepEqual(
    subtotalsOf(lines, taxes).map(({ tax: { percent }, base, amount }) => [percent, base, amount]),
    [['21', '600', '126']],
  );
  const free = [{ tax: tax('8.875'), amount: '0.05' }];
  t.is(subtotalsOf(free, [{ tax: tax('8.875'), amount: '0.00' }]).length, 1);
});
