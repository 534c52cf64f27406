/**
 * The wake of a dunning's workflow: pays retries and takes a step that the run left, and returns
 * what comes next.
 */
import { readWokenDunning } from '../../db/queries/dunning/wake.ts';
import { readRules } from '../../db/queries/ageing/standings.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { DunningWake, SeenDunning } from '../../workflows/contract/dunning.ts';
import { shownDunning } from '../../workflows/story/shown.ts';
import { lastOf } from '../../workflows/story/story.ts';
import { inOperation, type Dependencies } from '../context/context.ts';
import { claimAttempts } from '../collection/claim-attempts.ts';
import { firstLook, type Beginning } from '../wakes/first-look.ts';
import {
  wake,
  type Done,
  type Look,
  type Moment,
  type WakeHooks,
  type WakeParts,
} from '../wakes/wake.ts';
import type { FirstLook } from '../workflow-kinds/description.ts';
import { ageCustomers } from './age.ts';
import { describe, gone, type ReadDunning } from './story.ts';

export interface DunningWakeRequest {
  readonly customerId: number;
  /** How often in a row the due step was left to the run of the day. */
  readonly yields: number;
  readonly seen?: SeenDunning | undefined;
}

export function wakeDunning(
  dependencies: Dependencies,
  tenantId: number,
  request: DunningWakeRequest,
  hooks: WakeHooks,
): Promise<DunningWake> {
  return wake(dependencies, tenantId, dunningParts(dependencies, request, hooks), hooks);
}

export function firstLookAtDunning(
  dependencies: Dependencies,
  tx: Tx,
  beginning: Beginning,
  customerId: number,
): Promise<FirstLook | null> {
  const parts = dunningParts(
    dependencies,
    { customerId, yields: 0 },
    { dispatch: () => undefined },
  );
  return firstLook(dependencies, tx, beginning, parts, (found, nowMs) => {
    const story = lastOf(found.happened);
    return { shown: shownDunning(found, nowMs), story, input: { seen: found.seen, story } };
  });
}

function dunningParts(
  dependencies: Dependencies,
  { customerId, yields, seen }: DunningWakeRequest,
  hooks: Pick<WakeHooks, 'dispatch'>,
): WakeParts<ReadDunning, DunningWake> {
  return {
    kind: 'dunning',
    objectId: customerId,
    yields,
    looked: 'looked at the dunning',
    read: (tx, moment) => readDunning(tx, moment, { customerId, seen }),
    describe: (look) => describe(look, seen),
    gone: () => gone(seen),
    pays: {
      when: 'inItsTurn',
      isDue: ({ row: { retry }, today }) => retry !== null && retry.on <= today,
      claim: (context) => claimAttempts(context, { kind: 'retry', customerId }),
      did: ({ length }) => (length > 0 ? 'retried what was due' : 'found no retry to make'),
    },
    acts: {
      dueOn: ({ nextStepOn }) => nextStepOn,
      isLeftToIt: ({ waits }) => waits,
      yieldsTo: 'the run of the day',
      act: (look) => takeStep(dependencies, look, hooks),
    },
  };
}

async function readDunning(
  tx: Tx,
  { today }: Moment,
  { customerId, seen }: Pick<DunningWakeRequest, 'customerId' | 'seen'>,
): Promise<ReadDunning | undefined> {
  const choice = { customerId, today, seen: seen?.last ?? 0, seenRetries: seen?.retries ?? 0 };
  const [rules, row] = await Promise.all([readRules(tx), readWokenDunning(tx, choice)]);
  return row && { ...row, customerId, rules };
}

async function takeStep(
  dependencies: Dependencies,
  { tenant, row, nowMs }: Look<ReadDunning>,
  { dispatch }: Pick<WakeHooks, 'dispatch'>,
): Promise<Done<DunningWake>> {
  const { moved, waiting, nudges } = await inOperation(dependencies, tenant.id, async (context) => {
    const batch = await ageCustomers(context, [row.customerId], { wait: true });
    return { ...batch, nudges: context.nudges };
  });
  dispatch(tenant.id, nudges);
  const [first] = waiting;
  if (first) {
    // The end of its payment nudges the workflow.
    const waitMs = Math.max(first.untilMs - nowMs, 0);
    return { did: 'waits for a payment', rest: { waitsFor: 'a payment under way', waitMs } };
  }
  return { did: moved > 0 ? 'changed the status' : 'found no step to take' };
}
