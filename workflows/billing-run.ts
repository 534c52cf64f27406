/** Bills everything due of a tenant at each 00:00 of its zone, and catches up missed days at once. */
import { condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import { billLane, billTenant, planBillingRun } from './activities.ts';
import type {
  BillingLane,
  BillingLaneProgress,
  BillingRunPlan,
  BillingRunProgress,
  HeldShown,
} from './contract/billing-run.ts';
import { nextActionAtKey, phaseKey, type TenantInput } from './contract/contract.ts';
import { setDetails } from './story/details.ts';
import { counted, lastOf, minuteOf, nameOf, waitText } from './story/story.ts';
import { listenForNudges, showAttributes } from './loops/wakes.ts';

const WAKES_PER_RUN_MAX = 24;

interface State {
  readonly title: string;
  story: readonly string[];
  /** What the last run left held. */
  held: readonly string[];
}

export async function billingRun(input: TenantInput): Promise<void> {
  const nudges = listenForNudges('The tenant was applied again: plan the next run anew.');
  const { title = 'Billing run' } = input;
  const state: State = { title, story: lastOf(input.story ?? []), held: [] };
  for (let wakes = 1; ; wakes++) {
    nudges.nudged = false;
    let plan = await planBillingRun(input);
    if (plan.due) {
      show('Billing', plan);
      await bill(input, plan.runOn, state);
      plan = await planBillingRun(input);
    }
    if (plan.ended) return;
    show('Waiting', plan);
    const { runOn, waitMs, at, waiting } = plan;
    const when = at === undefined ? '' : ` at ${minuteOf(at)}`;
    const facts = [`next run: ${runOn}${when}`, ...waitingOf(waiting), ...state.held];
    setDetails(`${title}: Waiting`, facts, state.story);
    // A day that began during the last run is due at once.
    if (!plan.due) {
      const summary = `until ${minuteOf(Date.now() + waitMs)}, then bills ${runOn}`;
      await condition(() => nudges.nudged, waitMs, { summary });
    }
    if (wakes >= WAKES_PER_RUN_MAX || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof billingRun>({ ...input, story: state.story });
    }
  }
}

async function bill(input: TenantInput, runOn: string, state: State): Promise<void> {
  const tell = (...facts: readonly string[]): void =>
    setDetails(`${state.title}: Billing`, facts, state.story);
  tell(`bills ${runOn}`);
  for (let mayCallLanes = true; ;) {
    const progress = await billTenant({ ...input, runOn, mayCallLanes });
    const counts = countsOf(progress);
    if (progress.done) {
      state.story = lastOf(state.story, [`${runOn}: ${counts}`]);
      state.held = heldOf(progress);
      return;
    }
    const { lanes = [], invoicesPerSecond } = progress;
    const facts = [`${invoicesPerSecond} invoices/s`, ...waitingOf(progress.waiting)];
    tell(`bills ${runOn}: ${counts}`, ...facts);
    if (lanes.length === 0) continue;
    // What they leave is little: what was locked, and suspects.
    mayCallLanes = false;
    let open = lanes.length;
    await Promise.all(
      lanes.map(async (lane) => {
        await billAll({ tenantId: input.tenantId, runOn }, lane, (so) => {
          if (so.rest === null) open -= 1;
          const rest = `${counted(open, 'lane')} of ${lanes.length} under way`;
          tell(`bills ${runOn}: ${countsOf({ ...so, held: 0 })}`, rest);
        });
      }),
    );
  }
}

async function billAll(
  run: TenantInput & { readonly runOn: string },
  lane: BillingLane,
  tell: (progress: BillingLaneProgress) => void,
): Promise<void> {
  for (let rest: BillingLane | null = lane; rest !== null;) {
    const progress: BillingLaneProgress = await billLane({ ...run, lane: rest });
    tell(progress);
    ({ rest } = progress);
  }
}

function waitingOf(customers = 0): string[] {
  return customers === 0 ? [] : [waitText(customers)];
}

/** Plans in older histories do not say their instant: their replays upsert nothing. */
function show(phase: 'Billing' | 'Waiting', { at }: BillingRunPlan): void {
  if (at === undefined) return;
  showAttributes([
    { key: phaseKey, value: phase },
    { key: nextActionAtKey, value: new Date(at) },
  ]);
}

type Counts = Pick<
  BillingRunProgress,
  'customers' | 'orders' | 'invoices' | 'amounts' | 'held' | 'waiting'
>;

function countsOf(progress: Counts): string {
  const { customers, orders, invoices, held, amounts = [], waiting = 0 } = progress;
  const sums = amounts.length === 0 ? '' : ` of ${amounts.join(', ')}`;
  const counts = [
    counted(customers, 'customer'),
    counted(orders, 'order'),
    `${counted(invoices, 'invoice')}${sums}`,
    `${held} held`,
    ...(waiting === 0 ? [] : [`${waiting} waiting`]),
  ];
  return counts.join(', ');
}

function heldOf({ held, heldCustomers = [] }: BillingRunProgress): string[] {
  const lines = heldCustomers.map((each: HeldShown) => {
    const { customerId, customerRef = null, code } = each;
    return `held from billing: ${nameOf({ customerId, customerRef })}: ${code}`;
  });
  const more = held - heldCustomers.length;
  if (heldCustomers.length > 0 && more > 0) lines.push(`held from billing: ${more} more`);
  return lines;
}
