/** Makes the text of a PDF extractable: the meaning of a glyph depends on its context. */
import type PDFDocument from 'pdfkit';

export type PdfDocument = InstanceType<typeof PDFDocument>;

interface Glyph {
  readonly id: number;
  readonly advanceWidth: number;
  readonly codePoints: readonly number[];
}

/** The parts of the library's embedded font that are used here. */
interface EmbeddedFont {
  readonly scale: number;
  readonly font: {
    readonly _glyphs: Record<number, unknown>;
    getGlyph: (id: number, codePoints?: readonly number[]) => unknown;
  };
  readonly layout: (
    text: string,
    features: unknown,
  ) => { readonly glyphs: readonly Glyph[]; readonly positions: readonly unknown[] };
  /** Its `glyphs` are the font's glyphs by their number in the PDF. */
  readonly subset: { readonly glyphs: number[] };
  /** Both by the number in the PDF. */
  readonly widths: number[];
  readonly unicode: (readonly number[])[];
  encode: (text: string, features: unknown) => readonly [string[], readonly unknown[]];
}

/** How many numbers are reserved for further glyphs of letters, which represent no text. */
const SILENT_MAX = 31;

/**
 * Gives a glyph of the document's current font one number for each text that it represents. Arabic
 * and Thai fonts decompose letters, so that one body or one dot belongs to many letters; the library
 * would extract each as the first of them.
 */
export function makeReadable(document: PdfDocument, takesLettersApart: boolean): void {
  const font = (document as unknown as { readonly _font: EmbeddedFont })._font;
  const numbers = new Map<string, number>();
  let silent = 0;
  if (takesLettersApart) {
    reserve(font);
    forgetGlyphs(font.font);
  }
  const nextNumber = (codePoints: readonly number[]): number => {
    const isSilent = takesLettersApart && codePoints.length === 0 && silent < SILENT_MAX;
    if (!isSilent) return font.subset.glyphs.length;
    silent += 1;
    return silent;
  };
  const numberOf = ({ id, advanceWidth, codePoints }: Glyph): number => {
    const key = `${id} ${codePoints.join(' ')}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = nextNumber(codePoints);
    font.subset.glyphs[number] = id;
    font.widths[number] = advanceWidth * font.scale;
    font.unicode[number] = codePoints;
    numbers.set(key, number);
    return number;
  };
  font.encode = (text, features) => {
    const { glyphs, positions } = font.layout(text, features);
    return [glyphs.map((glyph) => numberOf(glyph).toString(16).padStart(4, '0')), positions];
  };
}

/** Some readers show a glyph without text as the character of its number: below 32, an invisible one. */
function reserve({ subset, widths, unicode }: EmbeddedFont): void {
  for (let number = subset.glyphs.length; number <= SILENT_MAX; number += 1) {
    subset.glyphs[number] = 0;
    widths[number] = 0;
    unicode[number] = [];
  }
}

/** The library caches a glyph with its first text, so clear the cache. */
function forgetGlyphs(font: EmbeddedFont['font']): void {
  const { getGlyph } = font;
  font.getGlyph = (id, codePoints) => {
    delete font._glyphs[id];
    return getGlyph.call(font, id, codePoints);
  };
}
