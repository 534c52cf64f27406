/** What `npm run bench` measures, by name. */
import { api } from './scenarios/api.ts';
import { auditLog } from './scenarios/audit-log.ts';
import { billing } from './scenarios/billing.ts';
import { callbacks } from './scenarios/callbacks.ts';
import { changes } from './scenarios/changes.ts';
import { commissions } from './scenarios/commissions.ts';
import { floods } from './scenarios/floods.ts';
import { holds } from './scenarios/holds.ts';
import { imports } from './scenarios/imports.ts';
import { ledger } from './scenarios/ledger.ts';
import { orders } from './scenarios/orders.ts';
import { account, pages } from './scenarios/pages.ts';
import { pairs } from './scenarios/pairs.ts';
import { payments } from './scenarios/payments.ts';
import { priceMoves } from './scenarios/price-moves.ts';
import { prices } from './scenarios/prices.ts';
import { rehearsals } from './scenarios/rehearsals.ts';
import { renewals } from './scenarios/renewals.ts';
import { scale } from './scenarios/scale.ts';
import { soak } from './scenarios/soak.ts';
import { taxes } from './scenarios/taxes.ts';
import { usage } from './scenarios/usage.ts';
import type { Scenario } from './harness/scenario.ts';

export const scenarios: Readonly<Record<string, Scenario>> = {
  account,
  api,
  'audit-log': auditLog,
  billing,
  callbacks,
  changes,
  commissions,
  floods,
  holds,
  import: imports,
  ledger,
  orders,
  pages,
  pairs,
  payments,
  'price-moves': priceMoves,
  prices,
  rehearsals,
  renewals,
  scale,
  soak,
  taxes,
  usage,
};
