/** How the answer of a keyed call is stored, and shown again to whoever repeats the request. */
import type { KeptAnswer, KeyedRequest } from '../../operations/context/idempotency.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Vault } from '../../providers/vault.ts';
import { XML_TYPE, type Answer } from './answer.ts';
import type { Made, PresentOf } from './call.ts';

export interface Keeping {
  /** For an answer that shows what continues after the commit. */
  readonly presentOf: PresentOf | undefined;
  /** For answers that hold a secret: their bodies are stored sealed. */
  readonly sealing: Sealing | undefined;
}

interface Sealing {
  readonly seal: (body: string) => string;
  readonly open: (sealed: string) => string;
}

/** Seals for one tenant and one key: an answer that is copied to another key does not open. */
export function sealingFor(
  { vault }: { readonly vault: Vault },
  tenant: { readonly id: number },
  keyed: KeyedRequest | undefined,
): Sealing | undefined {
  if (keyed === undefined) return undefined;
  const { key } = keyed;
  const context = JSON.stringify(['answer', tenant.id, key]);
  return {
    seal: (body) => vault.seal(body, context),
    open: (sealed) => vault.open(sealed, context),
  };
}

/** Where the type of an answer that is no document is kept. */
const TYPE_HEADER = 'Content-Type';

export function storable(
  { answer: { status, type, headers, body }, continuingId }: Made,
  { sealing }: Keeping,
): KeptAnswer {
  const typed = type === XML_TYPE ? headers : { ...headers, [TYPE_HEADER]: type };
  const clear = String(body);
  return { status, headers: typed, body: sealing?.seal(clear) ?? clear, continuingId };
}

export async function replay(
  tx: Tx,
  { status, headers, body, continuingId }: KeptAnswer,
  { presentOf, sealing }: Keeping,
): Promise<Answer> {
  const { [TYPE_HEADER]: type = XML_TYPE, ...others } = headers;
  const answer =
    continuingId === null || presentOf === undefined
      ? { status, type, headers: others, body: sealing?.open(body) ?? body }
      : await presentOf(tx, continuingId);
  return { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } };
}
