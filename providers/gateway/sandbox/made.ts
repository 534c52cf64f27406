/** Lists what the sandbox has made for our keys, the oldest first. */
import type { SandboxTransaction } from '../../../db/entities/gateways.ts';
import type { RowOf } from '../../../db/entities/rows.ts';
import type { Tx } from '../../../db/connection/tenancy.ts';
import type { GatewayAnswer, MadeCall, MadeCalls } from '../gateway.ts';

const PAGE_ROWS = 1_000;

type Logged = RowOf<
  typeof SandboxTransaction,
  'id' | 'token' | 'chargeId' | 'amount' | 'currency' | 'status' | 'occurredAt'
> &
  Pick<MadeCall, 'operation'> & { readonly key: string };

/** @param from the id of the last entry of the page before */
export async function madeSince(tx: Tx, since: Date, from: string | null): Promise<MadeCalls> {
  const rows = await tx.query<Logged & Record<string, unknown>>(
    `select id, idempotency_key as key, operation, token, charge_id, amount::text, currency, status,
            occurred_at
     from sandbox_transaction
     where tenant_id = $1 and operation in ('charge', 'refund', 'void') and occurred_at >= $2
       and id > $3 order by id limit ${PAGE_ROWS}`,
    [tx.tenantId, since, Number(from ?? 0)],
    'sandbox-made',
  );
  const last = rows.length < PAGE_ROWS ? undefined : rows.at(-1);
  return { calls: rows.map(madeOf), next: last === undefined ? null : String(last.id) };
}

const outcomes: Readonly<Record<Logged['status'], GatewayAnswer['outcome']>> = {
  Approved: 'approved',
  Declined: 'declined',
  Processing: 'pending',
  Asks: 'asks',
};

function madeOf({ key, token, status, id, occurredAt, ...row }: Logged): MadeCall {
  const { operation, amount, currency, chargeId } = row;
  return {
    operation,
    idempotencyKey: key,
    transactionId: String(id),
    outcome: outcomes[status],
    amount,
    currency,
    madeAt: occurredAt,
    method: token,
    chargeId,
  };
}
