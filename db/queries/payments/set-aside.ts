/** What of a payment refunds that are under way have reserved. */

/** The part of a payment's unapplied money that a pending refund has reserved. */
export const setAsideOf = (p: string): string =>
  `case when ${p}.refunded > 0 then least(${p}.balance, (
     select coalesce(sum(s.amount), 0) from refund_share s
     join payment r on r.tenant_id = s.tenant_id and r.id = s.refund_id
     where s.tenant_id = ${p}.tenant_id and s.payment_id = ${p}.id and r.status = 'Pending'
       and s.status <> 'Declined')) else 0 end`;
