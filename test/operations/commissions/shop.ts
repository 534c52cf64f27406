/** A tenant with sales agents: GOLD at 29.95 a month, a coupon of 10 percent, and what agents earn. */
import { addOrderAgents, type LinkInput } from '../../../operations/commissions/links.ts';
import {
  listCommissionPlans,
  listSalesAgents,
  readOrderAgents,
} from '../../../operations/commissions/read.ts';
import {
  listCommissions,
  type CommissionFilter,
} from '../../../operations/commissions/statement.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import type { BooksOptions, SharedDatabase } from '../support/books.ts';
import { openPaymentBooks } from '../support/payment-books.ts';
import { prorated, recurring } from '../support/plans.ts';

const everything = { offset: 0, max: 1_000 };
const everybody: CommissionFilter = { agentCode: null, from: null, to: null };

export type CommissionChargeFile = Readonly<Record<string, unknown>>;

export const tenPercent: CommissionChargeFile = {
  code: 'REC',
  commissionAmount: 10,
  commissionType: 'Percent',
  chargeType: 'RecurringCharge',
};

export const commissionPlan = (
  charges: readonly CommissionChargeFile[] = [tenPercent],
  more: Readonly<Record<string, unknown>> = {},
) => ({ planName: 'Standard', commissionCode: 'STD', plans: ['GOLD'], charges, ...more });

export const fee = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing', ...prorated };

export interface ShopOptions extends Partial<BooksOptions> {
  readonly charges?: readonly CommissionChargeFile[];
  readonly commissionPlans?: readonly unknown[];
}

export type AgentShop = Awaited<ReturnType<typeof openAgentShop>>;

export const shopFile = ({ charges, commissionPlans, file }: ShopOptions) => ({
  commissionPlans: commissionPlans ?? [commissionPlan(charges)],
  salesAgents: [
    { code: 'ADA', commissionPlan: 'STD' },
    { code: 'BOB', commissionPlan: 'STD' },
    { code: 'EVE' },
  ],
  ...file,
});

export async function openAgentShop(db: SharedDatabase, options: ShopOptions = {}) {
  const books = await openPaymentBooks(db, {
    today: '2027-01-15',
    plans: [recurring('GOLD', 29.95, prorated)],
    ...options,
    file: shopFile(options),
  });
  const { dependencies, tenantId, read, work } = books;
  const agents = async () => {
    const tenant = await tenantInfo(dependencies, tenantId);
    const all = await read((tx) => listSalesAgents(tx, tenant, everything));
    return new Map(all.map((agent) => [agent.code, agent.id]));
  };
  const add = (orderId: number, inputs: readonly LinkInput[]) =>
    work((its) => addOrderAgents(its, { id: orderId }, inputs));
  return {
    ...books,
    agents,
    plans: () => read((tx) => listCommissionPlans(tx, everything)),
    add,
    /** Links agents by their code, from the order's start. */
    link: async (orderId: number, ...codes: readonly string[]) => {
      const ids = await agents();
      const inputOf = (code: string): LinkInput => {
        const [name = '', joiningDate = null] = code.split(' since ');
        return { billerId: ids.get(name) ?? null, commissionPlanId: null, joiningDate };
      };
      return add(orderId, (codes.length === 0 ? ['ADA'] : codes).map(inputOf));
    },
    links: (orderId: number) => read((tx) => readOrderAgents(tx, { id: orderId })),
    /** `2027-02-01 ADA 1001 REC 2.70 of 26.95 of 1001`; `#2` stands for the second row. */
    earned: async (filter: Partial<CommissionFilter> = {}): Promise<string[]> => {
      const rows = await read((tx) => listCommissions(tx, { ...everybody, ...filter }, everything));
      const byId = rows.map(({ id }) => id).toSorted((a, b) => a - b);
      return rows.map((row) => {
        const { dateEarned, agentCode, orderNumber, code, amount, baseAmount } = row;
        const of = row.invoiceNumber === null ? '' : ` of ${row.invoiceNumber}`;
        const back = row.reversalOf === null ? '' : ` back #${byId.indexOf(row.reversalOf) + 1}`;
        const base = row.invoiceNumber === null ? '' : ` of ${baseAmount}`;
        return `${dateEarned} ${agentCode} ${orderNumber} ${code} ${amount}${base}${of}${back}`;
      });
    },
  };
}
