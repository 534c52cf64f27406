/** The delivered templates and those of tenants: what they show, and what they cannot do. */
import test from 'ava';
import { mailPage } from '../../../domain/mail/page.ts';
import { checkTemplates } from '../../../providers/mail/check-templates.ts';
import { isTemplateName } from '../../../providers/mail/templates.ts';
import { createRenderer } from '../../../providers/mail/render.ts';
import { doubling, doublingOnce, endlessFilter } from './attacks.ts';
import { newInvoice, order, overdue, payment, sourceOf } from '../../domain/mail/samples.ts';
import { messages } from '../../../messages/messages.ts';

const delivered = createRenderer(new Map());
const rendererOf = (templates: Readonly<Record<string, string>>) =>
  createRenderer(new Map(Object.entries(templates)));
async function mistakesOf(templates: Readonly<Record<string, string>>): Promise<string[]> {
  const mistakes = await checkTemplates(new Map(Object.entries(templates)));
  return mistakes.map(({ name, message }) => `${name}: ${message}`);
}

test('a mail as text', (t) => {
  const { text } = delivered.render({
    page: mailPage(sourceOf(overdue, { locale: 'en_US' }), messages),
    logo: null,
  });
  t.is(
    text,
    `Dear Ada Lovelace,

These invoices are overdue. Please pay them now:

Invoice | Due date | Open amount
1001 | January 31, 2027 | €1,234.50
1002 | January 31, 2027 | €0.50

Open amount: €1,235.00

Your service is suspended until they are paid.

If you have paid in the meantime, please ignore this reminder.

Kind regards,
Demo & Co

--
Demo & Co
Am Markt 1
10115 Berlin
Germany
Tax ID: DE123456789
`,
  );
});

