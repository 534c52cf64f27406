/** What a rate of the table is when the tenant's file says less. */
import test from 'ava';
import { rateOf } from '../../../domain/tax/rates.ts';

const given = { country: 'DE', percent: '19', taxCode: 'STANDARD', name: 'USt' } as const;

test('a rate that names no category is standard, at 0 percent zero rated', (t) => {
  t.deepEqual(rateOf(given), { ...given, state: null, category: 'S', exemptionReason: null });
  t.is(rateOf({ ...given, percent: '0' }).category, 'Z');
  t.is(rateOf({ ...given, percent: '0.5' }).category, 'S');
});

test('a category that takes no tax has the reason of the file, or else its own', (t) => {
  const reasonOf = (category: 'Z' | 'E' | 'AE' | 'K' | 'G' | 'O', exemptionReason?: string) =>
    rateOf({ ...given, percent: '0', category, exemptionReason }).exemptionReason;
  t.is(reasonOf('E', 'Health care'), 'Health care');
  t.is(reasonOf('AE'), 'Reverse charge');
  t.is(
    reasonOf('AE', 'Steuerschuldnerschaft des Leistungsempfängers'),
    'Steuerschuldnerschaft des Leistungsempfängers',
  );
  t.is(reasonOf('K'), 'Intra-community supply');
  t.is(reasonOf('G'), 'Export');
  t.is(reasonOf('O'), 'Not subject to VAT');
  t.is(reasonOf('Z'), null);
});
