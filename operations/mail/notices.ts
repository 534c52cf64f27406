/** Reads what the mail of a notice says: of an order its date and what comes then, or a card. */
import { addMonths, type IsoDate } from '../../domain/calendar/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import {
  forecast,
  type ForecastInput,
  type ForecastInvoice,
  taxed,
} from '../../domain/billing/forecast.ts';
import { UnansweredTaxes } from '../../domain/billing/rate/provider-tax.ts';
import type { NoticeKind } from '../../domain/events/notices.ts';
import type { MailNotice, MailPrices } from '../../domain/mail/source.ts';
import { type Decimal, sum } from '../../domain/money/money.ts';
import { methodContext, type ShownMethod } from '../../domain/payments/allocation.ts';
import { hasEnabledPlan } from '../../db/queries/collection/attempts.ts';
import { isStillNoticed } from '../../db/queries/due/notices.ts';
import type { ClaimedMail } from '../../db/queries/mail/mails.ts';
import { readForecast } from '../billing/basis.ts';
import type { Dependencies } from '../context/context.ts';
import { firstOf } from '../context/listing.ts';
import { findCustomer } from '../context/locks.ts';
import { firstMethods } from '../payment-methods/methods-on-file.ts';
import type { MailObject, MailReading } from './subject.ts';

export interface NoticeReading extends MailReading {
  readonly dependencies: Dependencies;
}

type OwnMail = Pick<ClaimedMail, 'eventId'> & {
  readonly kind: NoticeKind;
  readonly customerId: number;
};

interface Announced {
  readonly objectId: number;
  readonly date: IsoDate;
}

/** `notice.outdated`: the date has passed or moved, or the object has no such date any more. */
export async function readNoticeObject(
  reading: NoticeReading,
  { kind, eventId, customerId }: OwnMail,
): Promise<MailObject | 'notice.outdated'> {
  const { tx, time } = reading;
  const announced = await readAnnounced(tx, kind, eventId);
  if (announced === undefined || announced.date <= time.today) return 'notice.outdated';
  if (!(await isStillNoticed(tx, kind, announced))) return 'notice.outdated';
  if (kind === 'cardExpiring') {
    const card = { method: await methodOf(tx, announced.objectId), lastDay: announced.date };
    return { subject: { kind, card }, invoice: null };
  }
  const notice = await readNotice(reading, { ...announced, customerId });
  if (kind === 'priceChange') {
    const prices = await pricesOf(reading, { ...announced, customerId });
    return { subject: { kind, notice, prices }, invoice: null };
  }
  return { subject: { kind, notice }, invoice: null };
}

/** What the event says; a mail of a notice always follows one. */
function readAnnounced(
  tx: MailReading['tx'],
  kind: NoticeKind,
  eventId: number | null,
): Promise<Announced | undefined> {
  const objectId = kind === 'cardExpiring' ? `(detail->>'paymentMethodId')::bigint` : 'object_id';
  return firstOf(
    tx.query<Announced & Record<string, unknown>>(
      `select ${objectId} as object_id, (detail->>'date')::date as date
       from event where tenant_id = $1 and id = $2`,
      [tx.tenantId, eventId],
      kind === 'cardExpiring' ? 'announced-card' : 'announced-order',
    ),
  );
}

