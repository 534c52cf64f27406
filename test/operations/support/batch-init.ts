/** Carries the books of a test over, and shows the rows of the job as text. */
import {
  createCarryOver,
  type CarryOverInput,
} from '../../../operations/imports/carry-over-create.ts';
import { carryOver, type CarryOverProgress } from '../../../operations/imports/carry-over.ts';
import type { Books } from './books.ts';

type CarriedBooks = Pick<Books, 'work' | 'read' | 'dependencies' | 'tenantId'>;

export const everything = {
  carryForwardInvoices: true,
  carryForwardCreditMemos: true,
  carryForwardDebitMemos: true,
} as const;
export const nothing: CarryOverInput = {
  jobId: null,
  carryForwardInvoices: false,
  carryForwardCreditMemos: false,
  carryForwardDebitMemos: false,
  zeroOutCustomerBalance: false,
};

/** Creates the job without a step of it. */
export const beginInit = (
  { work }: Pick<CarriedBooks, 'work'>,
  input: Partial<CarryOverInput>,
): Promise<number> => work((context) => createCarryOver(context, { ...nothing, ...input }));

export const stepInit = (
  { dependencies, tenantId }: Pick<CarriedBooks, 'dependencies' | 'tenantId'>,
  batchId: number,
): Promise<CarryOverProgress> =>
  carryOver(dependencies, tenantId, { batchId }, { dispatch: () => undefined });

export async function finishInit(books: CarriedBooks, batchId: number): Promise<number> {
  while (!(await stepInit(books, batchId)).isDone);
  return batchId;
}

/** A whole BatchInit; returns its id. */
export const batchInit = async (
  books: CarriedBooks,
  input: Partial<CarryOverInput>,
): Promise<number> => finishInit(books, await beginInit(books, input));

/** `init-1-invoice Success 3 0` of the job and those below it. */
export async function jobsOf({ read }: Pick<CarriedBooks, 'read'>): Promise<string[]> {
  const rows = await read((tx) =>
    tx.query<{ text: string }>(
      `select job_id || ' ' || status || ' ' || success_count || ' ' || fail_count as text
       from batch order by id`,
    ),
  );
  return rows.map(({ text }) => text);
}

/** `1001 30.00 was Outstanding` or `#2 12.00 was Paid`, and `#1 closed 12.00`. */
export async function carriedOf({ read }: Pick<CarriedBooks, 'read'>): Promise<string[]> {
  const rows = await read((tx) =>
    tx.query<{ text: string }>(
      `select invoice_number || ' ' || round(carried_open, 2)
         || ' was ' || carried_over_from as text
       from (select *, 0 as rank from invoice) i where status = 'CarriedOver'
       union all
       select '#' || rank || case when status = 'CarriedOver'
           then ' ' || round(carried_open, 2) || ' was ' || carried_over_from
           else ' closed ' || round(carried_open, 2) end
       from (select *, row_number() over (order by id) as rank from payment) p
       where carried_open is not null order by 1`,
    ),
  );
  return rows.map(({ text }) => text);
}

/** `zeroOut -30.00` in the order of entry. */
export async function zeroedOf({ read }: Pick<CarriedBooks, 'read'>): Promise<string[]> {
  const rows = await read((tx) =>
    tx.query<{ text: string }>(
      `select 'zeroOut ' || round(amount, 2) || ' ' || currency as text from ledger_entry
       where kind = 'zeroOut' order by id`,
    ),
  );
  return rows.map(({ text }) => text);
}

/** The events of the tenant from an id on, `customer.transition 4711`. */
export async function eventsFrom(
  { read }: Pick<CarriedBooks, 'read'>,
  id: number,
): Promise<string[]> {
  const rows = await read((tx) =>
    tx.query<{ text: string }>(
      `select type || ' ' || object_id as text from event where id > $1 order by id`,
      [id],
    ),
  );
  return rows.map(({ text }) => text);
}
