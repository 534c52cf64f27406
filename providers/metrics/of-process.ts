/** The metrics of a process whose configuration asks for them, and the server that answers scrapes. */
import type { MetricsAccess } from '../../config.ts';
import { createMetrics, type Metrics, type MetricsOptions } from './registry.ts';
import { startMetricsServer } from './server.ts';

export interface ProcessMetrics extends Metrics {
  /** Of the server that answers. */
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/**
 * Undefined if nobody scrapes: then nothing is counted. Throws an OperatorError if the port cannot be
 * used.
 *
 * @param others further metrics, as text: those of the SDK
 */
export async function metricsOfProcess(
  access: MetricsAccess | undefined,
  options: MetricsOptions,
  others: () => Promise<string> = () => Promise.resolve(''),
): Promise<ProcessMetrics | undefined> {
  if (access === undefined) return undefined;
  const metrics = createMetrics(options);
  const { contentType, close } = metrics;
  const text = async (): Promise<string> => {
    const [own, more] = await Promise.all([metrics.text(), others()]);
    return `${own}${more}`;
  };
  const server = await startMetricsServer({ ...access, text, contentType });
  return {
    ...metrics,
    port: server.port,
    async stop() {
      close();
      await server.stop();
    },
  };
}
