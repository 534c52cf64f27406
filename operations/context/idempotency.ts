/** Answers kept under the caller's key, in the transaction of the request that they answer. */
import { DomainError } from '../../domain/errors.ts';
import type { Tx } from '../../db/connection/tenancy.ts';

const KEPT_HOURS = 24;
/** Of the tenant's expired answers; each new one takes some along, so none stays for long. */
const EXPIRED_REMOVED_MAX = 10;

/** The caller's key, and what it was sent with. */
export interface KeyedRequest {
  readonly key: string;
  /** Of method, path with query, and body; with a secret, since a body may hold a card. */
  readonly hash: Buffer;
}

export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The payment that it speaks of, which is shown as it stands when it is answered again. */
  readonly paymentId: number | null;
}

/**
 * Takes the key until the transaction ends, first of all, and answers what is kept under it. Throws
 * idempotency.inUse while another request has it, idempotency.otherRequest if it was used before.
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
  // A statement of its own: it sees what the last holder of the lock committed.
  return keptAnswer(tx, request);
}

/**
 * What is kept under the key now, without taking it: for what is done outside before the write.
 * Throws idempotency.otherRequest.
 */
export async function keptAnswer(
  tx: Pick<Tx, 'tenantId' | 'query'>,
  request: KeyedRequest,
): Promise<KeptAnswer | undefined> {
  const [kept] = await tx.query<KeptAnswer & { isSame: boolean }>(
    `select status, headers, body, payment_id as "paymentId", request_hash = $3 as "isSame"
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
  return kept;
}

/** Keeps the answer; the transaction has taken the key. */
export function keepAnswer(
  tx: Tx,
  { key, hash }: KeyedRequest,
  { status, headers, body, paymentId }: KeptAnswer,
): void {
  tx.send(
    `with expired as (
       delete from idempotency_key where tenant_id = $1 and key in (
         select key from idempotency_key
         where tenant_id = $1 and key <> $2 and kept_at < now() - make_interval(hours => $7)
         order by kept_at limit $8 for update skip locked))
     insert into idempotency_key as k
       (tenant_id, key, request_hash, status, headers, body, payment_id)
     values ($1, $2, $3, $4, $5, $6, $9)
     on conflict (tenant_id, key) do update set request_hash = excluded.request_hash,
       status = excluded.status, headers = excluded.headers, body = excluded.body,
       payment_id = excluded.payment_id, kept_at = excluded.kept_at`,
    [
      tx.tenantId,
      key,
      hash,
      status,
      JSON.stringify(headers),
      body,
      KEPT_HOURS,
      EXPIRED_REMOVED_MAX,
      paymentId,
    ],
    'keep-answer',
  );
}
