/**
 * The PDF of an invoice, read back: its contents, its pages, its scripts; the same bytes every
 * time.
 */
import test, { type ExecutionContext } from 'ava';
import { invoicePage } from '../../../domain/invoices/page.ts';
import { messages } from '../../../messages/messages.ts';
import { invoicePdf } from '../../../providers/invoice-documents/pdf/invoice-pdf.ts';
import { readPdf } from './pdf-text.ts';
import { pngOf, uriOf } from './pictures.ts';
import {
  LONG_TEXT,
  charge,
  line,
  sourceOf,
  turnsDuring,
  twoThousandCharges,
  wideOptions,
  type SourceOptions,
} from './samples.ts';

const pdfOf = (options: SourceOptions) => invoicePdf(invoicePage(sourceOf(options), messages));
const readOf = async (options: SourceOptions) => readPdf(await pdfOf(options));

test('a small invoice is one page with all of its content', async (t) => {
  const { title, pages } = await readOf({ invoice: { notes: 'Thank you.\nPay by transfer.' } });
  t.is(title, 'Invoice 1001 · Demo Telecom');
  t.is(pages.length, 1);
  const text = pages.flat();
  for (const expected of [
    'Demo Telecom',
    'New York, NY 10118',
    'Invoice 1001',
    'Lovelace Engines Ltd Invoice date January 1, 2027',
    'Ada Lovelace Due date January 31, 2027',
    'Description Period Quantity Unit price Amount',
    'Gold internet Order 1001 · GOLD',
    'Installation Jan 1, 2027 1 $49.00 $49.00',
    'Gold monthly fee Jan 1 – 31, 2027 1 $29.95 $29.95',
    'Subtotal $78.95',
    'Previous balance $20.00',
    'Payments and adjustments -$15.00',
    'This invoice $78.95',
    'Total due $83.95',
    'Thank you.',
    'Pay by transfer.',
    'Demo Telecom Page 1 of 1',
  ]) {
    t.true(text.includes(expected), `${expected} is missing in\n${text.join('\n')}`);
  }
});

test('wide figures stand below the texts, whole, and break no text into letters', async (t) => {
  const { pages } = await readOf(wideOptions());
  const text = pages.flat();
  for (const expected of [
    LONG_TEXT,
    'Jan 1 – 31, 2027 1,234,567.123456 kWh $1,234,567.891234 $1,524,157,875,019.05',
    'Discount',
    'Subtotal $1,524,157,875,048.00',
    'Payments and adjustments -$15.00',
    'Total due $1,524,157,875,048.00',
  ]) {
    t.true(text.includes(expected), `${expected} is missing in\n${text.join('\n')}`);
  }
});

test('a credit note is called so wherever its title stands', async (t) => {
  const credited = { currentAmountDue: '-78.95', outstandingBalance: '0.00', lines } as const;
  const { title, pages } = await readOf({
    invoice: credited,
    customer: { locale: 'fr_FR' },
    creditLeft: '78.95',
  });
  t.is(title, 'Avoir 1001 · Demo Telecom');
  t.true(pages[0]?.includes('Avoir 1001'));
  for (const page of pages.slice(1)) t.is(page[0], 'Avoir 1001 Lovelace Engines Ltd');
  t.false(pages.flat().some((text) => /facture/i.test(text)));
});

const lines = Array.from({ length: 120 }, (_, index) =>
  line({ orderNumber: String(2001 + index), invoiceText: `Site ${index + 1}` }),
);

test('a long invoice has its column headings and page number on every page', async (t) => {
  const { pages } = await readOf({ invoice: { lines, status: 'Paid' } });
  t.true(pages.length > 5);
  const seen: string[] = [];
  for (const [index, page] of pages.entries()) {
    t.is(page.at(-1), `Demo Telecom Page ${index + 1} of ${pages.length}`);
    const columns = page.indexOf('Description Period Quantity Unit price Amount');
    if (index > 0) t.deepEqual(page[0], 'Invoice 1001 Lovelace Engines Ltd');
    t.true(columns >= 0);
    const headings = page.flatMap((text) => /^Site (\d+) /.exec(text)?.[1] ?? []);
    seen.push(...headings);
    // The last two lines of a page are its footer and, above it, a line that is not a heading.
    t.notRegex(page.at(-2) ?? '', /^Site/);
    t.notRegex(page[columns + 1] ?? '', /^Subtotal/);
  }
  t.deepEqual(
    seen,
    lines.map((_, index) => String(index + 1)),
  );
  t.true(pages.flat().includes('PAID'));
  t.true(pages.at(-1)?.includes('Total due $83.95'));
});

test('a tier at the top of a page repeats the name of its charge', async (t) => {
  const tiers = new Map(
    Array.from({ length: 200 }, (_, at) => [
      at,
      { unitsFrom: String(at), unitsTo: String(at + 1) },
    ]),
  );
  const charges = Array.from({ length: 200 }, (_, pricingTierId) =>
    charge({ pricingTierId, invoiceText: 'Voice minutes', unitPrice: '0.051234' }),
  );
  const { pages } = await readOf({ tiers, invoice: { lines: [line({ charges })] } });
  t.true(pages.length > 3);
  for (const page of pages.slice(0, -1)) {
    t.is(page.filter((text) => text.startsWith('Voice minutes')).length, 1);
    t.true(page.some((text) => text.includes('$0.051234')));
  }
});

