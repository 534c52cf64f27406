/** A proxy before a real engine that refuses the first nudges as if overloaded. */
import {
  connect,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

const RESOURCE_EXHAUSTED = '8';

export interface BusyEngine {
  readonly address: string;
  /** The number of refused nudges. */
  readonly refused: () => number;
  readonly close: () => void;
}

export async function busyEngine(address: string, refusals: number): Promise<BusyEngine> {
  const upstream = connect(`http://${address}`);
  let refused = 0;
  const pass = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void => {
    const onward = upstream.request(headers);
    stream.pipe(onward);
    onward.on('response', (answer) => {
      stream.respond(answer, { waitForTrailers: true });
      onward.pipe(stream);
    });
    let trailers = {};
    onward.on('trailers', (sent) => (trailers = sent));
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  };
  const server = createServer();
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    if (!headers[':path']?.endsWith('/SignalWithStartWorkflowExecution') || refused >= refusals) {
      pass(stream, headers);
      return;
    }
    refused += 1;
    const status = { 'grpc-status': RESOURCE_EXHAUSTED, 'grpc-message': 'too much to do' };
    stream.respond({ 'content-type': 'application/grpc', ...status }, { endStream: true });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused: () => refused,
    close: () => {
      server.close();
      upstream.close();
    },
  };
}
