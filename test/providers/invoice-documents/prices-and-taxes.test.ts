/** What the document shows of discounts, taxes by rate, and of the two parties' own data. */
import test from 'ava';
import { invoicePage } from '../../../domain/invoices/page.ts';
import { messages } from '../../../messages/messages.ts';
import { invoiceHtml } from '../../../providers/invoice-documents/html.ts';
import { invoicePdf } from '../../../providers/invoice-documents/pdf/invoice-pdf.ts';
import { readPdf } from './pdf-text.ts';
import { pricedOptions, sourceOf, twoThousandCharges, type SourceOptions } from './samples.ts';

const plain = (text: string | null | undefined) => text?.replaceAll(/[\u00a0\u202f\u2009]/gu, ' ');
const pageIn = (locale: string, options: SourceOptions = pricedOptions()) =>
  invoicePage(sourceOf({ ...options, customer: { ...options.customer, locale } }), messages);

const shown = [
  ['en_US', 'Discount WELCOME10', '10% off', '8.875% of $26.95', 'Discount FIVEOFF'],
  ['de_DE', 'Rabatt WELCOME10', '10 % Nachlass', '8,875 % von 26,95 $', 'Rabatt FIVEOFF'],
  ['fr_FR', 'Remise WELCOME10', '10 % de remise', '8,875 % de 26,95 $US', 'Remise FIVEOFF'],
  [
    'es_ES',
    'Descuento WELCOME10',
    '10 % de descuento',
    '8,875 % de 26,95 US$',
    'Descuento FIVEOFF',
  ],
] as const;

for (const [locale, discount, percent, tax, fixed] of shown) {
  test(`a discount has its code and percentage, a tax what it is of: ${locale}`, (t) => {
    const [, first, , second, third] = pageIn(locale).lines[0]?.charges ?? [];
    t.deepEqual([first?.description, first?.detail], [fixed, null]);
    t.deepEqual([second?.description, plain(second?.detail)], [discount, percent]);
    t.deepEqual([third?.description, plain(third?.detail)], ['NY sales tax', tax]);
    t.deepEqual([second?.unitPrice, third?.unitPrice], [null, null]);
  });
}

test('a charge by hand with the price code DISCOUNT is shown as it is', (t) => {
  const page = pageIn('en_US', { ...pricedOptions(), discounts: new Set() });
  t.is(page.lines[0]?.charges[1]?.description, 'FIVEOFF');
});

test('taxes are summed by name and percentage over all lines: 26.95 and 40.00 are 66.95', (t) => {
  t.deepEqual(pageIn('en_US').taxes, [
    { name: 'NY sales tax', reason: null, percent: '8.875%', base: '$66.95', amount: '$5.94' },
    { name: 'Albany county', reason: 'Export', percent: '0%', base: '$26.95', amount: '$0.00' },
  ]);
});

test('the same name at two percentages is two rows, and a credit of a tax is deducted', (t) => {
  const options = pricedOptions();
  const [sales, county, other] = options.taxes ?? [];
  if (!sales || !county || !other) return t.fail();
  const one = { ...county, name: 'NY sales tax', reason: null };
  const rows = pageIn('en_US', { ...options, taxes: [sales, one, other] }).taxes;
  t.deepEqual(
    rows.map(({ percent, base, amount }) => [percent, base, amount]),
    [
      ['8.875%', '$66.95', '$5.94'],
      ['0%', '$26.95', '$0.00'],
    ],
  );
  const credited = options.invoice?.lines?.map((line, index) => ({
    ...line,
    charges: line.charges.map((charge) =>
      index === 0 ? charge : { ...charge, amount: `-${charge.amount}` },
    ),
  }));
  const less = pageIn('en_US', { ...options, invoice: { lines: credited ?? [] } });
  t.like(less.taxes[0], { base: '-$13.05', amount: '-$1.16' });
});

test('the tax id of the customer stands below its address, as it is', (t) => {
  t.is(pageIn('en_US').recipient.lines.at(-1), 'Tax ID: 98-7654321');
  t.is(pageIn('de_DE').recipient.lines.at(-1), 'USt-IdNr.: 98-7654321');
  const alone = { taxId: 'DE123456789', billingContact: null };
  t.deepEqual(invoicePage(sourceOf({ customer: alone }), messages).recipient.lines, [
    'Tax ID: DE123456789',
  ]);
});

test('the foot says whom to ask and where to pay; the holder is the sender by default', (t) => {
  const account = ['IBAN DE89 3704 0044 0532 0130 00', 'BIC COBADEFFXXX', 'Quote the number'];
  t.deepEqual(pageIn('en_US').foot, [
    { label: 'Contact', lines: ['Billing', '+1 212 555 0100', 'billing@demo.example'] },
    { label: 'Bank account', lines: ['Demo Telecom', ...account] },
  ]);
  const sender = { contact: null, bankAccount: { holder: 'Demo Inc.', note: 'By check' } };
  t.deepEqual(pageIn('de_DE', { sender }).foot, [
    { label: 'Bankverbindung', lines: ['Demo Inc.', 'By check'] },
  ]);
  t.deepEqual(invoicePage(sourceOf(), messages).foot, []);
});

