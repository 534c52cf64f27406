/**
 * Admits calls so that no tenant can monopolize the machine: it limits each tenant's calls in
 * progress, runs a tenant's heavy calls one at a time, and bounds the memory of bodies and answers.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { BusyError } from '../../db/connection/faults.ts';
import {
  createTurns,
  restFor,
  type Leave,
  type Turns,
  type TurnsOptions,
} from '../../db/connection/turns.ts';
import { createTimedCache } from '../../operations/context/timed-cache.ts';

export interface Admission {
  /** Throws a BusyError if no place is free in time, before the call starts. */
  readonly admit: <Result>(
    call: AdmittedCall,
    work: (visit: Visit) => Promise<Result>,
  ) => Promise<Result>;
  /** Records the bytes that a transaction of the current call exchanged with PostgreSQL. */
  readonly noteMoved: (bytes: number) => void;
  /** Counts bytes until the result is called, even beyond the limit: they are already in memory. */
  readonly hold: (tenantId: number, bytes: number) => Leave;
}

export interface AdmittedCall {
  readonly tenantId: number;
  /** Calls of one kind are heavy or light together. */
  readonly kind: string;
  /** The request itself shows that the call is heavy. */
  readonly isHeavy: boolean;
  /** The call waits, for a gateway for example, and would only occupy a place. */
  readonly waitsForOthers: boolean;
  /**
   * Its body or its answer is a stream, which takes as long as its caller does. A stream occupies a
   * place for streams, and none for calls. However slow a tenant's streams are, they delay only its
   * own further streams: the tenant has an eighth of those places. A stream counts as the bytes that
   * its buffers can have, `STREAM_BYTES`, whatever its length. The router disconnects a caller that
   * stalls, which frees the place.
   */
  readonly isStream: boolean;
}

/** An admitted call. */
export interface Visit {
  /** Counts bytes until the call ends; throws a BusyError if they exceed the limit. */
  readonly hold: (bytes: number) => void;
  /**
   * Waits for its turn if the call is heavy, and returns whether it is. The body is read before, so
   * that a slow caller delays nobody.
   */
  readonly begin: (bodyBytes: number) => Promise<boolean>;
  /**
   * Leaves the place while the work waits for a turn of its own, such as that of hashing, or for a
   * body, so that no other call of the tenant waits for it. Throws a BusyError if no place is free
   * afterwards.
   */
  readonly stepOut: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Keeps the place and the bytes until then, for an answer that is sent after the call. */
  readonly stay: (until: Promise<unknown>) => void;
}