async function methodOf(tx: MailReading['tx'], methodId: number): Promise<string> {
  const [method] = await tx.query<ShownMethod & Record<string, unknown>>(
    `select type, brand, last_four, debit, country from payment_method
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, methodId],
    'announced-method',
  );
  return method === undefined ? '' : methodContext(method);
}

interface NoticeOf extends Announced {
  readonly customerId: number;
}

async function readNotice(
  reading: NoticeReading,
  { objectId, date, customerId }: NoticeOf,
): Promise<MailNotice> {
  const { tx } = reading;
  const order = await firstOf(
    tx.query<{ orderNumber: string; planName: string; isAutoPay: boolean }>(
      `select o.order_number::text as order_number, p.name as plan_name,
         o.is_auto_pay and not ${hasEnabledPlan('o')} as is_auto_pay
       from subscription_order o join plan p on p.tenant_id = o.tenant_id and p.id = o.plan_id
       where o.tenant_id = $1 and o.id = $2`,
      [tx.tenantId, objectId],
      'announced-order-row',
    ),
  );
  const { orderNumber = '', planName = '', isAutoPay = false } = order ?? {};
  const method = isAutoPay ? (await firstMethods(tx, [customerId])).get(customerId) : undefined;
  return {
    orderNumber,
    planName,
    date,
    isAutoPay,
    method: method === undefined ? null : methodContext(method),
    nextInvoice: await nextInvoiceOf(reading, { objectId, date, customerId }),
  };
}

/**
 * The first invoice of the order from the date on, as the preview has it, at most a month later. Null if
 * nothing can be said of it: the customer is held, or the tax provider would have to be asked.
 */
function nextInvoiceOf(reading: NoticeReading, of: NoticeOf): Promise<MailNotice['nextInvoice']> {
  const { objectId, date } = of;
  return foreseen(reading, of, [date, addMonths(date, 1)], (input) => {
    const found = forecast(input).find(
      ({ draft }) =>
        draft.invoiceDate >= date && draft.lines.some(({ order }) => order?.id === objectId),
    );
    if (found === undefined) return null;
    const [{ draft } = found] = taxed([found]);
    const { invoiceDate, currentAmountDue: amount, currency } = draft;
    return { invoiceDate, amount, currency };
  });
}

/** What the first period of the order from the date on costs, and would cost at the prices of before. */
function pricesOf(reading: NoticeReading, of: NoticeOf): Promise<MailPrices | null> {
  const { objectId, date } = of;
  const days = [date, addMonths(date, 1), addMonths(date, PERIOD_MONTHS_MAX)];
  return foreseen(reading, of, days, (input) => {
    const rows = input.rows.map((row) =>
      row.id === objectId ? { ...row, move: null, priceChangeOn: null } : row,
    );
    const after = priceFrom(forecast(input), of);
    const before = priceFrom(forecast({ ...input, rows }), of);
    if (after === null || before === null) return null;
    return { before: before.amount, after: after.amount, currency: after.currency };
  });
}

/** No period is longer; the preview of a call looks as far ahead. */
const PERIOD_MONTHS_MAX = 12;

/** What the first invoice of such days bills of the order for days from the date on. */
function priceFrom(
  invoices: readonly ForecastInvoice[],
  { objectId, date }: NoticeOf,
): { readonly amount: Decimal; readonly currency: string } | null {
  for (const { draft } of invoices) {
    const charges = draft.lines
      .filter(({ order }) => order?.id === objectId)
      .flatMap((line) => line.charges)
      .filter(({ billingStartDate: start }) => start !== null && start >= date);
    if (charges.length === 0) continue;
    return { amount: sum(charges.map(({ amount }) => amount)), currency: draft.currency };
  }
  return null;
}

/** The first answer that previews to later and later days have; null for a customer who is held. */
async function foreseen<Answer>(
  { dependencies, tx, tenant, time: { today } }: NoticeReading,
  { customerId }: NoticeOf,
  days: readonly IsoDate[],
  answer: (input: ForecastInput) => Answer | null,
): Promise<Answer | null> {
  const customer = await findCustomer(tx, { id: customerId });
  if (customer.isHeld) return null;
  try {
    for (const asOf of days) {
      const basis = { customer, today, asOf };
      const { input } = await readForecast(dependencies, { tx, tenant }, basis);
      const found = answer(input);
      if (found !== null) return found;
    }
  } catch (error) {
    if (!(error instanceof DomainError) && !(error instanceof UnansweredTaxes)) throw error;
  }
  return null;
}
