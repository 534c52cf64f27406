/** Reads what a rehearsal of a billing run compares, and stores what it found. */
import type { BilledOrder } from '../../../domain/billing/rehearsed.ts';
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Decimal } from '../../../domain/money/money.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { Rehearsal, RehearsalOutlier } from '../../entities/processes.ts';
import type { RowOf } from '../../entities/rows.ts';
import { given, givenOf, insertText, oneRow } from '../context/insertion.ts';

export interface DueBy {
  readonly id: number;
  readonly isHeld: boolean;
  readonly isSuspect: boolean;
}

/** A page of the customers that have an order to act on by a day, or whose pause ends by it. */
export function customersDueBy(
  tx: Tx,
  { by, after, limit }: { readonly by: IsoDate; readonly after: number; readonly limit: number },
): Promise<DueBy[]> {
  return tx.query<DueBy & Record<string, unknown>>(
    `with due as materialized (
       select customer_id as id from subscription_order
       where tenant_id = $1 and next_action_on <= $2
       union select customer_id from service_pause where tenant_id = $1 and until <= $2)
     select c.id, c.billing_held_at is not null as is_held, exists (
         select from billing_suspect s where s.tenant_id = $1 and s.customer_id = c.id) as is_suspect
     from due join customer c on c.tenant_id = $1 and c.id = due.id
     where c.id > $3 order by c.id limit $4`,
    [tx.tenantId, by, after, limit],
    'customers-due-by',
  );
}

/* What was billed of orders before. */

/** An order's usage is billed by invoices of its own if it has days of grace. */
const INVOICES_LOOKED_AT_MAX = 40;

const askedOrders = givenOf({ orderId: 'bigint', priceCodes: 'json' });

const lastText = `
  select r."orderId" as order_id, (
      select coalesce(sum(c.amount), 0) from invoice_charge c
      where c.tenant_id = $1 and c.invoice_line_id = last.id
        and c.kind not in ('tax', 'usageSubTotal')) as amount
  from ${askedOrders.recordset}
  cross join lateral (
    select l.id from (
      select l.id, l.invoice_id from invoice_line l
      where l.tenant_id = $1 and l.order_id = r."orderId"
      order by l.id desc limit ${INVOICES_LOOKED_AT_MAX}) l
    join invoice i on i.tenant_id = $1 and i.id = l.invoice_id
      and i.status <> 'Canceled' and i.credit_note_of is null
    where exists (select from invoice_charge c
      where c.tenant_id = $1 and c.invoice_line_id = l.id and c.kind not in ('tax', 'credit')
        and c.price_code in (select json_array_elements_text(r."priceCodes")))
    order by l.id desc limit 1) last`;

/**
 * What the newest standing invoice of each order billed of it, without taxes, of those invoices that
 * bill any of its prices. An order without one has that of the order which it replaces.
 */
export async function lastAmounts(
  tx: Tx,
  orders: readonly BilledOrder[],
): Promise<ReadonlyMap<number, Decimal>> {
  const own = await lastOf(tx, orders);
  const successors = orders.flatMap(({ orderId, previousOrderId, priceCodes }) =>
    own.has(orderId) || previousOrderId === null ? [] : [{ orderId, previousOrderId, priceCodes }],
  );
  if (successors.length === 0) return own;
  const before = await lastOf(
    tx,
    successors.map(({ previousOrderId: orderId, priceCodes }) => ({ orderId, priceCodes })),
  );
  const inherited = successors.flatMap(({ orderId, previousOrderId }) => {
    const amount = before.get(previousOrderId);
    return amount === undefined ? [] : [[orderId, amount] as const];
  });
  return new Map([...own, ...inherited]);
}

async function lastOf(
  tx: Tx,
  orders: readonly Pick<BilledOrder, 'orderId' | 'priceCodes'>[],
): Promise<ReadonlyMap<number, Decimal>> {
  if (orders.length === 0) return new Map();
  const asked = orders.map(({ orderId, priceCodes }) => ({ orderId, priceCodes }));
  const rows = await tx.query<{ orderId: number; amount: Decimal }>(
    lastText,
    [tx.tenantId, askedOrders.json(asked)],
    'last-amounts-of-orders',
  );
  return new Map(rows.map(({ orderId, amount }) => [orderId, amount]));
}

/* What a rehearsal found. */

const rehearsalRow = oneRow({
  into: Rehearsal,
  columns: ['id', 'runOn', 'rehearsedAt', 'operator', 'limits', 'figures'],
});

export type StoredRehearsal = RowOf<
  typeof Rehearsal,
  'id' | 'runOn' | 'rehearsedAt' | 'operator' | 'limits' | 'figures'
>;

/** The newest rehearsals of a tenant that are kept. */
const KEPT_MAX = 60;

/** Stores it, and deletes those beyond the newest. */
export function writeRehearsal(tx: Tx, rehearsal: StoredRehearsal): void {
  tx.send(rehearsalRow.text, rehearsalRow.values(tx.tenantId, rehearsal), 'write-rehearsal');
  tx.send(
    `delete from rehearsal where tenant_id = $1 and id in (
       select id from rehearsal where tenant_id = $1 order by id desc offset ${KEPT_MAX})`,
    [tx.tenantId],
    'delete-rehearsals',
  );
}

