/** What Updates were answered, so that one that comes again has the answer of the first time. */
import { Migration } from '@mikro-orm/migrations';

const answers = `
create table update_answer (
  tenant_id bigint not null references tenant,
  -- The object of the workflow.
  kind text not null,
  object_id bigint not null,
  -- The id that the sender gave the Update, or that the engine gave it.
  request_id text not null,
  answer jsonb not null,
  -- In real time: after some weeks an answer is deleted.
  answered_at timestamptz not null default now(),
  primary key (tenant_id, kind, object_id, request_id)
);
create index update_answer_old on update_answer (tenant_id, answered_at);
alter table update_answer enable row level security;
alter table update_answer force row level security;
create policy own_tenant on update_answer
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::bigint));
grant select, insert, delete on update_answer to sundial_app;

-- Answers are the only memory of requests.
alter table dunning_note drop column request_id;
-- The notes of a customer, the newest ones.
create index dunning_note_of_customer on dunning_note (tenant_id, customer_id, id);
alter table collection_attempt drop column request_key;
`;

export class UpdateAnswers extends Migration {
  override up(): void {
    this.addSql(answers);
  }
}
