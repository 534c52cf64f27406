/** Metadata: its order, and what an invoice takes of its orders. */
import test from 'ava';
import { entriesOf, isSameMetadata, metadataOfOrders } from '../../../domain/text/metadata.ts';

test('entries come by ascending key, capitals first', (t) => {
  const keys = entriesOf({ b: '1', aa: '2', B: '3', a: '4', '10': '5', '2': '6' });
  t.deepEqual(
    keys.map(({ key }) => key),
    ['10', '2', 'B', 'a', 'aa', 'b'],
  );
  t.deepEqual(entriesOf(null), []);
});

test('a key that two orders have takes the value of the lowest order, in whatever order they come', (t) => {
  const high = { id: 8, metadata: { crm: 'B', team: 'north' } };
  const low = { id: 7, metadata: { crm: 'A', po: '9' } };
  const union = { crm: 'A', po: '9', team: 'north' };
  t.deepEqual(metadataOfOrders([high, low]), union);
  t.deepEqual(metadataOfOrders([low, { id: 3, metadata: null }, high, { id: 4 }]), union);
});

test('of more than 20 keys the first 20 are taken', (t) => {
  const ofLetters = (letter: string, count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`${letter}${index + 10}`, 'x']),
    );
  const union = metadataOfOrders([
    { id: 1, metadata: ofLetters('b', 15) },
    { id: 2, metadata: ofLetters('a', 15) },
  ]);
  t.deepEqual(
    entriesOf(union).map(({ key }) => key),
    [...Object.keys(ofLetters('a', 15)), 'b10', 'b11', 'b12', 'b13', 'b14'],
  );
});

test('orders without metadata give none', (t) => {
  t.is(metadataOfOrders([]), null);
  t.is(metadataOfOrders([{ id: 1, metadata: null }]), null);
});

test("a key that is a name of JavaScript's own is a key as any other", (t) => {
  const metadata = JSON.parse('{"__proto__":"a","constructor":"b"}') as Record<string, string>;
  const union = metadataOfOrders([{ id: 1, metadata }]);
  t.deepEqual(entriesOf(union), [
    { key: '__proto__', value: 'a' },
    { key: 'constructor', value: 'b' },
  ]);
});

test('the same entries in another order are the same', (t) => {
  t.true(isSameMetadata({ a: '1', b: '2' }, { b: '2', a: '1' }));
  t.false(isSameMetadata({ a: '1' }, { a: '2' }));
  t.false(isSameMetadata({ a: '1' }, null));
  t.true(isSameMetadata(null, null));
});
