/** A payment's details in the Web UI: customer and amount, what happened, what comes next. */
import type { Asking, CascadeInput, PaymentProgress } from './contract.ts';
import { lastOf, nameOf, secondOf } from './story.ts';

/** Gateways are slow at times, so a call is called stuck only after this time without an answer. */
const STUCK_AFTER_MS = 60_000;

export function factsOf(
  { customer, title }: CascadeInput,
  { amount, done, phase, waitMs, asks }: PaymentProgress,
  asking: Asking | null,
): (string | null)[] {
  const waits = waitMs !== null && waitMs > 0;
  const look = asks ? 'asks the gateway again' : 'looks again';
  const next = waits ? `${look} at ${secondOf(Date.now() + waitMs)}` : 'continues at once';
  return [
    customer ? nameOf(customer) : null,
    amount === undefined || title.includes(amount) ? null : `amount: ${amount}`,
    ...(asking ? askingFacts(asking, phase === 'Processing') : []),
    `next: ${done ? 'nothing, it is final' : next}`,
  ];
}

function askingFacts({ since, asked }: Asking, isProcessing: boolean): string[] {
  const isStuck = Date.now() - since >= STUCK_AFTER_MS;
  const state = isProcessing ? 'under way' : isStuck ? 'stuck' : 'without an answer';
  const facts = [`${state} since ${secondOf(since)}: asked ${asked} times so far`];
  if (isProcessing || isStuck) {
    facts.push('what the gateway never answers is closed by the Update resolve, with a reason');
  }
  return facts;
}

/** A look with the same result as the previous one only renews its time. */
export function storyWith(story: readonly string[], progress: PaymentProgress): readonly string[] {
  const { paymentId, did, failureCode } = progress;
  const failure = failureCode === null ? '' : ` (${failureCode})`;
  const words = `: payment ${paymentId} ${did}${failure}`;
  const before = story.at(-1)?.endsWith(words) ? story.slice(0, -1) : story;
  return lastOf(before, [`${secondOf(Date.now())}${words}`]);
}
