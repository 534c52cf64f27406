/**
 * Gates in the steps of a payment, in a test's own database. A process that reaches a closed gate
 * waits in its transaction, where the test sees it and may kill it. A gate is an advisory lock that
 * triggers take shared, and that the test's own connection holds exclusively while it is closed.
 */
import { Client } from 'pg';
import { until } from '../../support/until.ts';
import { waitsFor } from './gate.ts';

/**
 * `insert`, `reserve`, `accept` (the payment becomes Processing), `ask` (it becomes ActionRequired),
 * `end` (it no longer is), `record`, `withdraw` and `event` are a payment's own steps, `call` is the
 * sandbox's log entry of a call. The number counts the attempts of a cascade, and for a call also the
 * shares of a refund.
 */
export type Gate = `${Step}/${number}/${number}`;
type Step =
  | 'insert'
  | 'reserve'
  | 'accept'
  | 'ask'
  | 'end'
  | 'call'
  | 'record'
  | 'withdraw'
  | 'event';

export interface Gates {
  readonly close: (...gates: readonly Gate[]) => Promise<void>;
  readonly open: (...gates: readonly Gate[]) => Promise<void>;
  /** Resolves when a process waits at each of these closed gates at the same moment. */
  readonly reached: (...gates: readonly Gate[]) => Promise<void>;
  /** Opens what a failed test has left closed. */
  readonly openAll: () => Promise<void>;
  readonly end: () => Promise<void>;
}

const triggers = `
create function gate() returns trigger language plpgsql set lock_timeout = 0 as $$
declare place text;
begin
  if tg_argv[0] = 'call' then
    select customer_id || '/' || nth into place from (
      select id, customer_id, attempt as nth from payment
      union all
      select s.id, p.customer_id, s.position from refund_share s
      join payment p on p.tenant_id = s.tenant_id and p.id = s.refund_id) asked
    where id = split_part(new.idempotency_key, '/', 2)::bigint;
  elsif tg_argv[0] in ('record', 'withdraw', 'event') then
    select customer_id || '/' || attempt into place from payment where id = new.payment_id;
  else
    place := new.customer_id || '/' || new.attempt;
  end if;
  ${waitsFor("hashtextextended(tg_argv[0] || '/' || place, 0)")}
  return new;
end $$;
create trigger gate_insert before insert on payment
  for each row execute function gate('insert');
create trigger gate_reserve before update on payment
  for each row when (old.phase = 'Waiting' and new.phase = 'Charging')
  execute function gate('reserve');
create trigger gate_accept before update on payment
  for each row when (old.phase = 'Charging' and new.phase = 'Processing')
  execute function gate('accept');
create trigger gate_ask before update on payment
  for each row when (old.phase = 'Charging' and new.status = 'ActionRequired')
  execute function gate('ask');
create trigger gate_end before update on payment
  for each row when (old.status = 'ActionRequired' and new.status <> 'ActionRequired')
  execute function gate('end');
create trigger gate_call before insert on sandbox_transaction
  for each row when (new.operation <> 'validate') execute function gate('call');
create trigger gate_record before insert on processor_result
  for each row execute function gate('record');
create trigger gate_withdraw before insert on payment_withdrawal
  for each row execute function gate('withdraw');
create trigger gate_event before insert on gateway_event
  for each row execute function gate('event');
`;

export async function openGates(ownerUrl: string): Promise<Gates> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(triggers);
  const each = async (action: string, gates: readonly Gate[]): Promise<void> => {
    await client.query(
      `select ${action}(hashtextextended(gate, 0)) from unnest($1::text[]) as gate`,
      [gates],
    );
  };
  return {
    close: (...gates) => each('pg_advisory_lock', gates),
    open: (...gates) => each('pg_advisory_unlock', gates),
    reached: (...gates) =>
      until(`somebody waits at ${gates.join(' and ')}`, async () => {
        const { rows } = await client.query(
          `select gate from unnest($1::text[]) as gate where exists (
             select from pg_locks l join pg_database d on d.oid = l.database
             where d.datname = current_database() and l.locktype = 'advisory' and not l.granted
               and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended(gate, 0))`,
          [gates],
        );
        return rows.length === gates.length;
      }),
    async openAll() {
      await client.query('select pg_advisory_unlock_all()');
    },
    end: () => client.end(),
  };
}
