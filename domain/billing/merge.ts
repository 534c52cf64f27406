/** Merges several sources by day: the earliest day first, and within a day source by source. */

/** Whether to continue after taking from a source. */
export type AfterTaking = 'continue' | 'stop';

/**
 * Takes from the sources in the order of their days until all are empty, or the callback returns
 * 'stop'. The day of a source never decreases.
 *
 * @example mergeByDay([daily, monthly], (source) => source.nextOn, (source) => source.take())
 */
export function mergeByDay<Source>(
  sources: readonly Source[],
  dayOf: (source: Source) => string | null,
  take: (source: Source) => AfterTaking,
): boolean {
  const heap = sources
    .flatMap((source, place): Place<Source>[] => {
      const day = dayOf(source);
      return day === null ? [] : [{ source, place, day }];
    })
    .toSorted(inTurn);
  for (let top = heap[0]; top !== undefined; top = heap[0]) {
    if (take(top.source) === 'stop') return true;
    const day = dayOf(top.source);
    if (day !== null) heap[0] = { ...top, day };
    else {
      const last = heap.pop();
      if (last !== undefined && heap.length > 0) heap[0] = last;
    }
    sink(heap);
  }
  return false;
}

interface Place<Source> {
  readonly source: Source;
  readonly place: number;
  readonly day: string;
}

function inTurn(left: Place<unknown>, right: Place<unknown>): number {
  if (left.day !== right.day) return left.day < right.day ? -1 : 1;
  return left.place - right.place;
}

/** Sifts the top of a binary heap down. */
function sink<Source>(heap: Place<Source>[]): void {
  for (let at = 0; ;) {
    let first = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      const [one, other] = [heap[child], heap[first]];
      if (one !== undefined && other !== undefined && inTurn(one, other) < 0) first = child;
    }
    if (first === at) return;
    const [parent, child] = [heap[at], heap[first]];
    if (parent === undefined || child === undefined) return;
    heap[at] = child;
    heap[first] = parent;
    at = first;
  }
}
