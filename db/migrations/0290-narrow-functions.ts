/**
 * What may lend the owner's rights to a login that owns nothing. A temporary object of a session comes
 * before all others unless a path puts `pg_temp` last, so a view of that kind named like a table would
 * run in a function with the owner's rights.
 */
import { Expanding } from '../connection/migration-kinds.ts';

export class NarrowFunctions extends Expanding {
  override up(): void {
    this.addSql(`
      do $$
      declare f regprocedure;
      begin
        for f in select oid from pg_proc
            where pronamespace = 'public'::regnamespace and prosecdef loop
          execute format('alter function %s set search_path = public, pg_temp', f);
        end loop;
      end $$`);
    // Databases of before PostgreSQL 15 let everybody make objects, and all let everybody make
    // temporary ones. The owner of the schema need not own the database.
    this.addSql(`
      do $$
      begin
        execute format('revoke temporary on database %I from public', current_database());
        revoke create on schema public from public;
      exception when insufficient_privilege then
        null;
      end $$`);
  }
}
