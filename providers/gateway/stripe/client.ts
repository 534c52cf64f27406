/** The `stripe` package, configured without retries and telemetry. */
import Stripe from 'stripe';

export interface StripeOptions {
  /** The account's key; it leaves this process only in Stripe's authorization header. */
  readonly secretKey: string;
  readonly timeLimitMs: number;
  /** Stripe's own address by default. */
  readonly apiUrl?: string | undefined;
}

export function stripeClient({ secretKey, timeLimitMs, apiUrl }: StripeOptions): Stripe {
  return new Stripe(secretKey, {
    // The payment's workflow decides about retries.
    maxNetworkRetries: 0,
    telemetry: false,
    timeout: timeLimitMs,
    httpClient: withoutRetry(Stripe.createNodeHttpClient()),
    ...addressOf(apiUrl),
  });
}

function addressOf(apiUrl: string | undefined) {
  if (apiUrl === undefined) return {};
  const { protocol, hostname, port } = new URL(apiUrl);
  const isPlain = protocol === 'http:';
  return {
    protocol: isPlain ? ('http' as const) : ('https' as const),
    host: hostname,
    port: port || (isPlain ? 80 : 443),
  };
}

type Client = Pick<ReturnType<typeof Stripe.createNodeHttpClient>, 'getClientName' | 'makeRequest'>;

// Despite its settings the package repeats a call once when a connection was closed. It recognizes
// that by the error's code, so this hides the code.
function withoutRetry(client: Client): Client {
  return {
    getClientName: () => client.getClientName(),
    makeRequest: async (...request) => {
      try {
        return await client.makeRequest(...request);
      } catch (error) {
        const isClosed =
          error instanceof Error &&
          'code' in error &&
          (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        throw isClosed ? new Error('the connection was closed') : error;
      }
    },
  };
}
