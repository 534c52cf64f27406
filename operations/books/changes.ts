/** Recomputes the credits of orders that were replaced, and compares them with those that stand. */
import assert from 'node:assert';
import { addDays } from '../../domain/calendar/calendar.ts';
import { billsFrom } from '../../domain/standing/trial.ts';
import { add, compare, formatAmount, type Decimal } from '../../domain/money/money.ts';
import { unusedCredits } from '../../domain/billing/credit/unused.ts';
import type { Database } from '../../db/connection/database.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { loadOrders, type OrderRow } from '../../db/queries/billing/load.ts';
import type { OrderInvoicedLine } from '../../db/queries/billing/invoiced-charges.ts';
import { invoicedWithDaysFrom } from '../../db/queries/payments/charge-credits.ts';
import { planVersions } from '../plans/versions.ts';
import { scheduleOfOrder } from '../../domain/billing/order-to-rate.ts';
import type { Fault } from './report.ts';

const ORDERS_AT_ONCE = 200;

/** In batches, so that its memory does not grow with the orders. */
export async function auditChanges(tx: Tx, db: Database): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (let after = 0; ;) {
    const ids = await replacedAfter(tx, after);
    const last = ids.at(-1);
    if (last === undefined) return faults;
    after = last;
    faults.push(...(await faultsOf(tx, db, ids)));
  }
}

async function replacedAfter(tx: Tx, after: number): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select id from subscription_order
     where tenant_id = $1 and id > $2 and status = 'Superseded' order by id limit $3`,
    [tx.tenantId, after, ORDERS_AT_ONCE],
    'audit-replaced',
  );
  return rows.map(({ id }) => id);
}

async function faultsOf(tx: Tx, db: Database, ids: readonly number[]): Promise<readonly Fault[]> {
  const rows = await loadOrders(tx, ids);
  const unused = rows.map((row) => ({ orderId: row.id, from: unusedFrom(row) }));
  const [invoiced, standing, plans] = await Promise.all([
    invoicedWithDaysFrom(tx, unused, { isCredited: true }),
    standingCredits(tx, ids),
    planVersions(
      db,
      tx,
      rows.map((row) => row.planId),
    ),
  ]);
  const linesOf = Map.groupBy(invoiced, ({ orderId }) => orderId);
  return rows.flatMap((row) => {
    const plan = plans.get(row.planId);
    assert(plan, `order ${row.id} has a plan`);
    const schedule = scheduleOfOrder(row, plan);
    const expected =
      row.creditFrom === null ? creditsOf(row, linesOf.get(row.id) ?? [], schedule) : noCredits;
    return differences(row, expected, standing.get(row.id) ?? noCredits);
  });
}

type Credits = ReadonlyMap<number, Decimal>;
const noCredits: Credits = new Map();

function unusedFrom({ endedOn, startDate }: OrderRow): string {
  return endedOn === null ? startDate : addDays(endedOn, 1);
}

/** It ended before its billing began. */
const servedNothing = (row: OrderRow): boolean =>
  row.endedOn === null || row.endedOn < billsFrom(row);

function creditsOf(
  row: OrderRow,
  lines: readonly OrderInvoicedLine[],
  schedule: Parameters<typeof unusedCredits>[1]['schedule'],
): Credits {
  const { pauses, currency } = row;
  const view = { unusedFrom: unusedFrom(row), isWhole: servedNothing(row) };
  return new Map(
    lines
      .flatMap((line) => unusedCredits(line, { ...view, schedule, pauses, currency }))
      .map(({ chargeId, amount }) => [chargeId, amount]),
  );
}

/** By order, what its charges are credited on later invoices, by charge. */
async function standingCredits(
  tx: Tx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Credits>> {
  const rows = await tx.query<{ order: number; charge: number; amount: Decimal }>(
    `select n.order_id as "order", r.invoice_charge_id as charge, r.amount
     from invoice_line n
     join invoice_charge c on c.tenant_id = n.tenant_id and c.invoice_line_id = n.id
     join charge_credit r on r.tenant_id = c.tenant_id and r.invoice_charge_id = c.id
      and r.voided_at is null and r.unused_from is not null
     where n.tenant_id = $1 and n.order_id = any($2)`,
    [tx.tenantId, ids],
    'audit-change-credits',
  );
  const byOrder = Map.groupBy(rows, ({ order }) => order);
  return new Map([...byOrder].map(([id, of]) => [id, summed(of)]));
}

/** A charge that is credited twice is credited the sum. */
function summed(rows: readonly { readonly charge: number; readonly amount: Decimal }[]): Credits {
  const sums = new Map<number, Decimal>();
  for (const { charge, amount } of rows) sums.set(charge, add(sums.get(charge) ?? '0', amount));
  return sums;
}

function differences(row: OrderRow, expected: Credits, standing: Credits): readonly Fault[] {
  const ids = new Set([...expected.keys(), ...standing.keys()]);
  return [...ids].flatMap((id): Fault[] => {
    const [due, given] = [expected.get(id) ?? '0', standing.get(id) ?? '0'];
    if (compare(due, given) === 0) return [];
    const object = `order ${row.orderNumber}`;
    const [is, should] = [given, due].map((amount) => formatAmount(row.currency, amount));
    const detail = `charge ${id} is credited ${is}, by its unused days ${should}`;
    return [{ check: 'change.credit', object, detail }];
  });
}
