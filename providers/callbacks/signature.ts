/** Signs callbacks by the convention of Standard Webhooks (symmetric signatures, version 1). */
import { createHmac } from 'node:crypto';

export interface Signed {
  /** The same for every attempt at one event. */
  readonly id: string;
  /** Seconds since 1970, of the attempt. */
  readonly timestamp: number;
  readonly body: string;
}

const SECRET_PREFIX = 'whsec_';

/** @param secret `whsec_` followed by the key in base64 */
export function signatureOf(secret: string, { id, timestamp, body }: Signed): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signed = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return `v1,${signed}`;
}

export function signatureHeaders(secret: string, signed: Signed): Record<string, string> {
  return {
    'webhook-id': signed.id,
    'webhook-timestamp': String(signed.timestamp),
    'webhook-signature': signatureOf(secret, signed),
  };
}
