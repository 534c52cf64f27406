/** What the operator's page shows of a tenant, beside its figures: lists that end, in one transaction. */
import { inTenant } from '../../db/connection/tenancy.ts';
import {
  endpointsOf,
  gatewayAnswers,
  heldFromBilling,
  lastRuns,
  openDunnings,
  openFindings,
  openJobs,
  openPayments,
} from '../../db/queries/operator/lists.ts';
import type { Dependencies } from '../context/context.ts';

export { ANSWERS_MAX, LISTED_MAX } from '../../db/queries/operator/lists.ts';
export { readSupervision, type Supervision } from '../../db/queries/processes/supervision.ts';

export type TenantOverview = Awaited<ReturnType<typeof overviewOf>>;

export function overviewOf({ db }: Pick<Dependencies, 'db'>, tenantId: number) {
  return inTenant(
    db,
    tenantId,
    async (tx) => {
      const [runs, held, payments, findings, dunnings, endpoints, jobs, answers] =
        await Promise.all([
          lastRuns(tx),
          heldFromBilling(tx),
          openPayments(tx),
          openFindings(tx),
          openDunnings(tx),
          endpointsOf(tx),
          openJobs(tx),
          gatewayAnswers(tx),
        ]);
      return { runs, held, payments, findings, dunnings, endpoints, jobs, answers };
    },
    { readOnly: true },
  );
}
