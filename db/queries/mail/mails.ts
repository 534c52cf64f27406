/** The rows of mails: queued by events, claimed by a pass, and their outcome. */
import type { MailState } from '../../../domain/mail/kinds.ts';
import type { Tx } from '../../connection/tenancy.ts';
import type { Mail } from '../../entities/events.ts';
import type { RowOf } from '../../entities/rows.ts';
import { tenantNow } from '../context/tenant-now.ts';

/** Longer than a mail takes, waits included: one that is being sent then has lost its process. */
export const SENDING_SECONDS_MAX = 180;
/** A mail is not sent again after its outcome was unknown as often. */
const INTERRUPTIONS_MAX = 2;
/** When a mail gets to a state that stays: on the tenant's clock, unlike its other times. */
const doneNow = tenantNow('now()');
/** How long a mail is tried. */
const TRIED_FOR = `interval '3 days'`;

/** Nobody knows whether the server has taken the mail: it is sent again once, and then given up. */
const interrupted = `interruptions = interruptions + 1, error_code = 'interrupted',
  state = case when interruptions + 1 >= ${INTERRUPTIONS_MAX} then 'failed' else 'queued' end,
  done_at = case when interruptions + 1 >= ${INTERRUPTIONS_MAX} then ${doneNow} end`;

/** Counts an interruption of each mail whose process ended while it was sending it. */
export async function recoverInterrupted(tx: Tx): Promise<void> {
  await tx.query(
    `update mail set ${interrupted}, next_attempt_at = now()
     where tenant_id = $1 and state = 'sending'
       and attempted_at < now() - make_interval(secs => ${SENDING_SECONDS_MAX})`,
    [tx.tenantId],
    'recover-mails',
  );
}

/** The server has the mail and never answered. */
export async function recordInterrupted(
  tx: Tx,
  { id, attempts }: Pick<ClaimedMail, 'id' | 'attempts'>,
  pauseMinutes: number,
): Promise<void> {
  await tx.query(
    `update mail set ${interrupted}, next_attempt_at = now() + make_interval(mins => $4)
     where tenant_id = $1 and id = $2 and state = 'sending' and attempts = $3`,
    [tx.tenantId, id, attempts, pauseMinutes],
    'mail-interrupted',
  );
}

/** Shows that the process of a mail is alive: it waits for the server. */
export async function keepSending(
  tx: Tx,
  { id, attempts }: Pick<ClaimedMail, 'id' | 'attempts'>,
): Promise<void> {
  await tx.query(
    `update mail set attempted_at = now()
     where tenant_id = $1 and id = $2 and state = 'sending' and attempts = $3`,
    [tx.tenantId, id, attempts],
    'keep-mail',
  );
}

export interface ClaimedMail extends RowOf<
  typeof Mail,
  'id' | 'kind' | 'eventId' | 'objectId' | 'attempts'
> {
  /** Null for a mail to an address that is no customer's yet. */
  readonly customerId: number | null;
  readonly messageId: string;
  /** Where it goes, if not to the address that the contact has now. */
  readonly address: string | null;
  /** What its electronic invoice lacks; null: it needs none, or has it. */
  readonly withoutUbl: readonly string[] | null;
}

/**
 * Claims the mail that waits longest; undefined if none is due.
 *
 * @param from the parts of a Message-ID that are the same for all mails: the tenant, the host
 */
export async function claimMail(
  tx: Tx,
  from: { readonly label: string; readonly host: string },
): Promise<ClaimedMail | undefined> {
  const [claimed] = await tx.query<ClaimedMail & { readonly id: number }>(
    // Materialized: a join could run the selection again for each row, and claim them all.
    `with next as materialized (
       select id from mail
       where tenant_id = $1 and state = 'queued' and next_attempt_at <= now()
       order by next_attempt_at, id limit 1 for update skip locked)
     update mail m set state = 'sending', attempts = attempts + 1, attempted_at = now(),
       message_id = coalesce(message_id, concat('<', $2::text, '.', m.id, '.',
         (extract(epoch from m.created_at) * 1000)::bigint, '@', $3::text, '>'))
     from next
     where m.tenant_id = $1 and m.id = next.id
     returning m.id, m.kind, m.event_id, m.customer_id, m.object_id, m.attempts,
       m.message_id, m.address, m.without_ubl`,
    [tx.tenantId, from.label, from.host],
    'claim-mail',
  );
  return claimed;
}

/** Notes what the electronic invoice lacks that a claimed mail should bring. */
export function noteWithoutUbl(tx: Tx, { id, withoutUbl }: ClaimedMail): void {
  tx.send(
    `update mail set without_ubl = $3
     where tenant_id = $1 and id = $2 and without_ubl is distinct from $3`,
    [tx.tenantId, id, withoutUbl],
    'mail-without-ubl',
  );
}

