/** The sandbox's page on which a payer confirms or refuses what waits for him. */
import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../../../db/connection/database.ts';
import { type Tx, inTenant } from '../../../db/connection/tenancy.ts';
import { type ChallengeAnswer, SandboxChallenge } from '../../../db/entities/gateways.ts';
import { challengeContext } from '../../../db/entities/sealed.ts';
import { insertingOne } from '../../../db/queries/context/insertion.ts';
import type { Decimal } from '../../../domain/money/money.ts';
import type { Vault } from '../../vault.ts';
import type { Challenge } from '../gateway.ts';
import { methodOf } from './methods.ts';
import { endAsked, lockAsked, type Entry } from './rows.ts';
import type { Script } from './script.ts';

const TOKEN_BYTES = 32;

/** In real time; longer than anything waits for its payer. A confirmation makes another one. */
const KEPT_DAYS = 30;
/** With each making of a challenge. */
const PRUNED_MAX = 10;

const insertChallenge = insertingOne('sandbox-challenge', {
  into: SandboxChallenge,
  columns: ['tokenHash', 'sealed', 'transactionId', 'idempotencyKey', 'savesMethod'],
  ending: 'on conflict (tenant_id, idempotency_key) do nothing',
});

export interface NewChallenge {
  readonly entry: Entry;
  /** Of the call that makes it: a repeated call makes no other one. */
  readonly key: string;
  readonly returnUrl: string;
  readonly savesMethod: boolean;
}

/** Either leads to a page, and is its secret. */
interface Secrets {
  readonly token: string;
  readonly returnUrl: string;
}

function secretsOf(tx: Tx, vault: Vault, { sealed, transactionId }: Sealed): Secrets {
  return JSON.parse(vault.open(sealed, contextOf(tx, transactionId)));
}

interface Sealed {
  readonly sealed: string;
  readonly transactionId: number | string;
}

/** Makes the address of a page at which the payer answers. */
export async function makeChallenge(tx: Tx, vault: Vault, made: NewChallenge): Promise<void> {
  const { entry, key: idempotencyKey, returnUrl, savesMethod } = made;
  prune(tx);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const secrets: Secrets = { token, returnUrl };
  const sealed = vault.seal(JSON.stringify(secrets), contextOf(tx, entry.id));
  const tokenHash = hashOf(token);
  const transactionId = entry.id;
  insertChallenge(tx, { tokenHash, sealed, transactionId, idempotencyKey, savesMethod });
}

/** Deletes the oldest of those that are over; rows that others delete are passed over. */
function prune(tx: Tx): void {
  tx.send(
    `delete from sandbox_challenge where tenant_id = $1 and token_hash = any(array(
       select token_hash from sandbox_challenge
       where tenant_id = $1 and made_at < now() - make_interval(days => ${KEPT_DAYS})
       order by made_at limit ${PRUNED_MAX} for update skip locked))`,
    [tx.tenantId],
    'prune-sandbox-challenges',
  );
}

/** Where the payer answers; null if nothing waits for an answer. */
export async function challengeOf(
  tx: Tx,
  vault: Vault,
  transactionId: string,
): Promise<Challenge | null> {
  const [row] = await tx.query<{ sealed: string }>(
    `select c.sealed from sandbox_challenge c
     join sandbox_transaction t on t.tenant_id = c.tenant_id and t.id = c.transaction_id
     where c.tenant_id = $1 and c.transaction_id = $2 and t.status = 'Asks'
     order by c.made_at desc, c.token_hash limit 1`,
    [tx.tenantId, transactionId],
    'sandbox-challenge-of',
  );
  if (!row) return null;
  const { token, returnUrl } = secretsOf(tx, vault, { ...row, transactionId });
  return { kind: 'page', url: new URL(`/sandbox/${token}`, returnUrl).href };
}

const contextOf = ({ tenantId }: Tx, transactionId: number | string): string =>
  challengeContext({ tenantId, transactionId });

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** What the page shows. */
export interface ShownChallenge {
  /** Zero if a method is put on file, and nothing is paid. */
  readonly amount: Decimal;
  readonly currency: string;
  /** It was answered, or ended before. */
  readonly isOver: boolean;
  readonly returnUrl: string;
}

export interface SandboxChallenges {
  /** Undefined for a token that the sandbox has not made. */
  readonly read: (tenantId: number, token: string) => Promise<ShownChallenge | undefined>;
  /** Answers once, and says where it leads back to; a second answer changes nothing. */
  readonly answer: (
    tenantId: number,
    token: string,
    answer: ChallengeAnswer,
  ) => Promise<ShownChallenge | undefined>;
}

interface ChallengeRow extends Sealed {
  readonly transactionId: number;
  readonly savesMethod: boolean;
  readonly answer: ChallengeAnswer | null;
}

export function sandboxChallenges(db: Database, vault: Vault): SandboxChallenges {
  return {
    read: (tenantId, token) =>
      inTenant(db, tenantId, async (tx) => {
        const found = await lockedBy(tx, vault, token);
        return found && shownOf(found);
      }),
    answer: (tenantId, token, answer) =>
      inTenant(db, tenantId, async (tx) => {
        const found = await lockedBy(tx, vault, token);
        if (!found || found.entry.status !== 'Asks') return found && shownOf(found);
        const { entry, challenge } = found;
        const { script } = await methodOf(tx, vault, entry.token ?? '');
        const ended = endingOf(entry, script, answer);
        await endAsked(tx, entry, { ...entry, ...ended });
        tx.send(
          'update sandbox_challenge set answer = $3 where tenant_id = $1 and token_hash = $2',
          [tenantId, hashOf(token), answer],
        );
        if (ended.status === 'Approved' && challenge.savesMethod) {
          tx.send(
            `update sandbox_method set authenticated_at = coalesce(authenticated_at, now())
             where tenant_id = $1 and token = $2`,
            [tenantId, entry.token],
          );
        }
        return { ...shownOf(found), isOver: true };
      }),
  };
}

interface FoundChallenge {
  readonly challenge: ChallengeRow;
  readonly entry: Entry;
  readonly returnUrl: string;
}

async function lockedBy(tx: Tx, vault: Vault, token: string): Promise<FoundChallenge | undefined> {
  const [challenge] = await tx.query<ChallengeRow & Record<string, unknown>>(
    `select transaction_id, saves_method, sealed, answer from sandbox_challenge
     where tenant_id = $1 and token_hash = $2`,
    [tx.tenantId, hashOf(token)],
    'sandbox-challenge-by-token',
  );
  const entry = challenge && (await lockAsked(tx, String(challenge.transactionId)));
  if (!challenge || !entry) return undefined;
  const { returnUrl } = secretsOf(tx, vault, challenge);
  return { challenge, entry, returnUrl };
}

function shownOf({ entry, returnUrl }: FoundChallenge): ShownChallenge {
  const { amount, currency, status } = entry;
  return { amount, currency, isOver: status !== 'Asks', returnUrl };
}

function endingOf(
  { operation }: Entry,
  script: Script,
  answer: ChallengeAnswer,
): Pick<Entry, 'status' | 'errorCode'> {
  if (answer === 'refuse') return { status: 'Declined', errorCode: 'authentication_failed' };
  const errorCode = operation === 'validate' ? script.validate : script.charge;
  return { status: errorCode === null ? 'Approved' : 'Declined', errorCode };
}
