/**
 * Distributes a few places by turns: lanes (tenants) take turns, and so do the parties within a
 * lane. A caller that would wait too long, or behind too many, is refused.
 */
import { channel } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { BusyError } from './faults.ts';

export interface TurnsOptions {
  /** What they are of, for the metrics; without it nobody hears of them. */
  readonly of?: string;
  readonly placesMax: number;
  /** The most places of one lane, so that one is left for the others. */
  readonly lanePlacesMax?: number;
  readonly waitingMax: number;
  readonly laneWaitingMax?: number;
  readonly partyWaitingMax?: number;
  readonly waitMs: number;
}

/** Gives the place back, to its own lane after `rest` only; calling it again does nothing. */
export type Leave = (rest?: Promise<unknown>) => void;

/** A rest of a lane, which does not keep the process alive. */
export const restFor = (ms: number): Promise<void> => sleep(ms, undefined, { ref: false });

/** The name of the channel on which whoever subscribes hears of waits, and of nothing else. */
export const turnsChannel = 'sundial:turns';

export interface TurnNews {
  readonly turns: string;
  /** `waits` begins a wait; all others end one, but for `full`, which never waited. */
  readonly outcome: 'waits' | 'begun' | 'late' | 'full';
  readonly milliseconds: number;
}

const heard = channel(turnsChannel);

/** Tells what became of waits; without a name, or without anybody who listens, nothing. */
function newsOf(turns: string | undefined) {
  const tell = (outcome: TurnNews['outcome'], milliseconds = 0): void => {
    if (turns === undefined || !heard.hasSubscribers) return;
    heard.publish({ turns, outcome, milliseconds } satisfies TurnNews);
  };
  return {
    full<Given>(given: Given): Given {
      tell('full');
      return given;
    },
    /** The result is to be called with how the wait ends, and hands the other argument on. */
    waits() {
      const began = performance.now();
      tell('waits');
      return <Given>(outcome: 'begun' | 'late', given: Given): Given => {
        tell(outcome, performance.now() - began);
        return given;
      };
    },
  };
}

export interface Turns {
  /** Throws a BusyError if too many wait, or after too long a wait. */
  readonly take: (lane: string, party?: string) => Promise<Leave>;
  /** Undefined if no place is free now, or others wait for it. */
  readonly takeNow: (lane: string) => Leave | undefined;
}

interface Waiter {
  readonly begin: () => void;
}

interface Lane {
  running: number;
  waiting: number;
  readonly parties: Map<string, Set<Waiter>>;
}

export function createTurns(options: TurnsOptions): Turns {
  const { placesMax, lanePlacesMax = placesMax, waitingMax, waitMs } = options;
  const { laneWaitingMax = waitingMax, partyWaitingMax = laneWaitingMax } = options;
  const [news, lanes] = [newsOf(options.of), new Map<string, Lane>()];
  let running = 0;
  let waiting = 0;

  function begin(key: string, lane: Lane): Leave {
    running += 1;
    lane.running += 1;
    return once((rest) => {
      running -= 1;
      if (rest === undefined) return reopen(key, lane);
      void rest.finally(() => reopen(key, lane));
      callNext();
    });
  }
  function reopen(key: string, lane: Lane): void {
    lane.running -= 1;
    forgetEmpty(lanes, key);
    callNext();
  }
  function callNext(): void {
    for (const [key, lane] of lanes) {
      if (running >= placesMax) return;
      if (lane.waiting === 0 || lane.running >= lanePlacesMax) continue;
      // The lane moves to the end, so the loop reaches it again after all others.
      lanes.delete(key);
      lanes.set(key, lane);
      firstOf(lane)?.begin();
    }
  }
  function wait(key: string, lane: Lane, party: string): Promise<Leave> {
    const ofParty = lane.parties.get(party)?.size ?? 0;
    if (waiting >= waitingMax || lane.waiting >= laneWaitingMax || ofParty >= partyWaitingMax) {
      forgetEmpty(lanes, key);
      return Promise.reject(news.full(new BusyError('the queue for this is full')));
    }
    const ended = news.waits();
    const { promise, resolve, reject } = Promise.withResolvers<Leave>();
    const waiter: Waiter = {
      begin() {
        clearTimeout(timer);
        removeFrom(lane, party, waiter);
        waiting -= 1;
        resolve(ended('begun', begin(key, lane)));
      },
    };
    const timer = setTimeout(() => {
      removeFrom(lane, party, waiter);
      waiting -= 1;
      forgetEmpty(lanes, key);
      reject(ended('late', new BusyError(`no turn came within ${waitMs} ms`)));
    }, waitMs);
    addTo(lane, party, waiter);
    waiting += 1;
    return promise;
  }
  function takeNow(key: string): Leave | undefined {
    const lane = laneOf(lanes, key);
    const isFree = running < placesMax && lane.running < lanePlacesMax && lane.waiting === 0;
    if (isFree) return begin(key, lane);
    forgetEmpty(lanes, key);
    return undefined;
  }
  return {
    takeNow,
    take: async (key, party = '') => takeNow(key) ?? wait(key, laneOf(lanes, key), party),
  };
}

function laneOf(lanes: Map<string, Lane>, key: string): Lane {
  let lane = lanes.get(key);
  if (lane === undefined) lanes.set(key, (lane = { running: 0, waiting: 0, parties: new Map() }));
  return lane;
}

function forgetEmpty(lanes: Map<string, Lane>, key: string): void {
  const lane = lanes.get(key);
  if (lane?.running === 0 && lane.waiting === 0) lanes.delete(key);
}

function once(leave: Leave): Leave {
  let hasLeft = false;
  return (rest) => {
    if (!hasLeft) {
      hasLeft = true;
      leave(rest);
    }
  };
}

function addTo(lane: Lane, party: string, waiter: Waiter): void {
  const queue = lane.parties.get(party) ?? new Set();
  lane.parties.set(party, queue.add(waiter));
  lane.waiting += 1;
}

function removeFrom(lane: Lane, party: string, waiter: Waiter): void {
  const queue = lane.parties.get(party);
  if (queue?.delete(waiter) !== true) return;
  if (queue.size === 0) lane.parties.delete(party);
  lane.waiting -= 1;
}

/** The first waiter of the next party; that party moves to the end of its lane. */
function firstOf({ parties }: Lane): Waiter | undefined {
  for (const [party, queue] of parties) {
    parties.delete(party);
    parties.set(party, queue);
    const [first] = queue;
    return first;
  }
  return undefined;
}
