/** Finds overdue things that were not processed: one audit for each kind of due thing. */
import type { Tx } from '../../db/connection/tenancy.ts';
import { dueKinds, type DueName } from '../due/due.ts';
import { auditOrders } from './orders.ts';
import type { DueAudit, DueAuditOptions } from './report.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { withoutDunning } from '../../db/queries/ageing/due.ts';
import { agendaBranches, type AgendaBranch, allOnAgenda } from '../../db/queries/due/agenda.ts';
import { debitsUnannounced } from '../../db/queries/collection/debit-notices.ts';
import { unannounced } from '../../db/queries/due/notices.ts';
import type { NoticeKind } from '../../domain/events/notices.ts';
import { PAYMENTS_WAIT_MS } from '../dunning/age.ts';

/* Finds payments whose gateway was not asked on the day on which it was due to be asked. */

/**
 * A day's billing run asks the gateways first. A gateway that does not answer has until the end of
 * the day.
 */
async function auditSettlement(tx: Tx, { today, isBilling }: DueAuditOptions): Promise<DueAudit> {
  if (isBilling) return { faults: [], underWay: 0 };
  const rows = await tx.query<{ id: number; dueOn: IsoDate }>(
    `select due.object_id as id, due.due_on::text as due_on
     from (${agendaBranches.settlement}) due where due.due_on < $2 order by due.object_id`,
    [tx.tenantId, today],
    'audit-settlement',
  );
  const faults = rows.map(({ id, dueOn: day }) => ({
    check: 'payment.unsettled',
    object: `payment ${id}`,
    detail: `its gateway should have been asked on ${day}`,
  }));
  return { faults, underWay: 0 };
}

/* Finds pauses that should have ended. */

/** A day's run ends them first, so nothing is late while it works. */
async function auditPauses(tx: Tx, { today, isBilling }: DueAuditOptions): Promise<DueAudit> {
  if (isBilling) return { faults: [], underWay: 0 };
  const rows = await tx.query<{ customerId: number; number: number | null; dueOn: IsoDate }>(
    `select p.customer_id, o.order_number as number, due.due_on::text as due_on
     from (${agendaBranches.pause}) due
     join service_pause p on p.tenant_id = $1 and p.id = due.object_id
     left join subscription_order o on o.tenant_id = $1 and o.id = p.order_id
     order by p.customer_id, o.order_number`,
    [tx.tenantId, today],
    'audit-pauses',
  );
  const faults = rows.map(({ customerId, number, dueOn: day }) => ({
    check: 'pause.until',
    object: number === null ? `customer ${customerId}` : `order ${number}`,
    detail: `its pause should have ended on ${day}`,
  }));
  return { faults, underWay: 0 };
}

/* Finds versions of plans by which no run has dated the running orders of older ones. */

async function auditPrices(tx: Tx, { today, isBilling }: DueAuditOptions): Promise<DueAudit> {
  if (isBilling) return { faults: [], underWay: 0 };
  const rows = await tx.query<{ code: string; version: number; dueOn: IsoDate }>(
    `select p.contract_code as code, p.version, due.due_on::text as due_on
     from (${agendaBranches.prices}) due
     join plan p on p.tenant_id = $1 and p.id = due.object_id order by p.contract_code`,
    [tx.tenantId, today],
    'audit-prices',
  );
  const faults = rows.map(({ code, version, dueOn: day }) => ({
    check: 'price.version',
    object: `plan ${code}`,
    detail: `the day of its prices of version ${version} should have been set for running orders on ${day}`,
  }));
  return { faults, underWay: 0 };
}

/* Finds date-based commissions whose day has passed. */

/** The run of a day earns them, so nothing is late while it works. */
async function auditCommissions(tx: Tx, { today, isBilling }: DueAuditOptions): Promise<DueAudit> {
  if (isBilling) return { faults: [], underWay: 0 };
  const rows = await tx.query<{ number: number; code: string; dueOn: IsoDate }>(
    `select o.order_number as number, s.code, min(due.due_on)::text as due_on
     from (${agendaBranches.commission}) due
     join order_agent a on a.tenant_id = $1 and a.id = due.object_id
     join subscription_order o on o.tenant_id = $1 and o.id = a.order_id
     join sales_agent s on s.tenant_id = $1 and s.id = a.sales_agent_id
     group by o.order_number, s.code order by o.order_number, s.code`,
    [tx.tenantId, today],
    'audit-commissions',
  );
  const faults = rows.map(({ number, code, dueOn: day }) => ({
    check: 'commission.due',
    object: `order ${number}`,
    detail: `sales agent ${code} should have earned a commission on ${day}`,
  }));
  return { faults, underWay: 0 };
}

/* Finds invoices whose autopay day has passed without a payment. */

/**
 * A billing run claims the invoices of earlier days and those without an order. The order's
 * workflow claims the others until the end of the day. Nothing is late while a billing run is
 * active, because the run claims invoices at its end. Another rule covers invoices that wait for a
 * payment.
 */
async function auditAutopay(tx: Tx, { today, isBilling }: DueAuditOptions): Promise<DueAudit> {
  if (isBilling) return { faults: [], underWay: 0 };
  const rows = await tx.query<{ number: string; dueOn: IsoDate }>(
    `select i.invoice_number as number, due.due_on::text as due_on
     from (${agendaBranches.autopay}) due
     join invoice i on i.tenant_id = $1 and i.id = due.object_id
     where i.status = 'Outstanding' and (due.due_on < $2 or i.autopay_order_id is null)
     order by i.id`,
    [tx.tenantId, today],
    'audit-autopay',
  );
  const faults = rows.map(({ number, dueOn: day }) => ({
    check: 'invoice.unclaimed',
    object: `invoice ${number}`,
    detail: `should have been paid automatically on ${day}, but no payment has been started`,
  }));
  return { faults, underWay: 0 };
}

