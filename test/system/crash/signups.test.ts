/**
 * Kills the worker, the API, the Temporal server and PostgreSQL with SIGKILL amid 100 sign-ups, at
 * every step of one, where a gate makes it wait. Afterwards each is made once and paid once, or
 * reversed as a whole, or its form is open again.
 */
import test, { type ExecutionContext } from 'ava';
import { migrate } from '../../../db/connection/migrate.ts';
import { testFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { auditIsClean, endConnections } from './aftermath.ts';
import { gateAtCommit, gateBefore, gateOnUpdate, type Gate } from './gate.ts';
import { startParts, type Parts } from './parts.ts';
import { killAll, startDurable } from './postgres.ts';
import { DECLINED, ends, openDesk, type Desk, type SignupLink } from './signing-up.ts';
import { openTestDatabase } from './till.ts';

/** The waiting time of the API: forms are cut off while they wait. */
const PATIENT = { PAYMENT_WAIT_SECONDS: '60' };

let remove: () => unknown = () => undefined;
const folder = testFolder({ teardown: (end) => void (remove = end) });
let postgres = await startDurable(folder);
await migrate(postgres.url);
const parts: Parts = {
  ...(await startParts({ DATABASE_URL: postgres.url, ...PATIENT })),
  ownerUrl: postgres.url,
};
const db = await openTestDatabase(parts, 'sundial_app');
const relayDb = await openTestDatabase(parts, 'sundial_relay');
for (const each of [db, relayDb]) each.pool.on('error', () => undefined);

test.after.always(async () => {
  await parts.stop();
  for (const opened of [db, relayDb]) await opened.close();
  await postgres.stop();
  await remove();
});

/** Where a sign-up of one desk waits. */
interface Moment {
  readonly gate: (tenant: string) => Promise<Gate>;
  /** What a sign-up does there; it submits an approved card by default. */
  readonly act?: (desk: Desk, link: SignupLink) => Promise<unknown>;
  /** Before any gate is closed. */
  readonly before?: (desk: Desk, links: readonly SignupLink[]) => Promise<unknown>;
  /** While it waits. */
  readonly state: string;
  /** The transaction is committed after the death of its process. */
  readonly isCommitted?: true;
  readonly end?: string;
}

const updates = (table: string, when: string) => (tenant: string) =>
  gateOnUpdate(table, `${tenant} and ${when}`, parts.ownerUrl);
const commits = (table: string, when: string) => (tenant: string) =>
  gateAtCommit(`update on ${table}`, `${tenant} and ${when}`, parts.ownerUrl);
const inserts = (table: string) => (tenant: string) => gateBefore(table, tenant, parts.ownerUrl);

const isMade = 'old.order_id is null and new.order_id is not null';
const isProcessed = `new.status = 'PROCESSED'`;

const moments = {
  amidMake: { gate: updates('signup', isMade), state: 'DRAFT submitted' },
  atMake: { gate: commits('signup', isMade), state: 'DRAFT submitted', isCommitted: true },
  afterMake: {
    gate: updates('payment', `old.phase = 'Waiting' and new.phase = 'Charging'`),
    state: 'DRAFT charging',
  },
  charging: { gate: inserts('sandbox_transaction'), state: 'DRAFT charging' },
  charged: { gate: inserts('processor_result'), state: 'DRAFT charging' },
  recorded: { gate: updates('signup', isProcessed), state: 'DRAFT charging' },
  atEnd: { gate: commits('signup', isProcessed), state: 'DRAFT charging', isCommitted: true },
  undoing: {
    gate: updates('invoice', `new.status = 'Cancelled'`),
    state: 'DRAFT charging',
    async before(desk, links) {
      for (const link of [...links, ...links]) await desk.submit(link, DECLINED);
    },
    act: (desk, link) => desk.submit(link, DECLINED),
    end: ends.declined,
  },
  deadline: {
    gate: updates('signup', `new.status = 'EXPIRED'`),
    state: 'DRAFT',
    act: (desk, link) => desk.overdue(link),
    end: ends.expired,
  },
  lateDeadline: {
    gate: updates('subscription_order', `new.status = 'Canceled'`),
    state: 'DRAFT declined',
    before: (desk, links) => Promise.all(links.map((link) => desk.submit(link, DECLINED))),
    act: (desk, link) => desk.overdue(link),
    end: ends.declinedOnce,
  },
} satisfies Readonly<Record<string, Moment>>;

const cardMoments = {
  beforeVault: { gate: inserts('sandbox_method'), state: 'DRAFT storing' },
  afterVault: { gate: updates('signup_try', `new.status = 'submitted'`), state: 'DRAFT storing' },
  atStore: {
    gate: commits('signup_try', `new.status = 'submitted'`),
    state: 'DRAFT storing',
    isCommitted: true,
  },
  /** Nobody comes back. */
  lost: { gate: inserts('sandbox_method'), state: 'DRAFT storing', end: ends.expired },
} satisfies Readonly<Record<string, Moment>>;

interface Stage extends Moment {
  readonly desk: Desk;
  readonly closed: Gate;
  readonly links: readonly [SignupLink, ...SignupLink[]];
}

/** A desk for each moment, with so many links, and its gate closed. */
function staged(chosen: readonly Moment[], count: number): Promise<Stage[]> {
  return Promise.all(
    chosen.map(async (moment) => {
      const desk = await openDesk(parts, db);
      const [first = await desk.link(), ...more] = await desk.links(count);
      const links = [first, ...more] as const;
      await moment.before?.(desk, links);
      const closed = await moment.gate(`new.tenant_id = ${desk.tenantId}`);
      await closed.close();
      return { ...moment, desk, closed, links };
    }),
  );
}

const actOf = ({ act, desk }: Stage, link: SignupLink): Promise<unknown> =>
  act === undefined ? desk.submit(link) : act(desk, link);

/** The first sign-up of each waits at its gate; the others are on their way. */
async function allAt(stages: readonly Stage[]): Promise<Promise<unknown>[]> {
  const acts = stages.map((stage) => actOf(stage, stage.links[0]));
  for (const { closed } of stages) await closed.reached();
  for (const stage of stages) acts.push(...stage.links.slice(1).map((link) => actOf(stage, link)));
  return acts;
}

async function allIsRight(t: ExecutionContext, stages: readonly Stage[]): Promise<void> {
  for (const { desk, links, end = ends.processed } of stages) {
    t.deepEqual(
      await desk.stories(),
      links.map(() => end),
    );
    for (const { given, used } of await desk.numbers()) t.is(given, used);
  }
  for (const { closed } of stages) await closed.end();
}

/** Those of which the death of a process does not keep PostgreSQL from committing them. */
async function committed(stages: readonly Stage[]): Promise<void> {
  for (const { isCommitted, closed, desk, links, state } of stages) {
    if (isCommitted !== true) continue;
    await closed.open();
    await until('it is committed', async () => (await desk.stateOf(links[0])) !== state);
  }
}

async function areAt(t: ExecutionContext, stages: readonly Stage[]): Promise<void> {
  for (const { desk, links, state } of stages) t.is(await desk.stateOf(links[0]), state);
}

const openAll = (stages: readonly Stage[]): Promise<unknown> =>
  Promise.all(stages.map(({ closed }) => closed.open()));

const submitAllAgain = (stages: readonly Stage[]): Promise<unknown> =>
  Promise.all(stages.flatMap(({ desk, links }) => links.map((link) => desk.submitAgain(link))));

test.serial('the worker dies at every step: each ends as a whole, once', async (t) => {
  const stages = await staged(Object.values(moments), 3);
  const acts = await allAt(stages);
  await parts.worker.kill();
  await areAt(t, stages);
  await committed(stages);
  await endConnections(parts, 'worker');
  await openAll(stages);
  await parts.worker.start();
  await Promise.all(acts);
  await allIsRight(t, stages);
});

test.serial(
  'the API dies before and after a card is stored: the form is open again, or it is made',
  async (t) => {
    const stages = await staged(
      [cardMoments.beforeVault, cardMoments.afterVault, cardMoments.atStore, cardMoments.lost],
      2,
    );
    const unasked = await openDesk(parts, db);
    const links = await unasked.links(23);
    const acts = await allAt(stages);
    parts.temporal.freeze();
    acts.push(...links.map((link) => unasked.submit(link)));
    for (const link of links) {
      await until(
        'its card is stored',
        async () => (await unasked.stateOf(link)) === 'DRAFT submitted',
      );
    }
    await parts.api.kill();
    await areAt(t, stages);
    await committed(stages);
    await endConnections(parts, 'api');
    await openAll(stages);
    parts.temporal.thaw();
    await parts.api.start(PATIENT);
    await Promise.all(acts);
    for (const { desk, links: lost, end } of stages) {
      if (end !== ends.expired) continue;
      for (const link of lost) await desk.age(link).then(() => desk.overdue(link));
    }
    await submitAllAgain(stages.filter(({ end }) => end !== ends.expired));
    t.deepEqual(
      await unasked.stories(),
      links.map(() => ends.processed),
    );
    await allIsRight(t, stages);
  },
);

test.serial(
  'the engine dies: what was begun, and what comes meanwhile, is made later',
  async (t) => {
    const stages = await staged([moments.amidMake, moments.charging, moments.recorded], 5);
    const acts = stages.map((stage) => actOf(stage, stage.links[0]));
    for (const { closed } of stages) await closed.reached();
    await parts.temporal.kill();
    await areAt(t, stages);
    await openAll(stages);
    for (const stage of stages)
      acts.push(...stage.links.slice(1).map((link) => actOf(stage, link)));
    for (const { desk, links } of stages) {
      for (const link of links.slice(1)) {
        await until(
          'its card is stored',
          async () => (await desk.stateOf(link)) === 'DRAFT submitted',
        );
      }
    }
    await parts.temporal.start();
    await Promise.all(acts);
    await allIsRight(t, stages);
  },
);

test.serial('PostgreSQL dies at every step: what was committed is carried on, once', async (t) => {
  const { beforeVault, afterVault } = cardMoments;
  const { atMake, charging, charged, atEnd } = moments;
  const stages = await staged([beforeVault, afterVault, atMake, charging, charged, atEnd], 4);
  const acts = await allAt(stages);
  await killAll(postgres);
  postgres = await startDurable(folder, Number(new URL(postgres.url).port));
  await until('it answers', () =>
    db.pool.query('select').then(
      () => true,
      () => false,
    ),
  );
  await Promise.all(acts);
  await submitAllAgain(stages);
  await allIsRight(t, stages);
});

test.serial('the audit finds nothing', (t) => auditIsClean(t, parts, { db, relayDb }));
