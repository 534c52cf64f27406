/** Stores what a rehearsal found, and holds the customers that are beyond its limits. */
import { OUTLIER } from '../../domain/billing/rate/by-answers.ts';
import type { Compared } from '../../domain/billing/rehearsed.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { formatAmount } from '../../domain/money/money.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import {
  type ShownOutlier,
  type StoredRehearsal,
  noteHeld,
  outliersOf,
  outliersToHold,
  readOutliers,
  readRehearsals,
  writeOutliers,
  writeRehearsal,
} from '../../db/queries/billing/rehearsals.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { writeCommand } from '../access/audit-log.ts';
import { retried } from '../billing/batch.ts';
import { hold } from '../billing/customers.ts';
import { type Dependencies, type OperationContext, inOperation } from '../context/context.ts';
import { lockCustomers } from '../context/locks.ts';
import { type RehearsalOptions, type Rehearsed, rehearse } from './rehearse.ts';

const OUTLIERS_AT_ONCE_MAX = 1_000;
const HELD_AT_ONCE_MAX = 200;

/** Where outliers wait until the rehearsal is finished: there may be as many as customers. */
export interface Outliers {
  readonly add: (outliers: readonly Compared[]) => Promise<void>;
  readonly pages: (outliersMax: number) => AsyncIterable<readonly Compared[]>;
}

export interface Keeping extends Pick<
  RehearsalOptions,
  'day' | 'limits' | 'onCompared' | 'signal'
> {
  /** Who asked for it. */
  readonly operator: string;
  readonly outliers: Outliers;
}

export interface KeptRehearsal extends Rehearsed {
  readonly id: number;
}

/** Rehearses, and stores what it found at once and whole. */
export async function keepRehearsal(
  dependencies: Dependencies,
  tenantId: number,
  { day, limits, onCompared, signal, operator, outliers }: Keeping,
): Promise<KeptRehearsal> {
  const found = await rehearse(dependencies, tenantId, {
    day,
    limits,
    onCompared,
    signal,
    onOutliers: (some) => outliers.add(some),
  });
  const { runOn, figures } = found;
  const { db, realNow } = dependencies;
  const id = await inTenant(db, tenantId, async (tx) => {
    const [rehearsalId = 0] = await takeIds(tx, 1);
    const rehearsedAt = new Date(realNow());
    writeRehearsal(tx, { id: rehearsalId, runOn, rehearsedAt, operator, limits, figures });
    for await (const some of outliers.pages(OUTLIERS_AT_ONCE_MAX)) {
      await writeOutliers(
        tx,
        some.map((each) => ({ rehearsalId, ...each })),
      );
    }
    return rehearsalId;
  });
  return { id, ...found };
}

interface Holding {
  readonly rehearsalId: number;
  readonly operator: string;
}

/**
 * Holds the customers of the stored outliers from billing, a batch in each transaction; returns how many.
 * It leaves those that are billed meanwhile, and those that somebody has released with the same amount.
 */
export async function holdOutliers(
  dependencies: Dependencies,
  tenantId: number,
  { id: rehearsalId, runOn }: Pick<KeptRehearsal, 'id' | 'runOn'>,
  operator: string,
): Promise<number> {
  let held = 0;
  for (let after = 0; ;) {
    const choice = { rehearsalId, after, limit: HELD_AT_ONCE_MAX };
    const found = await inTenant(dependencies.db, tenantId, (tx) => outliersOf(tx, choice), {
      readOnly: true,
    });
    const last = found.at(-1);
    if (last === undefined) return held;
    held += await retried(() =>
      inOperation(dependencies, tenantId, (context) =>
        holdSome(context, { rehearsalId, operator, runOn, found }),
      ),
    );
    after = last.customerId;
  }
}

interface HoldingSome extends Holding {
  readonly runOn: IsoDate;
  readonly found: readonly Compared[];
}

async function holdSome(
  context: OperationContext,
  { runOn, found, rehearsalId, operator }: HoldingSome,
): Promise<number> {
  const { tx, realNow: at } = context;
  const asked = [...new Set(found.map(({ customerId }) => customerId))];
  const locked = await lockCustomers(tx, asked);
  const free = new Set(locked.flatMap(({ id, isHeld }) => (isHeld ? [] : id)));
  const own = found.filter(({ customerId }) => free.has(customerId));
  const chosen = await outliersToHold(tx, own, { by: runOn });
  const held = own.filter(({ customerId }) => chosen.has(customerId));
  const texts = Map.groupBy(held, ({ customerId }) => customerId);
  await hold(
    context,
    [...texts].map(([customerId, each]) => ({
      customerId,
      code: OUTLIER,
      text: `run of ${runOn}: ${each.map(textOf).join('; ')}`,
    })),
  );
  const customerIds = [...texts.keys()];
  if (customerIds.length === 0) return 0;
  noteHeld(tx, { rehearsalId, customerIds, at });
  const command = `rehearse --hold: ${customerIds.length} customers`;
  writeCommand(tx, { operator, command });
  return customerIds.length;
}

/** @example textOf(compared) // '299.50 USD, last period 29.95 USD' */
function textOf({ currency, amount, lastAmount }: Compared): string {
  const now = `${formatAmount(currency, amount)} ${currency}`;
  if (lastAmount === null) return `${now}, nothing before`;
  return `${now}, last period ${formatAmount(currency, lastAmount)} ${currency}`;
}

/* What rehearsals found, for the command and the page. */

/** The newest rehearsals of a tenant, and the greatest outliers of the newest one. */
export function shownRehearsals(
  { db }: Pick<Dependencies, 'db'>,
  tenantId: number,
  limits: { readonly rehearsals: number; readonly outliers: number },
): Promise<{
  readonly rehearsals: readonly StoredRehearsal[];
  readonly outliers: readonly ShownOutlier[];
}> {
  return inTenant(
    db,
    tenantId,
    async (tx) => {
      const rehearsals = await readRehearsals(tx, limits.rehearsals);
      const [newest] = rehearsals;
      const options = { limit: limits.outliers, heldCode: OUTLIER };
      const outliers = newest === undefined ? [] : await readOutliers(tx, newest.id, options);
      return { rehearsals, outliers };
    },
    { readOnly: true },
  );
}

/** The outliers of a rehearsal with the greatest differences. */
export const greatestOutliers = (
  { db }: Pick<Dependencies, 'db'>,
  tenantId: number,
  { id, limit }: { readonly id: number; readonly limit: number },
): Promise<readonly ShownOutlier[]> =>
  inTenant(db, tenantId, (tx) => readOutliers(tx, id, { limit, heldCode: OUTLIER }), {
    readOnly: true,
  });