/* Finds customers that owe something overdue without a dunning, and steps that no run has taken. */

const nothing: DueAudit = { faults: [], underWay: 0 };

/**
 * A day's run opens them, so nothing is late while it works. The agenda looks at what became overdue
 * lately; this looks at every open invoice.
 */
async function auditDebts(tx: Tx, { today, isBilling }: DueAuditOptions): Promise<DueAudit> {
  if (isBilling) return nothing;
  const rows = await tx.query<{ id: number; dueOn: IsoDate }>(
    `select i.customer_id as id, (min(i.due_date) + 1)::text as due_on from invoice i
     where i.tenant_id = $1 and i.status = 'Outstanding' and i.due_date < $2
       and ${withoutDunning('i')}
     group by i.customer_id order by 1`,
    [tx.tenantId, today],
    'audit-debts',
  );
  const faults = rows.map(({ id, dueOn: day }) => ({
    check: 'dunning.missing',
    object: `customer ${id}`,
    detail: `owes something that is overdue since ${day}, but has no open dunning`,
  }));
  return { faults, underWay: 0 };
}

/**
 * A step may wait on the day itself, and where its hour goes beyond 00:00; the customer's workflow
 * then takes it.
 */
async function auditAgeing(tx: Tx, { now, today, isBilling }: DueAuditOptions): Promise<DueAudit> {
  if (isBilling) return nothing;
  const rows = await tx.query<{ id: number; dueOn: IsoDate }>(
    `select due.object_id as id, due.due_on::text as due_on
     from (${agendaBranches.ageing}) due
     join dunning d on d.tenant_id = $1 and d.customer_id = due.object_id
     where due.due_on < $2 and (d.waits_since is null or d.waits_since < $3)
     order by due.object_id`,
    [tx.tenantId, today, new Date(now.getTime() - PAYMENTS_WAIT_MS)],
    'audit-ageing',
  );
  const faults = rows.map(({ id, dueOn: day }) => ({
    check: 'dunning.overdue',
    object: `customer ${id}`,
    detail: `should have changed its status by age on ${day}`,
  }));
  return { faults, underWay: 0 };
}

/* Finds dates that should have been announced. */

/** The run of a day announces them. What it has not completed before an upgrade, the next one does. */
async function auditNotices(
  tx: Tx,
  kind: NoticeKind,
  { today, isBilling }: DueAuditOptions,
): Promise<DueAudit> {
  if (isBilling) return nothing;
  const ids = await unannounced(tx, kind, today);
  const faults = ids.map((id) => ({
    check: 'notice.due',
    object: `${kind} of ${id}`,
    detail: `should have been announced by ${today}`,
  }));
  return { faults, underWay: 0 };
}

async function auditDebitNotices(tx: Tx, { today, isBilling }: DueAuditOptions): Promise<DueAudit> {
  if (isBilling) return nothing;
  const ids = await debitsUnannounced(tx, today);
  const faults = ids.map((id) => ({
    check: 'debit.notice',
    object: `invoice ${id}`,
    detail: `its debit should have been announced by ${today}`,
  }));
  return { faults, underWay: 0 };
}

type AuditDue = (tx: Tx, options: DueAuditOptions) => Promise<DueAudit>;

/** Null for a kind that has no date: the audit checks its workflows instead. */
export const dueAudits: Readonly<Record<DueName, AuditDue | null>> = {
  settlement: auditSettlement,
  pause: auditPauses,
  prices: auditPrices,
  order: auditOrders,
  autopay: auditAutopay,
  retry: (tx, options) => auditAttempts(tx, 'retry', options),
  installment: (tx, options) => auditAttempts(tx, 'installment', options),
  payment: null,
  debt: auditDebts,
  ageing: auditAgeing,
  commission: auditCommissions,
  trialEnding: (tx, options) => auditNotices(tx, 'trialEnding', options),
  renewalNotice: (tx, options) => auditNotices(tx, 'renewalNotice', options),
  priceChange: (tx, options) => auditNotices(tx, 'priceChange', options),
  cardExpiring: (tx, options) => auditNotices(tx, 'cardExpiring', options),
  debitNotice: auditDebitNotices,
};

/** Audits the kinds in the order of `dueKinds`. */
export async function auditDue(tx: Tx, options: DueAuditOptions): Promise<DueAudit> {
  const audits: DueAudit[] = [];
  for (const { name } of dueKinds) {
    const found = await dueAudits[name]?.(tx, options);
    if (found !== undefined) audits.push(found);
  }
  return {
    faults: audits.flatMap(({ faults }) => faults),
    underWay: audits.reduce((count, { underWay }) => count + underWay, 0),
  };
}

/* Finds retries and installments whose day has come without a claim. */

/** Nothing is late while a billing run is active, because the run claims attempts at its end. */
async function auditAttempts(
  tx: Tx,
  kind: AgendaBranch & ('retry' | 'installment'),
  { today, isBilling }: DueAuditOptions,
): Promise<DueAudit> {
  if (isBilling) return { faults: [], underWay: 0 };
  const ids = await allOnAgenda(tx, kind, today);
  const faults = ids.map((id) => ({
    check: 'attempt.unclaimed',
    object: `${kind} ${id}`,
    detail: `was due by ${today}, but nothing has claimed it`,
  }));
  return { faults, underWay: 0 };
}
