/** Ids of events for receivers, before and after restorations. */
import test from 'ava';
import { webhookIdOf } from '../../../domain/callbacks/webhook-id.ts';

test('an event of before a restoration keeps its id, and a new one has the epoch', (t) => {
  const epochs = [
    { epoch: 1, firstId: 1_001 },
    { epoch: 2, firstId: 5_001 },
  ];
  t.is(webhookIdOf(7, []), 'evt_7');
  t.is(webhookIdOf(1_000, epochs), 'evt_1000');
  t.is(webhookIdOf(1_001, epochs), 'evt_1_1001');
  t.is(webhookIdOf(5_000, epochs), 'evt_1_5000');
  t.is(webhookIdOf(5_001, epochs), 'evt_2_5001');
});
