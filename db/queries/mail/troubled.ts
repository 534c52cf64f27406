/** Reads the mails that failed last. */
import type { Tx } from '../../connection/tenancy.ts';
import type { Mail } from '../../entities/mail.ts';
import type { RowOf } from '../../entities/rows.ts';

export interface TroubledMail extends RowOf<typeof Mail, 'id' | 'kind' | 'state'> {
  readonly code: string;
  /** In milliseconds since 1970; null for a mail that is not tried again. */
  readonly nextAt: number | null;
}

/** The mails with the last failures, the newest first. */
export async function readTroubled(tx: Tx, limit: number): Promise<TroubledMail[]> {
  return tx.query<TroubledMail & Record<string, unknown>>(
    `select id, kind, state, error_code as code,
       case when state = 'queued' then floor(extract(epoch from next_attempt_at) * 1000)::float8
       end as next_at
     from mail where tenant_id = $1 and error_code is not null
     order by attempted_at desc nulls last, id desc limit $2`,
    [tx.tenantId, limit],
    'troubled-mails',
  );
}
