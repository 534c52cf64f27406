/** The view of an invoice that HTML and PDF lay out: words, figures, tiers, addresses. */
import test from 'ava';
import { formatsOf, localeOf } from '../../../domain/invoices/formats.ts';
import { invoicePage, type InvoiceSource } from '../../../domain/invoices/page.ts';
import { countryCodes } from '../../../domain/customers/postal-address.ts';
import { languages as allLanguages } from '../../../domain/text/language.ts';
import { messages } from '../../../messages/messages.ts';
import { charge, installation, line, sourceOf } from './samples.ts';
import { fc } from '../../support/random.ts';

/** Intl separates figures and signs by no-break spaces; in a table they are plain spaces. */
const plain = (text: string | null | undefined) => text?.replaceAll(/[\u00a0\u202f\u2009]/gu, ' ');

const figures = [
  // locale, currency, amount, written, 31 January 2027, the period 15 December to 14 January
  ['en_US', 'USD', '1234.50', '$1,234.50', 'January 31, 2027', 'Dec 15, 2026 – Jan 14, 2027'],
  ['en_GB', 'GBP', '1234.50', '£1,234.50', '31 January 2027', '15 Dec 2026 – 14 Jan 2027'],
  ['de_DE', 'EUR', '1234.50', '1.234,50 €', '31. Januar 2027', '15.12.2026 – 14.01.2027'],
  ['de_CH', 'CHF', '1234.50', "CHF 1'234.50", '31. Januar 2027', '15.12.2026 – 14.01.2027'],
  ['fr_FR', 'EUR', '-1234.50', '-1 234,50 €', '31 janvier 2027', '15 déc. 2026 – 14 janv. 2027'],
  ['es_ES', 'EUR', '12345.60', '12.345,60 €', '31 de enero de 2027', '15 dic 2026 – 14 ene 2027'],
  ['ja_JP', 'JPY', '1234', '￥1,234', '2027年1月31日', '2026/12/15～2027/01/14'],
  ['en_KW', 'KWD', '1.500', 'KWD 1.500', null, null],
  ['en_US', 'JPY', '1234', '¥1,234', null, null],
  // Figures and months have no Bengali, Tamil or Khmer characters, nor have signs of currencies.
  ['bn_BD', 'BDT', '1234.50', 'BDT 1,234.50', 'January 31, 2027', 'Dec 15, 2026 – Jan 14, 2027'],
  ['ta_IN', 'INR', '1234.50', '₹1,234.50', '31 January 2027', '15 Dec 2026 – 14 Jan 2027'],
  ['hi_IN', 'INR', '1234.50', '₹1,234.50', '31 जनवरी 2027', '15 दिस॰ 2026 – 14 जन॰ 2027'],
  ['en_IN', 'KHR', '1234.50', 'KHR 1,234.50', null, null],
] as const;

for (const [locale, currency, amount, written, day, period] of figures) {
  test(`figures of ${locale} in ${currency}`, (t) => {
    const formats = formatsOf(localeOf(locale, null), currency);
    t.is(plain(formats.amount(amount)), written);
    if (day !== null) t.is(plain(formats.date('2027-01-31')), day);
    if (period !== null) t.is(plain(formats.period('2026-12-15', '2027-01-14')), period);
  });
}

/** What a thousand and a half, a percentage, and an amount look like beside each other. */
const together = [
  ['en_US', '1,000.5', '8.875%', '$1,234.50'],
  // An English document of the continent: CLDR has its amounts alone in English figures.
  ['en_DE', '1,000.5', '8.875%', 'US$1,234.50'],
  ['en_FR', '1,000.5', '8.875%', 'US$1,234.50'],
  ['en_SE', '1 000,5', '8,875 %', '1 234,50 US$'],
  ['en_CH', "1'000.5", '8.875%', "US$ 1'234.50"],
  ['de_DE', '1.000,5', '8,875 %', '1.234,50 $'],
  ['de_AT', '1.000,5', '8,875 %', '$ 1.234,50'],
  ['de_CH', "1'000.5", '8.875%', "$ 1'234.50"],
  // Money has a point there, and everything else a comma.
  ['fr_CH', "1'000,5", '8,875%', "1'234.50 $US"],
  ['es_MX', '1,000.5', '8.875%', 'USD 1,234.50'],
] as const;

for (const [locale, number, percent, amount] of together) {
  test(`${locale}: numbers and amounts have the same separators`, (t) => {
    const formats = formatsOf(localeOf(locale, null), 'USD');
    t.is(plain(formats.number('1000.5')), number);
    t.is(plain(formats.percent('8.875')), percent);
    t.is(plain(formats.amount('1234.5')), amount);
  });
}

