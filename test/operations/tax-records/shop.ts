/** A tenant whose invoices AvaTax taxes: customers, invoices, passes, and the rows of records. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { withTaxes } from '../../../operations/billing/asking.ts';
import { sequenceTenant } from '../../../operations/events/sequencer.ts';
import { numberedHooks } from '../../../operations/feed/numbered-hooks.ts';
import { recordTaxes } from '../../../operations/tax-records/pass.ts';
import type { TaxProvider } from '../../../providers/tax/tax-provider.ts';
import { makeTenant } from '../../support/tenants.ts';
import { avataxFile, gold, newYorker } from '../support/avatax-tenant.ts';
import { openBooks, type SharedDatabase } from '../support/books.ts';
import { prepaid, prorated, recurring } from '../support/plans.ts';

export type TaxShop = Awaited<ReturnType<typeof openTaxShop>>;

/** The plan GOLD costs 36.00 a month, SILVER 31.00 by days; FREE costs 5.00 and has no tax code. */
export async function openTaxShop(
  db: SharedDatabase,
  provider: TaxProvider,
  options: { readonly today?: IsoDate; readonly file?: object } = {},
) {
  const file = { ...avataxFile(), ...options.file };
  const plans = [
    gold,
    recurring('SILVER', 31, { ...prorated, taxCodes: ['STANDARD'] }),
    recurring('FREE', 5, prepaid),
  ];
  const books = await openBooks(db, { today: options.today ?? '2027-01-15', plans, file });
  const { tenantId, label, dependencies } = books;
  /** The provider of the next pass; the tenant may have left it. */
  const at = { provider: provider as TaxProvider | null };
  Object.assign(dependencies, { taxProviderOf: () => Promise.resolve(at.provider) });
  const sql = <Row extends object>(text: string, ...values: readonly unknown[]) =>
    inTenant(db.app, tenantId, (tx) => tx.query<Row & Record<string, unknown>>(text, values));

  const customer = () => newYorker(books);
  /** Asks about what an operation needs to know, and calls it again. */
  const asked = <Result>(operation: () => Promise<Result>): Promise<Result> =>
    withTaxes(dependencies, tenantId, operation);
  const numberOf = async (): Promise<number> =>
    (await sql<{ n: number }>('select max(number_value)::int as n from invoice'))[0]?.n ?? 0;

  return {
    books,
    at,
    sql,
    customer,
    asked,
    numberOf,
    /** An order with its invoice of 39.20, of which 3.20 are taxes; returns the invoice's number. */
    async invoice(contractCode = 'GOLD'): Promise<number> {
      const order = { customerId: await customer(), contractCode };
      await asked(() => books.order(order, { generateInvoice: true }));
      return numberOf();
    },
    /** Applies the tenant's file without its provider. */
    async leave(more: object = {}): Promise<void> {
      await makeTenant(dependencies, { label, plans, file: { address: file.address, ...more } });
      // The tenant's settings are read once a second.
      books.later(2_000);
    },
    pass: () => recordTaxes(dependencies, tenantId, { signal: new AbortController().signal }),
    /** `1001 return toVoid 1 timeout 36 3.2 of 36 3.2`: number, state, attempts, code, recorded, expected. */
    async records(): Promise<string[]> {
      const rows = await sql<{ text: string }>(
        `select concat_ws(' ', i.number_value, case when r.payment_id is not null then 'return' end, r.state, r.attempts, r.error_code,
           trim_scale(r.recorded_total), trim_scale(r.recorded_tax), 'of',
           trim_scale(r.expected_total), trim_scale(r.expected_tax)) as text
         from tax_record r join invoice i on i.id = r.invoice_id order by i.number_value, r.code`,
      );
      return rows.map(({ text }) => text);
    },
    /** Makes what is open due at once: pauses and leases are over. */
    async soon(): Promise<void> {
      await sql(
        `update tax_record set next_attempt_at = now(), leased_until = null
         where state in ('toRecord', 'toVoid')`,
      );
    },
    /** Numbers what was raised, and calls the hooks; whether they nudged the records' workflow. */
    async nudged(): Promise<boolean> {
      const onError = (error: unknown): never => {
        throw error;
      };
      const rest = { relayDb: db.relay, dispatch: () => undefined, onError };
      await sequenceTenant({ dependencies, hooks: numberedHooks, ...rest }, tenantId);
      const rows = await sql(`select from outbox where kind = 'taxes'`);
      await sql(`delete from outbox where kind = 'taxes'`);
      return rows.length > 0;
    },
    /** `tax.recorded: invoice 1001: ..`, the faults of taxes and credits. */
    async faults(): Promise<string[]> {
      return (await books.audit()).faults
        .filter(({ check }) => /^(tax|credit|change)\./.test(check))
        .map(({ check, object, detail }) => `${check}: ${object}: ${detail}`);
    },
  };
}
