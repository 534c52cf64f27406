/**
 * How the demo writes: paragraphs that fit a terminal, headings, tables, and colour if supported.
 */
import { styleText } from 'node:util';

const LINE_LENGTH_MAX = 100;

/** Colour is used only on a terminal, and not if NO_COLOR is set. */
export const strong = (words: string): string => styleText('bold', words);
export const faint = (words: string): string => styleText('dim', words);
const title = (words: string): string => styleText(['bold', 'cyan'], words);
const command = (words: string): string => styleText('green', words);

export function say(...lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}

export function heading(words: string): void {
  say('', title(words), title('═'.repeat(words.length)));
}

/** A paragraph. */
export function explain(words: string, indent = ''): void {
  for (const line of wrapped(words, LINE_LENGTH_MAX - indent.length)) say(indent + line);
}

/** An address or command to open or paste, below its description; it is never wrapped. */
export function pointTo(what: string, address: string): void {
  say(`  ${what}`, `    ${command(address)}`);
}

/** @param width of a line, in columns; only a longer word exceeds it */
export function wrapped(words: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && longer.length > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

export interface Column {
  readonly title: string;
  /** Figures are aligned right. */
  readonly isFigure?: boolean;
}

/** Each column is as wide as its widest cell. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const titles = columns.map((column) => column.title);
  const widths = columns.map((_, index) =>
    Math.max(...[titles, ...rows].map((row) => (row[index] ?? '').length)),
  );
  const lineOf = (row: readonly string[]): string =>
    row
      .map((cell, index) => {
        const width = widths[index] ?? 0;
        return columns[index]?.isFigure === true ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  const head = lineOf(titles);
  return [strong(head), faint('─'.repeat(head.length)), ...rows.map(lineOf)];
}