test('in no locale of a document a sign parts thousands here, and decimals there', (t) => {
  const tags = allLanguages.flatMap((language) =>
    countryCodes.map((code) => `${language}-${code}`),
  );
  const signs = (text: string) => /1(\D?)000(\D)5/.exec(text)?.slice(1) ?? [];
  for (const [tag, currency] of tags.flatMap((each) => [
    [each, 'EUR'] as const,
    [each, 'USD'] as const,
  ])) {
    const { number, price } = formatsOf(localeOf(tag, null), currency);
    const [thousands, decimals] = signs(number('1000.5'));
    const [ofPrice, decimalsOfPrice] = signs(price('1000.5'));
    t.true(thousands !== decimalsOfPrice && ofPrice !== decimals, `${tag}: ${price('1000.5')}`);
  }
});

test('an amount beyond the precision of a floating-point number is written to its last digit', (t) => {
  const { amount, price } = formatsOf('en-US', 'USD');
  t.is(amount('9007199254740993.01'), '$9,007,199,254,740,993.01');
  t.is(price('0.000001'), '$0.000001');
  t.is(price('49'), '$49.00');
});

test('every amount is written with all of its digits', (t) => {
  const { amount } = formatsOf('en-US', 'USD');
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 17n), (cents) => {
      const digits = cents.toString().padStart(3, '0');
      const decimal = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
      t.is(amount(decimal).replaceAll(/[$,]/g, ''), decimal);
    }),
  );
});

const locales = [
  // the customer's, the sender's country, the locale of the page
  ['de_AT', 'US', 'de-AT'],
  ['de', null, 'de-DE'],
  ['zh_Hant_HK', null, 'zh-HK'],
  [null, 'FR', 'fr-FR'],
  [null, null, 'en-US'],
  ['xx_YY', null, 'en-US'],
  ['no locale at all', 'DE', 'de-DE'],
  ['th_TH_u_ca_buddhist', null, 'th-TH'],
] as const;

for (const [locale, country, expected] of locales) {
  test(`a customer with locale ${locale} of a sender in ${country} gets ${expected}`, (t) => {
    t.is(localeOf(locale, country), expected);
  });
}

const undrawn = [
  // locale, 31 March 2027
  ['bn_BD', 'March 31, 2027'],
  // A name of the script alone changes no data.
  ['bn_Latn_BD', 'March 31, 2027'],
  ['my_MM', 'March 31, 2027'],
  ['si_LK', 'March 31, 2027'],
  ['ka_GE', '31 March 2027'],
  ['te_IN', '31 March 2027'],
  // Its March has a tone that no font has.
  ['bas_CM', '31 March 2027'],
] as const;

for (const [locale, day] of undrawn) {
  test(`dates of ${locale} have the language of the words, its page keeps its locale`, (t) => {
    const invoice = { invoiceDate: '2027-03-31', dueDate: '2027-04-30' } as const;
    const page = invoicePage(sourceOf({ customer: { locale }, invoice }), messages);
    t.is(page.facts[1]?.value, day);
    t.is(page.locale.slice(0, 2), locale.slice(0, 2));
  });
}

test('a tenant in Bangladesh has Latin digits without a locale of its customer, too', (t) => {
  const page = invoicePage(
    sourceOf({ customer: { locale: null }, sender: { address: { countryCode: 'BD' } } }),
    messages,
  );
  t.is(page.locale, 'bn-BD');
  t.is(page.summary[3]?.value, '$83.95');
});

const languages = [
  ['en_US', 'Invoice 1001', 'Due date', 'Total due', 'letter'],
  ['de_DE', 'Rechnung 1001', 'Fällig am', 'Zu zahlen', 'a4'],
  ['fr_FR', 'Facture 1001', 'Échéance', 'Total à payer', 'a4'],
  ['es_ES', 'Factura 1001', 'Vencimiento', 'Total a pagar', 'a4'],
  ['ja_JP', 'Invoice 1001', 'Due date', 'Total due', 'a4'],
] as const;

for (const [locale, title, due, total, paper] of languages) {
  test(`the words and the paper for ${locale}`, (t) => {
    const page = invoicePage(sourceOf({ customer: { locale } }), messages);
    t.is(page.title, title);
    t.is(page.facts[2]?.label, due);
    t.deepEqual(
      page.summary.slice(3, 4).map((row) => row.label),
      [total],
    );
    t.is(page.paper, paper);
  });
}

