/** A local S3 server, which checks signatures and keeps its files in a folder. */
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';

interface Server {
  readonly run: () => Promise<AddressInfo>;
  readonly close: () => Promise<void>;
}

/** The package has no types. */
const LocalServer = createRequire(import.meta.url)('@20minutes/s3rver') as new (
  options: object,
) => Server;

export const BUCKET = 'files';
/** Those that the server knows. */
export const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/**
 * @param allowMismatchedSignatures for calls of a bucket itself, whose path the server signs
 *   without the slash at its end
 */
export async function startS3Server(
  directory: string,
  { allowMismatchedSignatures = false } = {},
): Promise<{ readonly endpoint: string; readonly close: () => Promise<void> }> {
  const server = new LocalServer({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    allowMismatchedSignatures,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  return { endpoint: `http://127.0.0.1:${port}`, close: () => server.close() };
}
