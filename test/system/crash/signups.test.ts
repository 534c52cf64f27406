/**
 * Kills the API with SIGKILL amid sign-ups, before and after it stores a card, where a gate makes it
 * wait. Afterwards each is made once and paid once, or its form is open again. What follows the form
 * is walked in `test/system/faults`.
 */
import test from 'ava';
import { until } from '../../support/until.ts';
import { auditIsClean, endConnections } from './aftermath.ts';
import { gateAtCommit, gateBefore, gateOnUpdate, type Gate } from './gate.ts';
import { startParts } from './parts.ts';
import { ends, openDesk } from './signing-up.ts';
import { openTestDatabase } from './till.ts';

/** The waiting time of the API: forms are cut off while they wait. */
const PATIENT = { PAYMENT_WAIT_SECONDS: '60' };

const parts = await startParts(PATIENT);
const db = await openTestDatabase(parts, 'sundial_app');
const relayDb = await openTestDatabase(parts, 'sundial_relay');

test.after.always(async () => {
  await parts.stop();
  for (const opened of [db, relayDb]) await opened.close();
});

/** Where the first sign-up of a desk waits, and what becomes of those of that desk. */
interface Moment {
  readonly gate: (tenant: string) => Promise<Gate>;
  readonly state: string;
  /** The transaction is committed after the death of its process. */
  readonly isCommitted?: true;
  readonly end: string;
}

const storedTo = `new.status = 'submitted'`;
const beforeVault = (tenant: string) => gateBefore('sandbox_method', tenant, parts.ownerUrl);
const state = 'DRAFT storing';
const moments: readonly Moment[] = [
  { gate: beforeVault, state, end: ends.processed },
  {
    gate: (tenant) => gateOnUpdate('signup_try', `${tenant} and ${storedTo}`, parts.ownerUrl),
    state,
    end: ends.processed,
  },
  {
    gate: (tenant) =>
      gateAtCommit('update on signup_try', `${tenant} and ${storedTo}`, parts.ownerUrl),
    state,
    isCommitted: true,
    end: ends.processed,
  },
  // Nobody comes back.
  { gate: beforeVault, state, end: ends.expired },
];

/** A desk for each moment, with two links, and its gate closed. */
const staged = () =>
  Promise.all(
    moments.map(async (moment) => {
      const desk = await openDesk(parts, db);
      const links = [await desk.link(), await desk.link()] as const;
      const closed = await moment.gate(`new.tenant_id = ${desk.tenantId}`);
      await closed.close();
      return { ...moment, desk, closed, links };
    }),
  );

test.serial(
  'the API dies before and after a card is stored: the form is open again, or it is made',
  async (t) => {
    const stages = await staged();
    const unasked = await openDesk(parts, db);
    const links = await unasked.links(23);
    const acts = stages.map((stage) => stage.desk.submit(stage.links[0]));
    for (const { closed } of stages) await closed.reached();
    acts.push(...stages.map((stage) => stage.desk.submit(stage.links[1])));
    parts.temporal.freeze();
    acts.push(...links.map((link) => unasked.submit(link)));
    const isStored = 'DRAFT submitted';
    for (const link of links) {
      await until('its card is stored', async () => (await unasked.stateOf(link)) === isStored);
    }
    await parts.api.kill();
    for (const stage of stages) t.is(await stage.desk.stateOf(stage.links[0]), stage.state);
    // The death of the API does not keep PostgreSQL from committing these.
    for (const {
      desk,
      closed,
      links: [first],
      state: before,
    } of stages.filter(({ isCommitted }) => isCommitted)) {
      await closed.open();
      await until('it is committed', async () => (await desk.stateOf(first)) !== before);
    }
    await endConnections(parts, 'api');
    for (const { closed } of stages) await closed.open();
    parts.temporal.thaw();
    await parts.api.start(PATIENT);
    await Promise.all(acts);
    for (const { desk, links: all, end } of stages) {
      for (const link of all) {
        if (end === ends.expired) await desk.age(link).then(() => desk.overdue(link));
        else await desk.submitAgain(link);
      }
    }
    t.deepEqual(
      await unasked.stories(),
      links.map(() => ends.processed),
    );
    for (const { desk, closed, links: all, end } of stages) {
      t.deepEqual(
        await desk.stories(),
        all.map(() => end),
      );
      for (const { given, used } of await desk.numbers()) t.is(given, used);
      await closed.end();
    }
    await auditIsClean(t, parts, { db, relayDb });
  },
);
