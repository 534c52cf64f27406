/** The texts of pages, mails and documents: what the compiler does not see. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { languages } from '../../domain/text/language.ts';
import { messages } from '../../messages/messages.ts';
import { flat, isText, mistakesIn, readTexts, type Texts } from '../../messages/texts.ts';
import { root } from './sources.ts';

const english = readTexts(`
order:
  title: Your order {number}
  status: { Active: Active, Draft: Planned }
  answer: no
`);

const german = (order: string) => mistakesIn(readTexts(`order:\n${order}`), english);

test('a file of texts has the keys and the placeholders of the English one', (t) => {
  const status = '  status: { Active: Aktiv, Draft: Geplant }\n  answer: no\n';
  t.deepEqual(german(`${status}  title: Ihre Bestellung {number}`), []);
  t.deepEqual(german(status), ['order.title is missing']);
  t.deepEqual(german(`${status}  title: Bestellung {number}\n  more: Mehr`), [
    'order.more is not in English',
  ]);
  t.deepEqual(german(`${status}  title: Bestellung {Nummer}`), [
    'order.title has other placeholders than English',
  ]);
  t.deepEqual(german(`${status}  title: Ihre Bestellung`), [
    'order.title has other placeholders than English',
  ]);
  t.deepEqual(german(`${status}  title:`), ['order.title is empty, or has blanks around it']);
  t.deepEqual(german('  title: { of: Titel }\n  status: Aktiv\n  answer: no'), [
    'order.title is missing',
    'order.status.Active is missing',
    'order.status.Draft is missing',
    'order.title.of is not in English',
    'order.status is not in English',
  ]);
});

test('the languages have their texts in the same order', (t) => {
  const keys = (language: (typeof languages)[number]) =>
    flat(messages[language]).map(([key]) => key);
  for (const language of languages) t.deepEqual(keys(language), keys('en'), language);
});

const names = (texts: Texts): string[] =>
  Object.entries(texts).flatMap(([name, value]) =>
    isText(value) ? [name] : [name, ...names(value)],
  );

test('no text is without a use', (t) => {
  const files = globSync('{api,domain,operations,providers}/**/*.{ts,eta,js}', { cwd: root })
    .filter((file) => file !== 'domain/text/messages.ts')
    .map((file) => readFileSync(join(root, file), 'utf8'));
  const words = files.flatMap((text) => text.match(/[\w.]+/g) ?? []);
  // As in `change.${kind}`.
  const begun = files.flatMap((text) => text.match(/[\w.]+\.(?=\$\{)/g) ?? []);
  const used = new Set([...words, ...words.flatMap((word) => word.split('.'))]);
  const unused = names(messages.en).filter(
    (name) => !used.has(name) && !begun.some((part) => name.startsWith(part)),
  );
  t.deepEqual(unused, []);
});