const creditNotes = [
  // locale, title, the recipient's heading, number, date, the sum, the mark once it is settled
  [
    'en_US',
    'Credit note 1001',
    'Credit to',
    'Credit note number',
    'Credit note date',
    'This credit note',
    'Credited',
  ],
  [
    'de_DE',
    'Gutschrift 1001',
    'Gutschrift an',
    'Gutschriftsnummer',
    'Gutschriftsdatum',
    'Diese Gutschrift',
    'Gutgeschrieben',
  ],
  ['fr_FR', 'Avoir 1001', 'Crédité à', 'Numéro d’avoir', 'Date de l’avoir', 'Cet avoir', 'Crédité'],
  [
    'es_MX',
    'Nota de crédito 1001',
    'Acreditar a',
    'Número de nota de crédito',
    'Fecha de la nota de crédito',
    'Esta nota de crédito',
    'Acreditada',
  ],
] as const;

for (const [locale, title, recipient, number, date, sum, stamp] of creditNotes) {
  test(`a negative invoice is a credit note by name for ${locale}, and never due`, (t) => {
    const invoice = {
      status: 'Paid',
      currentAmountDue: '-78.95',
      outstandingBalance: '0.00',
      totalDue: '-73.95',
      billingStartDate: null,
    } as const;
    const customer = { locale, extCustomerRef: null };
    const page = invoicePage(sourceOf({ customer, invoice, creditLeft: '78.95' }), messages);
    t.is(page.title, title);
    t.is(page.kind, 'creditNote');
    t.is(page.recipientLabel, recipient);
    t.deepEqual(
      page.facts.map(({ label }) => label),
      [number, date],
    );
    t.is(page.summary[2]?.label, sum);
    t.deepEqual(page.stamp, { kind: 'paid', text: stamp });
  });
}

test('the purchase order of an invoice stands among its facts, in the words of its customer', (t) => {
  const invoice = { purchaseOrder: 'PO-4711' };
  for (const [locale, label] of [
    ['en_US', 'Purchase order'],
    ['de_DE', 'Bestellnummer'],
  ] as const) {
    const page = invoicePage(sourceOf({ customer: { locale }, invoice }), messages);
    t.deepEqual(page.facts.at(-1), { label, value: 'PO-4711' });
  }
});

test('where the lines of an invoice differ, each names its purchase order', (t) => {
  const named = line({ purchaseOrder: 'PO-1' });
  const untitled = line({ purchaseOrder: 'PO-2', invoiceText: null });
  const lines = [named, untitled, line()];
  const page = invoicePage(sourceOf({ invoice: { lines } }), messages);
  t.deepEqual(
    page.lines.map(({ title, reference }) => [title, reference]),
    [
      ['Gold internet', 'Order 1001 · GOLD · Purchase order PO-1'],
      ['Order 1001 · GOLD', 'Purchase order PO-2'],
      ['Gold internet', 'Order 1001 · GOLD'],
    ],
  );
  const agreed = sourceOf({ invoice: { lines: [named, named], purchaseOrder: 'PO-1' } });
  t.is(invoicePage(agreed, messages).lines[0]?.reference, 'Order 1001 · GOLD');
});

test('an invoice of nothing is an invoice', (t) => {
  const page = invoicePage(sourceOf({ invoice: { currentAmountDue: '0.00' } }), messages);
  t.is(page.title, 'Invoice 1001');
  t.is(page.kind, 'invoice');
});

const terms = [
  // locale, due, the terms in words
  ['en_US', '2027-01-01', 'Due on receipt'],
  ['en_US', '2027-01-02', 'Due within one day'],
  ['en_US', '2027-01-31', 'Due within 30 days'],
  ['de_DE', '2027-01-31', 'Innerhalb von 30 Tagen'],
  ['fr_FR', '2027-01-31', 'Sous 30 jours'],
  ['es_ES', '2027-01-31', 'En el plazo de 30 días'],
  // Before its own date only by hand.
  ['en_US', '2026-12-01', 'Due on receipt'],
] as const;

for (const [locale, dueDate, words] of terms) {
  test(`the payment terms of ${dueDate} in words of ${locale}`, (t) => {
    const page = invoicePage(sourceOf({ customer: { locale }, invoice: { dueDate } }), messages);
    t.is(page.facts[3]?.value, words);
  });
}

const taxIds = [
  ['en_US', 'Tax ID: DE123456789'],
  ['de_DE', 'USt-IdNr.: DE123456789'],
  ['fr_FR', 'N° de TVA\u00a0: DE123456789'],
  ['es_ES', 'NIF-IVA: DE123456789'],
] as const;

