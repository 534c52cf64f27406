/** What becomes of a guess at a password: counted in a row, or the end of the row. */
import { guessesGoneBefore } from '../../domain/self-service/session.ts';
import {
  type Guesser,
  countGuess,
  forgetGuesses,
  noteNetwork,
} from '../../db/queries/access/login-guesses.ts';
import { pruneOldest } from '../../db/queries/context/prune.ts';
import type { Tx } from '../../db/connection/tenancy.ts';

export { readGuesses } from '../../db/queries/access/login-guesses.ts';
export type { Guesser } from '../../db/queries/access/login-guesses.ts';

/** For each wrong password. */
const PRUNED_MAX = 10;

export function noteWrong(tx: Tx, guesser: Guesser, at: Date): void {
  const until = guessesGoneBefore(at);
  pruneOldest(tx, { table: 'login_guess', key: 'key', at: 'failed_at', until, max: PRUNED_MAX });
  countGuess(tx, guesser, at);
}

export function noteRight(
  tx: Tx,
  {
    contactId,
    network,
    at,
  }: Pick<Guesser, 'network'> & {
    readonly contactId: number;
    readonly at: Date;
  },
): void {
  forgetGuesses(tx, [contactId]);
  noteNetwork(tx, { contactId, network, at });
}
