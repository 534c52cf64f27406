/** Creates tenants for tests as operators do: with a tenant file. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { cheapCost } from '../../operations/access/passwords.ts';
import { applyTenantFile } from '../../operations/tenants/apply.ts';
import { type Dependencies, tenantIdOf } from '../../operations/context/context.ts';
import { createVault } from '../../providers/vault.ts';
import { checkTemplates } from '../../providers/mail/check-templates.ts';
import { suffix } from './temporal.ts';

/** A plan as the tenant file writes it. */
export interface PlanFile {
  readonly contractCode: string;
  readonly name: string;
  readonly billingPeriod: string;
  readonly charges: readonly Readonly<Record<string, unknown>>[];
  readonly [key: string]: unknown;
}

export interface TenantOptions {
  /** Random by default. */
  readonly label?: string;
  readonly timezone?: string;
  readonly currency?: string;
  /** In real time (that of `services.realNow`) by default. */
  readonly testClock?: string;
  readonly plans?: readonly PlanFile[];
  /** Further keys of the file. */
  readonly file?: Readonly<Record<string, unknown>>;
  /** The environment of the process that applies the file. */
  readonly secretOf?: (name: string) => string | undefined;
}

export interface TestTenant {
  readonly id: number;
  readonly label: string;
}

/**
 * The secret key of all servers that tests start, so that each can decrypt what another encrypted.
 */
export const SECRET_KEY = 'a secret key of the tests, and of nothing else';

/** Of the operator's page of all tenants. */
export const OPERATOR_PASSWORD = 'the password of the operators';

/** The password of the tenant's API user, api@test. */
export const PASSWORD = 'test-secret';

interface DemoFile {
  readonly plans: readonly PlanFile[];
  readonly commissionPlans: readonly unknown[];
  readonly salesAgents: readonly unknown[];
}

const demo: DemoFile = parse(
  readFileSync(join(import.meta.dirname, '../../tenants/demo.yaml'), 'utf8'),
);

/** The sales agents of tenants/demo.yaml, for a tenant that has its plans. */
export const demoAgents = { commissionPlans: demo.commissionPlans, salesAgents: demo.salesAgents };

/** A plan of tenants/demo.yaml: GOLD, METERED, SEATS or ANNUAL. */
export function demoPlan(contractCode: string): PlanFile {
  const plan = demo.plans.find((candidate) => candidate.contractCode === contractCode);
  if (!plan) throw new Error(`tenants/demo.yaml has no plan ${contractCode}`);
  const { productOffering: _sku, ...rest } = plan;
  return rest;
}

export async function makeTenant(
  dependencies: Dependencies,
  options: TenantOptions = {},
): Promise<TestTenant> {
  const label = options.label ?? `t${suffix()}`;
  // JSON is YAML, too, and is read faster.
  const text = JSON.stringify({
    tenant: label,
    name: 'Test tenant',
    timezone: options.timezone ?? 'America/New_York',
    currency: options.currency ?? 'USD',
    ...(options.testClock === undefined ? {} : { testClock: options.testClock }),
    users: [{ username: 'api@test', password: PASSWORD, roles: ['ROLE_API'] }],
    plans: options.plans ?? demo.plans.map((plan) => demoPlan(plan.contractCode)),
    // No status follows from age, unless a test is about that: few tests pay their invoices.
    dunning: { thresholds: [] },
    ...options.file,
  });
  const applied = await applyTenantFile(dependencies, {
    text,
    vault: createVault(SECRET_KEY),
    secretOf: options.secretOf ?? (() => undefined),
    checkTemplates,
    isStrict: false,
    isDryRun: false,
    hashCost: cheapCost,
    // Receivers of tests listen on this machine.
    allowPrivateCallbacks: true,
  });
  if (!applied.isValid) throw new Error(JSON.stringify(applied.mistakes));
  return { id: (await tenantIdOf(dependencies.db, label)) ?? 0, label };
}
