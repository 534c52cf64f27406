/** The mailed page of a sign-up that charges nothing today: from the form to the order, by a real worker. */
import test, { type ExecutionContext } from 'ava';
import type { ParsedMail } from 'mailparser';
import { makeTenant } from '../../support/tenants.ts';
import { startSystem } from '../../support/system.ts';
import { until } from '../../support/until.ts';
import { valueOf } from '../tenant-api.ts';
import { openSmtp } from '../../../providers/mail/smtp.ts';
import { openInbox } from '../../providers/mail/inbox.ts';
import { localPages } from '../../support/mail.ts';
import {
  ada,
  fill,
  gold,
  keyIn,
  linkOf,
  pagesOf,
  stateOf,
  submit,
  titleOf,
  visit,
  withPages,
  type Link,
} from './page-calls.ts';

const inbox = await openInbox();
const mailer = openSmtp(inbox.url);
const system = await startSystem({ mail: { mailer, host: 'localhost', pages: localPages } });
const from = { from: 'billing@demo.example', enabled: ['newOrder'] };
const made = await makeTenant(system.dependencies, {
  ...withPages,
  file: { ...withPages.file, notifications: from },
});
const { label } = made;
const host = `${label}.localhost`;
const api = pagesOf(system, label);

/** Fills in both steps for an order that begins later, and returns its link. */
async function ordered(email: string): Promise<Link> {
  const link = await linkOf(api, { startDate: '2027-02-01' });
  await fill(api, link.path, { ...ada, ...gold, email });
  await fill(api, `${link.path}?step=review`, {});
  await until('it waits for its button', async () => /confirming/.test(await stateOf(api, link)));
  return link;
}

const isFor =
  (email: string) =>
  ({ to }: ParsedMail): boolean =>
    [to].flat()[0]?.text.includes(email) === true;

/** The path of the page that was mailed to the address. */
async function pathFor(t: ExecutionContext, email: string): Promise<string> {
  await until('the mail is sent', () => Promise.resolve(inbox.mails.some(isFor(email))));
  const mail = inbox.mails.find(isFor(email));
  t.is(mail?.subject, 'Please confirm your order at Test tenant');
  const text = mail?.text ?? '';
  const [, path = ''] = /http:\/\/[\w-]+\.localhost(\/signup\/confirm\/[\w-]+)/.exec(text) ?? [];
  t.true(String(mail?.html).includes(`href="http://${host}${path}"`));
  return path;
}

test.after.always(async () => {
  mailer.close();
  await inbox.close();
});

test.serial('the page says that a mail is under way; its button makes the order', async (t) => {
  const link = await ordered('ada@confirms.example');
  const waiting = await visit(api, link.path);
  t.is(waiting.status, 200);
  t.is(titleOf(waiting), 'Please check your mail');
  const verify = () => api.call('GET', `/signup/verify/${link.tracking}`);
  t.is(valueOf((await verify()).body, 'status'), 'DRAFT');
  const path = await pathFor(t, 'ada@confirms.example');
  const page = await visit(api, path);
  t.is(page.status, 200, page.body);
  t.is(titleOf(page), 'Confirm your order');
  for (const says of ['Gold internet', '$73.44', 'Nothing is due today.', 'renewed after each']) {
    t.true(page.body.includes(says), says);
  }
  t.is((await submit(api, path, { formKey: 'none' })).status, 403);
  t.is((await submit(api, path, { formKey: keyIn(await visit(api, link.path)) })).status, 403);
  const answer = await submit(api, path, { formKey: keyIn(page) });
  t.is(answer.status, 303, answer.body);
  const success = `https://www.demo.example/ok?tracking=${link.tracking}`;
  t.is(answer.headers.location, success);
  t.is(valueOf((await verify()).body, 'status'), 'PROCESSED');
  // Again, and from the page that has waited.
  t.is((await submit(api, path, { formKey: keyIn(page) })).headers.location, success);
  t.is((await visit(api, path)).headers.location, success);
  t.is((await visit(api, link.path)).headers.location, success);
});

test.serial('a known address sees and gets the same as an unknown one', async (t) => {
  const pages: string[] = [];
  for (const email of ['ada@confirms.example', 'nobody@confirms.example']) {
    const link = await ordered(email);
    const { status, body } = await visit(api, link.path);
    pages.push(`${status} ${body.replaceAll(link.path, 'PATH')}`);
    // Both get a mail, too.
    await pathFor(t, email);
  }
  t.is(pages[0], pages[1]);
});

test.serial('the mailed page is over after its time, and an unknown one is 404', async (t) => {
  const link = await ordered('late@confirms.example');
  const path = await pathFor(t, 'late@confirms.example');
  const page = await visit(api, path);
  await api.asOwner(
    `update signup_try set confirm_until = now() - interval '1 second'
     where signup_id = (select id from signup where tracking = '${link.tracking}')`,
  );
  t.is((await visit(api, path)).status, 410);
  t.is((await submit(api, path, { formKey: keyIn(page) })).status, 410);
  t.regex(await stateOf(api, link), /^DRAFT: 1 confirming$/);
  for (const unknown of [`${path}x`, '/signup/confirm/none']) {
    t.is((await visit(api, unknown)).status, 404);
  }
});

test.serial('the mailed page signs its terms: what differs is shown first', async (t) => {
  const link = await ordered('moved@confirms.example');
  const path = await pathFor(t, 'moved@confirms.example');
  const page = await visit(api, path);
  await api.asOwner(`update signup set quantity = 3 where tracking = '${link.tracking}'`);
  const moved = await submit(api, path, { formKey: keyIn(page) });
  t.is(moved.status, 409);
  t.true(moved.body.includes('The price or the terms have changed.'));
  t.true(moved.body.includes('$89.85'), moved.body);
  t.is((await submit(api, path, { formKey: keyIn(moved) })).status, 303);
});

test.serial('the books are right after all of this', async (t) => {
  const report = await system.audit(label);
  t.true(report.clean, JSON.stringify(report));
});
