/** Signatures by the convention of Standard Webhooks, verified by its own library. */
import { Webhook } from 'standardwebhooks';
import test from 'ava';
import { signatureHeaders } from '../../../providers/callbacks/signature.ts';
import { fc } from '../../support/random.ts';

const SECRETS = fc.uint8Array({ minLength: 1, maxLength: 64 });

test('the library of the convention verifies every signature, and none of another body', (t) => {
  fc.assert(
    fc.property(SECRETS, fc.string({ unit: 'binary' }), fc.nat(), (key, body, number) => {
      const secret = `whsec_${Buffer.from(key).toString('base64')}`;
      const timestamp = Math.floor(Date.now() / 1_000);
      const headers = signatureHeaders(secret, { id: `evt_${number}`, timestamp, body });
      const webhook = new Webhook(secret);
      const options = { jsonParse: false };
      webhook.verify(body, headers, options);
      t.throws(() => webhook.verify(`${body}x`, headers, options), { message: /No matching/ });
      const other = { ...headers, 'webhook-id': `evt_${number + 1}` };
      t.throws(() => webhook.verify(body, other, options), { message: /No matching/ });
    }),
  );
});
