/** The user of the tenant files in bench/. */
import type { RestTarget } from '../../cli/rest.ts';

export const benchUser = { username: 'api@bench', password: 'bench-secret' };

/** For calls that are not measured. */
export function callerOf(apiUrl: string, label = 'bench'): RestTarget {
  return { apiUrl, hostName: `${label}.localhost`, ...benchUser };
}
