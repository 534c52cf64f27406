/** The texts of a workflow in the Temporal Web UI: its last events, its customer, its times. */
import { COUNTED_MAX, type CustomerShown } from '../contract/contract.ts';

const SHOWN_MAX = 3;
const MINUTE_MS = 60_000;
/** The engine refuses a summary of more than 400 bytes. */
const SUMMARY_LENGTH_MAX = 120;

/** The last three of what happened, oldest first. */
export function lastOf(
  story: readonly string[],
  happened: readonly string[] = [],
): readonly string[] {
  return [...story, ...happened].slice(-SHOWN_MAX);
}

/** The Web UI cuts off the last line of the details, so a rule follows it. */
const LAST_LINE = '---';

/** Markdown: the heading, then in one list the facts and what happened last. */
export function detailsOf(
  heading: string,
  facts: readonly (string | null)[],
  story: readonly string[],
): string {
  const lines = [...facts.filter((fact) => fact !== null), ...story];
  return [`**${heading}**`, '', ...lines.map((line) => `- ${line}`), '', LAST_LINE].join('\n');
}

/** `1 order`, `2 orders` */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The same for a backlog, which is counted up to COUNTED_MAX: `more than 10000 events` */
export function backlog(count: number, noun: string): string {
  return count > COUNTED_MAX ? `more than ${COUNTED_MAX} ${noun}s` : counted(count, noun);
}

/** `12 customers wait for the tax provider` */
export function waitText(customers: number): string {
  return `${counted(customers, 'customer')} ${customers === 1 ? 'waits' : 'wait'} for the tax provider`;
}

/** `customer ADA-1 (id 23)` */
export function nameOf({ customerId, customerRef }: CustomerShown): string {
  return customerRef ? `customer ${customerRef} (id ${customerId})` : `customer ${customerId}`;
}

/** `2027-02-15 05:01 UTC`, the nearest minute. */
export function minuteOf(instantMs: number): string {
  const rounded = Math.round(instantMs / MINUTE_MS) * MINUTE_MS;
  return `${new Date(rounded).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** `2027-02-15 05:01:07 UTC` */
export function secondOf(instantMs: number): string {
  return `${new Date(instantMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** A text of the length that a summary may have. */
export function summaryOf(text: string): string {
  return text.length > SUMMARY_LENGTH_MAX ? `${text.slice(0, SUMMARY_LENGTH_MAX - 1)}…` : text;
}