test('a credit note asks for no payment', (t) => {
  const options = pricedOptions();
  const invoice = { ...options.invoice, currentAmountDue: '-116.89' };
  const { foot } = pageIn('en_US', { ...options, invoice });
  t.deepEqual(
    foot.map(({ label }) => label),
    ['Contact'],
  );
});

test('the HTML has the taxes as a table of their own, and the foot below everything', (t) => {
  const html = invoiceHtml(pageIn('en_US'));
  const [, taxes = ''] = /<section class="taxes"[^>]*>(.*?)<\/section>/s.exec(html) ?? [];
  t.deepEqual(
    [...taxes.matchAll(/<th scope="col"[^>]*>([^<]*)</g)].map(([, text]) => text),
    ['Tax', 'Rate', 'Net amount', 'Tax amount'],
  );
  t.deepEqual(
    [...taxes.matchAll(/<bdi>([^<]*)</g)].map(([, text]) => text),
    [
      'NY sales tax',
      '8.875%',
      '$66.95',
      '$5.94',
      'Albany county',
      'Export',
      '0%',
      '$26.95',
      '$0.00',
    ],
  );
  const foot = html.slice(html.indexOf('<footer class="foot">'));
  t.deepEqual(
    [...foot.matchAll(/<h2[^>]*>([^<]*)</g)].map(([, text]) => text),
    ['Contact', 'Bank account'],
  );
  t.true(foot.includes('<p dir="auto">IBAN DE89 3704 0044 0532 0130 00</p>'));
  const none = invoiceHtml(invoicePage(sourceOf(), messages));
  t.false(none.includes('class="taxes"') || none.includes('<footer'));
});

test('markup in taxes, contact and bank account is shown as text', (t) => {
  const hostile = '<script>alert(1)</script>';
  const options = pricedOptions();
  const html = invoiceHtml(
    pageIn('en_US', {
      ...options,
      taxes: (options.taxes ?? []).map((tax) => ({ ...tax, name: hostile, reason: hostile })),
      customer: { taxId: hostile },
      sender: {
        contact: { name: hostile },
        bankAccount: { holder: hostile, note: hostile },
        taxId: hostile,
      },
    }),
  );
  t.false(html.includes('<script'));
  t.is(html.split('&lt;script&gt;alert(1)').length - 1, 2 + 2 + 1 + 3 + 1);
});

test('the PDF has discounts, taxes by rate, and the foot at the bottom of its last page', async (t) => {
  const { pages } = await readPdf(await invoicePdf(pageIn('en_US')));
  const text = pages.flat();
  for (const expected of [
    'Discount WELCOME10 Jan 1 – 31, 2027 -$3.00',
    '10% off',
    '8.875% of $26.95',
    'Tax ID: 98-7654321',
    'Tax Rate Net amount Tax amount',
    'NY sales tax 8.875% $66.95 $5.94',
    'Albany county 0% $26.95 $0.00',
    'Export',
  ]) {
    t.true(text.includes(expected), `${expected} is missing in\n${text.join('\n')}`);
  }
  t.deepEqual(pages.at(-1)?.slice(-6, -1), [
    'Contact Bank account',
    'Billing Demo Telecom',
    '+1 212 555 0100 IBAN DE89 3704 0044 0532 0130 00',
    'billing@demo.example BIC COBADEFFXXX',
    'Quote the number',
  ]);
});

test('on many pages the foot stands on the last one alone, with the sums and the taxes', async (t) => {
  const options = pricedOptions();
  const lines = [...twoThousandCharges().slice(0, 20), ...(options.invoice?.lines ?? [])];
  const page = pageIn('en_US', { ...options, invoice: { ...options.invoice, lines } });
  const { pages } = await readPdf(await invoicePdf(page));
  t.true(pages.length > 3);
  for (const [index, text] of pages.entries()) {
    const isLast = index === pages.length - 1;
    t.is(text.includes('Contact Bank account'), isLast);
    t.is(text.includes('Tax Rate Net amount Tax amount'), isLast);
    t.is(text.includes('Total due $121.89'), isLast);
  }
});

test('thousands are separated in the PDF by a blank that its fonts have: French, Norwegian', async (t) => {
  for (const [locale, amount] of [
    ['fr_FR', '1 234 567,50 $US'],
    ['nb_NO', '1 234 567,50 USD'],
  ] as const) {
    const invoice = { totalDue: '1234567.50' };
    const { pages } = await readPdf(await invoicePdf(pageIn(locale, { invoice })));
    const text = pages.flat().map(plain);
    t.true(
      text.some((line) => line?.endsWith(` ${amount}`)),
      `${amount} is not in ${text.join('\n')}`,
    );
  }
});
