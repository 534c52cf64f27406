/** Hashes the passwords that a tenant's imports have left, and ends when none waits. */
import { continueAsNew } from '@temporalio/workflow';
import { hashPasswords, type PasswordProgress } from './activities.ts';
import type { TenantInput } from './contract/contract.ts';
import { passUntilDone } from './loops/passes.ts';
import { counted } from './story/story.ts';
import { listenForNudges } from './loops/wakes.ts';

/** For people who look at a workflow that has ended. */
export interface PasswordsEnd {
  readonly hashed: number;
  readonly happened: readonly string[];
}

export async function passwords(input: TenantInput): Promise<PasswordsEnd> {
  const nudges = listenForNudges('Passwords were imported: look again.');
  const { title = 'Passwords' } = input;
  let hashed = 0;
  const happened = await passUntilDone<PasswordProgress>(nudges, {
    title,
    story: input.story,
    async pass() {
      const progress = await hashPasswords(input);
      hashed += progress.hashed;
      return progress;
    },
    countsOf: (progress) =>
      progress.hashed > 0 ? [`${counted(progress.hashed, 'password')} hashed`] : [],
    factsOf: () => [],
    noun: 'unhashed password',
    busyPhase: 'Hashing',
    again: (story) => continueAsNew<typeof passwords>({ ...input, story }),
  });
  return { hashed, happened };
}
