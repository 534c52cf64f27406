/**
 * The metrics of Temporal's SDK: slots, polls, tasks, the cache of workflows. Its core counts by itself,
 * and answers on a port of this machine alone, which our own server reads.
 */
import type { MetricsExporterConfig } from '@temporalio/worker';
import { choosePort } from '../embedded/ports.ts';

export interface SdkMetrics {
  /** For `Runtime.install`. */
  readonly exporter: MetricsExporterConfig;
  readonly text: () => Promise<string>;
}

const ANSWER_MS_MAX = 3_000;

export async function sdkMetrics(): Promise<SdkMetrics> {
  const port = await choosePort({ variable: 'METRICS_PORT', wanted: undefined });
  const bindAddress = `127.0.0.1:${port}`;
  return {
    exporter: {
      attachServiceName: false,
      prometheus: {
        bindAddress,
        countersTotalSuffix: true,
        unitSuffix: true,
        useSecondsForDurations: true,
      },
    },
    async text() {
      const answer = await fetch(`http://${bindAddress}/metrics`, {
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
      });
      return answer.text();
    },
  };
}
