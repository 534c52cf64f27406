/** Mails through a real SMTP server, read by a real parser; servers that refuse, greylist or hang. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import test from 'ava';
import { type AddressObject, simpleParser } from 'mailparser';
import { openEmlFolder } from '../../../providers/mail/open-mailer.ts';
import type { OutgoingMail, SendOutcome } from '../../../providers/mail/mailer.ts';
import { openSmtp } from '../../../providers/mail/smtp.ts';
import { pictureOf } from '../../../providers/invoice-documents/logo.ts';
import { testFolder } from '../../support/folder.ts';
import { pngOf, uriOf } from '../invoice-documents/pictures.ts';
import { type InboxOptions, openInbox } from './inbox.ts';

const mail: OutgoingMail = {
  messageId: '<demo.7.1798761600000@billing.example>',
  from: { name: 'Demo & Söhne, "GmbH"', address: 'billing@demo.example' },
  to: { name: 'Ada Lovelace', address: 'ada@example.com' },
  copies: [],
  subject: 'Rechnung 1001 für März – €5',
  text: 'Guten Tag\n',
  html: '<p>Guten Tag <img src="cid:logo" alt="Demo"></p>',
  language: 'de',
  logo: pictureOf(uriOf(pngOf(2, 2))) ?? null,
  attachments: [
    { filename: 'invoice-1001.pdf', type: 'application/pdf', content: Buffer.from('%PDF-1.7') },
  ],
};

const addressOf = (field: AddressObject | AddressObject[] | undefined) =>
  [field].flat().flatMap((each) => each?.value ?? []);

async function serve(
  t: { teardown: (end: () => unknown) => void },
  options: InboxOptions = {},
  limits: Parameters<typeof openSmtp>[1] = {},
) {
  const inbox = await openInbox(options);
  const mailer = openSmtp(inbox.url, limits);
  t.teardown(async () => {
    mailer.close();
    await inbox.close();
  });
  return { inbox, mailer };
}

test('a mail arrives as it was sent', async (t) => {
  const { inbox, mailer } = await serve(t);
  t.is(await mailer.check(), null);
  t.deepEqual(await mailer.send(mail), { outcome: 'sent' });
  const [got] = inbox.mails;
  t.like(got, {
    messageId: mail.messageId,
    subject: mail.subject,
    text: mail.text,
  });
  t.deepEqual(addressOf(got?.from), [{ ...mail.from }]);
  t.deepEqual(addressOf(got?.to), [{ ...mail.to }]);
  t.deepEqual(got?.headers.get('auto-submitted'), 'auto-generated');
  t.is(got?.headers.get('content-language'), 'de');
  const pdf = got?.attachments.find(({ filename }) => filename === 'invoice-1001.pdf');
  t.is(pdf?.content.toString(), '%PDF-1.7');
  t.is(pdf?.contentType, 'application/pdf');
  // The parser puts the picture where the HTML names it.
  t.regex(String(got?.html), /<img src="data:image\/png;base64,/);
});

test('no name adds a header or a recipient', async (t) => {
  const { inbox, mailer } = await serve(t);
  const evil = 'Eve\r\nBcc: eve@example.com\r\n\r\nBody <eve@example.com>, mallory@example.com';
  const hostile = {
    ...mail,
    from: { ...mail.from, name: evil },
    to: { ...mail.to, name: evil },
    subject: evil,
    attachments: [{ filename: `${evil}.pdf`, type: 'application/pdf', content: Buffer.from('x') }],
  };
  t.deepEqual(await mailer.send(hostile), { outcome: 'sent' });
  const [got] = inbox.mails;
  t.is(got?.bcc, undefined);
  t.deepEqual(
    addressOf(got?.to).map(({ address }) => address),
    ['ada@example.com'],
  );
  t.deepEqual(
    addressOf(got?.from).map(({ address }) => address),
    ['billing@demo.example'],
  );
  t.is(got?.subject, 'Eve Bcc: eve@example.com Body <eve@example.com>, mallory@example.com');
});

const refusals: readonly [string, string, Exclude<SendOutcome, { outcome: 'sent' }>][] = [
  ['an unknown recipient', '550 5.1.1 no such user', { outcome: 'refused', code: '550 5.1.1' }],
  ['a greylisting server', '451 4.7.1 try later', { outcome: 'deferred', code: '451 4.7.1' }],
  ['a full mailbox', '452 4.2.2 full', { outcome: 'deferred', code: '452 4.2.2' }],
];

for (const [what, answer, outcome] of refusals) {
  test(`${what}: ${outcome.outcome}, with a code that holds no address`, async (t) => {
    const { inbox, mailer } = await serve(t, { recipient: (to) => `${answer} <${to}>` });
    t.deepEqual(await mailer.send(mail), outcome);
    t.is(inbox.mails.length, 0);
    // The connection is of further use.
    t.deepEqual(await mailer.send(mail), outcome);
  });
}

/** Whom the server had the mail for, by its answers to each recipient. */
const copied = { ...mail, copies: ['bob@example.com', 'cy@example.com'] };
const verdicts: readonly [string, Readonly<Record<string, string>>, SendOutcome, number][] = [
  ['a copy that is refused', { 'bob@example.com': '550 5.1.1 no' }, { outcome: 'sent' }, 1],
  ['a copy that is put off', { 'cy@example.com': '451 4.7.1 later' }, { outcome: 'sent' }, 1],
  [
    'an addressee that is refused beside copies',
    { 'ada@example.com': '550 5.1.1 no' },
    { outcome: 'refused', code: '550 5.1.1' },
    1,
  ],
  [
    'an addressee that is put off beside copies',
    { 'ada@example.com': '451 4.7.1 later' },
    { outcome: 'deferred', code: '451 4.7.1' },
    1,
  ],
  [
    'an addressee that is refused, and copies that are put off',
    {
      'ada@example.com': '550 5.1.1 no',
      'bob@example.com': '451 4.7.1 later',
      'cy@example.com': '452 4.2.2 full',
    },
    { outcome: 'refused', code: '550 5.1.1' },
    0,
  ],
];

