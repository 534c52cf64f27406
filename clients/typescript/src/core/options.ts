/** What a client and a call are told. */

export interface SundialOptions {
  /** `https://acme.billing.example.com`: the tenant's own host, without a path. */
  readonly address: string;
  /** The tenant's host name, if the address is not that: `demo.localhost` at `http://127.0.0.1:8080`. */
  readonly host?: string;
  readonly user: string;
  readonly password: string;
  /** How often a call is sent again that got no answer, or one that says so; 3. */
  readonly retries?: number;
  /** The longest wait between two attempts, also if the service asks for a longer one: then the call fails; 30,000. */
  readonly waitMsMax?: number;
  /** How long one attempt may take; 60,000. A payment waits for its gateway for 10 s. */
  readonly timeoutMs?: number;
}

export interface CallOptions {
  /** Of a write; a random one by default. Store your own before you send, to survive a crash. */
  readonly idempotencyKey?: string;
  /** The `etag` of an earlier answer: the call fails with `ObjectChanged` if the object has changed since. */
  readonly ifMatch?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** An answer with what its headers say. */
export interface Answer<Value> {
  readonly value: Value;
  readonly status: number;
  /** The version of the object, for `ifMatch`. */
  readonly etag: string | undefined;
  /** Of an earlier call under the same key. */
  readonly isReplayed: boolean;
  /** Names the call in the service's log. */
  readonly requestId: string | undefined;
}
