/** The tax rates of the tenant file, as operations read them. */
import test from 'ava';
import { readTenant } from '../../../operations/context/tenant.ts';
import { bench, smallest, textOf } from './support.ts';

const quebec = { country: 'CA', state: 'QC', percent: '9.9750', taxCode: 'STD', name: 'QST' };
const books = { country: 'CA', percent: '0', taxCode: 'BOOKS', name: 'GST' };
const exempt = { ...books, taxCode: 'CARE', category: 'E', exemptionReason: 'Health care' };

test('the rates of the file are read with their defaults, in the order of the file', async (t) => {
  const { apply, changes, in: inLabel } = await bench(t);
  const draft = { ...smallest, tax: { type: 'table', rates: [quebec, books, exempt] } };
  const applied = await apply(textOf(draft));
  t.deepEqual(applied.isValid && applied.notInForce, []);
  t.deepEqual((await inLabel('tiny', readTenant)).taxRates, [
    { ...quebec, percent: '9.975', category: 'S', exemptionReason: null },
    { ...books, state: null, category: 'Z', exemptionReason: null },
    { ...exempt, state: null },
  ]);
  t.deepEqual(await changes(draft), []);
});

test('without the type table there are no rates, be they in the file or not', async (t) => {
  const { changes, in: inLabel } = await bench(t);
  const rates = async () => (await inLabel('tiny', readTenant)).taxRates;
  await changes(smallest);
  t.deepEqual(await rates(), []);
  await changes({ ...smallest, tax: { type: 'none', rates: [quebec] } });
  t.deepEqual(await rates(), []);
});

test('addresses are validated if the file says so, and its type is the table', async (t) => {
  const { apply, in: inLabel } = await bench(t);
  const validates = async (tax: object) => {
    const applied = await apply(textOf({ ...smallest, tax }));
    t.deepEqual(applied.isValid && applied.notInForce, []);
    return (await inLabel('tiny', readTenant)).validatesAddresses;
  };
  const table = { type: 'table', rates: [quebec] };
  t.false(await validates({}));
  t.true(await validates({ ...table, validateAddresses: 'true' }));
  t.false(await validates({ ...table, validateAddresses: 'false' }));
  t.false(await validates(table));
});

test('a file that an earlier version stored gains no change by the new keys', async (t) => {
  const { changes, in: inLabel } = await bench(t);
  const draft = { ...smallest, tax: { type: 'table', rates: [quebec] } };
  await changes(draft);
  await inLabel('tiny', (tx) =>
    tx.query('update tenant set file = jsonb_set(file, $1, $2)', [
      ['tax'],
      JSON.stringify({
        type: 'table',
        validateAddresses: false,
        rates: [{ ...quebec, percent: '9.975' }],
      }),
    ]),
  );
  t.deepEqual(await changes(draft), []);
  const [rate] = (await inLabel('tiny', readTenant)).taxRates;
  t.is(rate?.category, 'S');
});
