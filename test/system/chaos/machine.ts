/** All processes of an installation on servers of its own, and what is done to them. */
import type { ExecutionContext } from 'ava';
import { migrate } from '../../../db/connection/migrate.ts';
import type { EmbeddedPostgres } from '../../../providers/embedded/postgres.ts';
import { fillDisk, smallDisk, whyNoMount } from '../../support/disk.ts';
import { testFolder } from '../../support/folder.ts';
import { startProxy, type Proxy } from '../../support/proxy.ts';
import { startParts, type Parts } from '../crash/parts.ts';
import { killAll, startDurable } from '../crash/postgres.ts';
import type { Ailment, Mortal } from './schedule.ts';

/** The cluster with its WAL takes some 200 MB of it. */
const DISK_MB = 640;

export interface Machine {
  readonly parts: Parts;
  readonly hasSmallDisk: boolean;
  readonly kill: (mortal: Mortal) => Promise<void>;
  /** Starts a part that has ended, killed or by itself; does nothing if it runs. */
  readonly revive: (mortal: Mortal) => Promise<void>;
  readonly runs: (mortal: Mortal) => boolean;
  /** Begins what an ailment says, if it is one of these; returns what heals it. */
  readonly ail: (ailment: Ailment) => (() => void) | undefined;
}

export async function startMachine(
  t: Pick<ExecutionContext, 'teardown'>,
  settings: Readonly<Record<string, string>>,
): Promise<Machine> {
  const hasSmallDisk = whyNoMount() === undefined;
  const folder = hasSmallDisk ? smallDisk(t, DISK_MB) : testFolder(t);
  let postgres: EmbeddedPostgres | undefined = await startDurable(folder);
  const { url: ownerUrl } = postgres;
  const port = Number(new URL(ownerUrl).port);
  t.teardown(async () => postgres?.stop());
  await migrate(ownerUrl);
  const database = await startProxy(ownerUrl);
  let engine: Proxy | undefined;
  const parts = await startParts(settings, {
    ownerUrl,
    databaseThrough: () => Promise.resolve(database.url),
    async engineThrough(address) {
      engine = await startProxy(`tcp://${address}`);
      return engine.address;
    },
  });
  t.teardown(async () => {
    await parts.stop();
    database.stop();
    engine?.stop();
  });
  const runs = (mortal: Mortal): boolean =>
    mortal === 'postgres' ? postgres?.server.running() === true : parts[mortal].runs();
  const cut = (proxy: Proxy | undefined) => () => {
    proxy?.cutAll();
    return () => undefined;
  };
  const begin: Readonly<Partial<Record<Ailment, () => () => void>>> = {
    'database stalls': () => database.stall(),
    'database is cut off': cut(database),
    'engine stalls': () => engine?.stall() ?? (() => undefined),
    'engine is cut off': cut(engine),
    ...(hasSmallDisk && { 'disk is full': () => fillDisk(folder) }),
  };
  return {
    parts,
    hasSmallDisk,
    runs,
    ail: (ailment) => begin[ailment]?.(),
    async kill(mortal) {
      if (!runs(mortal)) return;
      if (mortal !== 'postgres') return parts[mortal].kill();
      const dying = postgres;
      postgres = undefined;
      if (dying) await killAll(dying);
    },
    async revive(mortal) {
      if (runs(mortal)) return;
      if (mortal === 'postgres') postgres = await startDurable(folder, port);
      else await parts[mortal].start();
    },
  };
}
