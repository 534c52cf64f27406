/** Mails that lead to the pages that pay their invoices: each mail has links of its own. */
import test, { type ExecutionContext } from 'ava';
import { pageTokenHash } from '../../../operations/hosted-pages/tokens.ts';
import { openSmtp } from '../../../providers/mail/smtp.ts';
import { openInbox } from '../../providers/mail/inbox.ts';
import { sharedDatabase } from '../support/books.ts';
import { openPost, type Post } from './post.ts';

const db = await sharedDatabase();

const withPages = { file: { hostedPages: { allowedOrigins: ['https://www.demo.example'] } } };

async function serve(t: ExecutionContext) {
  const inbox = await openInbox({});
  const mailer = openSmtp(inbox.url);
  t.teardown(async () => {
    mailer.close();
    await inbox.close();
  });
  return { inbox, mailer };
}

/** The tokens in the addresses of a text, each of a page of the tenant. */
function tokensIn({ books }: Post, text = ''): string[] {
  const address = new RegExp(`https://${books.label}\\.example/pay/([\\w-]{43})`, 'g');
  return [...text.matchAll(address)].map(([, token = '']) => token);
}

/** The numbers of the invoices that the tokens lead to. */
async function invoicesOf({ sql }: Post, tokens: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    tokens.map((token) =>
      sql<{ number: string }>(
        `select i.invoice_number as number from pay_link l join invoice i on i.id = l.invoice_id
         where l.token_hash = $1`,
        [pageTokenHash(token)],
      ),
    ),
  );
  return found.map(([row]) => row?.number ?? 'none');
}

const ordered = ({ books }: Post, customerId: number): Promise<number> =>
  books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });

test('the mail of an invoice has a link of its own, and so has the next attempt', async (t) => {
  const { inbox, mailer } = await serve(t);
  const post = await openPost(db, { enabled: ['newInvoice'], ...withPages });
  await ordered(post, await post.customer());
  await post.number();
  await post.pass(mailer);
  await post.sql(
    `update mail set state = 'queued', next_attempt_at = now(), sent_at = null, done_at = null`,
  );
  await post.pass(mailer);
  const texts = inbox.mails.map(({ text }) => text ?? '');
  t.is(texts.length, 2);
  const tokens = texts.flatMap((text) => tokensIn(post, text));
  t.is(new Set(tokens).size, 2);
  t.deepEqual(await invoicesOf(post, tokens), ['1001', '1001']);
  t.regex(texts[0] ?? '', /^Pay online: https:/m);
  t.true(
    String(inbox.mails[0]?.html).includes(`<a href="https://${post.books.label}.example/pay/`),
  );
  const rows = await post.sql<{ days: number }>(
    `select round(extract(epoch from expires_at - $1::timestamptz) / 86400)::int as days
     from pay_link`,
    [new Date(post.books.dependencies.realNow())],
  );
  t.deepEqual(rows, [{ days: 90 }, { days: 90 }]);
});

test('nothing open, or no allowed origin: no link', async (t) => {
  const { inbox, mailer } = await serve(t);
  for (const options of [{}, withPages]) {
    const post = await openPost(db, { enabled: ['newInvoice'], ...options });
    await ordered(post, await post.customer());
    await post.number();
    if (options === withPages) {
      await post.sql(`update invoice set status = 'Paid', outstanding_balance = 0`);
    }
    await post.pass(mailer);
    t.deepEqual(await post.mails(), ['newInvoice sent 1']);
    t.deepEqual(tokensIn(post, inbox.mails.at(-1)?.text), []);
    t.false(String(inbox.mails.at(-1)?.text).includes('Pay online'));
    t.deepEqual(await post.sql('select from pay_link'), []);
  }
});

test('a failed payment has the link of the first due invoice that it was for and that is open', async (t) => {
  const { inbox, mailer } = await serve(t);
  const post = await openPost(db, { enabled: ['paymentFailed'], ...withPages });
  const customerId = await post.customer();
  for (const _ of [1, 2, 3]) await ordered(post, customerId);
  await post.number();
  await post.sql(
    `update invoice set status = 'Paid', outstanding_balance = 0 where invoice_number = '1001'`,
  );
  await post.sql(`update invoice set due_date = due_date - 1 where invoice_number = '1003'`);
  const [payment] = await post.sql<{ id: number }>(
    `insert into payment (tenant_id, customer_id, payment_type, payment_method_type, status,
       amount, surcharge, balance, currency, effective_date, attempt, created_at, updated_at,
       cascade_id, id, named_invoice_ids)
     select $1, $2, 'Payment', 'Cash', 'Declined', 30, 0, 0, 'USD', '2027-01-15', 1, now(), now(),
       n, n, (select array_agg(id) from invoice) from nextval('id_seq') n returning id`,
    [post.books.tenantId, customerId],
  );
  const objectId = payment?.id ?? 0;
  await post.event({ type: 'payment.failed', customerId, objectId, detail: { final: true } });
  await post.pass(mailer);
  t.deepEqual(await post.mails(), ['paymentFailed sent 1']);
  const tokens = tokensIn(post, inbox.mails[0]?.text);
  t.deepEqual(await invoicesOf(post, tokens), ['1003']);
});

test('a reminder has a link for each overdue invoice', async (t) => {
  const { inbox, mailer } = await serve(t);
  const post = await openPost(db, { enabled: ['customerOverdue'], ...withPages });
  const customerId = await post.customer();
  for (const _ of [1, 2]) await ordered(post, customerId);
  await post.sql(`update invoice set due_date = '2027-01-14'`);
  const [transition] = await post.sql<{ id: number }>(
    `insert into customer_transition (tenant_id, customer_id, previous_status, new_status,
       transitioned_on, transitioned_at)
     values ($1, $2, 'Active', 'Overdue1', '2027-01-15', now()) returning id`,
    [post.books.tenantId, customerId],
  );
  await post.event({
    type: 'customer.transition',
    customerId,
    objectId: transition?.id ?? 0,
    detail: { by: 'ageing', mail: true },
  });
  await post.pass(mailer);
  const [mail] = inbox.mails;
  t.deepEqual(await invoicesOf(post, tokensIn(post, mail?.text)), ['1001', '1002']);
  t.deepEqual(await invoicesOf(post, tokensIn(post, String(mail?.html))), ['1001', '1002']);
  t.regex(String(mail?.html), /<th scope="col">Pay<\/th>/);
  t.regex(mail?.text ?? '', /^1001 \| .*\nPay: https:/m);
});
