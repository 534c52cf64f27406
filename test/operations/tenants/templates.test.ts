/** The folder of mail templates that a tenant file names: read, checked and stored with the tenant. */
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { filesBeside } from '../../../cli/tenant/beside.ts';
import { testFolder } from '../../support/folder.ts';
import { bench, smallest, textOf } from './support.ts';

const notifications = { from: 'billing@tiny.example', enabled: ['newInvoice'], templates: 'mails' };
const file = { ...smallest, notifications };

/** The folder beside the file, and how the command reads it. */
function folderWith(t: ExecutionContext, files: Readonly<Record<string, string | Buffer>>) {
  const folder = testFolder(t);
  mkdirSync(join(folder, 'mails'));
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, 'mails', name), text);
  return {
    folder,
    beside: filesBeside(join(folder, 'tiny.yaml')),
  };
}

test('templates are stored with the tenant, and follow their files', async (t) => {
  const own = await bench(t);
  const { folder, beside } = folderWith(t, {
    'newInvoice.subject.liquid': 'Your invoice {{ values.invoiceNumber }}',
    'mail.de.text.liquid': 'Guten Tag',
    '.DS_Store': 'not a template',
  });
  await own.changes(file, beside);
  const stored = () =>
    own.in('tiny', (tx) =>
      tx.query<{ name: string; content: string }>(
        'select name, content from mail_template order by name',
      ),
    );
  t.deepEqual(await stored(), [
    { name: 'mail.de.text.liquid', content: 'Guten Tag' },
    { name: 'newInvoice.subject.liquid', content: 'Your invoice {{ values.invoiceNumber }}' },
  ]);
  t.deepEqual(await own.changes(file, beside), []);
  writeFileSync(join(folder, 'mails', 'mail.de.text.liquid'), 'Servus');
  writeFileSync(join(folder, 'mails', 'mail.fr.text.liquid'), 'Bonjour');
  t.deepEqual(await own.changes(file, beside), [
    'mail template mail.de.text.liquid: changed',
    'mail template mail.fr.text.liquid: created',
  ]);
  const { templates: _none, ...without } = notifications;
  t.deepEqual(await own.changes({ ...smallest, notifications: without }, beside), [
    'notifications: changed',
    'mail template mail.de.text.liquid: removed',
    'mail template mail.fr.text.liquid: removed',
    'mail template newInvoice.subject.liquid: removed',
  ]);
  t.deepEqual(await stored(), []);
});

const faulty: readonly [string, Readonly<Record<string, string | Buffer>>, RegExp][] = [
  [
    'a broken one',
    { 'newInvoice.html.liquid': '{% if x %}' },
    /^mails\/newInvoice\.html\.liquid: tag \{% if x %\} not closed/,
  ],
  [
    'one with a value that there is not',
    { 'newInvoice.text.liquid': '{{ values.nummer }}' },
    /^mails\/newInvoice\.text\.liquid: undefined variable: values\.nummer/,
  ],
  [
    'a file of another name',
    { 'invoice.html.liquid': 'text' },
    /^mails\/invoice\.html\.liquid is not the name of a template: mail or newInvoice, /,
  ],
  [
    'one in another encoding',
    { 'mail.text.liquid': Buffer.from([0xff, 0xfe, 0x41]) },
    /^mails\/mail\.text\.liquid is not text in UTF-8$/,
  ],
  [
    'one that is too long',
    { 'mail.text.liquid': 'x'.repeat(100_001) },
    /^mails\/mail\.text\.liquid is longer than 100000 bytes$/,
  ],
];

for (const [what, files, message] of faulty) {
  test(`${what} is refused by its path, and nothing is applied`, async (t) => {
    const own = await bench(t);
    const applied = await own.apply(textOf(file), folderWith(t, files).beside);
    t.false(applied.isValid);
    const [mistake, ...more] = applied.isValid ? [] : applied.mistakes;
    t.is(mistake?.path, 'notifications.templates');
    t.is(typeof mistake?.line, 'number');
    t.regex(mistake?.message ?? '', message);
    t.deepEqual(more, []);
    await t.throwsAsync(own.in('tiny', () => Promise.resolve()));
  });
}

test('a folder or a file that cannot be read is refused by its path', async (t) => {
  const own = await bench(t);
  const { folder, beside } = folderWith(t, {});
  const mistakesOf = async (more: object) => {
    const applied = await own.apply(textOf({ ...smallest, notifications: more }), beside);
    return applied.isValid ? [] : applied.mistakes.map(({ message }) => message);
  };
  const elsewhere = { ...notifications, templates: 'nowhere' };
  t.deepEqual(await mistakesOf(elsewhere), [
    'nowhere is not a folder beside this file that can be read, or is a link to one elsewhere',
  ]);
  mkdirSync(join(folder, 'mails', 'mail.html.liquid'));
  t.deepEqual(await mistakesOf(notifications), [
    'mails/mail.html.liquid cannot be read, or is a link out of its folder',
  ]);
});

test('no link leads out of the folder of templates, and links within it are followed', async (t) => {
  const own = await bench(t);
  const { folder, beside } = folderWith(t, { 'mail.de.text.liquid': 'Guten Tag' });
  const mails = join(folder, 'mails');
  writeFileSync(join(folder, 'secret'), 'secret');
  symlinkSync('mail.de.text.liquid', join(mails, 'mail.fr.text.liquid'));
  t.is(beside.readBeside('mails/mail.fr.text.liquid')?.toString(), 'Guten Tag');
  const mistakesOf = async () => {
    const applied = await own.apply(textOf(file), beside);
    return applied.isValid ? [] : applied.mistakes.map(({ message }) => message);
  };
  for (const target of ['../secret', '/etc/hostname', join(folder, 'secret')]) {
    const link = join(mails, 'mail.text.liquid');
    symlinkSync(target, link);
    t.deepEqual(
      await mistakesOf(),
      ['mails/mail.text.liquid cannot be read, or is a link out of its folder'],
      target,
    );
    renameSync(link, join(folder, 'moved'));
  }
  // The folder itself, too; the logo is read in the same way.
  const elsewhere = testFolder(t);
  renameSync(mails, join(elsewhere, 'mails'));
  symlinkSync(join(elsewhere, 'mails'), mails);
  t.deepEqual(await mistakesOf(), [
    'mails is not a folder beside this file that can be read, or is a link to one elsewhere',
  ]);
  t.is(beside.readBeside('mails/mail.de.text.liquid'), undefined, 'nor through it');
  t.is(beside.readBeside('../../../../../../etc'), undefined, 'a folder is no file');
});

test('a kind keeps the time at which it was first in force', async (t) => {
  const own = await bench(t);
  const { beside } = folderWith(t, {});
  const kinds = () =>
    own.in('tiny', (tx) =>
      tx.query<{ kind: string; first: Date; isOn: boolean }>(
        `select kind, first_in_force_at as first, enabled_at is not null as "isOn"
         from notification order by kind`,
      ),
    );
  await own.changes(file, beside);
  const [first] = await kinds();
  t.like(first, { kind: 'newInvoice', isOn: true });
  await own.changes({ ...smallest, notifications: { ...notifications, enabled: [] } }, beside);
  t.deepEqual(await kinds(), [{ kind: 'newInvoice', first: first?.first ?? null, isOn: false }]);
  await own.changes(file, beside);
  t.deepEqual(await kinds(), [{ kind: 'newInvoice', first: first?.first ?? null, isOn: true }]);
});
