/** The pages of a list that goes on: the ways to the newest rows and to older ones. */
import type { RecordWords } from '../../../../domain/text/messages.ts';
import { linkable } from '../../../pages/frame.ts';

export interface PagerWay {
  readonly address: string;
  readonly text: string;
}

export interface ListedView {
  /** The id of the row that this page begins after; null: it is the first page. */
  readonly before: number | null;
  /** As the list has it. */
  readonly next: number | null;
}

/** @param path of the list */
export function pagerOf(
  path: string,
  { before, next }: ListedView,
  own: RecordWords,
): readonly PagerWay[] {
  return [
    ...(before === null ? [] : [{ address: linkable(path), text: own.newest }]),
    ...(next === null ? [] : [{ address: linkable(`${path}?before=${next}`), text: own.older }]),
  ];
}

/** The id that a list goes on after; anything else is the first page. */
export const beforeOf = (parameter = ''): number | null =>
  /^[1-9]\d{0,14}$/.test(parameter) ? Number(parameter) : null;