test('every kind is rendered in every language', (t) => {
  const subjects = [
    newInvoice,
    { kind: 'newOrder', order } as const,
    { kind: 'paymentReceived', payment } as const,
    { kind: 'paymentFailed', payment } as const,
    overdue,
    { kind: 'passwordReset', username: 'ada', resetAddress: 'https://demo.example/r' } as const,
    { kind: 'contactChanged' } as const,
  ];
  for (const locale of ['en_US', 'de_DE', 'fr_FR', 'es_ES']) {
    for (const subject of subjects) {
      const page = mailPage(sourceOf(subject, { locale }), messages);
      const { html, text, subject: line } = delivered.render({ page, logo: 'cid:logo' });
      t.true(html.includes(`<html lang="${locale.slice(0, 2)}">`));
      t.true(html.includes('src="cid:logo"'));
      for (const { value } of page.facts) t.true(text.includes(value), `${locale}: ${value}`);
      t.is(line, page.subject);
      t.notRegex(html + text, /undefined|\{\w+\}|\[object/);
    }
  }
});

test('a hostile name is text in the HTML, and one line in the subject', (t) => {
  const name = '<img src=x onerror=alert(1)>\r\nBcc: eve@example.com';
  const sender = { ...sourceOf(newInvoice).sender, name: `${name} "Ltd" & Sons` };
  const page = mailPage(
    {
      ...sourceOf(newInvoice, { locale: 'en_US', customer: { name, billingContact: null } }),
      sender,
    },
    messages,
  );
  const { html, subject } = delivered.render({ page, logo: null });
  t.false(html.includes('<img'));
  t.true(html.includes('&lt;img src=x onerror=alert(1)&gt;'));
  t.is(subject, 'Invoice 1001 from <img src=x onerror=alert(1)> Bcc: eve@example.com "Ltd" & Sons');
});

test('a text that looks like a template is not one', (t) => {
  const customer = { name: '{{ sender.name }}{% if %}', billingContact: null };
  const page = mailPage(sourceOf(newInvoice, { locale: 'en_US', customer }), messages);
  t.true(delivered.render({ page, logo: null }).text.startsWith('Dear {{ sender.name }}{% if %},'));
});

test('the most specific of a tenant’s templates replaces the delivered one', (t) => {
  const renderer = rendererOf({
    'mail.subject.liquid': 'of all kinds',
    'newInvoice.subject.liquid': 'of the kind',
    'newInvoice.de.subject.liquid': 'of kind and language',
    'mail.it.text.liquid': 'di {{ sender.name }}: {{ values.invoiceNumber }}',
  });
  const subjectOf = (locale: string, kind = newInvoice) =>
    renderer.render({ page: mailPage(sourceOf(kind, { locale }), messages), logo: null }).subject;
  t.is(subjectOf('de_DE'), 'of kind and language');
  t.is(subjectOf('fr_FR'), 'of the kind');
  t.is(subjectOf('fr_FR', overdue), 'of all kinds');
  // A language that Sundial has no words for may have templates.
  const italian = renderer.render({
    page: mailPage(sourceOf(newInvoice, { locale: 'it_IT' }), messages),
    logo: null,
  });
  t.is(italian.text, 'di Demo & Co: 1001\n');
  t.true(italian.html.includes('<html lang="en">'));
});

test('a tenant’s frame is around the delivered content', (t) => {
  const renderer = rendererOf({
    'frame.html.liquid': '<b>{{ sender.name }}</b>{% block content %}{% endblock %}',
  });
  const { html } = renderer.render({
    page: mailPage(sourceOf(newInvoice, { locale: 'en_US' }), messages),
    logo: null,
  });
  t.true(html.startsWith('<b>Demo &amp; Co</b>'));
  t.true(html.includes('Dear Ada Lovelace,'));
});

const broken: readonly [what: string, templates: Record<string, string>, found: RegExp][] = [
  [
    'a tag without end',
    { 'mail.de.text.liquid': '{% if facts %}' },
    /^mail\.de\.text\.liquid: tag/,
  ],
  [
    'an undefined value',
    { 'newOrder.html.liquid': 'ok', 'newInvoice.html.liquid': '\n{{ values.custmer }}' },
    /^newInvoice\.html\.liquid: undefined variable: values\.custmer, line:2/,
  ],
  [
    'an undefined filter',
    { 'mail.text.liquid': '{{ subject | shout }}' },
    /undefined filter: shout/,
  ],
  [
    'a file of the machine',
    { 'mail.html.liquid': `{% render '/etc/passwd' %}` },
    /^mail\.html\.liquid: there is no template "\/etc\/passwd"/,
  ],
  [
    'an endless loop',
    { 'mail.html.liquid': '{% for i in (1..1000000000) %}{{ i }}{% endfor %}' },
    /^mail\.html\.liquid: memory alloc limit exceeded/,
  ],
  [
    'a filter without end',
    { 'newInvoice.html.liquid': endlessFilter },
    /^newInvoice\.html\.liquid: takes longer than 1000 ms$/,
  ],
  [
    'a text that doubles 25 times',
    { 'mail.text.liquid': doubling },
    /^mail\.text\.liquid: needs more than 64 MB of memory$/,
  ],
  [
    'more than a megabyte',
    { 'mail.text.liquid': doublingOnce },
    /^mail\.text\.liquid: makes a mail of more than 1000000 bytes$/,
  ],
  [
    'the insides of a value',
    { 'mail.html.liquid': '{{ sender.constructor.constructor }}' },
    /undefined variable: sender\.constructor/,
  ],
];

for (const [what, templates, found] of broken) {
  test.serial(`a template with ${what} is refused by name`, async (t) => {
    const [mistake = '', ...more] = await mistakesOf(templates);
    t.regex(mistake, found);
    t.deepEqual(more, []);
  });
}

test('the names of templates', async (t) => {
  const right = ['mail.html.liquid', 'newInvoice.de.subject.liquid', 'frame.text.liquid'];
  right.push('passwordReset.fr.html.liquid');
  const wrong = ['newinvoice.html.liquid', 'mail.html', 'frame.subject.liquid', 'mail.liquid'];
  t.deepEqual([...right, ...wrong].filter(isTemplateName), right);
  t.deepEqual(await mistakesOf(Object.fromEntries(right.map((name) => [name, 'A text.']))), []);
});
