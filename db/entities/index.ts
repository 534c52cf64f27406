/** The tables as MikroORM sees them, for operations that change one aggregate. */
import { Contact, Customer } from './customer.ts';
import { OrderLine, SubscriptionOrder } from './order.ts';
import { ProductOffering, Plan, PlanCharge, PricingTier } from './plan.ts';
import { BaseUser, Tenant, TestClock } from './tenant.ts';

export {
  Contact,
  Customer,
  OrderLine,
  Plan,
  PlanCharge,
  PricingTier,
  ProductOffering,
  SubscriptionOrder,
  BaseUser,
  Tenant,
  TestClock,
};

export const entities = [
  Tenant,
  TestClock,
  BaseUser,
  ProductOffering,
  Plan,
  PlanCharge,
  PricingTier,
  Customer,
  Contact,
  SubscriptionOrder,
  OrderLine,
] as const;
