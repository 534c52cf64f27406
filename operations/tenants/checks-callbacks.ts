/** Checks that the callbacks of a tenant file go to public addresses, as far as the file shows it. */
import { isPrivateHost } from '../../providers/callbacks/address.ts';
import type { LooseFile } from './checks-shared.ts';
import type { Report } from './mistakes.ts';

/** What a name resolves to is checked when a callback is sent. */
export function checkCallbackHosts({ callbacks }: LooseFile, report: Report): void {
  callbacks?.forEach((callback, index) => {
    if (callback?.url === undefined || !URL.canParse(callback.url)) return;
    if (!isPrivateHost(callback.url)) return;
    const message = 'is a private address; only with CALLBACK_ALLOW_PRIVATE callbacks go there';
    report(['callbacks', index, 'url'], message);
  });
}