export interface AdmissionOptions {
  readonly calls: TurnsOptions;
  readonly heavyCalls: TurnsOptions;
  readonly streams: TurnsOptions;
  /**
   * The lane of a tenant's heavy calls that all processes share: resolves with what leaves it. Without
   * it each process has its own.
   */
  readonly sharedLane?: (tenantId: number) => Promise<() => void>;
  readonly bytesMax: number;
  readonly tenantBytesMax: number;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

const MEGABYTE = 1_024 * 1_024;
/** A call with a larger body is heavy. */
export const LIGHT_BODY_BYTES_MAX = 32 * 1_024;
/** The buffers of a stream: of the socket, between it and its reader, and a chunk in progress. */
export const STREAM_BYTES = 256 * 1_024;

export const admissionDefaults: AdmissionOptions = {
  calls: {
    placesMax: 256,
    lanePlacesMax: 32,
    waitingMax: 1_000,
    laneWaitingMax: 250,
    waitMs: 10_000,
  },
  // Each uses a core in PostgreSQL, and then one in the API.
  heavyCalls: {
    placesMax: 2,
    lanePlacesMax: 1,
    waitingMax: 64,
    laneWaitingMax: 16,
    waitMs: 20_000,
  },
  // A stream that waits holds a connection only, and its caller may try again.
  streams: {
    placesMax: 64,
    lanePlacesMax: 8,
    waitingMax: 64,
    laneWaitingMax: 8,
    waitMs: 10_000,
  },
  bytesMax: 256 * MEGABYTE,
  tenantBytesMax: 64 * MEGABYTE,
  clock: () => performance.now(),
  sleep: restFor,
};

interface Noted {
  readonly key: string;
}

export function createAdmission(options: Partial<AdmissionOptions> = {}): Admission {
  const { calls, heavyCalls, streams, sharedLane, clock, sleep, ...limits } = {
    ...admissionDefaults,
    ...options,
  };
  const turns = createTurns({ of: 'calls', ...calls });
  const takeHeavy = heavyTurns(heavyCalls, sharedLane);
  const streamTurns = createTurns({ of: 'streams', ...streams });
  const heavy = createHeavyCalls(clock);
  const rests = createRests({ clock, sleep });
  const bytes = createBytes(limits);
  const current = new AsyncLocalStorage<Noted>();

  async function admit<Result>(
    call: AdmittedCall,
    work: (visit: Visit) => Promise<Result>,
  ): Promise<Result> {
    const { tenantId, kind, isHeavy, waitsForOthers, isStream } = call;
    const lane = String(tenantId);
    const key = `${lane} ${kind}`;
    bytes.refuseBeyond(tenantId, 0);
    rests.noteCall(tenantId);
    const place = await takePlace(isStream ? streamTurns : turns, lane);
    const leaves: Leave[] = [place.leave];
    let stayed: Promise<unknown> | undefined;
    const visit: Visit = {
      hold(more) {
        bytes.refuseBeyond(tenantId, more);
        leaves.push(bytes.hold(tenantId, more));
      },
      async begin(bodyBytes) {
        if (waitsForOthers) return false;
        if (!isHeavy && bodyBytes <= LIGHT_BODY_BYTES_MAX && !heavy.isHeavy(key)) return false;
        const leave = await takeHeavy(tenantId);
        const beganMs = clock();
        leaves.push(() => leave(rests.after(tenantId, clock() - beganMs)));
        return true;
      },
      stepOut: place.stepOut,
      stay(until) {
        stayed = until;
      },
    };
    const leaveAll = (): void => {
      for (const leave of leaves) leave();
    };
    try {
      if (isStream) visit.hold(STREAM_BYTES);
      return await current.run({ key }, () => work(visit));
    } finally {
      if (stayed === undefined) leaveAll();
      else void stayed.then(leaveAll, leaveAll);
    }
  }
  return {
    admit,
    hold: bytes.hold,
    noteMoved(moved) {
      const noted = current.getStore();
      if (noted !== undefined) heavy.noteMoved(noted.key, moved);
    },
  };
}

/**
 * A heavy call takes the lane of its tenant, then one of the places of this process: while it waits for
 * another process, it occupies none that other tenants could have. A rest keeps the lane.
 */
function heavyTurns(
  options: TurnsOptions,
  sharedLane: AdmissionOptions['sharedLane'],
): (tenantId: number) => Promise<Leave> {
  const places = createTurns({ of: 'heavy', ...options });
  if (sharedLane === undefined) return (tenantId) => places.take(String(tenantId));
  const lanes = createTurns({ ...options, of: 'heavyOfTenant', placesMax: Infinity });
  return async (tenantId) => {
    const lane = String(tenantId);
    const leaves: Leave[] = [await lanes.take(lane)];
    const leaveLane: Leave = (rest) => {
      for (const leave of leaves) leave(rest);
    };
    try {
      const leaveShared = await sharedLane(tenantId);
      leaves.unshift((rest = Promise.resolve()) => void rest.finally(leaveShared));
      const leavePlace = await places.take(lane);
      return (rest) => {
        leavePlace();
        leaveLane(rest);
      };
    } catch (error) {
      leaveLane();
      throw error;
    }
  };
}

/** A place among calls, which its call may leave for a while. */
async function takePlace(
  turns: Turns,
  lane: string,
): Promise<{ readonly leave: Leave } & Pick<Visit, 'stepOut'>> {
  let leave = await turns.take(lane);
  return {
    leave: () => leave(),
    async stepOut(outside) {
      leave();
      try {
        return await outside();
      } finally {
        leave = await turns.take(lane);
      }
    },
  };
}

interface Bytes {
  readonly refuseBeyond: (tenantId: number, more: number) => void;
  readonly hold: (tenantId: number, bytes: number) => Leave;
}

function createBytes({
  bytesMax,
  tenantBytesMax,
}: Pick<AdmissionOptions, 'bytesMax' | 'tenantBytesMax'>): Bytes {
  const ofTenants = new Map<number, number>();
  let held = 0;

  function add(tenantId: number, bytes: number): void {
    const now = (ofTenants.get(tenantId) ?? 0) + bytes;
    if (now === 0) ofTenants.delete(tenantId);
    else ofTenants.set(tenantId, now);
    held += bytes;
  }
  return {
    refuseBeyond(tenantId, more) {
      const ofTenant = ofTenants.get(tenantId) ?? 0;
      if (held + more <= bytesMax && ofTenant + more <= tenantBytesMax) return;
      throw new BusyError('the memory for bodies and answers in progress is full');
    },
    hold(tenantId, bytes) {
      add(tenantId, bytes);
      let isHeld = true;
      return () => {
        if (isHeld) add(tenantId, -bytes);
        isHeld = false;
      };
    },
  };
}

/*
 * Classifies a tenant's calls as heavy by the bytes that they recently exchanged with PostgreSQL.
 * It measures bytes, because time would blame a tenant for the load of others.
 */

/** A transaction that moves at most this much is light. */
export const LIGHT_MOVED_BYTES_MAX = 256 * 1_024;
/** The rate at which the excess is forgotten. */
export const FORGOTTEN_BYTES_PER_SECOND = 1_024 * 1_024;
/** The most that is remembered: a minute after the last heavy call everything is forgotten. */
export const REMEMBERED_BYTES_MAX = 60 * FORGOTTEN_BYTES_PER_SECOND;
const KEYS_MAX = 10_000;
const SECOND_MS = 1_000;

interface HeavyCalls {
  /** @param key names the kind of call and its tenant */
  readonly isHeavy: (key: string) => boolean;
  readonly noteMoved: (key: string, bytes: number) => void;
}

interface Remembered {
  readonly bytes: number;
  readonly atMs: number;
}

/** @param clock a monotonic clock in milliseconds */
export function createHeavyCalls(clock: () => number): HeavyCalls {
  const remembered = createTimedCache<string, Remembered>({ clock, entriesMax: KEYS_MAX });

  function leftOf(key: string): number {
    const noted = remembered.get(key);
    if (noted === undefined) return 0;
    const forgotten = ((clock() - noted.atMs) / SECOND_MS) * FORGOTTEN_BYTES_PER_SECOND;
    return Math.max(0, noted.bytes - forgotten);
  }
  return {
    isHeavy: (key) => leftOf(key) > 0,
    noteMoved(key, moved) {
      if (!(moved > LIGHT_MOVED_BYTES_MAX)) return;
      const bytes = Math.min(leftOf(key) + moved, REMEMBERED_BYTES_MAX);
      const forMs = (bytes / FORGOTTEN_BYTES_PER_SECOND) * SECOND_MS;
      remembered.set(key, { bytes, atMs: clock() }, { forMs });
    },
  };
}

/*
 * While other tenants call, a tenant rests after a heavy call for as long as the call took. So its
 * heavy calls use half of a core at most.
 */

/** Other tenants are active for this long after the last of their calls. */
export const ACTIVE_MS = 1_000;
export const REST_MS_MAX = 2_000;

interface Rests {
  readonly noteCall: (tenantId: number) => void;
  /** The rest after a heavy call that took so long; undefined if the tenant is alone. */
  readonly after: (tenantId: number, tookMs: number) => Promise<void> | undefined;
}

interface RestsOptions {
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

interface Called {
  readonly tenantId: number;
  readonly ms: number;
}

const never: Called = { tenantId: 0, ms: -Infinity };

function createRests({ clock, sleep }: RestsOptions): Rests {
  let newest = never;
  /** The newest call of any tenant but that of `newest`. */
  let newestOfOthers = never;
  return {
    noteCall(tenantId) {
      if (tenantId !== newest.tenantId) newestOfOthers = newest;
      newest = { tenantId, ms: clock() };
    },
    after(tenantId, tookMs) {
      const others = newest.tenantId === tenantId ? newestOfOthers : newest;
      if (tookMs <= 0 || clock() - others.ms > ACTIVE_MS) return undefined;
      return sleep(Math.min(tookMs, REST_MS_MAX));
    },
  };
}
