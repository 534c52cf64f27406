/** Reads commissions: for the interface, and all of them for an export. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { formatAmount } from '../../domain/money/money.ts';
import { startConditions, type Page, type Reader } from '../context/listing.ts';
import type { Commission } from '../../db/entities/commissions.ts';
import type { RowOf } from '../../db/entities/rows.ts';

export interface CommissionView extends RowOf<
  typeof Commission,
  'id' | 'orderNumber' | 'priceCode' | 'baseAmount' | 'amount' | 'currency' | 'reversalOf'
> {
  readonly dateEarned: IsoDate;
  readonly agentCode: string;
  /** Null for an amount that fell due on a date. */
  readonly invoiceNumber: string | null;
  readonly commissionCode: string;
  /** Of the charge of the commission plan. */
  readonly code: string;
}

/** Days inclusive; null leaves a side open. */
export interface CommissionFilter {
  readonly agentCode: string | null;
  readonly from: IsoDate | null;
  readonly to: IsoDate | null;
}

/** By dateEarned, then id. */
export function listCommissions(
  tx: Reader,
  filter: CommissionFilter,
  { max, offset }: Page,
): Promise<CommissionView[]> {
  return readCommissions(tx, filter, { after: null, max, offset });
}

/** How many rows an export holds at once. */
const EXPORT_PAGE_MAX = 1_000;

/** Everything that a filter finds, page by page, as the statement of one snapshot. */
export async function* allCommissions(
  tx: Reader,
  filter: CommissionFilter,
): AsyncGenerator<readonly CommissionView[]> {
  for (let after: CommissionView | null = null; ;) {
    const page: CommissionView[] = await readCommissions(tx, filter, {
      after,
      max: EXPORT_PAGE_MAX,
      offset: 0,
    });
    if (page.length > 0) yield page;
    if (page.length < EXPORT_PAGE_MAX) return;
    after = page.at(-1) ?? null;
  }
}

interface Choice extends Page {
  /** The last one of the page before. */
  readonly after: Pick<CommissionView, 'dateEarned' | 'id'> | null;
}

async function readCommissions(
  tx: Reader,
  { agentCode, from, to }: CommissionFilter,
  { after, max, offset }: Choice,
): Promise<CommissionView[]> {
  const conditions = startConditions<typeof Commission>('x');
  const agent = '(select s.id from sales_agent s where s.code = $)';
  conditions.addSql(`x.sales_agent_id = ${agent}`, agentCode);
  conditions.add('earnedOn', from, '>=');
  conditions.add('earnedOn', to, '<=');
  if (after !== null) {
    const day = conditions.value(after.dateEarned);
    conditions.addSql(`(x.earned_on, x.id) > (${day}::date, $)`, after.id);
  }
  const rows = await tx.query<CommissionView & { baseCurrency: string }>(
    `select x.id, x.earned_on as date_earned, s.code as agent_code,
            x.order_number, i.invoice_number as invoice_number,
            x.price_code, p.commission_code, c.code,
            x.base_amount, x.amount, x.currency, x.reversal_of,
            coalesce(i.currency, x.currency) as base_currency
     from commission x
     join sales_agent s on s.tenant_id = x.tenant_id and s.id = x.sales_agent_id
     join commission_charge c on c.tenant_id = x.tenant_id and c.id = x.commission_charge_id
     join commission_plan p on p.tenant_id = c.tenant_id and p.id = c.commission_plan_id
     left join invoice i on i.tenant_id = x.tenant_id and i.id = x.invoice_id
     ${conditions.where()}
     order by x.earned_on, x.id
     limit ${conditions.value(max)} offset ${conditions.value(offset)}`,
    conditions.values,
  );
  return rows.map(({ baseCurrency, ...row }) => ({
    ...row,
    baseAmount: formatAmount(baseCurrency, row.baseAmount),
    amount: formatAmount(row.currency, row.amount),
  }));
}
