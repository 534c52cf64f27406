/**
 * What the derived ledger reads: the facts in the order of their transactions, the day of each
 * application, the codes of accounts, and once what facts of before lack. Such facts count as written
 * by transaction 3, the first that a cluster has, so that no reader waits for them.
 */
import { Migration } from '@mikro-orm/migrations';
import { stateKey } from '../../domain/tax/states.ts';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const OF_BEFORE = `'3'::xid8`;

export class Ledger extends Migration {
  override async up(): Promise<void> {
    this.addSql('alter table invoice_payment add column applied_on date');
    this.fillFacts();
    await this.fillJurisdictions();
    this.fillCarryOvers();
    for (const table of ['ledger_entry', 'invoice_payment', 'carry_over']) {
      this.addSql(`create index ${table}_written on ${table} (tenant_id, written_in, id)`);
    }
    // Between which transactions a day lies.
    this.addSql(
      'create index ledger_entry_day on ledger_entry (tenant_id, entered_on, written_in)',
    );
    // Sessions see when those of their own role began alone; all log in as the owner.
    this.addSql(`
      create function oldest_transaction_ms() returns float8
        language sql volatile security definer set search_path = public
        return (
          select max(extract(epoch from clock_timestamp() - a.xact_start) * 1000)::float8
          from pg_stat_activity a
          where a.datname = current_database() and a.xact_start is not null
            and a.pid <> pg_backend_pid())`);
    this.addSql('revoke execute on function oldest_transaction_ms() from public');
    this.addSql('grant execute on function oldest_transaction_ms() to sundial_app');
    this.addSql(`
      create table accounting_codes (
        tenant_id bigint not null references tenant,
        id bigint not null default nextval('id_seq'),
        -- The codes of the tenant's file, its defaults filled in, and those of its rates. The first
        -- row holds for what was booked before it, too.
        codes jsonb not null,
        written_in xid8 not null default pg_current_xact_id(),
        primary key (tenant_id, id)
      );
      create trigger accounting_codes_append_only before update or delete or truncate
        on accounting_codes for each statement execute function refuse_change();
      alter table accounting_codes enable row level security;
      alter table accounting_codes force row level security;
      create policy own_tenant on accounting_codes using (tenant_id = ${ownTenant});
      grant select, insert on accounting_codes to sundial_app`);
  }

  /** The owner is fenced and bound to append-only tables, too. */
  private changing(tables: readonly string[], statements: readonly string[]): void {
    const triggers = new Map([
      ['ledger_entry', 'ledger_append_only'],
      ['invoice_payment', 'application_append_only'],
      ['carry_over', 'carry_over_append_only'],
    ]);
    for (const table of tables) {
      this.addSql(`alter table ${table} no force row level security`);
      const trigger = triggers.get(table);
      if (trigger !== undefined) this.addSql(`alter table ${table} disable trigger ${trigger}`);
    }
    for (const statement of statements) this.addSql(statement);
    for (const table of tables) {
      const trigger = triggers.get(table);
      if (trigger !== undefined) this.addSql(`alter table ${table} enable trigger ${trigger}`);
      this.addSql(`alter table ${table} force row level security`);
    }
  }

  private fillFacts(): void {
    this.changing(
      ['ledger_entry', 'invoice_payment'],
      [
        `update ledger_entry set written_in = ${OF_BEFORE} where written_in is null`,
        `update invoice_payment a set written_in = coalesce(a.written_in, ${OF_BEFORE}),
           applied_on = (a.created_at at time zone t.timezone)::date
         from tenant t where t.id = a.tenant_id`,
      ],
    );
  }

  /** Of taxes by the table: the rate of the file with their code, percentage and name, if it is one. */
  private async fillJurisdictions(): Promise<void> {
    const tenants = await this.execute(
      `select id, file->'tax'->'rates' as rates from tenant where file->'tax'->>'type' = 'table'`,
    );
    const rates = tenants.flatMap(({ id, rates: given }) =>
      ((given ?? []) as readonly Rate[]).map(({ country, state, percent, taxCode, name }) => {
        const key = stateKey(country, state ?? null);
        const jurisdiction = key === null ? country : `${country}/${key}`;
        return { tenant: Number(id), percent: String(percent), taxCode, name, jurisdiction };
      }),
    );
    if (rates.length === 0) return;
    const rows = JSON.stringify(rates).replaceAll(`'`, `''`);
    this.changing(
      ['invoice_charge'],
      [
        `update invoice_charge c set tax_jurisdiction = r.jurisdiction
         from (
           select tenant, percent, "taxCode", name, min(jurisdiction) as jurisdiction
           from json_to_recordset('${rows}') as given(tenant bigint, percent numeric,
             "taxCode" text, name text, jurisdiction text)
           group by 1, 2, 3, 4 having count(distinct jurisdiction) = 1) r
         where c.tenant_id = r.tenant and c.kind = 'tax' and c.tax_jurisdiction is null
           and c.tax_code = r."taxCode" and c.invoice_text = r.name and c.unit_price = r.percent`,
      ],
    );
  }

  /** Of what was carried over before this was noted: the BatchInit that took it, and its day. */
  private fillCarryOvers(): void {
    const batchOf = (o: string, condition: string): string => `cross join lateral (
      select b.id, (b.finished_at at time zone t.timezone)::date as day from batch b
      where b.tenant_id = ${o}.tenant_id and b.kind = 'init' and b.takes_below > ${o}.id
        and b.finished_at is not null and ${condition}
      order by b.id limit 1) b`;
    const has = (kind: string): string => `exists (select from batch k
      where k.tenant_id = b.tenant_id and k.parent_id = b.id and k.kind = '${kind}')`;
    const insert = `insert into carry_over
      (tenant_id, batch_id, invoice_id, payment_id, amount, carried_on, written_in)`;
    const isNoted = (key: string, o: string): string => `exists (select from carry_over c
      where c.tenant_id = ${o}.tenant_id and c.${key} = ${o}.id)`;
    this.changing(
      ['carry_over'],
      [
        `${insert} select o.tenant_id, b.id, o.id, null, o.carried_open, b.day, ${OF_BEFORE}
         from invoice o join tenant t on t.id = o.tenant_id
         ${batchOf('o', has('carriedInvoices'))}
         where o.status = 'CarriedOver' and not ${isNoted('invoice_id', 'o')} order by o.id`,
        `${insert} select o.tenant_id, b.id, null, o.id, o.carried_open, b.day, ${OF_BEFORE}
         from payment o join tenant t on t.id = o.tenant_id
         ${batchOf(
           'o',
           `case when o.payment_type = 'Payment' then b.zeroes_balances
              else ${has('carriedCredits')} or ${has('carriedDebits')} end`,
         )}
         where o.carried_open <> 0 and not ${isNoted('payment_id', 'o')} order by o.id`,
      ],
    );
  }
}

interface Rate {
  readonly country: string;
  readonly state?: string;
  readonly percent: string | number;
  readonly taxCode: string;
  readonly name: string;
}
