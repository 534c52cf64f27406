/** Workflows that run today continue with today's code: every kept history replays. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import protocol from '@temporalio/proto';
import test from 'ava';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import * as workflows from '../../../workflows/workflows.ts';
import { testBundle } from '../../support/temporal.ts';
import { historyFromText } from './history.ts';

const silent = () => undefined;
Runtime.install({
  logger: new DefaultLogger('ERROR', silent),
  telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
});

const folder = join(import.meta.dirname, 'histories');
const histories = new Map(
  readdirSync(folder).map((file) => [
    file.replace(/\.json$/, ''),
    historyFromText(readFileSync(join(folder, file), 'utf8')),
  ]),
);
const workflowBundle = await testBundle();

for (const [name, history] of histories) {
  test(`${name} replays`, async (t) => {
    // The ids of workflows below it depend on its own.
    const { workflowId } = history.events[0]?.workflowExecutionStartedEventAttributes ?? {};
    const id = workflowId || name;
    await t.notThrowsAsync(Worker.runReplayHistory({ workflowBundle }, history, id));
  });
}

test('every workflow has a kept history', (t) => {
  const types = [...histories.values()].map(
    ({ events }) => events[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name ?? '',
  );
  const named = (names: Iterable<string>) =>
    [...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1));
  t.deepEqual(named(types), named(Object.keys(workflows)));
});

test('a history that the code would not produce is refused', async (t) => {
  const kept = histories.get('subscription-bills-by-its-timer');
  const { events = [] } = kept ?? {};
  const timer = events.findIndex((event) => event.timerStartedEventAttributes != null);
  t.true(timer > 0);
  // The history of a workflow that ends where it should sleep.
  const eventType =
    protocol.temporal.api.enums.v1.EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED;
  const { eventId } = events[timer] ?? {};
  const completed = { eventId, eventType, workflowExecutionCompletedEventAttributes: {} };
  const altered = { events: [...events.slice(0, timer), completed] };
  await t.throwsAsync(Worker.runReplayHistory({ workflowBundle }, altered, 'altered'), {
    instanceOf: DeterminismViolationError,
  });
});
