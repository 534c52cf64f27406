/**
 * Encrypts payloads of workflows and activities with AES-256-GCM. What is in clear stays readable, so
 * that it can be switched on, and off, while workflows run.
 */
import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import type { PayloadKeys } from '../../config.ts';
import { derived, keyIdOf, openedBytes, sealedBytes } from '../vault.ts';

/** The names that codecs of Temporal's samples have for them. */
export const ENCODING = 'binary/encrypted';
const ENCODING_KEY = 'encoding';
const KEY_ID = 'encryption-key-id';
const CONTEXT = 'sundial payload v1';
const USE = 'sundial payloads v1';

const payloads = proto.temporal.api.common.v1.Payload;

export function payloadCodec({ encrypts, others }: PayloadKeys): PayloadCodec {
  const keys = new Map(
    [...(encrypts === undefined ? [] : [encrypts]), ...others].map((each) => [
      keyIdOf(each),
      derived(each, USE),
    ]),
  );
  const first = encrypts === undefined ? undefined : keyIdOf(encrypts);
  const encode = (payload: Payload): Payload => {
    const key = first === undefined ? undefined : keys.get(first);
    if (first === undefined || key === undefined || isEncrypted(payload)) return payload;
    const metadata = { [ENCODING_KEY]: Buffer.from(ENCODING), [KEY_ID]: Buffer.from(first) };
    return { metadata, data: sealedBytes(key, payloads.encode(payload).finish(), CONTEXT) };
  };
  const decode = (payload: Payload): Payload => {
    if (!isEncrypted(payload)) return payload;
    const id = textOf(payload.metadata?.[KEY_ID]);
    const key = keys.get(id);
    if (key === undefined) {
      throw new Error(
        `a payload has the key ${id}, which is neither PAYLOAD_KEY nor in PAYLOAD_KEYS_OTHER`,
      );
    }
    return payloads.decode(openedBytes(key, payload.data ?? new Uint8Array(), CONTEXT));
  };
  return {
    encode: async (given) => given.map(encode),
    decode: async (given) => given.map(decode),
  };
}

const textOf = (bytes: Uint8Array | null | undefined): string =>
  Buffer.from(bytes ?? []).toString();

const isEncrypted = ({ metadata }: Payload): boolean =>
  textOf(metadata?.[ENCODING_KEY]) === ENCODING;
