/** Sends a request as bytes, as no client of HTTP would let a test do, and reads the answer to its end. */
import { connect } from 'node:net';
import type { Headers } from './hostile.ts';

export interface Request {
  readonly method: string;
  /** As it stands in the request line. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: Buffer;
  /** The address of the caller, of this machine. */
  readonly from: string;
  /** The announced length; that of the body by default. */
  readonly announcedBytes?: number;
}

export interface Answer {
  /** 0 if the connection ended without one. */
  readonly status: number;
  /** The lines of its head. */
  readonly head: string;
  readonly body: string;
}

/** Longer than any limit of a call. */
const HANGS_MS = 60_000;

export class Hanging extends Error {
  override readonly name = 'Hanging';
}

export function exchange(port: number, request: Request): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const socket = connect({ host: '127.0.0.1', port, localAddress: request.from, noDelay: true });
  const chunks: Buffer[] = [];
  const timer = setTimeout(() => {
    socket.destroy();
    reject(new Hanging(`no answer within ${HANGS_MS / 1_000} s`));
  }, HANGS_MS);
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // What is refused before it has arrived is cut off, after its answer.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearTimeout(timer);
    resolve(answerIn(Buffer.concat(chunks)));
  });
  const bytes = bytesOf(request);
  // A server that waits for the rest of a body learns that there is none.
  if (isWhole(request)) socket.write(bytes);
  else socket.end(bytes);
  return promise;
}

/** Otherwise there may be no answer: the caller went away in the middle. */
export const isWhole = ({ announcedBytes, body }: Request): boolean =>
  announcedBytes === undefined || announcedBytes <= body.length;

/** The connection goes on after the request. */
export const hasMore = ({ announcedBytes, body }: Request): boolean =>
  announcedBytes !== undefined && announcedBytes < body.length;

export function bytesOf({ method, target, headers, body, announcedBytes }: Request): Buffer {
  const length = announcedBytes ?? body.length;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...Object.entries({ ...headers, connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    ...(length > 0 || announcedBytes !== undefined ? [`content-length: ${length}`] : []),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]);
}

function answerIn(bytes: Buffer): Answer {
  // An interim answer may come before the answer itself.
  const text = bytes.toString().replace(/^HTTP\/1\.1 100 [^]*?\r\n\r\n/, '');
  const end = text.indexOf('\r\n\r\n');
  const head = end < 0 ? text : text.slice(0, end);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  return { status, head, body: end < 0 ? '' : text.slice(end + 4) };
}
