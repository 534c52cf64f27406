/** The billing run of a tenant in this process: no engine, no wakes. */
import { inTenant } from '../../db/connection/tenancy.ts';
import { billAllDue } from '../../operations/due/orders.ts';
import { keepEventDocuments } from '../../operations/feed/event-views.ts';
import { cpuSecondsOf } from './processes.ts';
import { whileWorkerIsStill, type BenchSystem } from './system.ts';
import { BILLED_FIRST, FIRST_DAY, firstOf, type Tenant } from './tenants.ts';
import { inTurns, type Slice, type Slices } from './turns.ts';

const options = { lanes: 2, mayContinue: () => true, onBatch: () => undefined };

export const dependenciesOf = ({ db }: BenchSystem) => ({
  db,
  realNow: (): number => Date.now(),
  keepDocuments: keepEventDocuments,
});

/** To the beginning of a day. */
export function moveClock({ db }: BenchSystem, tenantId: number, day: string): Promise<unknown> {
  const sql = `update test_clock set now = $1::timestamp at time zone 'America/New_York'`;
  return inTenant(db, tenantId, (tx) => tx.query(sql, [day]));
}

/** On which month 0 is billed, and on which the others are, counted from January 2027. */
export const dayOf = (month: number): string => (month === 0 ? BILLED_FIRST : firstOf(month));

/** Moves the clock, and bills all that is due then; the CPU is that of this process and PostgreSQL. */
export async function bill(
  system: BenchSystem,
  { id }: Tenant,
  day: string,
  dependencies: Parameters<typeof billAllDue>[0] = dependenciesOf(system),
): Promise<{ readonly ms: number; readonly cpuMs: number }> {
  await moveClock(system, id, day);
  await system.settled();
  const pids = [process.pid, system.pids.postgres];
  const before = await cpuSecondsOf(pids);
  const began = performance.now();
  await billAllDue(dependencies, id, options);
  const ms = performance.now() - began;
  return { ms, cpuMs: ((await cpuSecondsOf(pids)) - before) * 1_000 };
}

interface Months {
  /** Of each tenant. */
  readonly orders: number;
  readonly months: number;
  /** Before the first of these months the tenants are billed by the caller; by default nothing is. */
  readonly first?: number;
  readonly beforeMonth?: (name: string, month: number) => Promise<unknown>;
  readonly afterMonth?: (name: string, month: number) => Promise<unknown>;
  /** Whether the worker stands still in each turn, so that what earlier ones left for it to do is not measured. */
  readonly isWorkerStill?: boolean;
}

/** Renewals of tenants, a month each in turns; the month before them makes the plans of statements. */
export async function billedInTurns<Name extends string>(
  system: BenchSystem,
  tenants: Readonly<Record<Name, Tenant>>,
  { orders, months, first, beforeMonth, afterMonth, isWorkerStill = false }: Months,
): Promise<Slices<Name>> {
  const names = Object.keys(tenants) as Name[];
  // Nothing is due on the first day.
  if (first === undefined) for (const name of names) await bill(system, tenants[name], FIRST_DAY);
  return inTurns(names, months, async (name, turn): Promise<Slice> => {
    const month = (first ?? 0) + turn;
    await beforeMonth?.(name, month);
    const began = performance.now();
    const billed = () => bill(system, tenants[name], dayOf(month));
    const { ms, cpuMs } = await (isWorkerStill ? whileWorkerIsStill(system, billed) : billed());
    await afterMonth?.(name, month);
    const all = afterMonth && { 'ms until sent': performance.now() - began };
    return { 'per second': (orders / ms) * 1_000, 'CPU ms': cpuMs / orders, ...all };
  });
}
