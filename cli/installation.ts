/** What commands that compare rows with Temporal work on: both roles of the database, and the engine. */
import type { Config } from '../config.ts';
import type { Database } from '../db/connection/database.ts';
import type { Dependencies } from '../operations/context/context.ts';
import { openEngine, type FirstLookAt, type OpenEngine } from '../operations/outbox/engine.ts';
import { engineFaultOf, temporalOf } from '../providers/temporal/connect.ts';
import { open, UsageError } from './tenant/database.ts';

export interface Installation {
  readonly dependencies: Dependencies;
  readonly relayDb: Database;
  readonly engine: OpenEngine;
  readonly operator: string;
}

interface Opening {
  /** The identity that histories show is `sundial COMMAND, OPERATOR`. */
  readonly command: string;
  readonly firstLookAt?: FirstLookAt;
}

/** Closes everything afterwards. Throws a UsageError if Temporal does not answer. */
export async function withInstallation<Result>(
  config: Config,
  opening: Opening,
  work: (its: Installation) => Promise<Result>,
): Promise<Result> {
  const db = await open(config, 'sundial_app');
  try {
    const engine = engineOf(config, opening);
    const relayDb = await open(config, 'sundial_relay');
    try {
      const dependencies = { db, realNow: Date.now };
      return await work({ dependencies, relayDb, engine, operator: config.operator });
    } catch (error) {
      const fault = engineFaultOf(error);
      if (fault === null) throw error;
      throw new UsageError(`Temporal does not answer: ${fault.text}`, { cause: error });
    } finally {
      await engine.close();
      await relayDb.close();
    }
  } finally {
    await db.close();
  }
}

function engineOf(config: Config, { command, firstLookAt }: Opening): OpenEngine {
  const { temporalAddress, operator } = config;
  if (temporalAddress === undefined) {
    throw new UsageError('TEMPORAL_ADDRESS is not set, and no system runs. Start one: npm start.');
  }
  return openEngine({
    ...temporalOf({ ...config, temporalAddress }),
    identity: `sundial ${command}, ${operator}`,
    ...(firstLookAt && { firstLookAt }),
  });
}
