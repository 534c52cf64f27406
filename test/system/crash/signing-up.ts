/** A tenant whose customers sign up over HTTP, with what became of each sign-up, as one line. */
import type { Database } from '../../../db/connection/database.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { inOperation } from '../../../operations/context/context.ts';
import { enqueue } from '../../../operations/outbox/enqueue.ts';
import { ada, card, gold, keyIn, withPages } from '../../api/signups/page-calls.ts';
import { startPath } from '../../api/signups/calls.ts';
import { send, type Received } from '../../api/support.ts';
import { demoFile } from '../../operations/support/signups.ts';
import { suffix } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import type { Parts } from './parts.ts';
import { openTill } from './till.ts';

/** The amounts of GOLD with WELCOME10 in New York. */
export const ends = {
  processed:
    'PROCESSED: Active, Paid 73.44, payments Paid 73.44, gateway charge Approved 73.44, owes 0.00, ' +
    'mails newInvoice newOrder paymentReceived, events 1',
  expired: 'EXPIRED expired: events 0',
} as const;

const storySql = `
  select concat(s.status, ' ' || s.failure_code, ': ', concat_ws(', ',
    (select string_agg(o.status, ' ') from subscription_order o
     where o.customer_id = s.customer_id),
    (select string_agg(concat_ws(' ', i.status, round(i.current_amount_due, 2)), ' ')
     from invoice i where i.customer_id = s.customer_id),
    (select 'payments ' || string_agg(concat_ws(' ', p.status, round(p.amount, 2)), ' '
       order by p.id) from payment p where p.customer_id = s.customer_id),
    (select 'gateway ' || string_agg(concat_ws(' ', g.operation, g.status, round(g.amount, 2)), ' '
       order by g.id) from sandbox_transaction g join payment p
       on p.id::text = split_part(g.idempotency_key, '/', 2)
     where p.customer_id = s.customer_id),
    (select 'owes ' || round(coalesce(sum(e.amount), 0), 2) from ledger_entry e
     where e.customer_id = s.customer_id having s.customer_id is not null),
    (select 'mails ' || string_agg(m.kind, ' ' order by m.kind) from mail m
     where m.customer_id = s.customer_id),
    'events ' || (select count(*) from event e
      where e.type = 'signup.processed' and e.object_id = s.id))) as story
  from signup s order by s.id`;

export interface SignupLink {
  readonly id: number;
  readonly path: string;
}

export type Desk = Awaited<ReturnType<typeof openDesk>>;

export async function openDesk(parts: Parts, db: Database) {
  const till = await openTill(parts, db, {
    ...withPages,
    label: `desk-${suffix()}`,
    file: { ...withPages.file, notifications: demoFile.notifications },
  });
  const { tenantId, label, read } = till;
  const port = Number(new URL(parts.apiUrl).port);
  const host = `${label}.localhost`;
  let links = 0;
  const change = (sql: string, ...values: readonly unknown[]) =>
    inTenant(db, tenantId, (tx) => tx.query(sql, values));

  async function link(): Promise<SignupLink> {
    links += 1;
    const own = { extCustomerRef: `C-${links}`, email: `ada${links}@field.example` };
    const hides = { hideCustomerFields: 'true', hideOrderFields: 'true' };
    const path = startPath({ format: 'xml', ...ada, ...gold, ...hides, ...own });
    const { body } = await till.call('GET', path);
    const found = /<url>http:\/\/[^/]+([^<]+)<.*<signup id="(\d+)"/s.exec(body);
    if (found === null) throw new Error(body);
    return { path: found[1] ?? '', id: Number(found[2]) };
  }

  const page = (path: string): Promise<Received> => send(port, { path, host, auth: null });

  /** Null if an answer never came. */
  async function submit({ path }: SignupLink): Promise<Received | null> {
    const shown = await page(path).catch(() => null);
    const formKey = shown === null ? '' : keyIn(shown);
    if (formKey === '') return null;
    const body = new URLSearchParams({ formKey, ...card }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = { method: 'POST', path, host, auth: null, headers, body };
    return send(port, sent).catch(() => null);
  }

  /** `DRAFT storing` */
  async function stateOf({ id }: SignupLink): Promise<string> {
    const [row] = await read<{ text: string }>(
      `select concat_ws(' ', s.status, (select t.status from signup_try t
         where t.signup_id = s.id order by t.number desc limit 1)) as text
       from signup s where s.id = $1`,
      id,
    );
    return row?.text ?? 'gone';
  }

  /** Its try was lost with its process, and a minute is over. */
  const age = ({ id }: SignupLink) =>
    change(
      `update signup_try set created_at = created_at - interval '61 seconds'
       where signup_id = $1 and status = 'storing'`,
      id,
    );

  return {
    ...till,
    age,
    /** Once more, if no card of it has come to the books. */
    async submitAgain(link: SignupLink): Promise<void> {
      if (!/^DRAFT( storing| returned)?$/.test(await stateOf(link))) return;
      await age(link);
      const answer = await submit(link);
      if (answer?.status !== 303) throw new Error(answer?.body ?? 'no answer');
    },
    link,
    links: (count: number) => Promise.all(Array.from({ length: count }, link)),
    page,
    submit,
    /** Its time is over, which its workflow is told. */
    async overdue({ id }: SignupLink): Promise<void> {
      await change(`update signup set expires_at = now() - interval '1 second' where id = $1`, id);
      await inOperation({ db, realNow: Date.now }, tenantId, async (context) =>
        enqueue(context, [{ kind: 'signup', objectId: id }]),
      );
    },
    stateOf,
    /** Of each sign-up in order, once all have ended and every event has its number. */
    async stories(): Promise<string[]> {
      await until('all have ended', async () => {
        const open = await read(
          `select from signup where status = 'DRAFT' union all
           select from event where sequence is null`,
        );
        return open.length === 0;
      });
      return (await read<{ story: string }>(storySql)).map(({ story }) => story);
    },
    /** The numbers that were given, and those that are used; they have no gaps. */
    numbers: () =>
      read<{ kind: string; given: number; used: number }>(
        `select kind, (next - first)::int as given, (case kind
           when 'order' then (select count(distinct order_number) from subscription_order)
           else (select count(distinct number_value) from invoice) end)::int as used
         from counter order by kind`,
      ),
  };
}
