/**
 * Actions of `npm run tenant` that a person decides: enabling a suspended user, closing a payment's
 * findings.
 */
import { loadConfig } from '../../config.ts';
import { withRunningSystem } from '../../providers/embedded/running-system.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import { holdsCardNumber } from '../../domain/payments/card-masking.ts';
import { enableUser, type Enabled } from '../../operations/access/cross-tenant-attempts.ts';
import { closeFindings } from '../../operations/payments/findings.ts';
import { tenantIdOf } from '../../operations/context/context.ts';
import { open, UsageError } from './database.ts';

const refusals: Readonly<Record<Exclude<Enabled, 'enabled'>, string>> = {
  unknown: 'has no user',
  disabled: 'has disabled, as the tenant file does not name it, user',
  notSuspended: 'has not suspended user',
};

/** Returns the text to print. */
export async function user([
  action,
  tenant,
  username,
  ...more
]: readonly string[]): Promise<string> {
  if (action !== 'enable' || !tenant || !username || more.length > 0) {
    throw new UsageError('user takes: enable TENANT USERNAME.');
  }
  return inNamedTenant(tenant, async (tx) => {
    const result = await enableUser(tx, username);
    if (result !== 'enabled') throw new UsageError(`${tenant} ${refusals[result]} ${username}.`);
    return `${username} may use ${tenant} again\n`;
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
    throw new UsageError('payment takes: close TENANT PAYMENT REASON.');
  }
  if (reason.length > REASON_LENGTH_MAX || holdsCardNumber(reason)) {
    throw new UsageError(
      `REASON has at most ${REASON_LENGTH_MAX} characters, and no number of a card.`,
    );
  }
  return inNamedTenant(tenant, async (tx) => {
    const closing = { paymentId: Number(id), reason, now: new Date() };
    if (await closeFindings(tx, closing)) return `payment ${id} of ${tenant} is seen to\n`;
    throw new UsageError(`Nothing of payment ${id} of ${tenant} is to be closed.`);
  });
}

async function inNamedTenant<Result>(
  label: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const db = await open(withRunningSystem(loadConfig()), 'sundial_app');
  try {
    const id = await tenantIdOf(db, label);
    if (id === null) throw new UsageError(`There is no tenant ${label}.`);
    return await inTenant(db, id, work);
  } finally {
    await db.close();
  }
}
