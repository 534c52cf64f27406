/** Encrypted secrets can be decrypted only with their key and for their use. */
import test from 'ava';
import { createVault } from '../../../providers/vault.ts';
import { fc } from '../../support/random.ts';

const vault = createVault('a key of the tests, of 32 or more characters');

test('encrypted secrets can be decrypted, and differ each time', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (clear, context) => {
      const sealed = vault.seal(clear, context);
      t.is(vault.open(sealed, context), clear);
      t.not(vault.seal(clear, context), sealed);
    }),
  );
});

test('an encrypted secret cannot be decrypted with another key', (t) => {
  const other = createVault('another key of the tests, of 32 or more characters');
  const sealed = vault.seal('secret', 'demo/gateway');
  t.throws(() => other.open(sealed, 'demo/gateway'));
});

test('an encrypted secret cannot be decrypted for another use', (t) => {
  const sealed = vault.seal('secret', 'demo/gateway');
  t.throws(() => vault.open(sealed, 'acme/gateway'));
});

test('an encrypted secret with any changed bit cannot be decrypted', (t) => {
  const sealed = vault.seal('secret', 'demo/gateway');
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const altered = Buffer.from(bytes);
    altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    t.throws(() => vault.open(`v1.${altered.toString('base64url')}`, 'demo/gateway'));
  }
});

test('text that is not an encrypted secret is refused', (t) => {
  for (const text of ['', 'v1.', 'v1.AAAA', 'v2.AAAA', 'secret']) {
    t.throws(() => vault.open(text, 'demo/gateway'), { message: 'not a sealed secret' });
  }
});
