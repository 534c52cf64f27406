/** Resolves the names of hosts. */
import { Resolver } from 'node:dns/promises';

const RESOLVE_TIMEOUT_MS = 2_000;
const RESOLVE_TRIES = 2;

/**
 * Asks DNS. The system's own resolver blocks one of the process's few threads for each look-up, so
 * one tenant's slow name server would delay everything else that needs a thread.
 */
export async function resolveByDns(name: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: RESOLVE_TIMEOUT_MS, tries: RESOLVE_TRIES });
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}
