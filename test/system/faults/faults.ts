/** Where work can be cut off: at the boundaries of its transactions, and at its calls to the outside. */
import { atBoundary, boundaries, type Proxy } from '../../support/proxy.ts';
import type { FaultyPorts, PortFault } from './ports.ts';

export interface Breakable {
  /** Between the work and its database. */
  readonly proxy: Pick<Proxy, 'cutOnce' | 'heal'>;
  readonly outside: Pick<FaultyPorts, 'failOnce'>;
}

/** One of them; it happens once. */
export interface Fault {
  /** `before commit of transaction 3`, `gateway.charge, call 2: answer lost` */
  readonly where: string;
  /** To be called before the work; returns what ends it, and tells whether it has happened. */
  readonly begin: (place: Breakable) => () => boolean;
}

const portFaults: readonly PortFault[] = ['not reached', 'answer lost'];

/** Everything at which work can be cut off that had so many transactions, and made these calls. */
export function faultsOf(transactions: number, calls: readonly string[]): Fault[] {
  const numbers = Array.from({ length: transactions }, (_, index) => index + 1);
  const cuts = numbers.flatMap((nth) =>
    boundaries.map((boundary): Fault => ({
      where: `${boundary} of transaction ${nth}`,
      begin({ proxy }) {
        proxy.cutOnce(atBoundary(boundary, nth));
        return proxy.heal;
      },
    })),
  );
  const failures = calls.flatMap((call, index) =>
    portFaults
      // An activity that is not reached has done nothing yet.
      .filter((how) => how === 'answer lost' || !call.startsWith('activity.'))
      .map((how): Fault => ({
        where: `${call}, call ${index + 1}: ${how}`,
        begin: ({ outside }) => outside.failOnce(how, index + 1),
      })),
  );
  return [...cuts, ...failures];
}
