/** The one place that connects to Temporal: over TLS or not, with which credentials and payloads. */
import { Connection, type ConnectionOptions, WorkflowClient } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { TemporalAccess } from '../../config.ts';
import { payloadCodec } from './codec.ts';

export interface TemporalServer {
  readonly address: string;
  /** Without it the connection is not encrypted, and neither are payloads. */
  readonly access?: TemporalAccess | undefined;
}

export interface TemporalNamespace extends TemporalServer {
  readonly namespace: string;
}

/** Throws if the server does not answer. */
export function connectTemporal(
  server: TemporalServer,
  options: Pick<ConnectionOptions, 'connectTimeout'> = {},
): Promise<Connection> {
  return Connection.connect({ ...transportOf(server), ...options });
}

/** Connects on first use. */
export function connectLazily(
  server: TemporalServer,
  options: Pick<ConnectionOptions, 'interceptors' | 'channelArgs'> = {},
): Connection {
  return Connection.lazy({ ...transportOf(server), ...options });
}

/** Reads and writes payloads as workers of the same access do. */
export function workflowClient(
  connection: Connection,
  {
    namespace,
    access,
    identity,
  }: Omit<TemporalNamespace, 'address'> & { readonly identity?: string },
): WorkflowClient {
  return new WorkflowClient({
    connection,
    namespace,
    ...(identity === undefined ? {} : { identity }),
    ...dataConversionOf({ access }),
  });
}

/** For clients and workers; nothing if payloads are not encrypted. */
export function dataConversionOf({ access }: Pick<TemporalServer, 'access'>): {
  readonly dataConverter?: DataConverter;
} {
  const keys = access?.payloadKeys;
  return keys === undefined ? {} : { dataConverter: { payloadCodecs: [payloadCodec(keys)] } };
}

/** What the SDK's connections of clients and of workers both take. */
export function transportOf({ address, access }: TemporalServer) {
  const { tls, apiKey } = access ?? {};
  return { address, tls: tls === undefined ? false : tlsOf(tls), ...(apiKey && { apiKey }) };
}

function tlsOf({ serverName, serverCaCert, client }: NonNullable<TemporalAccess['tls']>) {
  return {
    ...(serverName === undefined ? {} : { serverNameOverride: serverName }),
    ...(serverCaCert === undefined ? {} : { serverRootCACertificate: Buffer.from(serverCaCert) }),
    ...(client === undefined
      ? {}
      : { clientCertPair: { crt: Buffer.from(client.cert), key: Buffer.from(client.key) } }),
  };
}
