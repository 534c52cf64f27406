/** The index of the search: it has every word of every text, and guides come before fields. */
import test from 'ava';
import MiniSearch from 'minisearch';
import { documentsOf } from '../../../api/docs/documents.ts';
import { guideText, texts } from '../../../api/docs/pages/guides.ts';
import { options, ranked } from '../../../api/docs/assets/ranking.js';
import { routes } from '../../support/xsd.ts';

interface Hit {
  readonly kind: string;
  readonly title: string;
  readonly href: string;
}

const content = documentsOf(routes).get('/docs/search.json')?.text() ?? '';
const index = MiniSearch.loadJSON<Hit>(String(content), options);
const found = (words: string): Hit[] => ranked(index.search(words)) as unknown as Hit[];

for (const { name, href } of texts) {
  test(`every word of ${href} is found`, (t) => {
    const words = guideText(name)
      .replaceAll(/^(\{\{.*\}\}|```\w+)$/gm, '')
      // Words in place of pictures and addresses of links are not shown.
      .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
      .replaceAll(/\]\([^)]*\)/g, ']')
      .match(/[\p{Letter}\p{Number}]{3,}/gu);
    const missing = new Set(words).values().filter((word) => {
      const hits = index.search(word, { fuzzy: false }) as unknown as Hit[];
      return !hits.some((hit) => hit.href.split('#')[0] === href);
    });
    t.deepEqual([...missing], []);
  });
}

for (const [words, href] of [
  ['coupon', '/docs/guides/prices#coupons'],
  ['autopay', '/docs/guides/payments'],
  ['signature', '/docs/guides/callbacks#verifying-the-signature'],
  ['thresholds', '/docs/tenant-file#dunning-thresholds'],
  ['retention', '/docs/tenant-file#retention'],
] as const) {
  test(`${words} finds ${href}, and texts before fields`, (t) => {
    const hits = found(words);
    t.true(
      hits.slice(0, 8).some((hit) => hit.href.startsWith(href)),
      JSON.stringify(hits, null, 1),
    );
    const isField = ({ kind }: Hit) => kind === 'Field' || kind === 'Parameter';
    const firstField = hits.findIndex(isField);
    const lastText = hits.findLastIndex((hit) => !isField(hit));
    t.true(firstField < 0 || lastText < firstField, JSON.stringify(hits, null, 1));
  });
}

test('a field and a code that texts mention, too, are found among the first twelve', (t) => {
  t.true(found('jobCode').some(({ title }) => title === 'subscriptionOrder.jobCode'));
  t.true(found('contractCode').some(({ title }) => title.endsWith('.contractCode')));
  t.is(found('order.tooManyPeriods')[0]?.href, '/docs/errors#order.tooManyPeriods');
});

test('values of fields, notes of calls and reasons of a hold are found', (t) => {
  t.true(found('Superseded').some(({ title }) => title.endsWith('.orderStatus')));
  t.true(
    found('billing.crashed').some(({ href }) => href.endsWith('#customers-held-from-billing')),
  );
  t.true(found('makes it safe to send again').some(({ kind }) => kind === 'Call'));
});
