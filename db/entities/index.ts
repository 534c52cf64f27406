/** The tables as MikroORM sees them, for operations that change one aggregate. */
import { Contact, Customer, CustomerTransition, ServicePause } from './customer.ts';
import { OrderLine, SubscriptionOrder } from './order.ts';
import { PaymentPlan } from './payment-plan.ts';

export {
  Contact,
  Customer,
  CustomerTransition,
  OrderLine,
  PaymentPlan,
  ServicePause,
  SubscriptionOrder,
};

export const entities = [
  Customer,
  Contact,
  CustomerTransition,
  SubscriptionOrder,
  OrderLine,
  ServicePause,
  PaymentPlan,
] as const;
