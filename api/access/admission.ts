/**
 * Lets calls in so that no tenant's calls take the machine from the others: a tenant has so many at
 * once, its heavy calls come one after the other, and what they hold in memory is bounded.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { UnavailableError } from '../../db/connection/faults.ts';
import { createTurns } from '../../db/connection/turns.ts';
import type { Leave, TurnsOptions } from '../../db/connection/turns.ts';
import { createHeavyCalls } from './heavy-calls.ts';

export interface Admission {
  /** Throws an UnavailableError where no place is free in time, before anything is done. */
  readonly admit: <Result>(
    call: AdmittedCall,
    work: (visit: Visit) => Promise<Result>,
  ) => Promise<Result>;
  /** What a transaction moved between here and PostgreSQL, noted of the call that made it. */
  readonly noteMoved: (bytes: number) => void;
  /** Bytes that are held until the result is called, also beyond the limit: they are there. */
  readonly hold: (tenantId: number, bytes: number) => Leave;
}

export interface AdmittedCall {
  readonly tenantId: number;
  /** Calls of one kind are heavy together. */
  readonly kind: string;
  /** What is asked for says how heavy it is. */
  readonly isHeavy: boolean;
  /** It waits for others, a gateway for example, in a place that it would only occupy. */
  readonly waitsForOthers: boolean;
}

/** A call that was let in. */
export interface Visit {
  /** Until the call ends; throws an UnavailableError where it would be too much. */
  readonly hold: (bytes: number) => void;
  /** Waits for the turn of a heavy call where it is one. */
  readonly begin: (bodyBytes: number) => Promise<void>;
}

export interface AdmissionOptions {
  readonly calls: TurnsOptions;
  readonly heavyCalls: TurnsOptions;
  readonly bytesMax: number;
  readonly tenantBytesMax: number;
  /** Milliseconds that only go forwards. */
  readonly clock: () => number;
}

const MEGABYTE = 1_024 * 1_024;
/** A call with a larger body is heavy. */
export const LIGHT_BODY_BYTES_MAX = 32 * 1_024;

export const admissionDefaults: AdmissionOptions = {
  calls: {
    placesMax: 256,
    lanePlacesMax: 32,
    waitingMax: 1_000,
    laneWaitingMax: 250,
    waitMs: 10_000,
  },
  // Each takes a core of PostgreSQL, and then one of the API.
  heavyCalls: {
    placesMax: 2,
    lanePlacesMax: 1,
    waitingMax: 64,
    laneWaitingMax: 16,
    waitMs: 20_000,
  },
  bytesMax: 256 * MEGABYTE,
  tenantBytesMax: 64 * MEGABYTE,
  clock: () => performance.now(),
};

interface Noted {
  readonly key: string;
}

export function createAdmission(options: Partial<AdmissionOptions> = {}): Admission {
  const { calls, heavyCalls, clock, ...limits } = { ...admissionDefaults, ...options };
  const turns = createTurns(calls);
  const heavyTurns = createTurns(heavyCalls);
  const heavy = createHeavyCalls(clock);
  const bytes = createBytes(limits);
  const current = new AsyncLocalStorage<Noted>();

  async function admit<Result>(
    call: AdmittedCall,
    work: (visit: Visit) => Promise<Result>,
  ): Promise<Result> {
    const { tenantId, kind, isHeavy, waitsForOthers } = call;
    const lane = String(tenantId);
    const key = `${lane} ${kind}`;
    bytes.refuseBeyond(tenantId, 0);
    const leaves: Leave[] = [await turns.take(lane)];
    const visit: Visit = {
      hold(more) {
        bytes.refuseBeyond(tenantId, more);
        leaves.push(bytes.hold(tenantId, more));
      },
      async begin(bodyBytes) {
        if (waitsForOthers) return;
        if (!isHeavy && bodyBytes <= LIGHT_BODY_BYTES_MAX && !heavy.isHeavy(key)) return;
        leaves.push(await heavyTurns.take(lane));
      },
    };
    try {
      return await current.run({ key }, () => work(visit));
    } finally {
      for (const leave of leaves) leave();
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
      throw new UnavailableError('bodies and answers under way fill the memory meant for them');
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
