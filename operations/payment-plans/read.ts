/** Reads payment plans for the interface. */
import { DomainError } from '../../domain/errors.ts';
import type { FrequencyUnit } from '../../domain/payment-plans/schedule.ts';
import { formatAmount, type Decimal } from '../../domain/money/money.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Reader } from '../context/listing.ts';
import type { CustomerAddress } from '../context/locks.ts';

export interface PaymentPlanView {
  readonly id: number;
  readonly chargeOnlyIfBalanceOwed: boolean;
  readonly chargeAmount: Decimal;
  readonly startDate: IsoDate;
  /** The next day on which an installment is charged, or tried again. */
  readonly nextPaymentDate: IsoDate | null;
  readonly totalNumberOfInstallments: number;
  readonly remainingInstallments: number;
  readonly frequencyValue: number;
  readonly frequencyUnits: FrequencyUnit;
  readonly isEnabled: boolean;
  readonly version: number;
}

interface Row extends PaymentPlanView {
  readonly currency: string;
}

/**
 * The newest plan of a customer, enabled or not; undefined without such a customer. Throws
 * paymentPlan.unknown if the customer has none.
 */
export async function readPaymentPlan(
  tx: Reader,
  address: CustomerAddress,
): Promise<PaymentPlanView | undefined> {
  const byId = 'id' in address;
  const [row] = await tx.query<{ plan: Row | null }>(
    `select (
       select ${planJson}
       from payment_plan p where p.tenant_id = c.tenant_id and p.customer_id = c.id
       order by p.id desc limit 1) as plan
     from customer c where ${byId ? 'c.id' : 'c.ext_customer_ref'} = $1`,
    [byId ? address.id : address.extCustomerRef],
    `payment-plan-by-${byId ? 'id' : 'ref'}`,
  );
  if (!row) return undefined;
  if (row.plan === null) {
    throw new DomainError('paymentPlan.unknown', 'the customer has no payment plan');
  }
  return viewOf(row.plan);
}

/** The plans of installments and their retries, by the attempt's id. */
export async function readPlansOfInstallments(
  tx: Reader,
  attemptIds: readonly number[],
): Promise<ReadonlyMap<number, PaymentPlanView>> {
  const rows = await tx.query<{ id: number; plan: Row }>(
    `select own.id, ${planJson} as plan from collection_attempt own
     join payment_plan p on p.tenant_id = own.tenant_id and p.id = own.payment_plan_id
     where own.id = any($1)`,
    [attemptIds],
    'plans-of-installments',
  );
  return new Map(rows.map(({ id, plan }) => [id, viewOf(plan)]));
}

const planJson = `json_build_object('id', p.id, 'version', p.version, 'currency', p.currency,
  'chargeOnlyIfBalanceOwed', p.charge_only_if_balance_owed,
  'chargeAmount', p.charge_amount::text, 'startDate', p.start_date,
  'nextPaymentDate', (
    select min(a.due_on) from collection_attempt a
    where a.tenant_id = p.tenant_id and a.payment_plan_id = p.id and a.state = 'due'),
  'totalNumberOfInstallments', p.total_installments,
  'remainingInstallments', p.total_installments - p.counted_installments,
  'frequencyValue', p.frequency_value, 'frequencyUnits', p.frequency_units,
  'isEnabled', p.is_enabled)`;

function viewOf({ currency, ...plan }: Row): PaymentPlanView {
  return { ...plan, chargeAmount: formatAmount(currency, plan.chargeAmount) };
}
