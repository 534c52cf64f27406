/** Shapes text with HarfBuzz: which glyphs of a font show it, in which order and at which places. */
import {
  Blob,
  Buffer as ShapingBuffer,
  ClusterLevel,
  Direction,
  Face,
  Font,
  shape,
} from 'harfbuzzjs';
import { mirrored } from './mirrored.ts';

export interface Glyph {
  readonly id: number;
  readonly advanceWidth: number;
  /** Of the text that it represents; none for further glyphs of the same letters. */
  readonly codePoints: readonly number[];
}

export interface Shaped {
  /** From left to right. */
  readonly glyphs: readonly Glyph[];
  /** In units of the font; the library that embeds it scales them in place. */
  readonly positions: readonly {
    xAdvance: number;
    yAdvance: number;
    xOffset: number;
    yOffset: number;
  }[];
  readonly advanceWidth: number;
}

export interface Shaper {
  readonly characters: ReadonlySet<number>;
  /** The text is in logical order; `isRightToLeft` also mirrors brackets. */
  readonly shape: (text: string, isRightToLeft: boolean) => Shaped;
}

/** One for all, because memory outside of the JavaScript heap is freed late. */
const buffer = new ShapingBuffer();

export function createShaper(bytes: Uint8Array): Shaper {
  const face = new Face(new Blob(bytes));
  const font = new Font(face);
  return {
    characters: new Set(face.collectUnicodes()),
    shape(text, isRightToLeft) {
      buffer.reset();
      // Marks that stay marks keep their own text.
      buffer.setClusterLevel(ClusterLevel.MONOTONE_CHARACTERS);
      buffer.addText(text);
      buffer.guessSegmentProperties();
      buffer.setDirection(isRightToLeft ? Direction.RTL : Direction.LTR);
      shape(font, buffer);
      const infos = buffer.getGlyphInfos();
      const positions = buffer.getGlyphPositions();
      const placed = infos.map(({ cluster }, at) => {
        return { start: cluster, isWide: (positions[at]?.xAdvance ?? 0) > 0 };
      });
      // Readers of a PDF expect the bracket that they see.
      const represented = textsOf(isRightToLeft ? mirrored(text) : text, placed);
      return {
        glyphs: infos.map(({ codepoint: id }, at) => ({
          id,
          advanceWidth: font.glyphHAdvance(id),
          codePoints: represented[at] ?? [],
        })),
        positions,
        advanceWidth: positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0),
      };
    },
  };
}

interface PlacedGlyph {
  /** Where the letters that it shows, alone or with its neighbours, begin. */
  readonly start: number;
  readonly isWide: boolean;
}

/**
 * Of the glyphs that show the same letters together, the first with a width represents their text:
 * the others may be dots and marks off the line.
 */
function textsOf(text: string, placed: readonly PlacedGlyph[]): number[][] {
  const bearers = new Map<number, number>();
  for (const [at, { start, isWide }] of placed.entries()) {
    const bearer = bearers.get(start);
    if (bearer === undefined || (isWide && placed[bearer]?.isWide === false)) {
      bearers.set(start, at);
    }
  }
  const starts = [...bearers.keys()].toSorted((a, b) => a - b);
  const ends = new Map(starts.map((start, at) => [start, starts[at + 1] ?? text.length]));
  return placed.map(({ start }, at) => {
    if (bearers.get(start) !== at) return [];
    const part = text.slice(start, ends.get(start));
    return Array.from(part, (character) => character.codePointAt(0) ?? 0);
  });
}
