/** All routes of the interface. */
import type { Route } from '../route.ts';
import { autopayRoutes } from './autopay.ts';
import { contactRoutes } from './contacts.ts';
import { customerRoutes } from './customers.ts';
import { invoiceRoutes } from './invoices.ts';
import { orderRoutes } from './orders.ts';
import { paymentWriteRoutes } from './payment-writes.ts';
import { paymentRoutes } from './payments.ts';
import { planRoutes } from './plans.ts';
import type { ApiServices } from './services.ts';
import { testClockRoutes } from './test-clock.ts';

export function allRoutes(services: ApiServices): Route[] {
  return [
    ...customerRoutes(services),
    ...contactRoutes(services),
    ...autopayRoutes(services),
    ...planRoutes(services),
    ...orderRoutes(services),
    ...invoiceRoutes(services),
    ...paymentRoutes(services),
    ...paymentWriteRoutes(services),
    ...testClockRoutes(services),
  ];
}
