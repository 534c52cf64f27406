/** The sentences about what is to be collected. */

/** @example retryText({ invoice: 1001, attempt: 2 }) // 'retries invoice 1001 (retry 2)' */
export function retryText({
  invoice,
  attempt,
}: {
  readonly invoice: string;
  readonly attempt: number;
}): string {
  return `retries invoice ${invoice} (retry ${attempt})`;
}
