/**
 * Compares our XML reader with libxml2: both refuse the same documents, and read the same content.
 */
import test from 'ava';
import { edited, wellFormed } from './arbitraries.ts';
import { corpus } from './corpus.ts';
import { isRead, isSame, readByLibxml2, readByUs } from './readers.ts';
import { reasons } from './reasons.ts';
import { fc, runs } from '../../support/random.ts';

type Verdict = 'read' | 'refused' | 'differ';
interface Compared {
  readonly verdict: Verdict;
  /** The reason why they may differ; undefined if there is none. */
  readonly reason?: string | undefined;
  readonly said: string;
}

function compared(bytes: Uint8Array): Compared {
  const ours = readByUs(bytes);
  const theirs = readByLibxml2(bytes);
  const document = Buffer.from(bytes).toString();
  const said = JSON.stringify({ document: document.slice(0, 500), ours, theirs }, writeMaps);
  if (!isRead(ours) && !isRead(theirs)) return { verdict: 'refused', said };
  if (isRead(ours) && isRead(theirs) && isSame(ours, theirs)) return { verdict: 'read', said };
  const differing = { document, bytes, ours, theirs };
  const [reason] = Object.entries(reasons).find(([, explains]) => explains(differing)) ?? [];
  return { verdict: 'differ', reason, said };
}

const writeMaps = (_: string, value: unknown): unknown =>
  value instanceof Map ? Object.fromEntries(value) : value;

test('both readers agree on odd documents, or there is a reason', (t) => {
  const results = corpus.map(({ bytes }) => compared(bytes));
  const verdicts = { read: 0, refused: 0, differ: 0 };
  for (const { verdict } of results) verdicts[verdict] += 1;
  const unexplained = results.filter(({ verdict, reason }) => verdict === 'differ' && !reason);
  t.deepEqual(
    unexplained.map(({ said }) => said),
    [],
  );
  t.true(verdicts.read > 150 && verdicts.refused > 250, JSON.stringify(verdicts));
  // A reason that no document needs any more must be removed.
  const needed = new Set(results.map(({ reason }) => reason));
  t.deepEqual(
    Object.keys(reasons).filter((reason) => !needed.has(reason)),
    [],
  );
});

test('both readers read well-formed documents in the same way', (t) => {
  let read = 0;
  fc.assert(
    fc.property(wellFormed, (document) => {
      const { verdict, reason, said } = compared(Buffer.from(document));
      if (verdict !== 'read' && reason === undefined) throw new Error(said);
      if (verdict === 'read') read += 1;
    }),
    { numRuns: WELL_FORMED, includeErrorInReport: true },
  );
  // Others have a prefix that is not declared.
  t.true(read > WELL_FORMED / 4, String(read));
});

const WELL_FORMED = runs(600, 3_000);
const EDITED = runs(2_400, 12_000);
/** The longer ones repeat one letter, and those of other encodings are not text. */
const LENGTH_MAX = 300;

test('after any single edit both readers read a document in the same way or both refuse it', (t) => {
  const odd = corpus
    .filter(({ what, bytes }) => bytes.length < LENGTH_MAX && !what.startsWith('UTF-'))
    .map(({ bytes }) => Buffer.from(bytes).toString());
  const count = { read: 0, refused: 0, differ: 0 };
  fc.assert(
    fc.property(edited(fc.oneof(wellFormed, fc.constantFrom(...odd))), (document) => {
      const { verdict, reason, said } = compared(Buffer.from(document));
      count[verdict] += 1;
      if (verdict === 'differ' && reason === undefined) throw new Error(said);
    }),
    { numRuns: EDITED, includeErrorInReport: true },
  );
  t.log(count);
  t.true(count.read > EDITED / 20 && count.refused > EDITED / 20, JSON.stringify(count));
});
