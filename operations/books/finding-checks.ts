/** Gateway records that do not match the books, until a person closes them. */
import type { Check } from './check.ts';

const openOf = (kind: string): string => `
  select lower(p.payment_type) || ' ' || p.id as object, f.detail
  from gateway_finding f join payment p on p.tenant_id = $1 and p.id = f.payment_id
  where f.tenant_id = $1 and f.kind = '${kind}' and f.closed_at is null order by f.id`;

export const findingChecks: readonly Check[] = [
  {
    name: 'gateway.difference',
    rule: 'What a gateway has under a key is what it was asked for; else the payment is held.',
    sql: openOf('difference'),
  },
  {
    name: 'gateway.lateApproval',
    rule: 'No gateway approves what was declined here.',
    sql: openOf('lateApproval'),
  },
  {
    name: 'gateway.lateDecline',
    rule: 'No gateway fails to give back what is given back here.',
    sql: openOf('lateDecline'),
  },
  {
    name: 'gateway.withdrawnExcess',
    rule: 'No gateway withdraws more of a payment than came and did not go back.',
    sql: openOf('withdrawnExcess'),
  },
];
