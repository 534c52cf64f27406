/**
 * Runs a world, at most one fault in a run: the connection to the database is cut at a boundary of a
 * transaction, or a call to the outside fails. The workflow goes on until it has nothing to do.
 */
import { ApplicationFailure } from '@temporalio/common';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { openDatabase } from '../../../db/connection/database.ts';
import { audit } from '../../support/audit.ts';
import { patientSession, testDatabase } from '../../support/database.ts';
import { watchingLocks } from '../../support/lock-order.ts';
import { countingCommits, startProxy } from '../../support/proxy.ts';
import { asked } from '../../support/template.ts';
import { until } from '../../support/until.ts';
import type { Fault } from './faults.ts';
import { faultyPorts, nowhere } from './ports.ts';
import { more, rowCounter, type Rows } from './rows.ts';
import { dependenciesOf, workOf, type Work } from './work.ts';
import type { Place, Scene, World } from './world.ts';

export interface Lived {
  readonly made: Rows;
  readonly outside: unknown;
  readonly transactions: number;
  /** The calls to the outside, and those of the activities themselves. */
  readonly calls: readonly string[];
  /** Whether the fault has happened. */
  readonly isFaulty: boolean;
}

/** More calls than any world needs, if each boundary fails once. */
const STEPS_MAX = 60;
const RETRY_MS = 1_000;

/** A database of its own, until the test is over. */
export async function openWalk(t: Pick<Place, 'teardown'>) {
  const database = await testDatabase(t);
  const { ownerUrl } = database;
  const proxy = await startProxy(ownerUrl);
  t.teardown(proxy.stop);
  const open = async (role: 'sundial_app' | 'sundial_relay', url = ownerUrl) => {
    const db = await openDatabase({ ...patientSession, url, role, poolMax: 4, name: 'faults' });
    db.pool.on('error', () => undefined);
    t.teardown(() => db.close().catch(() => undefined));
    return db;
  };
  const [app, relay, cut] = [
    watchingLocks(await open('sundial_app')),
    await open('sundial_relay'),
    watchingLocks(await open('sundial_app', proxy.url)),
  ];
  const db = { ...database, app, relay };
  const rowsOf = await rowCounter((sql) => asked(ownerUrl, sql));
  let last: Scene | undefined;

  async function live(world: World, fault?: Fault): Promise<Lived> {
    const scene = await world.open({ db, isFaulty: fault !== undefined, teardown: t.teardown });
    last = scene;
    const faulty = faultyPorts({ ...nowhere, ...scene.ports });
    const dependencies = dependenciesOf({ ...scene.dependencies, db: cut }, faulty.ports);
    const work = workOf(dependencies, faulty, scene.relayDb ?? relay);
    const before = await rowsOf(scene.tenantId);
    const commits = countingCommits();
    proxy.cutOnce(commits.cut);
    const hasHappened = fault?.begin({ proxy, outside: faulty }) ?? proxy.heal;
    await carry(work, scene);
    await rest(scene);
    const isFaulty = hasHappened();
    const { except = [] } = world;
    const made = Object.entries(more(before, await rowsOf(scene.tenantId)));
    return {
      made: Object.fromEntries(made.filter(([name]) => !except.includes(name))),
      outside: await scene.outside?.(),
      transactions: commits.counted(),
      calls: [...faulty.calls],
      isFaulty,
    };
  }

  /** What other processes do: those of payments, and of customers whose billing was cut off. */
  async function rest({ dependencies, tenantId, others, ports }: Scene): Promise<void> {
    const real = { ...nowhere, ...ports };
    const other = workOf(dependenciesOf(dependencies, real), faultyPorts(real), relay);
    await until('nothing is under way', async () => {
      await others?.();
      await other.suspectsPass();
      return inTenant(app, tenantId, async (tx) => {
        const [row] = await tx.query<{ open: number }>(
          `select (select count(*) from billing_note) + (select count(*) from billing_suspect)
             + (select count(*) from payment
                where status = 'Pending' and phase is distinct from 'Processing') as open`,
        );
        return Number(row?.open) === 0;
      });
    });
  }

  return {
    live,
    /**
     * The faults of all tenants of the worlds so far. In most worlds nobody numbers events, and on a slow machine
     * they wait for longer than the audit allows.
     */
    async faults(): Promise<string[]> {
      if (!last) return [];
      const report = await audit(last.dependencies, { relayDb: relay, engine: null });
      return report.tenants
        .flatMap(({ faults }) => faults)
        .filter(({ check }) => check !== 'event.unnumbered')
        .map(({ check, object, detail }) => `${check}: ${object}: ${detail}`);
    },
  };
}

/** As workflows and loops do: what fails is tried again, unless it would always fail. */
async function carry(work: Work, { step, pass, others }: Scene): Promise<void> {
  let cause: unknown;
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    const waitMs = await step(work).catch((error: unknown) => {
      if (error instanceof ApplicationFailure && error.nonRetryable) throw error;
      cause = error;
      return RETRY_MS;
    });
    if (waitMs === null) return;
    await others?.();
    await pass?.(waitMs);
  }
  throw new Error(`the work has not ended after ${STEPS_MAX} calls: ${String(cause)}`, { cause });
}
