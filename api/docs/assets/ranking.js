/** How the search finds and orders: the server makes the index with it, the browser reads it. */

/** `text` is all that there is to find, `excerpt` what a result shows of it. */
export const options = {
  fields: ['title', 'words', 'text'],
  storeFields: ['kind', 'title', 'excerpt', 'href'],
  // Without the symbols, `xml` would not find `format=xml`.
  tokenize: (text) => text.split(/[\p{Z}\p{P}\p{S}\p{C}]+/u),
  searchOptions: {
    boost: { title: 4, words: 3 },
    combineWith: 'AND',
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    boostDocument: (_id, _term, { kind }) => kinds[kind],
  },
};
const kinds = { Guide: 2.5, Call: 1.5, Error: 0.7, Parameter: 1, Field: 0.8 };

const HITS_MAX = 12;
/** There are hundreds of fields: they come last, but however many texts there are, these many. */
const FIELDS_SHOWN_MIN = 4;

export function ranked(hits) {
  const isField = ({ kind }) => kind === 'Field' || kind === 'Parameter';
  const fields = hits.filter(isField);
  const others = hits.filter((hit) => !isField(hit));
  const places = HITS_MAX - Math.min(FIELDS_SHOWN_MIN, fields.length);
  return [...others.slice(0, places), ...fields].slice(0, HITS_MAX);
}
