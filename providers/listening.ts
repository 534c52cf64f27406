/** What processes listen to: ports for a few callers beside the API, and the news of a channel. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ListeningServer {
  readonly port: number;
  /** Cuts what is under way. */
  readonly stop: () => Promise<void>;
}

/**
 * Rejects with the system's error if the port cannot be used.
 *
 * @param at port 0 selects a free one
 */
export async function listenAt(
  server: Server,
  at: { readonly host: string; readonly port: number },
): Promise<ListeningServer> {
  server.listen({ host: at.host, port: at.port });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Calls the listener with each message of the channel until the result is called. */
export function listenTo(channel: string, listener: (news: unknown) => void): () => void {
  subscribe(channel, listener);
  return () => void unsubscribe(channel, listener);
}
