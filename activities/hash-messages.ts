/** The messages between a worker and its process that hashes passwords. */
import type { HashCost } from '../operations/access/passwords.ts';

export interface ToHash {
  readonly place: number;
  readonly password: string;
  readonly cost: HashCost | undefined;
}

export interface Hashed {
  readonly place: number;
  readonly hash: string;
}
