/** Tenants, the users that call for them, and their test clocks. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import { stamped, tenanted } from './columns.ts';

const TenantSchema = defineEntity({
  name: 'Tenant',
  tableName: 'tenant',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    label: p.string(),
    name: p.text(),
    timezone: p.text(),
    currency: p.text(),
    paymentTermsValue: p.integer(),
    paymentTermsUnits: p.text().$type<'Days' | 'Months'>(),
    hasTestClock: p.boolean(),
    file: p.json().$type<unknown>(),
    ...stamped,
  },
});
export class Tenant extends TenantSchema.class {}
TenantSchema.setClass(Tenant);

const TestClockSchema = defineEntity({
  name: 'TestClock',
  tableName: 'test_clock',
  properties: {
    tenantId: p.bigint('number').primary(),
    now: p.datetime(),
    target: p.date().nullable(),
    status: p.text().$type<'Ready' | 'Advancing'>(),
  },
});
export class TestClock extends TestClockSchema.class {}
TestClockSchema.setClass(TestClock);

const BaseUserSchema = defineEntity({
  name: 'BaseUser',
  tableName: 'base_user',
  properties: {
    ...tenanted,
    username: p.text(),
    passwordHash: p.text(),
    roles: p.array(),
    firstName: p.text().nullable(),
    lastName: p.text().nullable(),
    disabledAt: p.datetime().nullable(),
    suspendedAt: p.datetime().nullable(),
  },
});
export class BaseUser extends BaseUserSchema.class {}
BaseUserSchema.setClass(BaseUser);
