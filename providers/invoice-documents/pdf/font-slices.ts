/** Which files of the font packages hold which characters, in the order in which they are tried. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One file of a font that is split by characters. */
export interface FontSlice {
  /** `noto-sans/latin`. */
  readonly id: string;
  readonly file: string;
  /** First and last code point, inclusive, of each range that it may hold. */
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

/** The forms that Han characters take: of simplified and traditional Chinese, Japanese, Korean. */
export type HanForms = 'sc' | 'tc' | 'jp' | 'kr';

const alphabets = [
  ['noto-sans', ['latin', 'latin-ext', 'vietnamese', 'greek', 'greek-ext', 'cyrillic']],
  ['noto-sans', ['cyrillic-ext', 'devanagari']],
  ['noto-sans-hebrew', ['hebrew']],
  ['noto-sans-arabic', ['arabic']],
  ['noto-sans-thai', ['thai']],
] as const;

/** After the preferred forms the others, since each lacks some characters of the rest. */
const hanOrder: Readonly<Record<HanForms, readonly HanForms[]>> = {
  sc: ['sc', 'jp', 'tc', 'kr'],
  tc: ['tc', 'sc', 'jp', 'kr'],
  jp: ['jp', 'sc', 'tc', 'kr'],
  kr: ['kr', 'jp', 'sc', 'tc'],
};

const families = new Map<string, ReadonlyMap<string, FontSlice>>();

/** The slices that may hold a character, the best first; a family is read when it is asked for. */
export function* slicesFor(codePoint: number, forms: HanForms): Generator<FontSlice> {
  for (const [family, names] of alphabets) {
    for (const name of names) yield* holding(codePoint, familyOf(family).get(name));
  }
  for (const form of hanOrder[forms]) {
    for (const [name, slice] of familyOf(`noto-sans-${form}`)) {
      // The numbered slices: their alphabets are those of the first family, less well made.
      if (/^\d/.test(name)) yield* holding(codePoint, slice);
    }
  }
}

function* holding(codePoint: number, slice: FontSlice | undefined): Generator<FontSlice> {
  const isHeld = slice?.ranges.some(([first, last]) => first <= codePoint && codePoint <= last);
  if (slice !== undefined && isHeld === true) yield slice;
}

/** The slice with the sign for what no font has. */
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
