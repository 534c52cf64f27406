/** Everything that activities call outside of the database, where one call at a time can fail. */
import { Readable } from 'node:stream';
import { ApplicationFailure } from '@temporalio/common';
import type { HashProcess } from '../../../activities/hash-apart.ts';
import type { Engine } from '../../../operations/outbox/engine.ts';
import type { OpenLine } from '../../../providers/callbacks/line.ts';
import { GatewayError, type Gateway, type Gateways } from '../../../providers/gateway/gateway.ts';
import type { Mailer } from '../../../providers/mail/mailer.ts';
import { StorageError, type FileStorage } from '../../../providers/storage/storage.ts';
import { TaxProviderError, type TaxProvider } from '../../../providers/tax/tax-provider.ts';

/** What the outside of a test is. */
export interface Ports {
  readonly gateways: Gateways;
  readonly engine: Engine;
  readonly taxProvider: TaxProvider | null;
  readonly mailer: Mailer;
  readonly openLine: OpenLine;
  readonly storage: FileStorage;
  readonly hash: HashProcess['hash'];
}

/** The call is not made, or it is made and its answer never arrives. */
export type PortFault = 'not reached' | 'answer lost';

type Called = <Answer>(
  name: string,
  call: () => Promise<Answer>,
  failed: (fault: PortFault) => Promise<Answer>,
) => Promise<Answer>;

export interface FaultyPorts {
  readonly ports: Ports;
  /** The calls so far, by their ports: `gateway.charge`, `activity.follow`. */
  readonly calls: readonly string[];
  /** An activity that did all that it does may also be called again: the engine did not hear of it. */
  readonly activity: <Answer>(name: string, call: () => Promise<Answer>) => Promise<Answer>;
  /** The nth call from now on fails; returns what ends this, and tells whether it has happened. */
  readonly failOnce: (fault: PortFault, nth: number) => () => boolean;
}

export function faultyPorts(real: Ports): FaultyPorts {
  const calls: string[] = [];
  let next: { readonly fault: PortFault; readonly nth: number } | undefined;
  const called: Called = async (name, call, failed) => {
    calls.push(name);
    if (next === undefined || calls.length < next.nth) return call();
    const { fault } = next;
    next = undefined;
    if (fault === 'answer lost') forget(await call());
    return failed(fault);
  };
  return {
    ports: wrapped(real, called),
    calls,
    activity: (name, call) =>
      called(`activity.${name}`, call, () =>
        Promise.reject(ApplicationFailure.retryable('the worker has ended')),
      ),
    failOnce(fault, nth) {
      const own = { fault, nth: calls.length + nth };
      next = own;
      return () => {
        const hasHappened = next !== own;
        next = undefined;
        return hasHappened;
      };
    },
  };
}

/** Nobody else closes a file whose opening was not heard of. */
function forget(answer: unknown): void {
  if (typeof answer !== 'object' || answer === null || !('content' in answer)) return;
  if (answer.content instanceof Readable) answer.content.destroy();
}

/** The same port, whose calls of these names can fail. */
function failing<Port extends object>(
  called: Called,
  name: string,
  { port, methods, failed }: Failing<Port>,
): Port {
  const faulty = methods.map((method) => [
    method,
    (...args: unknown[]) => {
      const real = port[method] as (...all: unknown[]) => Promise<unknown>;
      return called(`${name}.${String(method)}`, () => real.apply(port, args), failed);
    },
  ]);
  return { ...port, ...Object.fromEntries(faulty) };
}

interface Failing<Port> {
  readonly port: Port;
  readonly methods: readonly (keyof Port)[];
  readonly failed: (fault: PortFault) => Promise<unknown>;
}

/** Each fails as its adapters do if there is no answer in time. */
function wrapped(real: Ports, called: Called): Ports {
  const gateway = (port: Gateway): Gateway =>
    failing(called, 'gateway', {
      port,
      methods: [
        'store',
        'entered',
        'validate',
        'charge',
        'confirm',
        'end',
        'challenge',
        'refund',
        'void',
        'status',
        'method',
        'remove',
        'withdrawals',
      ],
      failed: () => Promise.reject(new GatewayError('unknown', 'timeout')),
    });
  const { gateways, taxProvider, openLine, engine } = real;
  return {
    gateways: {
      ofTenant: async (...which) => gateway(await gateways.ofTenant(...which)),
      named: async (...which) => gateway(await gateways.named(...which)),
      returnUrl: gateways.returnUrl,
    },
    engine: {
      ...engine,
      client: failing(called, 'engine', {
        port: engine.client,
        methods: ['signalWithStart'],
        failed: () => Promise.reject(noAnswer()),
      }),
    },
    taxProvider:
      taxProvider &&
      failing(called, 'taxes', {
        port: taxProvider,
        methods: ['calculate', 'record', 'void', 'resolve'],
        failed: () => Promise.reject(new TaxProviderError('silent', 'timeout')),
      }),
    mailer: failing(called, 'mail', {
      port: failing(called, 'mail', {
        port: real.mailer,
        methods: ['send'],
        failed: (fault) => Promise.resolve(unsent[fault]),
      }),
      methods: ['check'],
      failed: () => Promise.resolve('ETIMEDOUT'),
    }),
    openLine: async (...to) =>
      failing(called, 'endpoint', {
        port: await openLine(...to),
        methods: ['post'],
        failed: (fault) => Promise.resolve(unposted[fault]),
      }),
    storage: failing(called, 'storage', {
      port: real.storage,
      methods: ['put', 'get', 'head', 'delete'],
      failed: () => Promise.reject(new StorageError('failed', 'timeout')),
    }),
    hash: (password) =>
      called(
        'hash',
        () => real.hash(password),
        () => Promise.reject(new Error('the process that hashes has ended')),
      ),
  };
}

const unsent = {
  'not reached': { outcome: 'deferred', code: 'ETIMEDOUT' },
  'answer lost': { outcome: 'unanswered', code: 'ETIMEDOUT' },
} as const;

const unposted = {
  'not reached': { kind: 'unreachable', code: 'timeout' },
  'answer lost': { kind: 'refused', code: 'timeout' },
} as const;

const GRPC_UNAVAILABLE = 14;

function noAnswer(): Error {
  const error = { code: GRPC_UNAVAILABLE, details: 'no answer', metadata: {} };
  return Object.assign(new Error('no answer'), error);
}

const refuse = () => Promise.reject(new Error('there is no such port here'));

/** For work that has no outside of some kind. */
export const nowhere = {
  gateways: { ofTenant: refuse, named: refuse, returnUrl: refuse },
  engine: { client: {}, taskQueue: 'none' },
  taxProvider: null,
  mailer: { destination: 'nowhere', check: refuse, send: refuse, close: () => undefined },
  openLine: refuse,
  storage: {},
  hash: refuse,
} as unknown as Ports;
