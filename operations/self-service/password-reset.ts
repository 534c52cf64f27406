/** Resets the password of a contact: who gets a link, and what the link does. */
import {
  RESETS_PER_HOUR_MAX,
  resetsCountedSince,
  resetsGoneBefore,
} from '../../domain/self-service/reset.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import {
  addReset,
  countResets,
  pruneResets,
  readReset,
  takeReset,
} from '../../db/queries/hosted-pages/password-resets.ts';
import { noteNetwork } from '../../db/queries/access/login-guesses.ts';
import { queueMail } from '../../db/queries/mail/queue.ts';
import type { OperationContext } from '../context/context.ts';
import { lockCustomers } from '../context/locks.ts';
import { mailNudge } from '../context/nudge.ts';
import { canMail } from '../customers/contact-changed.ts';
import { updateContact } from '../customers/contact-write.ts';
import { enqueue } from '../outbox/enqueue.ts';

/** People of one company may share an address; further ones are asked for by their user names. */
const MATCHES_MAX = 5;

/** Without a sender the tenant has no mails, and nobody can reset a password. */
export function hasResets(tx: Tx): Promise<boolean> {
  return canMail(tx);
}

interface Match {
  readonly contactId: number;
  readonly customerId: number;
}

/**
 * Queues a mail for each contact that logs in by the name, and each billing contact with the
 * address; for nobody, nothing. Whoever asks learns neither.
 */
export async function requestResets(
  context: OperationContext,
  typed: string,
  by: 'name or address' | 'name' = 'name or address',
): Promise<void> {
  const { tx, realNow: at } = context;
  pruneResets(tx, resetsGoneBefore(at));
  if (typed.includes('\u0000')) return;
  const matches = await findMatches(tx, { name: typed, address: by === 'name' ? '' : typed });
  const customers = await lockCustomers(tx, [
    ...new Set(matches.map(({ customerId }) => customerId)),
  ]);
  let queued = 0;
  for (const { id: customerId } of customers) {
    let left =
      RESETS_PER_HOUR_MAX - (await countResets(tx, { customerId, since: resetsCountedSince(at) }));
    for (const { contactId } of matches.filter((each) => each.customerId === customerId)) {
      if (left <= 0) break;
      left -= 1;
      queued += 1;
      const objectId = await addReset(tx, { customerId, contactId, at });
      queueMail(tx, { kind: 'passwordReset', customerId, objectId });
    }
  }
  if (queued > 0) enqueue(context, [mailNudge]);
}

function findMatches(
  tx: Tx,
  { name, address }: { readonly name: string; readonly address: string },
): Promise<Match[]> {
  // Each part has its own index.
  return tx.query<Match & Record<string, unknown>>(
    `select distinct customer_id, contact_id from (
       select customer_id, id as contact_id, login, email_primary
       from contact where tenant_id = $1 and login = $2
       union all
       select customer_id, id, login, email_primary
       from contact where tenant_id = $1 and email_key = lower($3)) k
     where login is not null and email_primary is not null
     order by customer_id, contact_id limit ${MATCHES_MAX}`,
    [tx.tenantId, name, address],
    'matches-of-reset',
  );
}

export interface OpenReset {
  readonly username: string;
}

/** Undefined: there is no such link; null: it is over. */
export async function findReset(
  tx: Tx,
  { tokenHash, now }: { readonly tokenHash: Buffer; readonly now: Date },
): Promise<OpenReset | null | undefined> {
  const reset = await readReset(tx, tokenHash);
  if (reset === undefined) return undefined;
  const { username, usedAt, expiresAt } = reset;
  return usedAt === null && now < expiresAt && username !== null ? { username } : null;
}

/** The link was used meanwhile, or its time is over. */
export class ResetOver extends Error {}

export interface NewPassword {
  readonly tokenHash: Buffer;
  readonly passwordHash: string;
  /** Whoever has the link logs in from there without another one. */
  readonly network: Buffer;
}

/** Sets the password, which ends all sessions of the customer. Throws ResetOver. */
export async function resetPassword(
  context: OperationContext,
  { tokenHash, passwordHash, network }: NewPassword,
): Promise<void> {
  const { tx, realNow: at } = context;
  const reset = await readReset(tx, tokenHash);
  if (reset === undefined) throw new ResetOver();
  const { customerId, contactId, contactKind } = reset;
  await lockCustomers(tx, [customerId]);
  if (!(await takeReset(tx, { tokenHash, at }))) throw new ResetOver();
  await updateContact(context, { id: customerId }, contactKind, { passwordHash });
  noteNetwork(tx, { contactId, network, at });
}
