/** What applying makes of the commission plans and sales agents of a tenant file. */
import test from 'ava';
import { bench, monthlyPlan, smallest, type Bench, type Draft } from './support.ts';

const share = { code: 'REC', commissionAmount: '10', commissionType: 'Percent' };
const bonus = {
  code: 'SIGN',
  commissionText: 'Signing bonus',
  commissionAmount: '25.00',
  commissionType: 'Amount',
  chargeType: 'DateBasedChargeOneTime',
  dateToChargeValue: '1',
  dateToChargeUnits: 'Months',
};
const standard = {
  planName: 'Standard resale',
  commissionCode: 'STD',
  accountingCode: '6010',
  plans: ['B', 'A'],
  charges: [{ ...share, chargeType: 'RecurringCharge' }, bonus],
};
const retired = {
  planName: 'Retired',
  commissionCode: 'OLD',
  activate: 'false',
  plans: ['A'],
  charges: [{ ...share, chargeType: 'RecurringCharge', notes: 'until 2026' }],
};
const ada = {
  code: 'AGENT-1',
  firstName: 'Ada',
  email: 'ada@resale.example',
  commissionPlan: 'STD',
  address: { street1: '1 Main St', city: 'Albany', zip: '12207' },
};
const shop: Draft = {
  ...smallest,
  plans: [monthlyPlan('A'), monthlyPlan('B')],
  commissionPlans: [standard, retired],
  salesAgents: [ada, { code: 'AGENT-2', companyName: 'Field Resale' }],
};

/** Everything that the file says of them; when they were written is not part of it. */
async function rows({ in: inLabel }: Bench): Promise<unknown[]> {
  return await inLabel('tiny', async (tx) => {
    const found: unknown[] = [];
    for (const [table, order] of [
      ['commission_plan', 'commission_code'],
      ['commission_charge', 'commission_plan_id, position'],
      ['sales_agent', 'code'],
    ]) {
      const read = await tx.query<{ row: object }>(
        `select to_jsonb(r) - '{tenant_id,id,created_at,updated_at,commission_plan_id}'::text[]
           || jsonb_build_object('plan', (select p.commission_code from commission_plan p
                where p.tenant_id = r.tenant_id
                  and p.id = (to_jsonb(r)->>'commission_plan_id')::bigint)) as row
         from ${table} r order by ${order}`,
      );
      found.push(...read.map(({ row }) => row));
    }
    return found;
  });
}

test('commission plans and sales agents of a file are rows, and applying it again changes nothing', async (t) => {
  const tried = await bench(t);
  await tried.changes(shop);
  const before = await rows(tried);
  t.is(before.length, 2 + 3 + 2);
  t.deepEqual(await tried.changes(shop), []);
  t.deepEqual(await rows(tried), before);
  await tried.changes({ ...smallest, tenant: 'other' });
  t.deepEqual(await tried.in('other', (tx) => tx.query('select from sales_agent')), []);
});
