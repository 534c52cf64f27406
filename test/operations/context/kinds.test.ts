/** One table of kinds: every other list of kinds has each of them, and no others. */

import test from 'ava';
import { kinds, type Kind } from '../../../operations/context/kinds.ts';
import { sharedDatabase } from '../support/books.ts';
import { kindLists } from '../support/kind-lists.ts';
import { leftOut } from '../support/left-out.ts';

const db = await sharedDatabase();

test('every list of kinds has each kind of the table, and no others', async (t) => {
  t.deepEqual(leftOut<Kind>(kinds, await kindLists(db.app)), []);
});

test('a new kind is reported by name for every list that lacks it', async (t) => {
  const gadget = {
    table: 'gadget',
    unknown: 'gadget.unknown',
    isAddressed: true,
    isVersioned: true,
    isNumbered: true,
    workflow: { type: 'gadgets', isAwaited: true },
    checks: 'gadget',
  };
  const withGadget = { ...kinds, gadget } as Readonly<Record<string, Kind>>;
  const lists = await kindLists(db.app);
  const found = leftOut(withGadget, lists);
  t.deepEqual(
    found.map((text) => text.replace(/ \(.*/, '')),
    lists.map(({ name }) => `gadget is left out of ${name}`),
  );
});

test('a kind that was removed from the table is reported for every list that still has it', async (t) => {
  const { order, ...others } = kinds;
  t.truthy(order);
  t.deepEqual(leftOut<Kind>(others, await kindLists(db.app)), [
    'the catalogue of errors has order.unknown, which is of no kind',
    'the locks of versions has order, which is of no kind',
    'the types of workflows has subscription, which is of no kind',
    'the kinds of workflows has order, which is of no kind',
    'the audited sequences of numbers has number.order, which is of no kind',
    'the tables whose versions are noted on INSERT has INSERT order: subscription_order, which is of no kind',
    'the tables whose versions are noted on UPDATE has UPDATE order: subscription_order, which is of no kind',
    'the tables with a version has subscription_order, which is of no kind',
    'the CHECK of outbox.kind has order, which is of no kind',
    'the CHECK of counter.kind has order, which is of no kind',
    'id_is_foreign by kind has order: subscription_order, which is of no kind',
  ]);
});
