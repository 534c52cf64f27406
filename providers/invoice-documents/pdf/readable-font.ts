/**
 * Has HarfBuzz shape the texts of a PDF's font, and makes them extractable: the meaning of a glyph
 * depends on its context.
 */
import type PDFDocument from 'pdfkit';
import type { Glyph, Shaped, Shaper } from './shaper.ts';

export type PdfDocument = InstanceType<typeof PDFDocument>;

/** The parts of the library's embedded font that are used here. */
interface EmbeddedFont {
  readonly scale: number;
  /** It shapes whole runs if there are features, else words, which are then cached. */
  readonly layout: (text: string, features: unknown) => Shaped;
  readonly font: { layout: (text: string, features: unknown) => Shaped };
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
 * Gives a glyph of the document's current font one number for each text that it represents. Many
 * scripts make a letter of several glyphs, so that one body or one dot belongs to many letters; the
 * library would extract each as the first of them.
 *
 * The library's own shaper lacks Burmese and fails for names in five scripts of India and Cambodia.
 */
export function makeReadable(document: PdfDocument, shaper: Shaper): void {
  const font = (document as unknown as { readonly _font: EmbeddedFont })._font;
  font.font.layout = (text, features) => shaper.shape(text, features !== undefined);
  const numbers = new Map<string, number>();
  let silent = 0;
  reserve(font);
  const nextNumber = (codePoints: readonly number[]): number => {
    const isSilent = codePoints.length === 0 && silent < SILENT_MAX;
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
