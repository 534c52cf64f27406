/** The pages of an upgrade and of a downgrade. */
import type { OrderStatus } from '../../../../domain/standing/status.ts';
import {
  makeOwnChange,
  priceOwnChange,
  type ChangePrice,
} from '../../../../operations/self-service/orders-change.ts';
import {
  effectiveOn,
  planChoices,
  readChangeable,
  type ChangeableOrder,
  type ChangeKind,
  type PricedPlan,
} from '../../../../operations/self-service/orders-current.ts';
import type { IsoDate } from '../../../../domain/calendar/calendar.ts';
import { isBilledElsewhere } from '../../../../operations/self-service/orders-own.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import { unknownPage } from '../../../calls/page-route.ts';
import { readingMore } from '../../../calls/services.ts';
import { writtenQuantity } from '../../../pages/quantity.ts';
import { accountView, shown, type Visit } from '../page/visit.ts';
import type { ReadChoice } from './choice.ts';
import type { Choosing, OrderingSteps } from './ordering.ts';
import { showRefusal } from './refusals.ts';
import { renderChoose, renderReview } from './render-order.ts';
import { invoiceTable } from './tables.ts';
import type { RefusalReason } from './views.ts';

/** What is shown of the order that is changed. */
interface Changing {
  readonly current: ChangeableOrder;
  readonly plans: readonly PricedPlan[];
}

export async function changeSteps(
  visit: Visit,
  kind: ChangeKind,
): Promise<OrderingSteps<ChangePrice>> {
  const { dependencies, call, session } = visit;
  const { tenant, id: orderId } = call;
  const { customerId } = session;
  const { current, plans } = await readChanging(visit, kind);
  const choiceOf = ({ contractCode, quantity }: ReadChoice) => {
    return { kind, orderId, customerId, contractCode, quantity };
  };
  return {
    ordering: kind,
    choose: (choosing) => Promise.resolve(showChoose(visit, kind, { current, plans }, choosing)),
    async price(choice, isHurried) {
      // As a call's preview does, it bills in thought all that is due of the customer.
      if (!isHurried) await call.takeHeavyTurn();
      return priceOwnChange(dependencies, tenant, choiceOf(choice));
    },
    termsOf: ({ quoteHash, effectiveDate, due, price, taxBasis, lasting }) => [
      orderId,
      quoteHash,
      effectiveDate,
      due,
      price,
      taxBasis,
      lasting,
    ],
    review({ status, choice, price, form }) {
      const { planName, currency, effectiveDate, couponCode, due, invoices } = price;
      const { hasQuantity, lasting, isUntaxed } = price;
      const on = effectiveDate === visit.today ? null : effectiveDate;
      const html = renderReview({
        ...accountView(visit),
        ordering: kind,
        form,
        choice: { ...choice.typed, quantity: choice.quantity },
        planName,
        hasQuantity,
        currency,
        startDate: effectiveDate,
        now: nowOf(current),
        couponCode,
        isAutoPay: false,
        tables: invoices.map((invoice) => invoiceTable(invoice, on)),
        due,
        lasting,
        isUntaxed,
      });
      return shown(visit, status, html);
    },
    make: (context, choice, price) => makeOwnChange(dependencies, context, choiceOf(choice), price),
  };
}

const nowOf = ({ own, price }: ChangeableOrder) => ({ planName: own.planName, price });

async function readChanging(visit: Visit, kind: ChangeKind): Promise<Changing> {
  const { dependencies, call, session, today } = visit;
  return readingMore(dependencies, call.tenant, async (tx) => {
    const reader = { tx, customerId: session.customerId, today };
    const current = await readChangeable(dependencies, reader, call.id);
    if (current === undefined) throw unknownPage();
    return { current, plans: await planChoices(dependencies, reader, current, kind) };
  });
}

function showChoose(
  visit: Visit,
  kind: ChangeKind,
  { current, plans }: Changing,
  { status, problems, typed }: Choosing,
): PageAnswer {
  const reason = reasonOf(current, plans, { kind, today: visit.today });
  if (reason !== null) {
    return showRefusal(visit, reason === 'none' ? status : 409, { action: kind, reason });
  }
  const [first, ...others] = plans;
  const contractCode = others.length === 0 ? (first?.contractCode ?? '') : '';
  const { locale } = accountView(visit);
  const quantity = writtenQuantity(current.quantity ?? '1', locale);
  const html = renderChoose({
    ...accountView(visit),
    ordering: kind,
    action: visit.call.path,
    problems,
    typed: typed ?? { contractCode, quantity, couponCode: '', isAutoPay: false },
    currency: current.own.currency,
    plans,
    effectiveDate: effectiveOn(current, { kind, today: visit.today }),
    now: nowOf(current),
    hasMethod: false,
  });
  return shown(visit, status, html);
}

const ended: readonly OrderStatus[] = ['Complete', 'Superseded', 'Canceled'];

/** Why there is nothing to choose; a call would say the same. */
function reasonOf(
  { own }: ChangeableOrder,
  plans: readonly unknown[],
  { kind, today }: { readonly kind: ChangeKind; readonly today: IsoDate },
): RefusalReason | null {
  if (ended.includes(own.status)) return 'ended';
  if (own.changeOn !== null || own.replaces !== null) return 'changePending';
  if (own.status !== 'Active') return 'notChangeable';
  if (kind === 'upgrade' && isBilledElsewhere(own, today)) return 'elsewhere';
  return plans.length === 0 ? 'none' : null;
}
