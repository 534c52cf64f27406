/** The one place that connects to Temporal: over TLS or not, with which credentials and payloads. */
import {
  Connection,
  type ConnectionOptions,
  isGrpcServiceError,
  WorkflowClient,
  type WorkflowClientInterceptor,
} from '@temporalio/client';
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

/** As the settings of processes name it. */
export const temporalOf = ({
  temporalAddress: address,
  temporalNamespace: namespace,
  temporalAccess: access,
}: {
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  readonly temporalAccess?: TemporalAccess | undefined;
}): TemporalNamespace => ({ address, namespace, access });

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
    interceptors = [],
  }: Omit<TemporalNamespace, 'address'> & {
    readonly identity?: string;
    readonly interceptors?: readonly WorkflowClientInterceptor[];
  },
): WorkflowClient {
  return new WorkflowClient({
    connection,
    namespace,
    ...(identity === undefined ? {} : { identity }),
    ...(interceptors.length > 0 && { interceptors: [...interceptors] }),
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

/* How it fails. */

/** What gRPC calls its faults, by number. */
export const grpcCodes = {
  cancelled: 1,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/**
 * The gRPC code and message of the engine or the connection. The client wraps them into its own
 * errors, which only name the request.
 */
export function engineFaultOf(
  error: unknown,
): { readonly code: number; readonly text: string } | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (isGrpcServiceError(each)) return { code: each.code, text: each.message };
  }
  return null;
}
