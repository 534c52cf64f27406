/** All routes of the interface. */
import type { Route } from '../calls/route-types.ts';
import { auditLogRoutes } from './access/audit-log.ts';
import { commissionRoutes } from './commissions/routes.ts';
import { batchRoutes } from './imports/routes.ts';
import { fileRoutes } from './imports/files.ts';
import { autopayRoutes } from './payment-methods/autopay.ts';
import { contactRoutes } from './customers/contacts.ts';
import { customerRoutes } from './customers/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { gatewayEventRoutes } from './gateway-calls/gateway-events.ts';
import { reportRoutes } from './ledger/reports.ts';
import { ledgerRoutes } from './ledger/routes.ts';
import { logoRoutes } from './logo.ts';
import { invoiceRoutes } from './invoices/routes.ts';
import { metadataRoutes } from './metadata/routes.ts';
import { customerAndOrderRoutes } from './orders/with-customer.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { orderRoutes, timelineRoutes } from './orders/routes.ts';
import { changeRoutes } from './orders/changes.ts';
import { quoteRoutes } from './orders/quotes.ts';
import { paymentPlanRoutes } from './payment-plans/routes.ts';
import { paymentWriteRoutes } from './payments/writes.ts';
import { payerActionRoutes } from './payer-action/routes.ts';
import { sandboxPageRoutes } from './payer-action/sandbox.ts';
import { paymentRoutes } from './payments/routes.ts';
import { planRoutes } from './plans/routes.ts';
import { signupRoutes } from './signups/routes.ts';
import { selfServiceRoutes } from './self-service/routes.ts';
import { payLinkPageRoutes } from './pay-links/routes.ts';
import { selfServicePageRoutes } from './self-service/page/routes.ts';
import type { RouteDependencies } from '../calls/services.ts';
import { signupPageRoutes } from './signups/page/routes.ts';
import { usageRoutes } from './usage/routes.ts';
import { userRoutes } from './access/users.ts';
import { testClockRoutes } from './clock/test-clock.ts';

export function allRoutes(dependencies: RouteDependencies): Route[] {
  return [
    ...customerRoutes(dependencies),
    ...customerAndOrderRoutes(dependencies),
    ...contactRoutes(dependencies),
    ...autopayRoutes(dependencies),
    ...planRoutes(dependencies),
    ...orderRoutes(dependencies),
    ...changeRoutes(dependencies),
    ...quoteRoutes(dependencies),
    ...timelineRoutes(dependencies),
    ...invoiceRoutes(dependencies),
    ...paymentRoutes(dependencies),
    ...paymentWriteRoutes(dependencies),
    ...metadataRoutes(dependencies),
    ...eventRoutes(dependencies),
    ...auditLogRoutes(dependencies),
    ...ledgerRoutes(dependencies),
    ...reportRoutes(dependencies),
    ...notificationRoutes(dependencies),
    ...paymentPlanRoutes(dependencies),
    ...usageRoutes(dependencies),
    ...userRoutes(dependencies),
    ...testClockRoutes(dependencies),
    ...commissionRoutes(dependencies),
    ...batchRoutes(dependencies),
    ...signupRoutes(dependencies),
    ...selfServiceRoutes(dependencies),
    ...gatewayEventRoutes(dependencies),
    ...fileRoutes(dependencies),
    ...logoRoutes(dependencies),
    ...signupPageRoutes(dependencies),
    ...selfServicePageRoutes(dependencies),
    ...payLinkPageRoutes(dependencies),
    ...payerActionRoutes(dependencies),
    ...sandboxPageRoutes(dependencies),
  ];
}
