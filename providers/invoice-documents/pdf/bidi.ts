/** Splits a line of text into runs from left to right, each in one direction and one font. */
import { bidi } from './mirrored.ts';
import type { Font, FontChoice } from './fonts.ts';

export interface Run {
  /** In logical order. */
  readonly text: string;
  readonly font: Font;
  readonly isRightToLeft: boolean;
}

/** Letters, marks and digits of scripts that are written from right to left. */
const rightToLeft =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Control characters for direction or line breaks, which print nothing. */
const steering = /[\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;
const isMark = /^[\p{M}\p{Cf}]$/u;
const isShared = /^[\p{Script=Common}\p{Script=Inherited}]$/u;

interface LevelRun {
  text: string;
  readonly font: Font;
  readonly level: number;
}

export function runsOf(line: string, choice: FontChoice): Run[] {
  if (!rightToLeft.test(line)) return levelRuns(line, undefined, choice).map(toRun);
  const { levels } = bidi.getEmbeddingLevels(line, 'auto');
  return inVisualOrder(levelRuns(line, levels, choice)).map(toRun);
}

function levelRuns(line: string, levels: Uint8Array | undefined, choice: FontChoice): LevelRun[] {
  const runs: LevelRun[] = [];
  let at = 0;
  for (const character of line) {
    const level = levels?.[at] ?? 0;
    at += character.length;
    if (steering.test(character)) continue;
    const shown = shownAs(character, choice);
    if (shown === '') continue;
    const last = runs.at(-1);
    const font = fontFor(shown, last?.font, choice);
    if (last !== undefined && last.level === level && last.font === font) last.text += shown;
    else runs.push({ text: shown, font, level });
  }
  return runs;
}

/** Replaces visible characters that no font has. */
const missing = '\ufffd';

function shownAs(character: string, choice: FontChoice): string {
  if (choice.isPrintable(character.codePointAt(0) ?? 0)) return character;
  return isMark.test(character) ? '' : missing;
}

/** Marks, blanks and punctuation stay in the preceding font if it has them. */
function fontFor(character: string, before: Font | undefined, choice: FontChoice): Font {
  const codePoint = character.codePointAt(0) ?? 0;
  const mayStay = isMark.test(character) || isShared.test(character);
  if (mayStay && before?.characters.has(codePoint) === true) return before;
  return choice.fontFor(codePoint);
}

/** Rule L2 of the Unicode bidirectional algorithm, over runs. */
function inVisualOrder(runs: readonly LevelRun[]): LevelRun[] {
  const ordered = [...runs];
  const levels = runs.map(({ level }) => level);
  const highest = Math.max(0, ...levels);
  for (let level = highest; level > 0; level -= 1) {
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start;
      while ((ordered[end]?.level ?? -1) >= level) end += 1;
      if (end === start) continue;
      ordered.splice(start, end - start, ...ordered.slice(start, end).toReversed());
      start = end;
    }
  }
  return ordered;
}

function toRun({ text, font, level }: LevelRun): Run {
  return { text, font, isRightToLeft: level % 2 === 1 };
}
