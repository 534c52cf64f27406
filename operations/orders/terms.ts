/** Checks for new and changed orders; each error names its element. */
import { DomainError } from '../../domain/errors.ts';
import type { IsoDate, OrderStatus, Plan, TermUnit } from '../../domain/model.ts';
import { isCurrency } from '../../domain/money/money.ts';
import type { RequestedLine } from '../../domain/orders/lines.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { OrderLineInput } from './input.ts';
import { planVersions } from '../plans/versions.ts';
import type { Dependencies } from '../context/context.ts';

/** The proposed values of an order, which may contradict each other. */
export interface ProposedOrder {
  readonly startDate: IsoDate;
  readonly endDate: IsoDate | null;
  readonly currency: string;
  readonly separateInvoice: number;
  readonly jobCode: string | null;
  readonly dueDateValue: number | null;
}

const DUE_DATE_VALUE_MAX = 3650;

export function checkProposal(order: ProposedOrder): void {
  if (order.endDate !== null && order.endDate < order.startDate) {
    throw invalid('endDate', `endDate is before startDate ${order.startDate}`, order.endDate);
  }
  if (!isCurrency(order.currency)) {
    throw invalid('currency/@id', 'currency/@id is not an ISO 4217 code', order.currency);
  }
  if (![0, 1, 2].includes(order.separateInvoice)) {
    throw invalid('separateInvoice', 'separateInvoice is 0, 1 or 2', `${order.separateInvoice}`);
  }
  if (order.separateInvoice === 2 && order.jobCode === null) {
    throw new DomainError(
      'field.required',
      'separateInvoice 2 groups by jobCode, which is missing',
      {
        path: 'subscriptionOrder/jobCode',
      },
    );
  }
  const { dueDateValue } = order;
  if (dueDateValue !== null && (dueDateValue < 0 || dueDateValue > DUE_DATE_VALUE_MAX)) {
    throw invalid('dueDateValue', `dueDateValue is 0 to ${DUE_DATE_VALUE_MAX}`, `${dueDateValue}`);
  }
}

/** Due terms as they are stored: the unit of a value is Days where none was sent. */
export function dueUnits(
  value: number | null,
  units: TermUnit | null | undefined,
): TermUnit | null {
  return value === null ? null : (units ?? 'Days');
}

/** The status of an order for which Active or Provisioning is requested. */
export function startingStatus(
  asked: 'Active' | 'Provisioning',
  startDate: IsoDate,
  today: IsoDate,
): OrderStatus {
  if (startDate > today) return 'Provisioning';
  if (asked === 'Active') return 'Active';
  throw invalid('orderStatus', 'Provisioning needs a startDate in the future', 'Provisioning');
}

export interface PlanChoice {
  readonly contractCode: string | null | undefined;
  readonly contractOfferingId: number | null | undefined;
}

/**
 * The plan version of a new order: the newest with that code, available on its startDate.
 * Throws plan.unknown, plan.retired, or field.required.
 */
export async function planForOrder(
  dependencies: Dependencies,
  tx: Tx,
  choice: PlanChoice,
  dates: { readonly startDate: IsoDate; readonly today: IsoDate },
): Promise<Plan> {
  const { contractCode, contractOfferingId } = choice;
  if (!contractCode && !contractOfferingId) {
    throw new DomainError('field.required', 'contractCode or contractOffering names the plan', {
      path: 'subscriptionOrder/contractCode',
    });
  }
  const path = contractCode ? 'contractCode' : 'contractOffering/@id';
  const value = String(contractCode ?? contractOfferingId);
  const [found] = await tx.query<{
    id: number;
    is_newest: boolean;
    start_date: IsoDate | null;
    end_date: IsoDate | null;
  }>(
    `select id, is_newest, start_date, end_date from plan
     where ($1::text is null or (contract_code = $1 and is_newest)) and ($2::bigint is null or id = $2)`,
    [contractCode ?? null, contractOfferingId ?? null],
    'plan-for-order',
  );
  const plan = found && (await planVersions(dependencies.db, tx, [found.id])).get(found.id);
  const id = contractCode ? null : (contractOfferingId ?? null);
  const at = { path: `subscriptionOrder/${path}`, value, id };
  if (!plan || !found) throw new DomainError('plan.unknown', `there is no plan ${value}`, at);
  const last = dates.startDate > dates.today ? dates.startDate : dates.today;
  const retired = !found.is_newest || (found.end_date !== null && found.end_date < last);
  if (retired || (found.start_date !== null && found.start_date > dates.startDate)) {
    const message = `plan ${value} takes no new order that starts on ${dates.startDate}`;
    throw new DomainError('plan.retired', message, at);
  }
  return plan;
}

export function requestedLine(line: OrderLineInput): RequestedLine {
  return {
    priceCode: line.priceCode ?? null,
    chargeId: line.contractChargeId ?? null,
    position: line.position ?? null,
    quantity: line.quantity ?? null,
    unitPrice: line.unitPrice ?? null,
    invoiceText: line.invoiceText ?? null,
    isActive: line.isActive ?? null,
  };
}

export function invalid(element: string, message: string, value: string): DomainError {
  return new DomainError('field.invalid', message, {
    path: `subscriptionOrder/${element}`,
    value,
  });
}
