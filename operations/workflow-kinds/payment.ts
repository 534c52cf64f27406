/** The workflow of a payment or refund, for all tries of a cascade: its id is that of the first. */
import { formatAmount, type Decimal } from '../../domain/money/money.ts';
import type { PaymentType } from '../../domain/payments/allocation.ts';
import { objectWorkflow, type CustomerFacts } from './description.ts';
import { shownReference } from './shown-reference.ts';

export interface PaymentFacts extends CustomerFacts {
  /** Including the surcharge. */
  readonly amount: Decimal;
  readonly currency: string;
  readonly type: PaymentType;
  /** The gateway of the pending try; null if there is none. */
  readonly gateway: string | null;
  /** The number of the credit note that made the refund. */
  readonly noteNumber?: string | null;
}

/** A cascade without a gateway is final, so its workflow can find that out on any queue. */
const ANY_GATEWAY = 'sandbox';

export const payment = objectWorkflow<PaymentFacts>({
  priority: 1,
  title: (paymentId, facts) =>
    `${facts?.type ?? 'Payment'} ${paymentId}${sumOf(facts)}${noteOf(facts)}`,
  idInput: 'paymentId',
  input: (facts) => {
    const gateway = facts?.gateway ?? ANY_GATEWAY;
    if (!facts) return { gateway };
    const customerRef = shownReference(facts.customerRef);
    return { gateway, customer: { customerId: String(facts.customerId), customerRef } };
  },
  facts: `select json_build_object('customerId', m.customer_id, 'type', m.payment_type,
      'gateway', m.gateway, 'amount', m.amount::text, 'currency', m.currency,
      'noteNumber', case when m.payment_type = 'Refund' then (select n.invoice_number from invoice n
        where n.tenant_id = m.tenant_id and n.refund_id = m.id order by n.id limit 1) end,
      'customerRef', c.ext_customer_ref)
    from payment m
    join customer c on c.tenant_id = m.tenant_id and c.id = m.customer_id
    where m.tenant_id = o.tenant_id and m.cascade_id = o.object_id
    order by m.id desc limit 1`,
  phase: 'Charging',
  // A final one may have events of the gateway that nobody has asked about.
  needed: `select w.cascade_id as id, w.customer_id, w.cascade_id as number, max(w.status) as status
    from (
      select p.cascade_id, p.customer_id, p.status from payment p
      where p.tenant_id = $1 and p.status = 'Pending'
      union all
      select p.cascade_id, p.customer_id, p.status from payment p
      where p.tenant_id = $1 and p.status = 'ActionRequired'
      union all
      select p.cascade_id, p.customer_id, p.status from gateway_event e
      join payment p on p.tenant_id = e.tenant_id and p.id = e.payment_id
      where e.tenant_id = $1 and e.asked_at is null) w
    group by w.cascade_id, w.customer_id`,
  isOwned: true,
  isPaced: false,
});

const noteOf = (facts: PaymentFacts | null): string =>
  facts?.noteNumber == null ? '' : ` for credit note ${facts.noteNumber}`;

/** A refund is a negative payment, but it returns a positive amount. */
function sumOf(facts: PaymentFacts | null): string {
  if (!facts) return '';
  const { currency, amount } = facts;
  return ` of ${formatAmount(currency, amount).replace('-', '')} ${currency}`;
}
