/** Electronic invoices are valid by the official rules, of which a fault is none that they miss. */
import test from 'ava';
import { missingOf } from '../../../domain/invoices/ubl-missing.ts';
import { ublDocument, type UblSource } from '../../../domain/invoices/ubl.ts';
import { ublXml } from '../../../providers/invoice-documents/ubl.ts';
import { costly, fc, isLong } from '../../support/random.ts';
import { faultsOfUbl } from '../../support/ubl/rules.ts';
import {
  countries,
  rateOf,
  taxCharge,
  taxed,
  ublCharge,
  ublSource,
  ublSources,
  type SourceParts,
} from '../../support/ubl/samples.ts';

const CASES = isLong ? 200 : 5;

const xmlOf = (source: UblSource): string => ublXml(ublDocument(source));

const standard = rateOf('S', '20');
/** 13.53 - 1.35 at 20%. */
const lines: SourceParts['lines'] = [
  [
    taxed(ublCharge({ amount: '13.53', unitPrice: '29.95', quantity: '1' }), standard),
    taxed(ublCharge({ amount: '-1.35', isPercent: true, unitPrice: '-10' }), standard),
    taxCharge(standard, '2.44'),
  ],
];

for (const seller of countries) {
  test(`an invoice of a seller in ${seller} is valid`, (t) => {
    const source = ublSource({ seller, lines });
    t.deepEqual(missingOf(source), []);
    t.deepEqual(faultsOfUbl(xmlOf(source)), []);
  });
}

test('random invoices of sellers and buyers in five countries are valid', (t) => {
  fc.assert(
    fc.property(ublSources, (source) => {
      t.deepEqual(missingOf(source), []);
      t.deepEqual(faultsOfUbl(xmlOf(source)), []);
    }),
    { numRuns: CASES, ...costly },
  );
});

/** What is wrong with a document that somebody has changed. */
const faulty: readonly (readonly [string, string | RegExp, string, RegExp])[] = [
  ['an element that is not in its place', '<cbc:ID>1001</cbc:ID>', '', /ID/],
  ['a total that is none', /(<cbc:TaxInclusiveAmount[^>]*>)14\.62/, '$114.63', /^BR-CO-15 /],
  ['a buyer whom nobody reaches', / {6}<cbc:EndpointID.*\n(?=[^]*Käufer)/, '', /R020|R010/],
  ['an empty element', '<cbc:DueDate>2027-02-17</cbc:DueDate>', '<cbc:DueDate/>', /R008|DueDate/],
];

for (const [title, from, to, expected] of faulty) {
  test(`the rules find ${title}`, (t) => {
    const xml = xmlOf(ublSource({ lines }));
    const changed = xml.replace(from, to);
    t.not(changed, xml);
    t.true(
      faultsOfUbl(changed).some((fault) => expected.test(fault)),
      faultsOfUbl(changed).join('\n'),
    );
  });
}
