/**
 * Open gateway findings: gateway records that do not match the books and that no person has closed.
 */
import type { Check } from './check.ts';

const openOf = (kind: string): string => `
  select lower(p.payment_type) || ' ' || p.id as object, f.detail
  from gateway_finding f join payment p on p.tenant_id = $1 and p.id = f.payment_id
  where f.tenant_id = $1 and f.kind = '${kind}' and f.closed_at is null order by f.id`;

export const findingChecks: readonly Check[] = [
  {
    name: 'gateway.difference',
    rule: "A gateway's record under a key matches the call that was sent with that key.",
    sql: openOf('difference'),
  },
  {
    name: 'gateway.lateApproval',
    rule: 'No gateway approved a call that is declined in the books.',
    sql: openOf('lateApproval'),
  },
  {
    name: 'gateway.lateDecline',
    rule: 'No gateway declined a refund or void that is paid in the books.',
    sql: openOf('lateDecline'),
  },
  {
    name: 'gateway.withdrawnExcess',
    rule: 'No gateway withdrew more of a payment than was paid and not refunded.',
    sql: openOf('withdrawnExcess'),
  },
];
