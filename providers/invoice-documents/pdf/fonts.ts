/** Font files ready to embed: one weight of one slice each, kept in memory for the next document. */
import { readFile } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import subsetFont from 'subset-font';
import { lastResort, slicesFor, type FontSlice, type HanForms } from './font-slices.ts';
import { createShaper, type Shaper } from './shaper.ts';

export const weights = [400, 700] as const;
export type Weight = (typeof weights)[number];

export interface Font {
  readonly id: string;
  readonly bytes: Readonly<Record<Weight, Buffer>>;
  readonly shapers: Readonly<Record<Weight, Shaper>>;
  readonly characters: ReadonlySet<number>;
}

/** At some 100 kB for both weights; a Chinese name takes a handful. */
const FONTS_KEPT_MAX = 256;
const kept = new LRUCache<string, Promise<Font>>({ max: FONTS_KEPT_MAX });

/** The fonts of one document: which font prints which of its characters. */
export interface FontChoice {
  readonly fonts: readonly Font[];
  /** The font of a character that was among the texts. */
  readonly fontFor: (codePoint: number) => Font;
  readonly isPrintable: (codePoint: number) => boolean;
}

export async function chooseFonts(
  codePoints: Iterable<number>,
  forms: HanForms,
): Promise<FontChoice> {
  const fallback = await fontOf(lastResort());
  const fonts = new Set([fallback]);
  const chosen = new Map<number, Font>();
  for (const codePoint of codePoints) {
    const font = (await firstWith(codePoint, forms)) ?? fallback;
    chosen.set(codePoint, font);
    fonts.add(font);
  }
  const fontFor = (codePoint: number) => chosen.get(codePoint) ?? fallback;
  return {
    fonts: [...fonts],
    fontFor,
    isPrintable: (codePoint) => fontFor(codePoint).characters.has(codePoint),
  };
}

/** A slice may declare characters that it does not contain. */
async function firstWith(codePoint: number, forms: HanForms): Promise<Font | undefined> {
  for (const slice of slicesFor(codePoint, forms)) {
    const font = await fontOf(slice);
    if (font.characters.has(codePoint)) return font;
  }
  return undefined;
}

function fontOf(slice: FontSlice): Promise<Font> {
  const known = kept.get(slice.id);
  if (known !== undefined) return known;
  const font = load(slice);
  kept.set(slice.id, font);
  font.catch(() => kept.delete(slice.id));
  return font;
}

/** PDF does not support variable fonts, so each weight becomes a separate font. */
async function load({ id, file, ranges }: FontSlice): Promise<Font> {
  const source = await readFile(file);
  const text = ranges
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at))
    .map((codePoint) => String.fromCodePoint(codePoint))
    .join('');
  const inWeight = (wght: Weight) =>
    subsetFont(source, text, { targetFormat: 'truetype', variationAxes: { wght } });
  const bytes = { 400: await inWeight(400), 700: await inWeight(700) };
  const shapers = { 400: createShaper(bytes[400]), 700: createShaper(bytes[700]) };
  return { id, bytes, shapers, characters: shapers[400].characters };
}
