/** A tenant that sends mails: customers with addresses, events, passes, and the rows of mails. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { createLateAnswers } from '../../../operations/mail/late-answers.ts';
import { sendMails } from '../../../operations/mail/send.ts';
import { sequenceTenant } from '../../../operations/events/sequencer.ts';
import { numberedHooks } from '../../../operations/feed/numbered-hooks.ts';
import type { Mailer } from '../../../providers/mail/mailer.ts';
import { drawInvoice } from '../../../providers/invoice-documents/pdf/drawing.ts';
import { renderApart } from '../../../providers/mail/render-apart.ts';
import { openBooks, type Books, type SharedDatabase } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';

export const allKinds = [
  'newInvoice',
  'newOrder',
  'paymentReceived',
  'paymentFailed',
  'customerOverdue',
];

export interface PostOptions {
  readonly today?: IsoDate;
  readonly enabled?: readonly string[];
  readonly file?: Readonly<Record<string, unknown>>;
}

export type Post = Awaited<ReturnType<typeof openPost>>;

export async function openPost(db: SharedDatabase, options: PostOptions = {}) {
  const { today = '2027-01-15', enabled = allKinds } = options;
  const books = await openBooks(db, {
    today,
    timezone: 'UTC',
    plans: [recurring('P', 10, prepaid)],
    file: { notifications: { from: 'billing@demo.example', enabled }, ...options.file },
  });
  const { tenantId, dependencies } = books;
  const owner = <Result extends object>(sql: string, values: readonly unknown[] = []) =>
    inTenant(db.app, tenantId, (tx) => tx.query<Result & Record<string, unknown>>(sql, values));
  const onError = (error: unknown): never => {
    throw error;
  };
  const number = async (): Promise<void> => {
    const rest = { relayDb: db.relay, dispatch: () => undefined, onError };
    const sequencer = { dependencies, hooks: numberedHooks, ...rest };
    await sequenceTenant(sequencer, tenantId);
  };
  const late = createLateAnswers();
  return {
    books,
    late,
    sql: owner,
    customer: (more: { readonly email?: string | null; readonly locale?: string } = {}) =>
      customerOf(books, more),
    /** Numbers what was raised, and calls the hooks, as the sequencer does. */
    number,
    /** Raises an event that no operation of the test raises, and numbers it. */
    async event(event: {
      readonly type: string;
      readonly customerId: number;
      readonly objectId: number;
      readonly detail?: object;
    }): Promise<void> {
      const { type, customerId, objectId, detail = null } = event;
      await owner(
        `insert into event (tenant_id, type, customer_id, object_id, detail, occurred_at)
         values ($1, $2, $3, $4, $5, now())`,
        [tenantId, type, customerId, objectId, detail],
      );
      await number();
    },
    pass: (mailer: Mailer) =>
      sendMails(dependencies, tenantId, {
        mailer,
        host: 'billing.example',
        originOf: (label) => `https://${label}.example`,
        render: renderApart,
        drawInvoice,
        late,
        onProgress: () => undefined,
        signal: new AbortController().signal,
      }),
    /** `newInvoice queued 1 451 4.7.1`: kind, state, attempts, code; the oldest first. */
    async mails(): Promise<string[]> {
      const rows = await owner<{ text: string }>(
        `select concat_ws(' ', kind, state, attempts, error_code) as text from mail order by id`,
      );
      return rows.map(({ text }) => text);
    },
    /** Makes what is queued due at once. */
    async soon(): Promise<void> {
      await owner(`update mail set next_attempt_at = now() where state = 'queued'`);
    },
    async nudged(): Promise<boolean> {
      const rows = await owner(`select from outbox where kind = 'mail'`);
      await owner(`delete from outbox where kind = 'mail'`);
      return rows.length > 0;
    },
  };
}

async function customerOf(
  books: Books,
  {
    email = 'ada@example.com',
    locale = 'en_US',
  }: { readonly email?: string | null; readonly locale?: string },
): Promise<number> {
  const id = await books.customer();
  await books.work(async ({ tx }) => {
    await tx.query(`update customer set name = 'Analytical Engines', locale = $2 where id = $1`, [
      id,
      locale,
    ]);
    await tx.query(
      `insert into contact (tenant_id, customer_id, kind, first_name, last_name, email_primary)
       values ($1, $2, 'billing', 'Ada', 'Lovelace', $3)`,
      [tx.tenantId, id, email],
    );
  });
  return id;
}
