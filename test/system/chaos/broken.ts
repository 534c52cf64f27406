/**
 * Faults that Sundial does not have: a run with one of them must end with a finding. They are
 * triggers in the database of the run, so that the code under test is that of every other run.
 */
import { administer } from '../../support/template.ts';

/** As if whoever looks at the new events of an endpoint took some for looked at that were not. */
export const forgetACallback = (ownerUrl: string): Promise<void> =>
  administer(
    ownerUrl,
    `create function forget_callback() returns trigger language plpgsql as $$
     begin
       new.cursor := new.cursor + 2;
       return new;
     end $$`,
    `create trigger forget before update on callback_endpoint for each row
     when (new.cursor > old.cursor) execute function forget_callback()`,
  );

/** As if a worker had charged again under another key, after a crash for example. */
export const chargeTwice = (ownerUrl: string): Promise<void> =>
  administer(
    ownerUrl,
    `create function charge_twice() returns trigger language plpgsql security definer as $$
     begin
       insert into public.sandbox_transaction (tenant_id, idempotency_key, operation, token, amount,
         currency, status)
       values (new.tenant_id, new.idempotency_key || ' again', 'charge', new.token, new.amount,
         new.currency, 'Approved');
       return null;
     end $$`,
    `create trigger twice after insert on sandbox_transaction for each row
     when (new.operation = 'charge' and new.status = 'Approved'
       and new.idempotency_key not like '% again')
     execute function charge_twice()`,
  );
