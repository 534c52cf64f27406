/** A history as text, its payloads decoded: for tests that look for words in it. */

import type { WorkflowHandle } from '@temporalio/client';

export async function resolvedHistory(workflow: WorkflowHandle): Promise<string> {
  return textOf(await workflow.fetchHistory());
}

/** Whatever a history has in it. */
export function textOf(part: unknown): string {
  if (part instanceof Uint8Array) return Buffer.from(part).toString();
  if (typeof part !== 'object' || part === null) return String(part);
  return Object.entries(part)
    .map(([name, value]) => `${name}: ${textOf(value)}`)
    .join('\n');
}