for (const [locale, written] of taxIds) {
  test(`the seller's tax id stands below its address: ${locale}`, (t) => {
    const customer = { locale };
    const { sender } = invoicePage(
      sourceOf({ customer, sender: { taxId: 'DE123456789' } }),
      messages,
    );
    t.is(sender.lines[0], '350 Fifth Avenue');
    t.is(sender.lines.at(-1), written);
    const alone = { taxId: 'DE123456789', address: null };
    t.deepEqual(invoicePage(sourceOf({ customer, sender: alone }), messages).sender.lines, [
      written,
    ]);
  });
}

const rowsOf = (source: InvoiceSource) =>
  invoicePage(source, messages).summary.map(({ label, value, isTotal }) => [label, value, isTotal]);

test('the sums are those of the invoice, and end with what is due of it', (t) => {
  t.deepEqual(rowsOf(sourceOf()), [
    ['Previous balance', '$20.00', false],
    ['Payments and adjustments', '-$15.00', false],
    ['This invoice', '$78.95', false],
    ['Total due', '$83.95', false],
    ['Still due of this invoice', '$78.95', true],
  ]);
});

const paidBy = {
  date: '2027-01-05',
  kind: 'Payment',
  method: 'Visa - *****1111',
  invoiceNumber: null,
  amount: '50',
} as const;
const byCash = { ...paidBy, date: '2027-01-06', method: 'Cash', amount: '20' } as const;
const byCredit = { ...paidBy, kind: 'Credit', method: null, amount: '8.95' } as const;

test('an invoice of 78.95 lists payments of 50.00 and 20.00 and a credit of 8.95, and is due no more', (t) => {
  const partly = sourceOf({ invoice: { outstandingBalance: '28.95' }, settlements: [paidBy] });
  t.deepEqual(rowsOf(partly).slice(-2), [
    ['Payment of January 5, 2027 · Visa - *****1111', '-$50.00', false],
    ['Still due of this invoice', '$28.95', true],
  ]);
  t.is(invoicePage(partly, messages).stamp, null);
  const paid = sourceOf({
    invoice: { status: 'Paid', outstandingBalance: '0.00' },
    settlements: [paidBy, byCash, byCredit],
  });
  t.deepEqual(invoicePage(paid, messages).stamp, { kind: 'paid', text: 'Paid' });
  t.deepEqual(rowsOf(paid).slice(-4), [
    ['Payment of January 5, 2027 · Visa - *****1111', '-$50.00', false],
    ['Payment of January 6, 2027 · Cash', '-$20.00', false],
    ['Credit of January 5, 2027', '-$8.95', false],
    ['Still due of this invoice', '$0.00', true],
  ]);
  const cancelled = sourceOf({ customer: { locale: 'de_DE' }, invoice: { status: 'Cancelled' } });
  t.deepEqual(invoicePage(cancelled, messages).stamp, { kind: 'cancelled', text: 'Storniert' });
});

test('of 14 payments of 1.00 the two oldest are one row', (t) => {
  const settlements = Array.from({ length: 14 }, () => ({ ...paidBy, amount: '1' }));
  const rows = rowsOf(sourceOf({ settlements })).slice(4);
  t.deepEqual(rows[0], ['Earlier payments and credits', '-$2.00', false]);
  t.is(rows.length, 14);
});

const leaves: readonly [string, string, string][] = [
  ['en_US', 'Credited to invoice 1001, January 5, 2027', 'Left as credit'],
  ['de_DE', 'Der Rechnung 1001 gutgeschrieben, 5. Januar 2027', 'Verbleibendes Guthaben'],
  ['fr_FR', 'Imputé sur la facture 1001, 5 janvier 2027', 'Solde créditeur restant'],
  ['es_ES', 'Abonado a la factura 1001, 5 de enero de 2027', 'Saldo restante a su favor'],
];

for (const [locale, credited, left] of leaves) {
  test(`a credit note of 50.00 names the invoice that it credits 20.00, and leaves 30.00: ${locale}`, (t) => {
    const source = sourceOf({
      customer: { locale },
      invoice: { currentAmountDue: '-50', outstandingBalance: '0', status: 'Paid' },
      settlements: [{ ...byCredit, invoiceNumber: '1001', amount: '20' }],
      creditLeft: '30',
    });
    const rows = invoicePage(source, messages).summary.slice(-2);
    t.deepEqual(
      rows.map(({ label, isTotal }) => [label, isTotal]),
      [
        [credited, false],
        [left, true],
      ],
    );
    t.regex(rows[0]?.value ?? '', /^\$?20[.,]00/);
    t.regex(rows[1]?.value ?? '', /^\$?30[.,]00/);
  });
}

