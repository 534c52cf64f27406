/** Breaks the commissions of a tenant, and expects the audit to report it. */
import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { openAgentShop, tenPercent, type AgentShop } from '../commissions/shop.ts';
import { corrupt, own } from './corrupt.ts';

const db = await sharedDatabase();

const bonus = {
  code: 'SIGN',
  commissionAmount: 25,
  commissionType: 'Amount',
  chargeType: 'DateBasedChargeOneTime',
  dateToChargeValue: 1,
  dateToChargeUnits: 'Months',
};

/** Invoice 1001 is Paid, 1002 was and is open again, 1003 is open: ADA earned 3.00 of the first two. */
async function story(): Promise<AgentShop> {
  const shop = await openAgentShop(db, { charges: [tenPercent, bonus] });
  shop.later(60_000);
  const customerId = await shop.customer();
  const id = await shop.order({ customerId, contractCode: 'GOLD' });
  await shop.link(id);
  await shop.generate(id);
  await shop.pay({ customerId, amount: '29.95' });
  await shop.advance('2027-02-15');
  const second = await shop.pay({ customerId, amount: '29.95' });
  await shop.advance('2027-03-15');
  await shop.unpay(second);
  return shop;
}

/** One query is one transaction, so no other test has the trigger back in between. */
const unguarded = (statement: string): string[] => [
  `alter table commission disable trigger commission_append_only;
   ${statement};
   alter table commission enable trigger commission_append_only`,
];
const ofInvoice = (number: number, which = 'reversal_of is null'): string =>
  `${own} and ${which} and invoice_id =
     (select id from invoice where ${own} and number_value = ${number})`;

const breaks: readonly [rule: string, statements: readonly string[], found: readonly RegExp[]][] = [
  [
    'a Paid invoice without its commission',
    unguarded(`delete from commission where ${ofInvoice(1001)}`),
    [/^commission.earned: invoice 1001: is Paid, but REC of sales agent ADA was not earned$/],
  ],
  [
    'an open invoice whose commission stands',
    unguarded(`delete from commission where ${ofInvoice(1002, 'reversal_of is not null')}`),
    [/^commission.earned: invoice 1002: is Outstanding, but 3 of commissions stand$/],
  ],
  [
    'a commission of another amount',
    unguarded(`update commission set amount = 2.99 where ${ofInvoice(1001)}`),
    [/^commission.amount: commission \d+: is 2.99 of 29.95, 10 percent of 29.95$/],
  ],
  [
    'a commission of another base',
    unguarded(`update commission set base_amount = 30 where ${ofInvoice(1001)}`),
    [/^commission.amount: commission \d+: is 3 of 30, 10 percent of 29.95$/],
  ],
  [
    'a bonus of another amount',
    unguarded(`update commission set amount = 26 where ${own} and invoice_id is null`),
    [/^commission.amount: commission \d+: is 26, not 25$/],
  ],
  [
    'a reversal of less than there was',
    unguarded(
      `update commission set amount = -2 where ${ofInvoice(1002, 'reversal_of is not null')}`,
    ),
    [
      /^commission.earned: invoice 1002: is Outstanding, but 1 of commissions stand$/,
      /^commission.reversal: commission \d+: leaves 1 of \d+$/,
    ],
  ],
  [
    'a link without the dates of a charge',
    [`delete from commission_due where ${own}`],
    [/^commission.due: order 1001: has no date of SIGN for sales agent ADA$/],
  ],
  [
    'a date that passed',
    [`update commission_due set next_due_on = '2027-03-14', considered_to = null where ${own}`],
    [/^commission.due: order 1001: sales agent ADA should have earned a commission on 2027-03-14$/],
  ],
];

test('the audit finds no fault in commissions that were earned and taken back', async (t) => {
  const shop = await story();
  t.is((await shop.earned()).length, 4);
  t.deepEqual(await shop.faults(), []);
});

for (const [rule, statements, found] of breaks) {
  test(`the audit finds ${rule}`, async (t) => {
    const shop = await story();
    await corrupt(shop, statements);
    const faults = await shop.faults();
    const texts = faults.map(({ check, object, detail }) => `${check}: ${object}: ${detail}`);
    t.is(texts.length, found.length, texts.join('\n'));
    for (const [index, expected] of found.entries()) t.regex(texts[index] ?? '', expected);
  });
}
