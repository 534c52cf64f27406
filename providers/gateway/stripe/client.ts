/** The `stripe` package, set so that it does what it is told once, and says nothing of us. */
import Stripe from 'stripe';

export interface StripeOptions {
  /** Of the account; it never leaves this process but in the header that Stripe wants it in. */
  readonly secretKey: string;
  readonly timeLimitMs: number;
  /** Stripe's own when left out. */
  readonly apiUrl?: string | undefined;
}

export function stripeClient({ secretKey, timeLimitMs, apiUrl }: StripeOptions): Stripe {
  return new Stripe(secretKey, {
    // Whether to try again is for the payment's workflow to say.
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

// Whatever it is told, the package sends again once when a connection was closed: it knows that by
// the error's code, which is kept back from it.
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
