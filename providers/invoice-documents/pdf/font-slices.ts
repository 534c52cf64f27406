/** The files of the font packages with their characters, in order of preference. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One file of a font that is split by characters. */
export interface FontSlice {
  /** `noto-sans/latin`. */
  readonly id: string;
  readonly file: string;
  /** First and last code point, inclusive, of each range that it may contain. */
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

/** The forms that Han characters take: of simplified and traditional Chinese, Japanese, Korean. */
export type HanForms = 'sc' | 'tc' | 'jp' | 'kr';

/** Scripts that people write names and texts in; figures have those of `domain/invoices/formats.ts`. */
const scriptsOfNames = [
  'armenian',
  'bengali',
  'ethiopic',
  'georgian',
  'gujarati',
  'gurmukhi',
  'kannada',
  'khmer',
  'lao',
  'malayalam',
  'myanmar',
  'oriya',
  'sinhala',
  'tamil',
  'telugu',
  'thaana',
];

const alphabets: readonly (readonly [family: string, slices: readonly string[]])[] = [
  ['noto-sans', ['latin', 'latin-ext', 'vietnamese', 'greek', 'greek-ext', 'cyrillic']],
  ['noto-sans', ['cyrillic-ext', 'devanagari']],
  ['noto-sans-hebrew', ['hebrew']],
  ['noto-sans-arabic', ['arabic']],
  ['noto-sans-thai', ['thai']],
  ...scriptsOfNames.map((script) => [`noto-sans-${script}`, [script]] as const),
];

/** The other forms follow the preferred ones, since each lacks some characters. */
const hanOrder: Readonly<Record<HanForms, readonly HanForms[]>> = {
  sc: ['sc', 'jp', 'tc', 'kr'],
  tc: ['tc', 'sc', 'jp', 'kr'],
  jp: ['jp', 'sc', 'tc', 'kr'],
  kr: ['kr', 'jp', 'sc', 'tc'],
};

const families = new Map<string, ReadonlyMap<string, FontSlice>>();

/** The slices that may contain a character, the best first; families are read on demand. */
export function* slicesFor(codePoint: number, forms: HanForms): Generator<FontSlice> {
  for (const [family, names] of alphabets) {
    for (const name of names) yield* holding(codePoint, familyOf(family).get(name));
  }
  for (const form of hanOrder[forms]) {
    for (const [name, slice] of familyOf(`noto-sans-${form}`)) {
      // Only the numbered slices: the first family has better alphabets.
      if (/^\d/.test(name)) yield* holding(codePoint, slice);
    }
  }
}

function* holding(codePoint: number, slice: FontSlice | undefined): Generator<FontSlice> {
  const isHeld = slice?.ranges.some(([first, last]) => first <= codePoint && codePoint <= last);
  if (slice !== undefined && isHeld === true) yield slice;
}

/** The slice with the replacement character. */
export function lastResort(): FontSlice {
  const slice = familyOf('noto-sans').get('latin');
  if (slice === undefined) throw new Error('the font package lacks its Latin file');
  return slice;
}

function familyOf(family: string): ReadonlyMap<string, FontSlice> {
  let slices = families.get(family);
  if (slices === undefined) {
    slices = readFamily(family);
    families.set(family, slices);
  }
  return slices;
}

function readFamily(family: string): Map<string, FontSlice> {
  const resolve = (path: string) =>
    fileURLToPath(import.meta.resolve(`@fontsource-variable/${family}/${path}`));
  const index: Readonly<Record<string, string>> = JSON.parse(
    readFileSync(resolve('unicode.json'), 'utf8'),
  );
  return new Map(
    Object.entries(index).map(([key, ranges]) => {
      const name = key.replaceAll(/[[\]]/g, '');
      const file = resolve(`files/${family}-${name}-wght-normal.woff2`);
      return [name, { id: `${family}/${name}`, file, ranges: rangesOf(ranges) }];
    }),
  );
}

/** `U+0-FF,U+131` */
function rangesOf(text: string): (readonly [number, number])[] {
  return text.split(',').map((range) => {
    const [first = '', last = first] = range.trim().replace(/^U\+/i, '').split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });
}
