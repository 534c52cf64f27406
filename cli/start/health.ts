/** Checks that the started API reports the database, Temporal and the worker as healthy. */

import { get as getPlain } from 'node:http';
import { get as getSecure } from 'node:https';
import { text } from 'node:stream/consumers';
import { withPatience } from '../../providers/patience.ts';

const LIMIT_SECONDS = 60;
const POLL_MS = 100;
const ANSWER_LIMIT_MS = 5_000;

/** Throws with what the API reports as missing, except `butFor`, if it stays unhealthy. */
export async function untilHealthy(
  url: string,
  { butFor, signal }: { readonly butFor?: string; readonly signal: AbortSignal },
): Promise<void> {
  const isAllThatIsMissing = (trouble: string): boolean =>
    butFor !== undefined && trouble.includes(`<missing><part>${butFor}</part></missing>`);
  const patience = { limitSeconds: LIMIT_SECONDS, pauseMs: POLL_MS, signal };
  await withPatience(async () => {
    const trouble = await ask(url, signal).catch((error: unknown) => String(error));
    if (trouble === undefined || isAllThatIsMissing(trouble)) return;
    throw new Error(`The system does not become healthy: ${trouble}`);
  }, patience);
}

async function ask(url: string, stopping: AbortSignal): Promise<string | undefined> {
  const get = url.startsWith('https:') ? getSecure : getPlain;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(ANSWER_LIMIT_MS)]);
  return await new Promise((resolve, reject) => {
    // The API is our own child process, and its certificate is made for the names that callers use.
    const request = get(url, { signal, rejectUnauthorized: false }, (answer) => {
      text(answer).then((body) => resolve(answer.statusCode === 200 ? undefined : body), reject);
    });
    request.on('error', reject);
  });
}
