/**
 * Actions of `npm run tenant` that a person decides: suspending and enabling a user, closing a
 * payment's findings. What they decide by: the users of a tenant.
 */
import { loadConfig } from '../../config.ts';
import { withRunningSystem } from '../../providers/embedded/running-system.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import { holdsCardNumber } from '../../domain/payments/card-masking.ts';
import { writeCommand } from '../../operations/access/audit-log.ts';
import {
  type Mended,
  type UserView,
  listUsers,
  suspendByName,
} from '../../operations/access/users.ts';
import { closeFindings } from '../../operations/gateway-calls/findings.ts';
import { readTenantRow } from '../../operations/tenants/tenant-row.ts';
import { open, tenantNamed, UsageError } from './database.ts';

type Refusal = (tenant: string, username: string) => string;

const refusals: Readonly<Record<Exclude<Mended, 'done'>, Refusal>> = {
  unknown: (tenant, username) => `Tenant ${tenant} has no user ${username}.`,
  disabled: (tenant, username) =>
    `User ${username} of ${tenant} is disabled, because the tenant file does not name it.`,
  notSuspended: (tenant, username) => `User ${username} of ${tenant} is not suspended.`,
  suspended: (tenant, username) => `User ${username} of ${tenant} is suspended already.`,
};

const USER_USAGE =
  'Usage: npm run tenant -- user suspend|enable TENANT USERNAME, or user list TENANT';

/** Returns the text to print. */
export async function user([
  action,
  tenant,
  username,
  ...more
]: readonly string[]): Promise<string> {
  if (action === 'list' && tenant && username === undefined) return usersOf(tenant);
  const isSuspended = action === 'suspend';
  if ((!isSuspended && action !== 'enable') || !tenant || !username || more.length > 0) {
    throw new UsageError(USER_USAGE);
  }
  return inNamedTenant(tenant, async (tx, operator) => {
    const result = await suspendByName(tx, username, isSuspended);
    if (result !== 'done') throw new UsageError(refusals[result](tenant, username));
    const [before, after] = isSuspended ? ['Active', 'Suspended'] : ['Suspended', 'Active'];
    writeCommand(tx, {
      operator,
      command: `tenant user ${action}`,
      changes: [{ field: `users[${username}].status`, before, after }],
    });
    return `user ${username} of ${tenant} is ${isSuspended ? 'suspended' : 'enabled'}\n`;
  });
}

const USERS_MAX = 10_000;

function usersOf(tenant: string): Promise<string> {
  return inNamedTenant(tenant, async (tx) => {
    const row = await readTenantRow(tx);
    if (!row) throw new Error('a tenant without its row');
    const users = await listUsers(tx, row, { offset: 0, max: USERS_MAX });
    return users.map(userLine).join('');
  });
}

/** `api@demo: Active, rights read, expires 2027-03-31`. */
function userLine(view: UserView): string {
  const { username, status, rights, expiresOn, oldPasswordUntil, oldPasswordUsedAt } = view;
  const used =
    oldPasswordUsedAt === null ? 'never used' : `used ${oldPasswordUsedAt.toISOString()}`;
  const parts = [
    status,
    rights === null ? 'all calls but those of admins' : `rights ${rights.join(', ')}`,
    ...(expiresOn === null ? [] : [`expires ${expiresOn}`]),
    ...(oldPasswordUntil === null ? [] : [`old password until ${oldPasswordUntil}, ${used}`]),
  ];
  return `${username}: ${parts.join(', ')}\n`;
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
    if (!(await closeFindings({ tx, tenant: { label: tenant } }, closing))) {
      throw new UsageError(`Payment ${id} of ${tenant} has no open finding.`);
    }
    const object = { type: 'payment', id: Number(id) } as const;
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
    const id = await tenantNamed(db, label);
    return await inTenant(db, id, (tx) => work(tx, config.operator));
  } finally {
    await db.close();
  }
}