export async function recordSent(tx: Tx, id: number): Promise<void> {
  await tx.query(
    `update mail set state = 'sent', sent_at = now(), done_at = ${doneNow},
       error_code = null
     where tenant_id = $1 and id = $2 and state in ('sending', 'queued')`,
    [tx.tenantId, id],
    'mail-sent',
  );
}

/** A mail that is never sent: refused, without an address, or with nothing to say any more. */
export async function recordEnded(
  tx: Tx,
  { id, attempts }: Pick<ClaimedMail, 'id' | 'attempts'>,
  end: {
    readonly state: Extract<MailState, 'failed' | 'noAddress' | 'obsolete'>;
    readonly code: string;
  },
): Promise<void> {
  await tx.query(
    `update mail set state = $4, done_at = ${doneNow}, error_code = $5
     where tenant_id = $1 and id = $2 and state = 'sending' and attempts = $3`,
    [tx.tenantId, id, attempts, end.state, end.code],
    'mail-ended',
  );
}

/** What a mail becomes that could not be sent now: tried again, for the last time after 3 days. */
const laterOr = (pause: string): string => `
  state = case when created_at + ${TRIED_FOR} <= now() then 'givenUp' else 'queued' end,
  done_at = case when created_at + ${TRIED_FOR} <= now() then ${doneNow} end,
  next_attempt_at = least(now() + make_interval(mins => ${pause}), created_at + ${TRIED_FOR})`;

export async function recordDeferred(
  tx: Tx,
  { id, attempts }: Pick<ClaimedMail, 'id' | 'attempts'>,
  later: { readonly code: string; readonly pauseMinutes: number },
): Promise<void> {
  await tx.query(
    `update mail set error_code = $4, ${laterOr('$5::int')}
     where tenant_id = $1 and id = $2 and state = 'sending' and attempts = $3`,
    [tx.tenantId, id, attempts, later.code, later.pauseMinutes],
    'mail-deferred',
  );
}

/** One statement stays far below the limit of its time. */
export const DEFERRED_AT_ONCE_MAX = 5_000;

/** No mail can be sent: counts an attempt for each of the next that are due. Returns their number. */
export async function deferNextDue(
  tx: Tx,
  { code, pauseMinutesMax }: { readonly code: string; readonly pauseMinutesMax: number },
): Promise<number> {
  const rows = await tx.query(
    `update mail set error_code = $2, attempts = attempts + 1, attempted_at = now(),
       ${laterOr('least(power(2, least(attempts, 20)), $3)::int')}
     where tenant_id = $1 and id = any(array(
       select id from mail where tenant_id = $1 and state = 'queued' and next_attempt_at <= now()
       order by next_attempt_at, id limit ${DEFERRED_AT_ONCE_MAX} for update skip locked))
     returning id`,
    [tx.tenantId, code, pauseMinutesMax],
    'defer-mails',
  );
  return rows.length;
}

export interface OpenMails {
  readonly open: number;
  /** Until the next mail is due, in milliseconds; null if none is open. */
  readonly waitMs: number | null;
}

/** Counts up to the given number, so that a look at a backlog costs no more than at a few. */
export async function readOpenMails(tx: Tx, countedMax: number): Promise<OpenMails> {
  const [row] = await tx.query<{ open: number; waitMs: number | null }>(
    // One state at a time: each has its own index, and none has both.
    `select queued.open + sending.open as open,
       ceil(extract(epoch from least(queued.due_at, sending.due_at) - now()) * 1000)::float8
         as wait_ms
     from
       (select (select count(*)::int from (
                  select from mail where tenant_id = $1 and state = 'queued' limit $2) counted)
                 as open,
               (select min(next_attempt_at) from mail
                where tenant_id = $1 and state = 'queued') as due_at) queued,
       (select count(*)::int as open,
          min(attempted_at) + make_interval(secs => ${SENDING_SECONDS_MAX + 1}) as due_at
        from mail where tenant_id = $1 and state = 'sending') sending`,
    [tx.tenantId, countedMax],
    'open-mails',
  );
  const { open = 0, waitMs = null } = row ?? {};
  return { open, waitMs: waitMs === null ? null : Math.max(0, waitMs) };
}

/* Reads the mails that failed last. */

export interface TroubledMail extends RowOf<typeof Mail, 'id' | 'kind' | 'state'> {
  readonly code: string;
  /** In milliseconds since 1970; null for a mail that is not tried again. */
  readonly nextAt: number | null;
}

/** The mails with the last failures, the newest first. `nulls last` would keep the index from sorting. */
export async function readTroubled(tx: Tx, limit: number): Promise<TroubledMail[]> {
  return tx.query<TroubledMail & Record<string, unknown>>(
    `select id, kind, state, error_code as code,
       case when state = 'queued' then floor(extract(epoch from next_attempt_at) * 1000)::float8
       end as next_at
     from mail where tenant_id = $1 and error_code is not null and attempted_at is not null
     order by attempted_at desc, id desc limit $2`,
    [tx.tenantId, limit],
    'troubled-mails',
  );
}
