/**
 * Random lives of orders with sales agents: whatever is billed, paid, given back, changed or
 * canceled, the rows of an invoice sum to its commission while it is Paid, and to zero otherwise.
 */
import test from 'ava';
import { addDays } from '../../domain/calendar/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import { openAgentShop, tenPercent, type AgentShop } from '../operations/commissions/shop.ts';
import { sharedDatabase } from '../operations/support/books.ts';
import { prorated, recurring } from '../operations/support/plans.ts';
import { costly, fc, runs } from '../support/random.ts';

const db = await sharedDatabase();

const plans = [recurring('GOLD', 29.95, prorated), recurring('SILVER', 12.34, prorated)];
const monthly = {
  chargeType: 'DateBasedCharge',
  dateToChargeValue: 1,
  dateToChargeUnits: 'Months',
};
const charges = [
  tenPercent,
  { ...tenPercent, code: 'FIXED', commissionType: 'Amount', commissionAmount: 1.5 },
  { ...tenPercent, ...monthly, code: 'MONTHLY', commissionAmount: 3.3 },
  { ...tenPercent, ...monthly, code: 'BONUS', commissionType: 'Amount' },
];
const shopOf = (isLinkedFirst: boolean) => ({
  isLinkedFirst,
  plans,
  commissionPlans: [
    {
      planName: 'S',
      commissionCode: 'STD',
      plans: isLinkedFirst ? ['GOLD', 'SILVER'] : ['GOLD'],
      charges,
    },
  ],
  file: { settings: { creditUnusedOnCancel: true } },
});

const which = fc.nat(20);
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('days'), which: fc.integer({ min: 1, max: 40 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('pay', 'pay', 'credit'), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('refund', 'unpay'), which }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('change', 'cancel', 'cancelInvoice'), which }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('order', 'link', 'bill'), which }) },
);
type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never;

async function ids(shop: AgentShop, sql: string): Promise<number[]> {
  const rows = await shop.read((tx) => tx.query<{ id: number }>(sql));
  return rows.map(({ id }) => id);
}

const chosen = (all: readonly number[], index: number): number => all[index % all.length] ?? 0;

async function perform(shop: AgentShop, customerId: number, { do: what, which: index }: Step) {
  const active = () =>
    ids(
      shop,
      `select id from subscription_order where status = 'Active' and change_on is null order by id`,
    );
  const amount = ['29.95', '12.34', '10', '60', '0.01'][index % 5] ?? '1';
  switch (what) {
    case 'days':
      return shop.advance(addDays(shop.today(), index));
    case 'pay':
    case 'credit': {
      const open = await shop.read((tx) =>
        tx.query<{ open: string }>(
          `select coalesce(sum(outstanding_balance), 0)::numeric(20, 2)::text as open from invoice`,
        ),
      );
      const whole =
        index % 2 === 0 && Number(open[0]?.open) > 0 ? (open[0]?.open ?? amount) : amount;
      return what === 'pay'
        ? shop.pay({ customerId, amount: whole })
        : shop.credit({ customerId, amount: whole });
    }
    case 'refund':
      return shop.refunded({ customerId, amount });
    case 'unpay':
      return shop.unpay(
        chosen(await ids(shop, `select id from payment where status = 'Paid' order by id`), index),
      );
    case 'change': {
      const contractCode = index % 2 === 0 ? 'SILVER' : 'GOLD';
      const how = index % 3 === 0 ? { effectiveDate: addDays(shop.today(), 9) } : { bills: true };
      return shop.change(chosen(await active(), index), { contractCode }, how);
    }
    case 'cancel':
      return shop.put(chosen(await active(), index), { orderStatus: 'Canceled' });
    case 'cancelInvoice': {
      const numbers = await ids(shop, 'select number_value as id from invoice order by 1');
      return shop.cancelInvoice(chosen(numbers, index), { rollbackBillingPeriod: index % 2 === 0 });
    }
    case 'bill':
      return shop.generate(chosen(await active(), index));
    case 'link':
      return shop.link(chosen(await active(), index), index % 2 === 0 ? 'BOB' : 'ADA');
    default: {
      const id = await shop.order({
        customerId,
        contractCode: index % 2 === 0 ? 'GOLD' : 'SILVER',
      });
      return shop.link(id);
    }
  }
}

/** By invoice: what stands of the percentages of recurring charges, and what should. */
const sums = `
  select i.number_value as number, i.status, coalesce(sum(x.amount), 0)::text as amount,
         count(*) filter (where x.amount <> 0) as count
  from invoice i left join commission x on x.invoice_id = i.id
  group by i.number_value, i.status order by 1`;

async function assertSums(shop: AgentShop): Promise<void> {
  const rows = await shop.read((tx) =>
    tx.query<{ number: number; status: string; amount: string }>(sums),
  );
  const wrong = rows.filter(({ status, amount }) => status !== 'Paid' && Number(amount) !== 0);
  if (wrong.length > 0) throw new Error(JSON.stringify(wrong));
  // While it is Paid, the audit compares the rows with the charges.
  const faults = await shop.faults();
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
}

for (const isLinkedFirst of [true, false]) {
  const title = isLinkedFirst ? 'agents that change orders take along' : 'agents that stay behind';
  test(`after every step of any life the rows of each invoice sum to its commission: ${title}`, async (t) => {
    let earned = 0;
    let reversed = 0;
    const steps = fc.array(step, { minLength: 8, maxLength: 22 });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const shop = await openAgentShop(db, shopOf(isLinkedFirst));
        const customerId = await shop.customer();
        await perform(shop, customerId, { do: 'order', which: 0 });
        await perform(shop, customerId, { do: 'bill', which: 0 });
        for (const each of all) {
          try {
            await perform(shop, customerId, each);
          } catch (error) {
            // What the books refuse changes nothing.
            if (!(error instanceof DomainError)) throw error;
          }
          await assertSums(shop);
        }
        const rows = await shop.earned();
        earned += rows.length;
        reversed += rows.filter((row) => row.includes(' back ')).length;
      }),
      { ...costly, numRuns: runs(2) },
    );
    t.log(`${earned} rows, ${reversed} of them reversals`);
    t.true(earned > 10);
  });
}
