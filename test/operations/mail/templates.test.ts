/** Templates of a tenant that meet a limit: their mails fail, and nobody else waits. */
import test from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import type { Mailer } from '../../../providers/mail/mailer.ts';
import { openSmtp } from '../../../providers/mail/smtp.ts';
import { checkTemplates } from '../../../providers/mail/check-templates.ts';
import { doubling, doublingOnce, endlessFilter, onlyFor } from '../../providers/mail/attacks.ts';
import { openInbox } from '../../providers/mail/inbox.ts';
import { sharedDatabase } from '../support/books.ts';
import { openPost, type Post } from './post.ts';

const db = await sharedDatabase();

/** A tenant with invoices 1001 to 1004 and these templates. */
async function openWith(templates: Readonly<Record<string, string>>): Promise<Post> {
  const post = await openPost(db, { enabled: ['newInvoice'] });
  await inTenant(db.app, post.books.tenantId, async (tx) => {
    for (const [name, content] of Object.entries(templates)) {
      await tx.query(`insert into mail_template (tenant_id, name, content) values ($1, $2, $3)`, [
        tx.tenantId,
        name,
        content,
      ]);
    }
  });
  const customerId = await post.customer();
  for (let n = 0; n < 4; n += 1) {
    await post.books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  }
  await post.number();
  return post;
}

/** A loaded machine may put off a mail that waits for its tenant's turn. */
async function untilDone(post: Post, mailer: Mailer): Promise<void> {
  for (let open = 1; open > 0; { open } = await post.pass(mailer)) await post.soon();
}

test('mails that meet a limit fail by name, and those of other tenants do not wait', async (t) => {
  const inbox = await openInbox();
  const mailer = openSmtp(inbox.url);
  t.teardown(async () => {
    mailer.close();
    await inbox.close();
  });
  const attacks = {
    'newInvoice.html.liquid': onlyFor('1002', endlessFilter),
    'newInvoice.text.liquid': onlyFor('1003', doubling) + onlyFor('1004', doublingOnce),
  };
  // The samples have the number 1001.
  t.deepEqual(await checkTemplates(new Map(Object.entries(attacks))), []);
  const bad = await openWith(attacks);
  const healthy = await openWith({ 'newInvoice.subject.liquid': 'No {{ values.invoiceNumber }}' });
  const plain = await openWith({});
  const passOfBad = untilDone(bad, mailer);
  const [own, delivered] = await Promise.all([healthy.pass(mailer), plain.pass(mailer)]);
  t.like(own, { sent: 4, open: 0 });
  t.like(delivered, { sent: 4, open: 0 });
  await passOfBad;
  const ends = (await bad.mails()).map((mail) => mail.replace(/ \d+/, ''));
  t.deepEqual(ends, [
    'newInvoice sent',
    'newInvoice failed content.time newInvoice.html.liquid',
    'newInvoice failed content.memory newInvoice.text.liquid',
    'newInvoice failed content.size newInvoice.text.liquid',
  ]);
  const [bug] = bad.books.bugs.filter(({ message }) => message.includes('content.time'));
  t.regex(
    bug?.message ?? '',
    /^mail \d+ of [\w-]+ was not made: content\.time newInvoice\.html\.liquid$/,
  );
  t.is(inbox.mails.length, 9);
});
