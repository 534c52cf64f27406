/** Notes which tables committed transactions have changed, so that a call that was refused shows what it stored. */
import type { QueryResultRow } from 'pg';

/** A statement by the owner of the schema. */
type AsOwner = <Row extends QueryResultRow>(sql: string) => Promise<Row[]>;

export interface SeenRows {
  /** The tables that were changed since the last call, in order. */
  readonly taken: () => Promise<readonly string[]>;
}

/**
 * How often somebody tried something, what processes note for themselves and clear after the answer, and
 * what the sandbox keeps as a gateway would.
 */
const NO_FACTS = [
  'attempt_window',
  'billing_note',
  'billing_suspect',
  'foreign_attempt',
  'login_guess',
  'sandbox_challenge',
  'sandbox_method',
  'sandbox_transaction',
];

/** In a database of a test's own: a trigger on every table. */
export async function seeRows(asOwner: AsOwner): Promise<SeenRows> {
  await asOwner(`
    create unlogged table seen_row (name text not null);
    create function note_seen_row() returns trigger language plpgsql security definer as $$
    begin
      insert into public.seen_row values (tg_table_name);
      return null;
    end $$;
    do $$
    declare name text;
    begin
      for name in select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
          and c.relname <> all ('{seen_row,${NO_FACTS.join()}}')
      loop
        execute format('create trigger seen_row after insert or update or delete on %I
          for each row execute function note_seen_row()', name);
      end loop;
    end $$`);
  return {
    async taken() {
      const rows = await asOwner<{ name: string }>(
        `with seen as (delete from seen_row returning name) select distinct name from seen order by 1`,
      );
      return rows.map(({ name }) => name);
    },
  };
}
