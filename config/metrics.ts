/** The variables of the metrics: where scrapes are answered, and who may scrape. */

import { z } from 'zod';
import { confidential } from './secret-files.ts';
import { host, isLoopback, port } from './values.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface MetricsAccess {
  readonly port: number;
  readonly host: string;
  /** Undefined: whoever reaches the port may scrape. */
  readonly token: string | undefined;
}

const TOKEN_LENGTH_MIN = 16;

export const metricsVariables = {
  METRICS_PORT: port.optional(),
  METRICS_HOST: host.default('127.0.0.1'),
  METRICS_TOKEN: confidential(
    z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must be one line without blanks')
      .min(TOKEN_LENGTH_MIN, `must have at least ${TOKEN_LENGTH_MIN} characters`)
      .optional(),
  ),
};

type Values = z.output<z.ZodObject<typeof metricsVariables>>;

/** The figures tell how business goes, so that other machines need a token. */
export function metricsMistakes(env: Environment): readonly string[] {
  const { METRICS_PORT: wanted, METRICS_HOST: address, METRICS_TOKEN: token } = env;
  if (!wanted) {
    return ['METRICS_HOST', 'METRICS_TOKEN']
      .filter((name) => Boolean(env[name]))
      .map((name) => `${name} is of no use without METRICS_PORT`);
  }
  return address && !isLoopback(address) && !token
    ? ['METRICS_TOKEN must be set: METRICS_HOST is no loopback address']
    : [];
}

/** Undefined: nobody scrapes. */
export function metricsOf(values: Values): MetricsAccess | undefined {
  const { METRICS_PORT: wanted, METRICS_HOST: address, METRICS_TOKEN: token } = values;
  return wanted === undefined ? undefined : Object.freeze({ port: wanted, host: address, token });
}
