/** Stores what a rehearsal found, and holds the customers that are beyond its limits. */
import { OUTLIER } from '../../domain/billing/rate/by-answers.ts';
import type { Compared, OutlierLimits } from '../../domain/billing/rehearsed.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { formatAmount } from '../../domain/money/money.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import {
  type ShownOutlier,
  type StoredRehearsal,
  noteHeld,
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
import { batchesOf } from '../context/lanes.ts';
import { lockCustomers } from '../context/locks.ts';
import type { Rehearsed } from './rehearse.ts';

const OUTLIERS_AT_ONCE_MAX = 1_000;
const HELD_AT_ONCE_MAX = 200;

interface Keeping {
  readonly limits: OutlierLimits;
  /** Who asked for it. */
  readonly operator: string;
}

/** Stores it at once and whole; returns its id. */
export function keepRehearsal(
  { db, realNow }: Pick<Dependencies, 'db' | 'realNow'>,
  tenantId: number,
  { runOn, figures, outliers }: Rehearsed,
  { limits, operator }: Keeping,
): Promise<number> {
  return inTenant(db, tenantId, async (tx) => {
    const [id = 0] = await takeIds(tx, 1);
    const rehearsedAt = new Date(realNow());
    writeRehearsal(tx, { id, runOn, rehearsedAt, operator, limits, figures });
    for (const some of batchesOf(outliers, OUTLIERS_AT_ONCE_MAX)) {
      writeOutliers(
        tx,
        some.map((each) => ({ rehearsalId: id, ...each })),
      );
    }
    return id;
  });
}

interface Holding {
  readonly rehearsalId: number;
  readonly operator: string;
}

/**
 * Holds the customers of the outliers from billing, a batch in each transaction; returns how many. It
 * leaves those that are billed meanwhile, and those that somebody has released with the same amount.
 */
export async function holdOutliers(
  dependencies: Dependencies,
  tenantId: number,
  { runOn, outliers }: Pick<Rehearsed, 'runOn' | 'outliers'>,
  holding: Holding,
): Promise<number> {
  const byCustomer = Map.groupBy(outliers, ({ customerId }) => customerId);
  const ids = [...byCustomer.keys()].toSorted((one, other) => one - other);
  let held = 0;
  for (const some of batchesOf(ids, HELD_AT_ONCE_MAX)) {
    const found = some.flatMap((id) => byCustomer.get(id) ?? []);
    held += await retried(() =>
      inOperation(dependencies, tenantId, (context) =>
        holdSome(context, { ...holding, runOn, found }),
      ),
    );
  }
  return held;
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

export interface ShownRehearsal extends StoredRehearsal {
  readonly shown: readonly ShownOutlier[];
}

/** The newest rehearsals of a tenant, each with its greatest outliers. */
export function shownRehearsals(
  { db }: Pick<Dependencies, 'db'>,
  tenantId: number,
  limits: { readonly rehearsals: number; readonly outliers: number },
): Promise<readonly ShownRehearsal[]> {
  return inTenant(
    db,
    tenantId,
    async (tx) => {
      const found = await readRehearsals(tx, limits.rehearsals);
      const options = { limit: limits.outliers, heldCode: OUTLIER };
      const shown = await Promise.all(found.map(({ id }) => readOutliers(tx, id, options)));
      return found.map((each, index) => ({ ...each, shown: shown[index] ?? [] }));
    },
    { readOnly: true },
  );
}
