/** Several secret keys: the first encrypts and signs, each of them decrypts and verifies. */
import test from 'ava';
import { createFormKeys } from '../../api/calls/form-keys.ts';
import { tokenSigner } from '../../providers/storage/folder.ts';
import { createVault, keyIdOf } from '../../providers/vault.ts';

const old = 'the old key of the tests, of 32 or more characters';
const next = 'the next key of the tests, of 32 or more characters';
const context = 'demo/gateway';

test('of several keys the first encrypts, and the text says by which key', (t) => {
  const [before, both, after] = [createVault(old), createVault([next, old]), createVault(next)];
  const byOld = before.seal('secret', context);
  t.regex(byOld, /^v1\./, 'a process with one key writes what the release before reads');
  const byNext = both.seal('secret', context);
  t.true(byNext.startsWith(`v2.${keyIdOf(next)}.`));
  for (const text of [byOld, byNext]) t.is(both.open(text, context), 'secret');
  t.is(after.open(byNext, context), 'secret');
  t.deepEqual(
    [both.keyOf(byOld, context), both.keyOf(byNext, context)],
    [...both.ids].toReversed(),
  );
  t.is(after.keyOf(byOld, context), undefined);
  t.throws(() => after.open(byOld, context), { message: /none of the secret keys/ });
  t.throws(() => before.open(byNext, context), { message: new RegExp(keyIdOf(next)) });
  t.throws(() => both.open(byNext, 'acme/gateway'));
  t.false([...both.ids, byNext].some((each) => each.includes('key of the tests')));
});

test('a form and the address of a file are verified by each key, whichever came first', (t) => {
  const page = { tenantId: 7, token: 'token' };
  const name = { kind: 'upload', tenantId: 7, batchId: 2_101 } as const;
  const signed = [old, next].map((key) => ({
    form: createFormKeys(key, () => 0).issue(page, { form: 'pay', shown: '' }),
    file: tokenSigner(key, () => 0).sign(name),
  }));
  // A process of each step of a rotation, in its order.
  const steps = [[old, next] as const, [next, old] as const];
  for (const keys of steps) {
    for (const { form, file } of signed) {
      t.is(createFormKeys(keys, () => 0).read(page, form)?.form, 'pay');
      t.is(tokenSigner(keys, () => 0).verify(file, name).batchId, 2_101);
    }
  }
  const [{ form: byOld, file } = { form: '', file: '' }] = signed;
  t.is(createFormKeys(next, () => 0).read(page, byOld), undefined);
  t.throws(() => tokenSigner(next, () => 0).verify(file, name), { message: /forged/ });
});
