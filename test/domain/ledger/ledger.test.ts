/** The codes of accounts, and the places of rows. */
import test from 'ava';
import { codesOf } from '../../../domain/ledger/accounts.ts';
import { cursorOf, placeOf } from '../../../domain/ledger/cursor.ts';

test('a code that the file does not give is the usual one', (t) => {
  const codes = codesOf({ tax: '2210' }, []);
  t.like(codes, { tax: '2210', receivables: '1200', cash: '1000', unapplied: '2300' });
  t.like(codes, { revenue: '4000', adjustments: '4900', surcharges: '4950', writeOffs: '6900' });
  t.like(codes, { carriedOver: '1290', openingBalance: '3900', cashAccounts: [], rates: [] });
});

test('the code of a rate goes by its tax code, its jurisdiction and its name', (t) => {
  const rate = { country: 'US', state: 'New York', percent: '8.875', taxCode: 'STANDARD' };
  const { rates } = codesOf({}, [
    { ...rate, name: 'NY sales tax', accountingCode: '2211' },
    { ...rate, name: 'Another' },
  ]);
  t.deepEqual(rates, [
    { taxCode: 'STANDARD', jurisdiction: 'US/NY', name: 'NY sales tax', code: '2211' },
  ]);
});

test('a cursor names a round, a fact and a row; other text names none', (t) => {
  const place = { until: '745:760:750,752', transaction: '744', factId: 2044, row: 2 };
  for (const since of [null, '10:10:']) {
    t.deepEqual(placeOf(cursorOf({ since, ...place })), { since, ...place });
  }
  const wrong = ['', 'k3x9', Buffer.from(`;1:2:;3;0;1`).toString('base64url')];
  for (const cursor of wrong) t.is(placeOf(cursor), null);
});
