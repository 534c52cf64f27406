/** What to do about each error: rows of the guides' tables with the head "Code", "What to do". */
import { errorCatalogue } from '../errors.ts';
import { guideText, texts } from './guides.ts';

export interface Remedy {
  readonly code: string;
  /** Markdown. */
  readonly words: string;
  /** Of the guide that says it. */
  readonly name: string;
  readonly href: string;
}

/** The head of such a table. */
export const isErrorHead = (cells: readonly string[]): boolean =>
  cells[0] === 'Code' && cells[1] === 'What to do';

/** The code at the beginning of a row's first cell; nothing if the catalogue has no such code. */
export function entryIn(cell: string) {
  const [, code] = /^`([\w.]+)`/.exec(cell) ?? [];
  return errorCatalogue().find((entry) => entry.code === code);
}

const TABLE = /^\| Code \| What to do \|\n\|[-|]+\n((?:\|.*\n?)+)/gm;

/** By code; the first guide that has it counts. */
export function remedies(): ReadonlyMap<string, Remedy> {
  found ??= new Map(
    texts
      .flatMap(({ name, href }) =>
        [...guideText(name).matchAll(TABLE)].flatMap(([, rows = '']) =>
          rows
            .trim()
            .split('\n')
            .map((row): Remedy => {
              const [, cell = '', words = ''] = row.split(/ *(?<!\\)\| */);
              return { code: entryIn(cell)?.code ?? cell, words, name, href };
            }),
        ),
      )
      .toReversed()
      .map((remedy) => [remedy.code, remedy]),
  );
  return found;
}

let found: ReadonlyMap<string, Remedy> | undefined;
