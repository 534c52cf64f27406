/** How the search finds and orders: the server makes the index with it, the browser reads it. */

/**
 * `text` is all that there is to find, `excerpt` what a result shows of it. `known` are the words that
 * people type for a page, at its first entry; `also` are the same words, at its sections.
 */
export const options = {
  fields: ['title', 'words', 'known', 'also', 'text'],
  storeFields: ['kind', 'title', 'excerpt', 'href'],
  // Without the symbols, `xml` would not find `format=xml`.
  tokenize: (text) => text.split(/[\p{Z}\p{P}\p{S}\p{C}]+/u),
  searchOptions: {
    boost: { title: 4, words: 3, known: 12, also: 0.5 },
    combineWith: 'AND',
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  },
};

/** What comes first, whatever its score; of each kind so many are shown, if there are as many. */
const kinds = [
  { names: ['Guide'], shown: 5 },
  { names: ['Call'], shown: 3 },
  { names: ['Error'], shown: 2 },
  { names: ['Parameter', 'Field'], shown: 4 },
];
const HITS_MAX = 14;

/** Guides come before calls, calls before errors, and fields last; a code that is typed whole is first. */
export function ranked(hits, query) {
  const asked = query.trim().toLowerCase();
  const isNamed = ({ kind, title }) => kind === 'Error' && title.toLowerCase() === asked;
  const named = hits.filter(isNamed);
  const groups = kinds.map(({ names, shown }) => {
    const own = hits.filter((hit) => names.includes(hit.kind) && !isNamed(hit));
    return { own, shown: Math.min(shown, own.length) };
  });
  let free = HITS_MAX - named.length - groups.reduce((sum, { shown }) => sum + shown, 0);
  const listed = groups.flatMap(({ own, shown }) => {
    const further = Math.max(0, Math.min(free, own.length - shown));
    free -= further;
    return own.slice(0, shown + further);
  });
  return [...named, ...listed].slice(0, HITS_MAX);
}
