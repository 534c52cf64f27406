/** Earns the commissions of date-based charges whose day has come. */
import { dueDateAfter, dueDates, servingOn, type DueDate } from '../../domain/commissions/dates.ts';
import { amountEarned } from '../../domain/commissions/earned.ts';
import type { DateTerms } from '../../domain/commissions/terms.ts';
import { addDays, maxDate, type IsoDate } from '../../domain/calendar/calendar.ts';
import {
  lockDueCommissions,
  moveDueCommissions,
  readCountingInvoices,
  type ConsideredDue,
  type DueCommission,
  type PaidWindow,
  readBases,
} from '../../db/queries/commissions/due.ts';
import { insertCommissions, type CommissionInsert } from '../../db/queries/commissions/rows.ts';
import type { OperationContext } from '../context/context.ts';
import { baseReader, earned } from './settle.ts';

/** Charges of links in one pass; the rest stays due. */
const DUE_AT_ONCE_MAX = 5_000;
/** Dates of all of them in one pass: each may be a row. */
const DATES_AT_ONCE_MAX = 10_000;

/**
 * Earns what is due of these customers' orders by today, and moves it on to its next date. Returns
 * whether some of it stays due. This transaction must have locked the customers.
 */
export async function earnDueCommissions(
  { tx, tenant, time }: OperationContext,
  customerIds: readonly number[],
): Promise<boolean> {
  const { today } = time;
  const due = await lockDueCommissions(tx, customerIds, { today, limit: DUE_AT_ONCE_MAX });
  if (due.length === 0) return false;
  const considered = considerInTurn(due, today);
  const amounts = considered.flatMap(({ row, earning }) =>
    row.type === 'Amount' ? earning.map(({ on }) => amountRow(row, on, tenant.currency)) : [],
  );
  const percentages = considered.flatMap(({ row, earning }) =>
    row.type === 'Percent' ? earning.map((date) => ({ row, date })) : [],
  );
  const windows = percentages.map(({ row, date }, key) => windowOf(row, date, key));
  const counting =
    windows.length === 0 ? [] : await readCountingInvoices(tx, windows, tenant.timezone);
  const invoiceIds = [...new Set(counting.map((each) => each.invoiceId))];
  const baseIn = baseReader(invoiceIds.length === 0 ? [] : await readBases(tx, invoiceIds));
  const shares = counting.flatMap(({ key, invoiceId, currency, orderIds, turn }) => {
    const found = percentages[key];
    if (found === undefined) return [];
    const link = { ...linkOf(found.row), invoiceId, invoiceCurrency: currency };
    const base = baseIn(invoiceId, orderIds);
    const own = { base, turn, orderIds, dueOn: found.date.on };
    return earned(link, own, tenant.currency);
  });
  insertCommissions(tx, [...amounts, ...shares], time);
  moveDueCommissions(
    tx,
    considered.map(({ next }) => next),
  );
  const isMore = considered.some(({ next }) => next.nextDueOn !== null && next.nextDueOn <= today);
  return isMore || considered.length < due.length || due.length === DUE_AT_ONCE_MAX;
}

/** Considers charges until their dates are enough for one pass; the others stay due. */
function considerInTurn(due: readonly DueCommission[], today: IsoDate): readonly Considered[] {
  const considered: Considered[] = [];
  let left = DATES_AT_ONCE_MAX;
  for (const row of due) {
    if (left === 0) break;
    const next = considerDue(row, { today, max: left });
    left -= next.dateCount;
    considered.push(next);
  }
  return considered;
}

interface Considered {
  readonly row: DueCommission;
  readonly dateCount: number;
  /** The dates that earn something. */
  readonly earning: readonly DueDate[];
  readonly next: ConsideredDue;
}

interface Considering {
  readonly today: IsoDate;
  /** The most dates; what comes after them stays due. */
  readonly max: number;
}

function considerDue(row: DueCommission, { today, max }: Considering): Considered {
  const { orderAgentId, commissionChargeId, consideredTo, joiningDate } = row;
  const terms = termsOf(row);
  const after = firstUnconsidered(consideredTo, row.startDate);
  const dates = dueDates(terms, joiningDate, { after, upTo: today, max });
  const servingAt = (day: IsoDate) =>
    servingOn(
      {
        status: row.status,
        startDate: row.startDate,
        endDate: row.endDate,
        isAutoRenew: row.isAutoRenew,
        endedOn: row.endedOn,
      },
      day,
    );
  const earning = row.isInForce ? dates.filter(({ on }) => servingAt(on) === 'serves') : [];
  const last = dates.length === max ? dates.at(-1)?.on : undefined;
  const to = last ?? (consideredTo === null ? today : maxDate(consideredTo, today));
  const next = dueDateAfter(terms, joiningDate, to)?.on ?? null;
  const isOver = next !== null && servingAt(next) === 'over';
  return {
    row,
    dateCount: dates.length,
    earning,
    next: {
      orderAgentId,
      commissionChargeId,
      consideredTo: to,
      nextDueOn: isOver ? null : next,
    },
  };
}

/** Days before the order's start earn nothing. */
export function firstUnconsidered(considered: IsoDate | null, startDate: IsoDate): IsoDate {
  const eve = addDays(startDate, -1);
  return considered === null ? eve : maxDate(considered, eve);
}

function termsOf({ chargeType, dateValue, dateUnits }: DueCommission): DateTerms {
  return { chargeType, value: dateValue, units: dateUnits };
}

function windowOf(row: DueCommission, { on, since }: DueDate, key: number): PaidWindow {
  const { orderId, orderAgentId, firstId, commissionChargeId, joiningDate } = row;
  const own = { orderId, orderAgentId, firstId, commissionChargeId, joiningDate };
  return { key, ...own, since, until: on };
}

function linkOf(row: DueCommission) {
  const { customerId, orderAgentId, salesAgentId, commissionChargeId } = row;
  const { orderNumber, type, percentOrAmount } = row;
  return {
    customerId,
    orderAgentId,
    salesAgentId,
    commissionChargeId,
    orderNumber,
    type,
    percentOrAmount,
  };
}

function amountRow(row: DueCommission, dueOn: IsoDate, tenantCurrency: string): CommissionInsert {
  const { type, percentOrAmount: rate, ...link } = linkOf(row);
  return {
    ...link,
    ...amountEarned(rate, tenantCurrency),
    invoiceId: null,
    orderIds: [row.orderId],
    dueOn,
    commissionType: type,
    rate,
    priceCode: null,
    baseAmount: '0',
    turn: 0,
    reversalOf: null,
    isWhole: null,
  };
}
