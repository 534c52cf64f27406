/**
 * The first look at an object whose workflow does not exist yet: if nothing is due, the workflow
 * begins with what the look found, and not before its first step.
 */
import type { SearchAttributePair } from '@temporalio/common';
import type { Tx } from '../../db/connection/tenancy.ts';
import { SLEEP_MS_MAX } from '../../workflows/contract/contract.ts';
import type { Shown } from '../../workflows/story/shown.ts';
import { detailsOf } from '../../workflows/story/story.ts';
import { tenantTimeOf, type Dependencies, type TenantInfo } from '../context/context.ts';
import type { WakePace } from '../outbox/wake-pace.ts';
import type { FirstLook } from '../workflow-kinds/description.ts';
import { restOf, type Wake, type WakeParts } from './wake.ts';

export interface Beginning {
  readonly tenant: TenantInfo;
  readonly pace: WakePace;
}

/** What the first look shows and hands to the workflow. */
export interface Begun {
  readonly shown: Shown;
  /** What has happened so far, the oldest first. */
  readonly story: readonly string[];
  readonly input: object;
}

/**
 * Null if the workflow has something to do now, if it has ended, or if there is no object. On a test
 * clock workflows begin at once, because the clock waits until they have seen their objects.
 */
export async function firstLook<Row extends { readonly customerId: number }, Result extends Wake>(
  dependencies: Dependencies,
  tx: Tx,
  { tenant, pace }: Beginning,
  parts: WakeParts<Row, Result>,
  begun: (found: Result, nowMs: number) => Begun,
): Promise<FirstLook | null> {
  if (tenant.hasTestClock) return null;
  const { now, today } = await tenantTimeOf(dependencies, tenant, tx, 'none');
  const nowMs = now.getTime();
  const row = await parts.read(tx, { tenant, today, nowMs });
  if (row === undefined) return null;
  const look = { tenant, today, nowMs, row };
  if (parts.pays.when === 'first' && parts.pays.isDue(look)) return null;
  const described = parts.describe(look);
  const rest = restOf(look, described, parts, pace);
  if (described.ended || rest === null || rest.yielded === true) return null;
  const found = { ...described, ...rest };
  const delayMs = Math.min(found.waitMs ?? SLEEP_MS_MAX, SLEEP_MS_MAX);
  const { shown, story, input } = begun(found, nowMs);
  return {
    delayMs,
    input,
    // The workflow cannot change them, so they say of which day they are.
    details: detailsOf(`At its start on ${today}: ${shown.state}`, shown.facts, story),
    attributes: shown.attributes.filter((each): each is SearchAttributePair => each.value !== null),
  };
}
