/** Hashing passwords takes a core and 19 MiB each time: so few at once, and each tenant by turns. */
import { createTurns } from '../../db/connection/turns.ts';
import type { TurnsOptions } from '../../db/connection/turns.ts';

/** Fewer than Node has threads for such work: files, names and compression wait for them too. */
const HASHES_AT_ONCE_MAX = 3;
/** Of one tenant; a place is left for the others. */
const TENANT_HASHES_AT_ONCE_MAX = 1;
const WAITING_MAX = 400;
const TENANT_WAITING_MAX = 100;
/** Of one network of a tenant's callers. */
const NETWORK_WAITING_MAX = 50;
const WAIT_MS = 20_000;

export const hashTurnsOptions: TurnsOptions = {
  placesMax: HASHES_AT_ONCE_MAX,
  lanePlacesMax: TENANT_HASHES_AT_ONCE_MAX,
  waitingMax: WAITING_MAX,
  laneWaitingMax: TENANT_WAITING_MAX,
  partyWaitingMax: NETWORK_WAITING_MAX,
  waitMs: WAIT_MS,
};

/** Of this process, whatever is hashed. */
export const hashTurns = createTurns(hashTurnsOptions);
