/**
 * Actions of `npm run tenant` that a person decides: enabling a suspended user, closing a payment's
 * findings.
 */
import { loadConfig } from '../../config.ts';
import { withRunningSystem } from '../../providers/embedded/running-system.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import { holdsCardNumber } from '../../domain/payments/card-masking.ts';
import { writeCommand } from '../../operations/access/audit-log.ts';
import { enableUser, type Enabled } from '../../operations/access/cross-tenant-attempts.ts';
import { closeFindings } from '../../operations/gateway-calls/findings.ts';
import { tenantIdOf } from '../../operations/context/context.ts';
import { open, UsageError } from './database.ts';

type Refusal = (tenant: string, username: string) => string;

const refusals: Readonly<Record<Exclude<Enabled, 'enabled'>, Refusal>> = {
  unknown: (tenant, username) => `Tenant ${tenant} has no user ${username}.`,
  disabled: (tenant, username) =>
    `User ${username} of ${tenant} is disabled, because the tenant file does not name it.`,
  notSuspended: (tenant, username) => `User ${username} of ${tenant} is not suspended.`,
};

/** Returns the text to print. */
export async function user([
  action,
  tenant,
  username,
  ...more
]: readonly string[]): Promise<string> {
  if (action !== 'enable' || !tenant || !username || more.length > 0) {
    throw new UsageError('Usage: npm run tenant -- user enable TENANT USERNAME');
  }
  return inNamedTenant(tenant, async (tx, operator) => {
    const result = await enableUser(tx, username);
    if (result !== 'enabled') throw new UsageError(refusals[result](tenant, username));
    writeCommand(tx, {
      operator,
      command: 'tenant user enable',
      changes: [{ field: `users[${username}].status`, before: 'Suspended', after: 'Active' }],
    });
    return `user ${username} of ${tenant} is enabled\n`;
  });
}

const REASON_LENGTH_MAX = 255;

/** Returns the text to print. */
export async function payment([
  action,
  tenant,
  id = '',
  ...words
]: readonly string[]): Promise<string> {
  const reason = words.join(' ').trim();
  if (action !== 'close' || !tenant || !/^\d{1,15}$/.test(id) || reason === '') {
    throw new UsageError('Usage: npm run tenant -- payment close TENANT PAYMENT REASON');
  }
  if (reason.length > REASON_LENGTH_MAX || holdsCardNumber(reason)) {
    throw new UsageError(
      `REASON must have at most ${REASON_LENGTH_MAX} characters and must not contain a card number.`,
    );
  }
  return inNamedTenant(tenant, async (tx, operator) => {
    const closing = { paymentId: Number(id), reason, now: new Date() };
    if (!(await closeFindings(tx, closing))) {
      throw new UsageError(`Payment ${id} of ${tenant} has no open finding.`);
    }
    const object = { type: 'payment', id: Number(id) };
    writeCommand(tx, { operator, command: 'tenant payment close', object });
    return `the findings of payment ${id} of ${tenant} are closed\n`;
  });
}

async function inNamedTenant<Result>(
  label: string,
  work: (tx: Tx, operator: string) => Promise<Result>,
): Promise<Result> {
  const config = withRunningSystem(loadConfig());
  const db = await open(config, 'sundial_app');
  try {
    const id = await tenantIdOf(db, label);
    if (id === null) throw new UsageError(`There is no tenant ${label}.`);
    return await inTenant(db, id, (tx) => work(tx, config.operator));
  } finally {
    await db.close();
  }
}
