/** Opens what the operator's page needs of a running API. */
import { type Database, openDatabase } from '../../db/connection/database.ts';
import {
  type Figures,
  figuresOfInstallation,
  figuresOfTenants,
} from '../../operations/figures/read.ts';
import { createTimedCache, remember } from '../../operations/context/timed-cache.ts';
import type { Dependencies } from '../../operations/context/context.ts';
import type { WebUi } from '../../operations/operator/searches.ts';
import type { OperatorSettings } from './place.ts';
import { openRehearsing } from './rehearsing.ts';

/** However many look at it, all tenants are read no more often. */
const FIGURES_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 5_000;
const WAIT_MS = 5_000;

type Given = Omit<OperatorSettings, 'figures' | 'figuresOf' | 'rehearsals'>;

export interface Opening extends Given {
  readonly dependencies: Dependencies;
  readonly databaseUrl: string;
  /** How long a page waits for a rehearsal. */
  readonly answerMsMax?: number;
}

export function openOperatorSettings({
  dependencies,
  databaseUrl,
  answerMsMax,
  ...given
}: Opening): {
  readonly settings: OperatorSettings;
  readonly close: () => Promise<void>;
} {
  let relay: Promise<Database> | undefined;
  const cache = createTimedCache<string, Promise<Figures>>({
    clock: () => performance.now(),
    entriesMax: 1,
  });
  const readAll = async (): Promise<Figures> => {
    relay ??= relayOf(databaseUrl).catch((error: unknown) => {
      relay = undefined;
      throw error;
    });
    return figuresOfInstallation({ dependencies, relayDb: await relay });
  };
  const rehearsals = openRehearsing(databaseUrl, { answerMsMax });
  const settings: OperatorSettings = {
    ...given,
    rehearsals,
    figures: () => remember(cache, 'all', { forMs: FIGURES_MS }, readAll),
    figuresOf: async (tenantId) => {
      const { tenants, failed } = await figuresOfTenants(dependencies, [tenantId]);
      if (failed[0] !== undefined) throw failed[0].error;
      return tenants[0];
    },
  };
  const close = async (): Promise<void> => {
    rehearsals.close();
    await (await relay)?.close();
  };
  return { settings, close };
}

/** One connection, from the first look on: the role sees which tenants there are. */
async function relayOf(url: string): Promise<Database> {
  const relay = await openDatabase({
    url,
    role: 'sundial_relay',
    poolMax: 1,
    waitMs: WAIT_MS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    name: `api ${process.pid} operator`,
  });
  // The pool replaces an idle connection that breaks.
  relay.pool.on('error', () => undefined);
  return relay;
}

/** @param url undefined: nobody said where it is */
export const webUiOf = (url: string | undefined, namespace: string): WebUi | null =>
  url === undefined ? null : { url, namespace };
