/** Examples: the audit log. */
import type { Step } from '../../docs/examples/example-step.ts';

export const auditLogSteps: readonly Step[] = [
  {
    name: 'audit-log',
    summary: 'What was done to a customer: begin with after=0, and continue with the last sequence',
    method: 'GET',
    route: '/auditLog',
    // An entry gets its number within ten seconds of its commit.
    prepares: `until curl -sS -u "$ADMIN" "$BASE/auditLog?max=1" | grep -q '<auditEntry>'; do sleep 0.5; done`,
    path: '/auditLog?objectType=customer&objectId={customer}&max=1',
    isOfAdmin: true,
  },
];