export type StoredOutlier = RowOf<
  typeof RehearsalOutlier,
  'rehearsalId' | 'customerId' | 'currency' | 'total' | 'amount' | 'lastAmount'
>;

const outliersText = insertText({
  into: RehearsalOutlier,
  columns: ['rehearsalId', 'customerId', 'currency', 'total', 'amount', 'lastAmount'],
  // A customer that is gone meanwhile has no row.
  ending: `join customer c on c.tenant_id = $1 and c.id = r."customerId"`,
});

/** Waits for the answer: of as many as come, only so many are in memory. */
export async function writeOutliers(tx: Tx, outliers: readonly StoredOutlier[]): Promise<void> {
  const rows = JSON.stringify(outliers);
  await tx.query(outliersText, [tx.tenantId, rows], 'write-rehearsal-outliers');
}

const holding = given(RehearsalOutlier, ['customerId', 'currency', 'amount']);

/**
 * Of some customers, which are locked, those that may be held: what the rehearsal found is still to
 * be billed, and nobody has released the same amount since its last invoice.
 */
export async function outliersToHold(
  tx: Tx,
  outliers: readonly Pick<StoredOutlier, 'customerId' | 'currency' | 'amount'>[],
  { by }: { readonly by: IsoDate },
): Promise<ReadonlySet<number>> {
  const rows = await tx.query<{ customerId: number }>(
    `select distinct r."customerId" as customer_id from ${holding.recordset}
     where exists (select from subscription_order o
         where o.tenant_id = $1 and o.customer_id = r."customerId" and o.next_action_on <= $3)
       and not exists (select from rehearsal_outlier h
         where h.tenant_id = $1 and h.customer_id = r."customerId" and h.currency = r.currency
           and h.held_at is not null and h.amount = r.amount
           -- Ids are of one sequence, so these invoices came after it.
           and not exists (select from invoice i
             where i.tenant_id = $1 and i.customer_id = h.customer_id and i.id > h.rehearsal_id))`,
    [tx.tenantId, holding.json(outliers), by],
    'outliers-to-hold',
  );
  return new Set(rows.map(({ customerId }) => customerId));
}

/** Those of the next customers of a rehearsal, by their ids. */
export function outliersOf(
  tx: Tx,
  choice: { readonly rehearsalId: number; readonly after: number; readonly limit: number },
): Promise<Omit<StoredOutlier, 'rehearsalId'>[]> {
  const { rehearsalId, after, limit } = choice;
  return tx.query<Omit<StoredOutlier, 'rehearsalId'> & Record<string, unknown>>(
    `select customer_id, currency, total, amount, last_amount from rehearsal_outlier
     where tenant_id = $1 and rehearsal_id = $2 and customer_id in (
       select distinct customer_id from rehearsal_outlier
       where tenant_id = $1 and rehearsal_id = $2 and customer_id > $3
       order by customer_id limit $4)
     order by customer_id, currency`,
    [tx.tenantId, rehearsalId, after, limit],
    'outliers-of-rehearsal',
  );
}

/** Notes that the rehearsal has held the customers. */
export function noteHeld(tx: Tx, { rehearsalId, customerIds, at }: HeldBy): void {
  tx.send(
    `update rehearsal_outlier set held_at = $4
     where tenant_id = $1 and rehearsal_id = $2 and customer_id = any($3)`,
    [tx.tenantId, rehearsalId, customerIds, at],
    'note-held-outliers',
  );
}

interface HeldBy {
  readonly rehearsalId: number;
  readonly customerIds: readonly number[];
  readonly at: Date;
}

/** The newest first. */
export function readRehearsals(tx: Tx, limit: number): Promise<StoredRehearsal[]> {
  return tx.query<StoredRehearsal & Record<string, unknown>>(
    `select id, run_on, rehearsed_at, operator, limits, figures from rehearsal
     where tenant_id = $1 order by id desc limit $2`,
    [tx.tenantId, limit],
    'read-rehearsals',
  );
}

export interface ShownOutlier extends Omit<StoredOutlier, 'rehearsalId'> {
  readonly customerRef: string | null;
  readonly name: string;
  /** It waits for somebody who releases it. */
  readonly isHeld: boolean;
  /** The rehearsal has held it, and somebody has released it since. */
  readonly isReleased: boolean;
}

/** The greatest differences first. */
export function readOutliers(
  tx: Tx,
  rehearsalId: number,
  { limit, heldCode }: { readonly limit: number; readonly heldCode: string },
): Promise<ShownOutlier[]> {
  return tx.query<ShownOutlier & Record<string, unknown>>(
    `select o.customer_id, c.ext_customer_ref as customer_ref, c.name, o.currency, o.total, o.amount,
            o.last_amount, coalesce(c.billing_held_code = $4, false) as is_held,
            o.held_at is not null and c.billing_held_code is distinct from $4 as is_released
     from rehearsal_outlier o join customer c on c.tenant_id = $1 and c.id = o.customer_id
     where o.tenant_id = $1 and o.rehearsal_id = $2
     order by abs(o.amount - coalesce(o.last_amount, 0)) desc, o.customer_id, o.currency limit $3`,
    [tx.tenantId, rehearsalId, limit, heldCode],
    'read-outliers',
  );
}
