/** Traces of a process, if its configuration names a collector; without one nothing of them is loaded. */
import type { Traces } from './traces.ts';

export type { Traces } from './traces.ts';

export interface TracesOptions {
  /** Of the collector, which takes OTLP over HTTP: `http://127.0.0.1:4318`. */
  readonly endpoint: string | undefined;
  readonly process: 'api' | 'worker';
  readonly version: string;
}

export async function openTraces({
  endpoint,
  ...options
}: TracesOptions): Promise<Traces | undefined> {
  if (endpoint === undefined) return undefined;
  const { startTraces } = await import('./traces.ts');
  return startTraces({ endpoint, ...options });
}
