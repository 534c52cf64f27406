/** When the script of an account's pages warns an idle reader, and when it leaves. */
import test from 'ava';

/** As the browser has it; a name in a variable, as the script has no types. */
const path = '../../../api/pages/assets/account.js';
const { actionAfter } = (await import(path)) as {
  actionAfter: (seconds: number, reloadAfter: number) => 'warn' | 'leave' | null;
};

test('it warns two minutes before the session ends, and leaves five seconds after', (t) => {
  t.is(actionAfter(0, 1_805), null);
  t.is(actionAfter(1_679, 1_805), null);
  t.is(actionAfter(1_680, 1_805), 'warn');
  t.is(actionAfter(1_804, 1_805), 'warn');
  t.is(actionAfter(1_805, 1_805), 'leave');
  // A computer that slept.
  t.is(actionAfter(90_000, 1_805), 'leave');
});

test('a page that is shown near the end of the eight hours warns at once', (t) => {
  t.is(actionAfter(0, 65), 'warn');
});
