/**
 * What many unbilled records of a tenant cost its uploads and everybody's renewals: those of the
 * tenant and of another one, in turns, before the records are stored and after.
 */
import pg from 'pg';
import { runs } from '../billing.ts';
import { median } from '../support/median.ts';
import { untilQuiet } from '../support/quiet.ts';
import type { BenchSystem } from '../support/system.ts';
import { addYearly, record, usageTenant } from './fill.ts';
import { bill } from './run.ts';
import { startUploader, type Uploader } from './uploads.ts';

/** Of each tenant, beside the plain ones. */
const METERED_ORDERS = 100;
const UPLOAD_ROUNDS = 5;
const SLICE_MS = 2_000;
const MONTHS = 4;
const names = ['full', 'other'] as const;

export type BesideRates = Readonly<Record<(typeof names)[number], BesideRate>>;

export interface BesideRate {
  /** Medians. */
  readonly recordsPerSecond: number;
  readonly invoicesPerSecond: number;
  /** Of a plain invoice. */
  readonly cpuMs: number;
}

export interface BesideFigures {
  readonly orders: number;
  readonly records: number;
  readonly before: BesideRates;
  readonly after: BesideRates;
}

export interface Beside {
  readonly orders: number;
  readonly records: number;
  readonly say: (line: string) => void;
}

export async function beside(
  system: BenchSystem,
  { orders, records, say }: Beside,
): Promise<BesideFigures> {
  const ids: number[] = [];
  for (const label of names) {
    const id = await usageTenant(system, { label, orders, contractCode: 'GOLD' });
    await addYearly(system.db, id, METERED_ORDERS);
    ids.push(id);
  }
  const [full = 0, other = 0] = ids;
  const tenants = { full, other };
  const uploader = await startUploader(system, METERED_ORDERS);
  try {
    // Nothing is due in the first month; the second makes the statements' plans.
    for (const now of runs.slice(0, 2)) for (const id of ids) await bill(system, id, now);
    await uploader.upload({ hosts: names.map((name) => `${name}.localhost`), forMs: SLICE_MS });
    say('Uploads and renewals before');
    const months = runs.slice(2);
    const given = { system, uploader, tenants, orders };
    const before = await rates(given, months.slice(0, MONTHS));
    say(`${records} records are stored`);
    await record(system.db, full, { month: '2027-01-01', periodIndex: 0, records, lines: 1 });
    const owner = new pg.Client({ connectionString: system.ownerUrl });
    await owner.connect();
    await owner.query('vacuum analyze activity');
    await owner.end();
    say('Uploads and renewals after');
    const after = await rates(given, months.slice(MONTHS, 2 * MONTHS));
    return { orders, records, before, after };
  } finally {
    uploader.end();
  }
}

interface Measuring {
  readonly system: BenchSystem;
  readonly uploader: Uploader;
  readonly tenants: Readonly<Record<(typeof names)[number], number>>;
  readonly orders: number;
}

async function rates(
  { system, uploader, tenants, orders }: Measuring,
  months: readonly string[],
): Promise<BesideRates> {
  const measured = { full: startRates(), other: startRates() };
  const turns = (round: number) => (round % 2 === 0 ? names : names.toReversed());
  for (let round = 0; round < UPLOAD_ROUNDS; round += 1) {
    for (const name of turns(round)) {
      await untilQuiet(system);
      const uploaded = await uploader.upload({ hosts: [`${name}.localhost`], forMs: SLICE_MS });
      measured[name].records.push(uploaded.records / uploaded.seconds);
    }
  }
  for (const [round, now] of months.entries()) {
    for (const name of turns(round)) {
      const { seconds, cpuSeconds } = await bill(system, tenants[name], now);
      measured[name].invoices.push(orders / seconds);
      measured[name].cpuMs.push((cpuSeconds * 1_000) / orders);
    }
  }
  return { full: mediansOf(measured.full), other: mediansOf(measured.other) };
}

interface Rates {
  readonly records: number[];
  readonly invoices: number[];
  readonly cpuMs: number[];
}

const startRates = (): Rates => ({ records: [], invoices: [], cpuMs: [] });

function mediansOf({ records, invoices, cpuMs }: Rates): BesideRate {
  return {
    recordsPerSecond: median(records),
    invoicesPerSecond: median(invoices),
    cpuMs: median(cpuMs),
  };
}
