/** The words of hosted pages: what the compiler does not see. */
import test from 'ava';
import { figuresLocaleOf, pageLanguageOf, pageWords } from '../../../api/pages/words.ts';
import { payWords } from '../../../api/resources/self-service/pay/words.ts';
import { orderWords } from '../../../api/resources/self-service/orders/words.ts';
import { selfServiceWords } from '../../../api/resources/self-service/page/words.ts';
import { recordWords } from '../../../api/resources/self-service/records/words.ts';
import { loginWords } from '../../../api/resources/self-service/login/words.ts';
import { profileWords } from '../../../api/resources/self-service/profile/words.ts';
import { signupWords } from '../../../api/resources/signups/page/words.ts';

interface Texts {
  readonly [key: string]: string | Texts;
}

/** Each text with the path of its key. */
function textsIn(words: Texts, path = ''): [string, string][] {
  return Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${path}/${key}`, value]] : textsIn(value, `${path}/${key}`),
  );
}

const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].flat().toSorted();

for (const [name, sets] of Object.entries({
  shared: pageWords,
  signup: signupWords,
  'self-service': selfServiceWords,
  records: recordWords,
  pay: payWords,
  login: loginWords,
  profile: profileWords,
  orders: orderWords,
})) {
  const english = new Map(textsIn(sets.en));
  for (const [language, words] of Object.entries(sets)) {
    test(`${name}, ${language}: a text has the placeholders of the English one`, (t) => {
      const texts = textsIn(words);
      t.deepEqual(texts.map(([path]) => path).toSorted(), [...english.keys()].toSorted());
      for (const [path, text] of texts) {
        t.deepEqual(placeholders(text), placeholders(english.get(path) ?? ''), path);
        t.regex(text, /^\S(.*\S)?$/, path);
      }
    });
  }
}

test('a page is in the language of its locale, else in English, with the dates of its language', (t) => {
  t.deepEqual(['de-AT', 'fr-CA', 'es-MX', 'en-GB', 'ja-JP'].map(pageLanguageOf), [
    'de',
    'fr',
    'es',
    'en',
    'en',
  ]);
  t.deepEqual(['de-AT', 'de', 'ja-JP'].map(figuresLocaleOf), ['de-AT', 'de-DE', 'en-JP']);
});
