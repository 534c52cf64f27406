/** Which parts of an account a session shows. */
import test from 'ava';
import {
  switchesOf,
  type GivenSwitches,
  parts,
  showsPart,
} from '../../../domain/self-service/switches.ts';

const shownBy = (given: GivenSwitches): string =>
  parts.filter((part) => showsPart(part, switchesOf(given, undefined))).join(' ');

for (const [given, expected] of [
  [{}, 'home statements invoices payments pay card'],
  [{ showStatements: false }, 'home payments pay card'],
  [{ showPayments: false }, 'home statements invoices pay card'],
  [{ allowPayments: false }, 'home statements invoices payments'],
  [{ allowProfileEdit: true }, 'home statements invoices payments pay card profile'],
  [{ editOrderOptions: ['New'] }, 'home statements invoices payments pay card orders'],
  [{ pdfMode: true, showNavigationBar: false }, 'home statements invoices payments pay card'],
] as const) {
  test(`${JSON.stringify(given)} shows ${expected}`, (t) => {
    t.is(shownBy(given), expected);
  });
}
