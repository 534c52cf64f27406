/** The process that hashes passwords of imports: one after the other, after everything else. */
import { constants, setPriority } from 'node:os';
import { hashPassword } from '../operations/access/passwords.ts';
import { guardProcess } from '../providers/process-guard.ts';
import type { Hashed, ToHash } from './hash-messages.ts';

guardProcess();
setPriority(constants.priority.PRIORITY_LOW);
process.on('message', (message) => void answer(message as ToHash));

async function answer({ place, password, cost }: ToHash): Promise<void> {
  const answered: Hashed = { place, hash: await hashPassword(password, cost) };
  process.send?.(answered);
}
