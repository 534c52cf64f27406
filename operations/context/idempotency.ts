/** Stores answers under the caller's key, in the transaction of their request. */
import { DomainError } from '../../domain/errors.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { IdempotencyKey } from '../../db/entities/access.ts';
import type { RowOf } from '../../db/entities/rows.ts';
import { answerContext } from '../../db/entities/sealed.ts';
import { oneRow } from '../../db/queries/context/insertion.ts';

/** Retention deletes what nobody asks for any more. */
export const KEPT_DAYS = 1;
const KEPT_HOURS = KEPT_DAYS * 24;
/** Each new answer deletes this many expired ones of the tenant, so that retention has few left. */
const EXPIRED_REMOVED_MAX = 10;

/** What the answer under a key is sealed for, where it holds a secret. */
export const sealedAnswerContext = (tenantId: number, key: string): string =>
  answerContext({ tenantId, key });

/** The caller's key, and a hash of its request. */
export interface KeyedRequest {
  readonly key: string;
  /** An HMAC of method, path with query, and body, since a body may contain a card number. */
  readonly hash: Buffer;
}

export interface KeptAnswer extends RowOf<typeof IdempotencyKey, 'status' | 'headers' | 'body'> {
  /** The payment or job in the answer; a replay shows its current state. */
  readonly continuingId: number | null;
}

/**
 * Locks the key until the transaction ends, before anything else, and returns its stored answer.
 * Throws idempotency.inUse while another request has it, idempotency.otherRequest if it was used
 * before.
 */
export async function takeKey(tx: Tx, request: KeyedRequest): Promise<KeptAnswer | undefined> {
  const [lock] = await tx.query<{ had: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as had',
    [`${tx.tenantId} ${request.key}`],
    'take-key',
  );
  if (lock?.had !== true) {
    throw new DomainError(
      'idempotency.inUse',
      'the first request under this Idempotency-Key is still running',
    );
  }
  // A separate statement sees what the previous owner of the lock committed.
  return keptAnswer(tx, request);
}

/**
 * The stored answer of the key, without locking it, for routes that call other systems first.
 * Throws idempotency.otherRequest.
 */
export async function keptAnswer(
  tx: Pick<Tx, 'tenantId' | 'query'>,
  request: KeyedRequest,
): Promise<KeptAnswer | undefined> {
  const [kept] = await tx.query<KeptAnswer & { isSame: boolean; isEmptied: boolean }>(
    `select status, headers, body, payment_id as continuing_id, request_hash = $3 as is_same,
       customer_ids is not null and body = '' as is_emptied
     from idempotency_key
     where tenant_id = $1 and key = $2 and kept_at > now() - make_interval(hours => $4)`,
    [tx.tenantId, request.key, request.hash, KEPT_HOURS],
    'kept-answer',
  );
  if (kept?.isSame === false) {
    throw new DomainError(
      'idempotency.otherRequest',
      `this Idempotency-Key was used with another request within ${KEPT_HOURS} hours`,
    );
  }
  if (kept?.isEmptied === true) {
    throw new DomainError('customer.erased', 'the customer in the answer is erased, and so is it');
  }
  return kept;
}

const keptRow = oneRow({
  into: IdempotencyKey,
  columns: ['key', 'requestHash', 'status', 'headers', 'body', 'paymentId', 'customerIds'],
  ending: `on conflict (tenant_id, key) do update set request_hash = excluded.request_hash,
    status = excluded.status, headers = excluded.headers, body = excluded.body,
    payment_id = excluded.payment_id, kept_at = excluded.kept_at,
    customer_ids = excluded.customer_ids`,
});

const keepText = `with expired as (
    delete from idempotency_key where tenant_id = $1 and key in (
      select key from idempotency_key
      where tenant_id = $1 and key <> $2
        and kept_at < now() - make_interval(hours => ${KEPT_HOURS})
      order by kept_at limit ${EXPIRED_REMOVED_MAX} for update skip locked))
  ${keptRow.text}`;

/** Stores the answer; the transaction must have locked the key. */
export function keepAnswer(
  tx: Tx,
  { key, hash }: KeyedRequest,
  { status, headers, body, continuingId }: KeptAnswer,
): void {
  const { customers } = tx.audited;
  const row = {
    key,
    requestHash: hash,
    status,
    headers,
    body,
    paymentId: continuingId,
    customerIds: customers.size === 0 ? null : [...customers],
  };
  tx.send(keepText, keptRow.values(tx.tenantId, row), 'keep-answer');
}