for (const [what, answers, outcome, taken] of verdicts) {
  test(`the outcome of a mail is what the server says of its addressee: ${what}`, async (t) => {
    const { inbox, mailer } = await serve(t, { recipient: (to) => answers[to] ?? null });
    t.deepEqual(await mailer.send(copied), outcome);
    t.is(inbox.mails.length, taken);
  });
}

test('copies are in the header Cc, of one mail', async (t) => {
  const recipients: string[] = [];
  const { inbox, mailer } = await serve(t, {
    recipient(to) {
      recipients.push(to);
      return null;
    },
  });
  t.deepEqual(await mailer.send(copied), { outcome: 'sent' });
  t.is(inbox.mails.length, 1);
  t.deepEqual(
    addressOf(inbox.mails[0]?.cc).map(({ address }) => address),
    copied.copies,
  );
  t.deepEqual(recipients, ['ada@example.com', ...copied.copies]);
});

test('a refusal of the data is final as well', async (t) => {
  const { mailer } = await serve(t, { afterData: () => '554 5.6.0 looks like spam' });
  t.deepEqual(await mailer.send(mail), { outcome: 'refused', code: '554 5.6.0' });
});

test('a server that is slow to answer the data holds up nobody, and its answer comes late', async (t) => {
  const hung = Promise.withResolvers<null>();
  const { inbox, mailer } = await serve(
    t,
    { afterData: ({ subject }) => (subject === 'hangs' ? hung.promise : null) },
    { promptMs: 0 },
  );
  const late = await mailer.send({ ...mail, subject: 'hangs' });
  if (late.outcome !== 'late') return t.fail(late.outcome);
  const other = await mailer.send(mail);
  t.deepEqual(other.outcome === 'late' ? await other.answer : other, { outcome: 'sent' });
  hung.resolve(null);
  t.deepEqual(await late.answer, { outcome: 'sent' });
  t.is(inbox.mails.length, 2);
});

test('an answer that never comes after the data leaves the mail unanswered', async (t) => {
  const hung = Promise.withResolvers<null>();
  const over = Promise.withResolvers<void>();
  const { mailer } = await serve(
    t,
    { afterData: () => hung.promise },
    { promptMs: 0, answerEnds: () => over.promise },
  );
  const late = await mailer.send(mail);
  if (late.outcome !== 'late') return t.fail(late.outcome);
  over.resolve();
  t.deepEqual(await late.answer, { outcome: 'unanswered', code: 'ETIMEDOUT' });
  hung.resolve(null);
});

test('a connection that breaks after the data leaves the mail unanswered', async (t) => {
  const hung = Promise.withResolvers<null>();
  const { mailer } = await serve(t, {
    afterData() {
      mailer.close();
      return hung.promise;
    },
  });
  t.like(await mailer.send(mail), { outcome: 'unanswered' });
  hung.resolve(null);
});

test('a server that hangs before the data has no mail, which is tried again', async (t) => {
  const hung = Promise.withResolvers<null>();
  const { mailer } = await serve(t, { recipient: () => hung.promise }, { sendMs: 300 });
  t.deepEqual(await mailer.send(mail), { outcome: 'deferred', code: 'ETIMEDOUT' });
  hung.resolve(null);
});

test('a server that never greets is found by the check', async (t) => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const mailer = openSmtp(`smtp://127.0.0.1:${port}`, { connectMs: 200 });
  t.teardown(() => {
    mailer.close();
    server.close();
  });
  t.is(await mailer.check(), 'ETIMEDOUT');
  t.is((await mailer.send(mail)).outcome, 'deferred');
});

test('no server, and a wrong password, are found by the check', async (t) => {
  const login = { user: 'demo', pass: 'right' };
  const { inbox, mailer } = await serve(t, { login });
  t.is(await mailer.check(), null);
  t.is((await mailer.send(mail)).outcome, 'sent');
  const wrong = openSmtp(inbox.url.replace('right', 'wrong'));
  t.is(await wrong.check(), '535 5.7.8');
  const nobody = openSmtp('smtp://127.0.0.1:1');
  t.is(await nobody.check(), 'ESOCKET');
  t.is(nobody.destination, 'SMTP server 127.0.0.1:1');
  t.false(mailer.destination.includes('right'));
});

test('without a server, mails are files that their own mailers read', async (t) => {
  const folder = join(testFolder(t), 'mail');
  const mailer = openEmlFolder(folder);
  t.false(existsSync(folder));
  t.is(await mailer.check(), null);
  // The same mail again replaces its file.
  for (const subject of ['first', 'second']) {
    t.deepEqual(await mailer.send({ ...mail, subject }), { outcome: 'sent' });
  }
  t.deepEqual(readdirSync(folder), ['demo.7.1798761600000.eml']);
  const got = await simpleParser(readFileSync(join(folder, 'demo.7.1798761600000.eml')));
  t.is(got.subject, 'second');
  t.is(got.messageId, mail.messageId);
  t.is(got.attachments.length, 2);
});

test('a folder that cannot be made is found by the check', async (t) => {
  const mailer = openEmlFolder('/dev/null/mail');
  t.is(await mailer.check(), 'ENOTDIR');
  t.is((await mailer.send(mail)).outcome, 'deferred');
});
