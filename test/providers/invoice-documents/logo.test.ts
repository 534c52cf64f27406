/** Logos: what a tenant file may name, and what never reaches the PDF library. */
import test from 'ava';
import { readTenantFile } from '../../../operations/tenants/read.ts';
import { pictureOf } from '../../../providers/invoice-documents/logo.ts';
import { pngOf, uriOf } from './pictures.ts';

/** Start of a JPEG: its frame says 3 by 5 pixels. */
const jpeg = Buffer.from('ffd8ffc0000b080005000301011100ffd9', 'hex');

test('PNG and JPEG pictures are recognized by their bytes, with their size', (t) => {
  const png = pictureOf(uriOf(pngOf(4, 3)));
  t.deepEqual([png?.type, png?.width, png?.height], ['image/png', 4, 3]);
  const photo = pictureOf(uriOf(jpeg, 'image/jpeg'));
  t.deepEqual([photo?.type, photo?.width, photo?.height], ['image/jpeg', 3, 5]);
});

const filter = Buffer.alloc(1 + 4 * 4, 9);
const broken: Readonly<Record<string, string>> = {
  'a web address': 'https://example.com/logo.png',
  'another type': uriOf(Buffer.from('<svg/>'), 'image/svg+xml'),
  text: uriOf(Buffer.from('hello')),
  'a JPEG that says it is a PNG': uriOf(jpeg),
  'a PNG that is cut off': uriOf(pngOf(4, 3).subarray(0, 50)),
  'a PNG with fewer rows than it says': uriOf(pngOf(4, 3, { rows: Buffer.alloc(17) })),
  'a PNG with more rows than it says': uriOf(pngOf(4, 1, { rows: Buffer.alloc(1_000_000) })),
  'a PNG with a filter that does not exist': uriOf(pngOf(4, 1, { rows: filter })),
  'an interlaced PNG': uriOf(pngOf(4, 3, { isInterlaced: true })),
  'a PNG of 25 million pixels': uriOf(pngOf(5_000, 5_000, { rows: Buffer.alloc(1) })),
  'a PNG without pixels': uriOf(pngOf(0, 3)),
};

for (const [what, uri] of Object.entries(broken)) {
  test(`a file that is not a picture is refused: ${what}`, (t) => t.is(pictureOf(uri), undefined));
}

const fileWith = (logo: string) =>
  `tenant: t\nname: T\ntimezone: Europe/Berlin\ncurrency: EUR\nlogo: ${logo}\n`;
const options = { secretOf: () => undefined, isStrict: false };

function logoOf(text: string, readBeside?: (path: string) => Buffer | undefined) {
  const reading = readTenantFile(text, { ...options, readBeside });
  return reading.isValid
    ? { logo: reading.checked.file.logo, warnings: reading.checked.warnings }
    : { mistakes: reading.mistakes.map(({ path, message }) => `${path} ${message}`) };
}

test('a tenant file names its logo as a data: URI, or as a file beside it', (t) => {
  const uri = uriOf(pngOf(4, 3));
  t.deepEqual(logoOf(fileWith(uri)), { logo: uri, warnings: [] });
  const beside = (path: string) => (path === 'logo.png' ? pngOf(4, 3) : undefined);
  t.deepEqual(logoOf(fileWith('logo.png'), beside), { logo: uri, warnings: [] });
  const [mistake] = logoOf(fileWith('other.png'), beside).mistakes ?? [];
  t.regex(String(mistake), /^logo must be a PNG or JPEG picture/);
});

test('a logo with a web address is kept, with a warning that it is not printed', (t) => {
  const { logo, warnings } = logoOf(fileWith('https://example.com/logo.png'));
  t.is(logo, 'https://example.com/logo.png');
  t.deepEqual(
    warnings?.map(({ path, line }) => [path, line]),
    [['logo', 5]],
  );
});
