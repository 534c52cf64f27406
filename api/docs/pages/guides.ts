/** The texts of the documentation: Markdown files of the repository, each a page, by chapter. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

export interface Text {
  readonly name: string;
  /** Below the root of the repository. */
  readonly file: string;
  readonly href: string;
}

/** By job, in reading order for a newcomer; each is a file of docs/guides. */
const guideChapters = {
  Start: [
    'first-order',
    'own-tenant',
    'documents',
    'paging-and-windows',
    'idempotency',
    'users-and-rights',
    'test-clocks',
    'sandbox',
    'coming-from',
    'compared',
  ],
  Sell: [
    'plans',
    'prices',
    'trials',
    'seats',
    'coupons',
    'quotes',
    'price-changes',
    'signups',
    'self-service',
  ],
  Run: ['customers', 'orders', 'changes', 'ending', 'usage', 'notifications', 'personal-data'],
  'Get paid': [
    'payments',
    'cards',
    'direct-debit',
    'stripe',
    'payment-plans',
    'dunning',
    'pay-links',
  ],
  Books: [
    'invoicing',
    'give-money-back',
    'tax',
    'ledger',
    'close-month',
    'reports',
    'accounting',
    'commissions',
  ],
  Connect: ['events', 'callbacks', 'imports', 'moving-in', 'clients'],
} as const;

export type Guide = (typeof guideChapters)[keyof typeof guideChapters][number];
export const guides: readonly Guide[] = Object.values(guideChapters).flat();

const guide = (name: string): Text => ({
  name,
  file: `docs/guides/${name}.md`,
  href: `/docs/guides/${name}`,
});
const ofOperators = (name: string): Text => ({
  name,
  file: `docs/${name}.md`,
  href: `/docs/${name}`,
});

const index: Text = { ...guide('index'), href: '/docs' };
export const errorsText: Text = { ...guide('errors'), href: '/docs/errors' };

/** Everything to read, in the order of the menu; the page of the errors has a place of its own. */
export const chapters: readonly { readonly title: string; readonly texts: readonly Text[] }[] = [
  ...Object.entries(guideChapters).map(([title, names], at) => ({
    title,
    texts: [...(at === 0 ? [index] : []), ...names.map(guide)],
  })),
  {
    title: 'Operate',
    texts: [
      ...[
        'tenant-file',
        'invoices',
        'operations',
        'held-customers',
        'tax-provider',
        'containers',
      ].map(ofOperators),
      ofOperators('support'),
      { name: 'changelog', file: 'CHANGELOG.md', href: '/docs/changelog' },
    ],
  },
];

export const texts: readonly Text[] = [...chapters.flatMap((each) => each.texts), errorsText];

const root = join(import.meta.dirname, '../../..');
const named = new Map(texts.map((text) => [text.name, text]));
const hrefs = new Map(texts.map(({ file, href }) => [file, href]));

/**
 * Also of `index` and `errors`, whose pages have more than their text. A line `{{program NAME}}`
 * becomes that file of examples/.
 */
export const guideText = (name: string): string =>
  readFileSync(join(root, textNamed(name).file), 'utf8').replaceAll(
    /^\{\{program (\w[\w.-]*)\}\}$/gm,
    (_, program: string) => `\`\`\`\n${programText(program)}\`\`\``,
  );

const programText = (name: string): string => readFileSync(join(root, 'examples', name), 'utf8');

export const guideTitle = (name: string): string => /^# (.+)$/m.exec(guideText(name))?.[1] ?? name;

export function textNamed(name: string): Text {
  const text = named.get(name);
  if (text === undefined) throw new Error(`there is no text ${name}`);
  return text;
}

/** A description says at least so much, if the text does. */
const SUMMARY_LENGTH_MIN = 45;

/** The first sentence of a text, or the first ones, without markup: what lists say of it. */
export function summaryOf(name: string): string {
  const [, paragraph = ''] = /^# .+\n+((?:[^\n#|{`-][^\n]*\n)+)/m.exec(guideText(name)) ?? [];
  const words = paragraph
    .replaceAll(/\]\([^)]*\)|[[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/:$/, '.');
  const long = new RegExp(`^.{${SUMMARY_LENGTH_MIN},}?\\.(?= |$)`);
  return long.exec(words)?.[0] ?? words;
}

/**
 * Where a link in the file leads on the pages: to the page of that file, to a picture, elsewhere;
 * nowhere if the file is no page, because only those who have the repository can open it.
 */
export function hrefIn({ file }: Text, link: string): string | undefined {
  if (/^(https?:|\/|#)/.test(link)) return link;
  const [path = '', anchor] = link.split('#');
  const target = posix.join(posix.dirname(file), path);
  const href = pictureHref(target) ?? hrefs.get(target);
  return href === undefined || anchor === undefined ? href : `${href}#${anchor}`;
}

const pictureHref = (file: string): string | undefined =>
  file.startsWith('docs/') && /\.(png|svg)$/.test(file) ? `/${file}` : undefined;
