/** What the tests of both clients have: a tenant of the running system, and a line that cuts answers off. */
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { once } from 'node:events';
import { Sundial, type SundialOptions } from '../../clients/typescript/src/index.ts';
import { sharedSystem } from '../support/system.ts';
import { PASSWORD, makeTenant, type TenantOptions } from '../support/tenants.ts';

export interface Place {
  /** `http://127.0.0.1:PORT` */
  readonly address: string;
  readonly host: string;
  readonly user: string;
  readonly password: string;
}

export const CLOCK = '2027-01-01T12:00:00Z';

export async function openPlace(options: TenantOptions = {}): Promise<Place> {
  const { dependencies, apiUrl } = await sharedSystem();
  const { label } = await makeTenant(dependencies, { testClock: CLOCK, ...options });
  return { address: apiUrl, host: `${label}.localhost`, user: 'api@test', password: PASSWORD };
}

interface Ending {
  readonly teardown: (end: () => unknown) => void;
}

export function clientAt(t: Ending, place: Place, more: Partial<SundialOptions> = {}): Sundial {
  const client = new Sundial({ ...place, ...more });
  t.teardown(() => client.close());
  return client;
}

export interface CuttingLine {
  readonly address: string;
  /**
   * The answers to so many of the next requests are cut off; the service has made them. So are the
   * first two to a request whose Idempotency-Key begins with `cut-twice-`.
   */
  readonly cut: (times: number) => void;
  readonly cuts: () => number;
}

/** Passes requests on to the API, and ends connections in place of their answers. */
export async function startCuttingLine(t: Ending, target: string): Promise<CuttingLine> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let left = 0;
  let count = 0;
  const cutOfKey = new Map<string, number>();
  const isCut = (key: string | undefined): boolean => {
    const ofKey = key === undefined ? 2 : (cutOfKey.get(key) ?? 0);
    if (key !== undefined) cutOfKey.set(key, ofKey + 1);
    if (left > 0) left -= 1;
    else if (ofKey >= 2) return false;
    count += 1;
    return true;
  };
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const each of [near, far]) {
      open.add(each);
      each.on('error', () => undefined).on('close', () => open.delete(each));
    }
    let key: string | undefined;
    near.on('data', (chunk: Buffer) => {
      key = /^idempotency-key: (cut-twice-\S+)/im.exec(chunk.toString())?.[1] ?? key;
      far.write(chunk);
    });
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    far.on('data', (chunk) => {
      if (isCut(key)) near.destroy();
      else near.write(chunk);
      key = undefined;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const each of open) each.destroy();
    server.close();
  });
  const { port: own } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${own}`,
    cut: (times) => (left = times),
    cuts: () => count,
  };
}
