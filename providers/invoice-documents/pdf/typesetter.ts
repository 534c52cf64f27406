/** Text in a document: measured, broken into lines, and drawn on a baseline. */
import LineBreaker from 'linebreak';
import { runsOf, type Run } from './bidi.ts';
import { type FontChoice, type Weight, weights } from './fonts.ts';
import { makeReadable, type PdfDocument } from './readable-font.ts';

export interface TextStyle {
  readonly size: number;
  readonly weight: Weight;
  readonly color: string;
}

export interface TextLine {
  readonly runs: readonly Run[];
  readonly width: number;
}

export interface Typesetter {
  /** The text in one line, however long. */
  readonly line: (text: string, style: TextStyle) => TextLine;
  /** Broken to fit into the width; at least one line. */
  readonly lines: (text: string, style: TextStyle, widthMax: number) => TextLine[];
  readonly draw: (line: TextLine, style: TextStyle, at: Point) => void;
}

export interface Point {
  readonly x: number;
  /** The position of the baseline. */
  readonly y: number;
}

/** Scripts without blanks between words, which need a dictionary. */
const needsDictionary = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const words = new Intl.Segmenter('th', { granularity: 'word' });
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function createTypesetter(document: PdfDocument, choice: FontChoice): Typesetter {
  for (const font of choice.fonts) {
    for (const weight of weights) {
      const name = `${font.id}/${weight}`;
      document.registerFont(name, font.bytes[weight]).font(name);
      makeReadable(document, font.shapers[weight]);
    }
  }
  const use = (run: Run, style: TextStyle) =>
    document.font(`${run.font.id}/${style.weight}`).fontSize(style.size);
  const line = (text: string, style: TextStyle): TextLine => {
    const runs = runsOf(printable(text), choice);
    const widths = runs.map((run) => use(run, style).widthOfString(run.text, optionsOf(run)));
    return { runs, width: widths.reduce((sum, width) => sum + width, 0) };
  };
  const fitting = (text: string, style: TextStyle, widthMax: number): string[] => {
    const width = (part: string) => line(part.trimEnd(), style).width;
    return broken(text, (part) => width(part) <= widthMax);
  };
  return {
    line,
    lines(text, style, widthMax) {
      const whole = line(text, style);
      if (whole.width <= widthMax) return [whole];
      return fitting(text, style, widthMax).map((part) => line(part.trim(), style));
    },
    draw({ runs }, style, { x, y }) {
      document.fillColor(style.color);
      let left = x;
      for (const run of runs) {
        const options = optionsOf(run);
        use(run, style).text(run.text, left, y, { ...options, lineBreak: false, ...onBaseline });
        left += document.widthOfString(run.text, options);
      }
    },
  };
}

/**
 * Uses composed letters, which more fonts have, and removes line ends. No font has the narrow no-break
 * space, which separates thousands in French: a no-break space stands for it.
 */
export function printable(text: string): string {
  const lines = text.normalize('NFC').replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ');
  return lines.replaceAll('\u202f', '\u00a0');
}

const onBaseline = { baseline: 'alphabetic' } as const;

/** Only a run from right to left has features, so none: `makeReadable` takes its direction from that. */
const wholeRun: { readonly features: [] } = { features: [] };

function optionsOf(run: Run): { readonly features?: [] } {
  return run.isRightToLeft ? wholeRun : {};
}

/** The parts of a text that fit, each as long as it can be. */
function broken(text: string, fits: (part: string) => boolean): string[] {
  const parts: string[] = [];
  let current = '';
  for (const piece of pieces(text)) {
    if (fits(current + piece)) {
      current += piece;
      continue;
    }
    if (current !== '') parts.push(current);
    current = '';
    if (fits(piece)) {
      current = piece;
      continue;
    }
    for (const { segment } of characters.segment(piece)) {
      if (current !== '' && !fits(current + segment)) {
        parts.push(current);
        current = '';
      }
      current += segment;
    }
  }
  return current.trim() === '' && parts.length > 0 ? parts : [...parts, current];
}

/** The pieces between which a line may break. */
function* pieces(text: string): Generator<string> {
  const breaker = new LineBreaker(text);
  let start = 0;
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) {
    const piece = text.slice(start, next.position);
    start = next.position;
    if (!needsDictionary.test(piece)) yield piece;
    else for (const { segment } of words.segment(piece)) yield segment;
  }
}
