/** Finds what is wrong with the access to Temporal when a process starts: what does not mend itself. */
import { connect as connectTls } from 'node:tls';
import { OperatorError } from '../../operator-error.ts';
import { withPatience } from '../patience.ts';
import { connectLazily, engineFaultOf, grpcCodes, type TemporalNamespace } from './connect.ts';
import { namespaceId } from './server.ts';

export class TemporalAccessError extends OperatorError {
  override readonly name = 'TemporalAccessError';
}

/** A server that has just begun knows its namespaces some seconds later. */
const NAMESPACE_SECONDS = 10;
const PAUSE_MS = 500;
const PROBE_MS = 3_000;

/**
 * Throws a TemporalAccessError if the server refuses us, does not have the namespace, or is not whom the
 * TLS settings expect. Says nothing of a server that does not answer: it may come up later.
 */
export async function checkTemporal(
  server: TemporalNamespace,
  limitSeconds = NAMESPACE_SECONDS,
): Promise<void> {
  const connection = connectLazily(server, { interceptors: [] });
  try {
    await withPatience(() => namespaceId(connection, server.namespace), {
      limitSeconds,
      pauseMs: PAUSE_MS,
      mayPass: (error) => engineFaultOf(error)?.code === grpcCodes.notFound,
    });
  } catch (error) {
    const mistake = mistakeOf(server, error) ?? (await tlsMistakeOf(server));
    if (mistake !== undefined) throw new TemporalAccessError(mistake, { cause: error });
  } finally {
    await connection.close();
  }
}

function mistakeOf({ address, namespace }: TemporalNamespace, error: unknown): string | undefined {
  switch (engineFaultOf(error)?.code) {
    case grpcCodes.notFound:
    case grpcCodes.invalidArgument:
      return (
        `Temporal at ${address} has no namespace ${namespace}. Set TEMPORAL_NAMESPACE, or make it: ` +
        `temporal operator namespace create -n ${namespace}`
      );
    case grpcCodes.permissionDenied:
    case grpcCodes.unauthenticated:
      return (
        `Temporal at ${address} refuses our credentials for the namespace ${namespace}. Check ` +
        'TEMPORAL_API_KEY, or TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH.'
      );
    default:
      return undefined;
  }
}

/* What TLS says, which the client reports as a server that does not answer. */

async function tlsMistakeOf(server: TemporalNamespace): Promise<string | undefined> {
  const { address, access } = server;
  const code = await handshakeCode(server);
  if (access?.tls === undefined) {
    return code === 'SECURE' || code?.includes('_ALERT_') === true
      ? `Temporal at ${address} answers over TLS only: set TEMPORAL_TLS=true`
      : undefined;
  }
  if (code === 'SECURE' || code === undefined || /^(E[A-Z]+|TIMEOUT)$/.test(code)) return undefined;
  const advice = adviceFor(code);
  return `TLS with Temporal at ${address} failed (${code}): ${advice}`;
}

function adviceFor(code: string): string {
  if (/WRONG_VERSION|PACKET_LENGTH|HTTP_REQUEST/.test(code)) {
    return 'it does not speak TLS. Set TEMPORAL_TLS=false if it need not';
  }
  if (/ALERT|CERTIFICATE_REQUIRED/.test(code)) {
    return (
      'it takes no connection without a client certificate that it knows. Set ' +
      'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH'
    );
  }
  if (/ALTNAME/.test(code)) {
    return 'its certificate has another name. Set TEMPORAL_TLS_SERVER_NAME to that of the certificate';
  }
  return 'its certificate is not verified. Set TEMPORAL_TLS_SERVER_CA_CERT_PATH to its authority';
}

/** The fault of a handshake; SECURE if there is none. A refused client learns it after the handshake. */
function handshakeCode({ address, access }: TemporalNamespace): Promise<string | undefined> {
  const url = URL.parse(`tcp://${address}`);
  if (url === null) return Promise.resolve(undefined);
  const { serverName, serverCaCert, client } = access?.tls ?? {};
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const socket = connectTls({
    host,
    port: Number(url.port),
    servername: serverName ?? (/[a-z]/i.test(host) && !host.includes(':') ? host : ''),
    ALPNProtocols: ['h2'],
    rejectUnauthorized: access?.tls !== undefined,
    ...(serverCaCert === undefined ? {} : { ca: serverCaCert }),
    ...(client === undefined ? {} : { cert: client.cert, key: client.key }),
  });
  socket.setTimeout(PROBE_MS, () => resolve('TIMEOUT'));
  socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  // The server's settings are its first words, once it has taken the client.
  socket.once('data', () => resolve('SECURE'));
  socket.once('close', () => resolve(undefined));
  socket.once('secureConnect', () => {
    if (access?.tls === undefined) resolve('SECURE');
    else socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0');
  });
  return promise.finally(() => socket.destroy());
}
