/** What MikroORM writes: the tables of aggregates that a person edits. */
import { Customer, CustomerTransition, ServicePause } from './customers.ts';
import { OrderLine, SubscriptionOrder } from './orders.ts';
import { PaymentPlan } from './collection.ts';

export const aggregates = [
  Customer,
  CustomerTransition,
  SubscriptionOrder,
  OrderLine,
  ServicePause,
  PaymentPlan,
] as const;
