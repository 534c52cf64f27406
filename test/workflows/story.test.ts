/** The words of workflows for people. */
import test from 'ava';
import { COUNTED_MAX } from '../../workflows/contract/contract.ts';
import { backlog, counted } from '../../workflows/story/story.ts';

test('a backlog is counted up to ten thousand, anything else to the end', (t) => {
  t.is(backlog(1, 'event'), '1 event');
  t.is(backlog(COUNTED_MAX, 'event'), '10000 events');
  t.is(backlog(COUNTED_MAX + 1, 'event'), 'more than 10000 events');
  t.is(counted(COUNTED_MAX + 1, 'customer'), '10001 customers');
});