test('invoices without lines, and with words longer than a line, become pages', async (t) => {
  const empty = await readOf({ invoice: { lines: [] } });
  t.true(empty.pages.flat().includes('Total due $83.95'));
  const word = 'W'.repeat(255);
  const long = await readOf({
    customer: { name: word },
    invoice: {
      notes: word.repeat(15),
      lines: [line({ invoiceText: word, charges: [charge({ invoiceText: word })] })],
    },
  });
  const text = long.pages.flat().join('');
  t.true([...text.matchAll(/W/g)].length >= 255 * 18);
});

const scripts: ReadonlyArray<readonly [script: string, name: string, locale: string]> = [
  ['Latin', 'Señor Çelik & Søn', 'en_US'],
  ['Polish', 'Zażółć Gęślą Jaźń', 'pl_PL'],
  ['Vietnamese', 'Công ty Viễn thông Việt Nam', 'vi_VN'],
  ['Greek', 'Ελληνικές Τηλεπικοινωνίες', 'el_GR'],
  ['Cyrillic', 'Київстар і Ўзбекістон', 'uk_UA'],
  ['simplified Chinese', '中国电信集团', 'zh_CN'],
  ['traditional Chinese', '中華電信股份有限公司', 'zh_TW'],
  ['Japanese', '株式会社とうきょうテレコム', 'ja_JP'],
  ['Korean', '한국통신주식회사', 'ko_KR'],
  ['Thai', 'จำกัดสำนักงานใหญ่', 'th_TH'],
  ['Hindi', 'भारत', 'hi_IN'],
  ['Armenian', 'Հայաստանի Հանրապետություն', 'hy_AM'],
  ['Georgian', 'საქართველოს ტელეკომი', 'ka_GE'],
  ['Amharic', 'ኢትዮ ቴሌኮም', 'am_ET'],
  ['Bengali', 'গ্রামীণফোন লিমিটেড', 'bn_BD'],
  ['Gujarati', 'ગુજરાત ક્ષેત્ર', 'gu_IN'],
  ['Punjabi', 'ਪੰਜਾਬ ਸ੍ਰੀ ਸਿੰਘ', 'pa_IN'],
  ['Kannada', 'ಕರ್ನಾಟಕ ಕ್ಷೇತ್ರ', 'kn_IN'],
  ['Malayalam', 'കോഴിക്കോട് ശ്രീകൃഷ്ണൻ', 'ml_IN'],
  ['Odia', 'ଓଡ଼ିଶା ଶ୍ରୀ', 'or_IN'],
  ['Sinhala', 'ශ්‍රී ලංකා ටෙලිකොම්', 'si_LK'],
  ['Tamil', 'தமிழ்நாடு தொலைத்தொடர்பு', 'ta_IN'],
  ['Telugu', 'శ్రీ కృష్ణ టెలికామ్', 'te_IN'],
  ['Khmer', 'ក្រុមហ៊ុន ភ្នំពេញ', 'km_KH'],
  ['Lao', 'ບໍລິສັດ ລາວ', 'lo_LA'],
  ['Burmese', 'မြန်မာ့ဆက်သွယ်ရေး သင်္ဘော', 'my_MM'],
];

for (const [script, name, locale] of scripts) {
  test(`a name in ${script} is printed, and can be read back`, async (t) => {
    const { pages } = await readOf({ customer: { name, locale } });
    // The marks of a letter may look like a gap.
    const text = pages.flat().join('\n').replaceAll(' ', '');
    contains(t, text, name.replaceAll(' ', ''));
  });
}

test('names in right-to-left scripts are printed from right to left, and can be read back', async (t) => {
  // Read by position, the words come from the left, so the last one is first. The dots of a letter
  // may look like a gap.
  const textOf = async (name: string, locale: string) =>
    (await readOf({ customer: { name, locale } })).pages.flat().join('\n').replaceAll(' ', '');
  const arabic = await textOf('شركة الاتصالات', 'ar_EG');
  contains(t, arabic, 'الاتصالات' + 'شركة');
  contains(t, arabic, '٧٨٫٩٥');
  contains(t, await textOf('חברת (בזק) 1984', 'he_IL'), '1984(בזק)חברת');
});

function contains(t: ExecutionContext, text: string, expected: string): void {
  t.true(text.includes(expected), `${expected} is missing in\n${text}`);
}

test('a character without a font is visibly missing', async (t) => {
  const { pages } = await readOf({ customer: { name: 'Rocket \u{1f680} Inc' } });
  contains(t, pages.flat().join('\n'), 'Rocket \ufffd Inc');
});

test('the same invoice gives the same bytes, also with a transparent logo', async (t) => {
  const options: SourceOptions = {
    sender: { logo: uriOf(pngOf(300, 100)) },
    customer: { name: '中国电信 شركة' },
    invoice: { lines },
  };
  const first = await pdfOf(options);
  t.true((await pdfOf(options)).equals(first));
  t.true((await pdfOf(options)).equals(first));
});

test('an invoice of 2,000 charges lets other work run while it is drawn', async (t) => {
  const page = invoicePage(sourceOf({ invoice: { lines: twoThousandCharges() } }), messages);
  await invoicePdf(invoicePage(sourceOf(), messages));
  const { turns, result } = await turnsDuring(invoicePdf(page));
  const { pages } = await readPdf(result);
  t.true(pages.length > 40);
  t.true(turns > pages.length, `${turns} turns`);
});