test('a line whose only charge has the same text says it once, as lines of imported invoices do', (t) => {
  const text = { invoiceText: 'Hosting' };
  const once = line({ ...text, charges: [charge(text)], lineAmountTotal: '29.95' });
  const twice = line({ ...text, charges: [charge(text), charge()] });
  const said = invoicePage(sourceOf({ invoice: { lines: [once, twice] } }), messages).lines.map(
    ({ charges }) => charges.map(({ description, isContinued }) => `${description} ${isContinued}`),
  );
  t.deepEqual(said[0], ['Hosting true']);
  t.is(said[1]?.[0], 'Hosting false');
});

test('a line has its order and plan, its charges, and a subtotal if it has several charges', (t) => {
  const single = line({ charges: [charge()], lineAmountTotal: '29.95', invoiceText: null });
  const { lines } = invoicePage(sourceOf({ invoice: { lines: [line(), single] } }), messages);
  const [several, one] = lines;
  t.is(several?.title, 'Gold internet');
  t.is(several?.reference, 'Order 1001 · GOLD');
  t.is(several?.subtotal, '$78.95');
  t.deepEqual(
    several?.charges.map((each) => [
      each.description,
      plain(each.period),
      each.quantity,
      each.unitPrice,
      each.amount,
    ]),
    [
      ['Installation', 'Jan 1, 2027', '1', '$49.00', '$49.00'],
      ['Gold monthly fee', 'Jan 1 – 31, 2027', '1', '$29.95', '$29.95'],
    ],
  );
  t.is(one?.title, 'Order 1001 · GOLD');
  t.is(one?.reference, null);
  t.is(one?.subtotal, null);
});

test('tiers are named by their units; further tiers continue the charge', (t) => {
  const tier = (id: number | null, quantity: string, unitPrice: string | null, amount: string) =>
    charge({
      pricingTierId: id,
      quantity,
      unitPrice,
      amount,
      unitOfMeasure: 'min',
      isUsageChargeSubTotal: id === null,
    });
  const charges = [
    tier(1, '100', '0.1', '10.00'),
    tier(2, '900', '0.085', '76.50'),
    tier(3, '2345.5', '0.0725', '170.05'),
    tier(null, '3345.5', null, '256.55'),
    { ...installation, pricingTierId: 4 },
  ];
  const tiers = new Map([
    [1, { unitsFrom: '0', unitsTo: '100' }],
    [2, { unitsFrom: '100', unitsTo: '1000' }],
    [3, { unitsFrom: '1000', unitsTo: null }],
    [4, { unitsFrom: '0', unitsTo: null }],
  ]);
  const { lines } = invoicePage(
    sourceOf({ tiers, invoice: { lines: [line({ charges })] } }),
    messages,
  );
  t.deepEqual(
    lines[0]?.charges.map((each) => [
      each.detail,
      each.quantity,
      each.unitPrice,
      each.isContinued,
      each.isSubtotal,
    ]),
    [
      ['Units up to 100', '100 min', '$0.10', false, false],
      ['Units above 100 up to 1,000', '900 min', '$0.085', true, false],
      ['Units above 1,000', '2,345.5 min', '$0.0725', true, false],
      ['Subtotal', '3,345.5 min', null, true, true],
      [null, '1', '$49.00', false, false],
    ],
  );
});

test('a percentage is shown as one and has no unit price', (t) => {
  const tax = charge({ isPercent: true, unitPrice: '8.875', amount: '7.01' });
  const source = sourceOf({
    customer: { locale: 'fr_FR' },
    invoice: { lines: [line({ charges: [installation, tax] })] },
  });
  const shown = invoicePage(source, messages).lines[0]?.charges[1];
  t.is(plain(shown?.detail), '8,875 % des autres postes');
  t.is(shown?.unitPrice, null);
});

test('an invoice with hardly any content is still a page', (t) => {
  const page = invoicePage(
    sourceOf({
      invoice: {
        lines: [line({ charges: [], invoiceText: null, orderNumber: null, contractCode: null })],
        billingStartDate: null,
        billingEndDate: null,
      },
      customer: { billingContact: null, extCustomerRef: null, locale: null },
      sender: { address: null },
    }),
    messages,
  );
  t.deepEqual(page.recipient, { name: 'Lovelace Engines Ltd', lines: [] });
  t.is(page.lines[0]?.title, 'Charges');
  t.deepEqual(
    page.facts.map(({ label }) => label),
    ['Invoice number', 'Invoice date', 'Due date', 'Payment terms'],
  );
  t.deepEqual(page.notes, []);
});
