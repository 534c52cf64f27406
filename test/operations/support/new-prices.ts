/** Plans whose versions change while their orders run. */
import { applyPlans } from '../../../operations/tenants/parts/plans/apply.ts';
import { plan } from '../../../operations/tenants/parts/plans/schema.ts';
import type { PlanFile } from '../../support/tenants.ts';
import type { Books } from './books.ts';

/** Applies plans as a file with these notices would; returns what it prints. */
export function applyTo(
  books: Books,
  plans: readonly PlanFile[],
  priceChangeDays = 10,
): Promise<string[]> {
  return books.work(async ({ tx, time }) => {
    const file = {
      plans: plans.map((each) => plan.parse(written(each))),
      currency: 'USD',
      notices: { priceChangeDays },
    };
    const changes = await applyPlans(tx, { file, ...time });
    return changes.map(({ subject, change }) => `${subject}: ${change}`);
  });
}

/** As YAML has it: scalars are texts. */
function written(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(written);
  if (typeof value !== 'object' || value === null) return String(value);
  const given = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(given.map(([key, each]) => [key, written(each)]));
}

/** `v1, v2 on 2027-02-15`: the version of an order, of its lines if another, and the day of the next. */
export async function versionOf(books: Books, id: number): Promise<string> {
  const [row] = await books.read((tx) =>
    tx.query<{ text: string }>(
      `select concat('v' || p.version, (
         select string_agg(' ' || g.price_code || ' v' || v.version, '' order by l.position)
         from order_line l
         join plan_charge g on g.tenant_id = l.tenant_id and g.id = l.charge_id
         join plan v on v.tenant_id = g.tenant_id and v.id = g.plan_id
         where l.tenant_id = o.tenant_id and l.order_id = o.id and v.id <> p.id),
         ', new on ' || o.price_change_on) as text
       from subscription_order o
       join plan p on p.tenant_id = o.tenant_id and p.id = o.plan_id where o.id = $1`,
      [id],
    ),
  );
  return row?.text ?? 'gone';
}

/** What was billed, without numbers and terms. */
export async function billed(books: Books): Promise<string[]> {
  return (await books.invoices()).map((each) => each.replace(/^\S+ (on \S+) .*?: /, '$1: '));
}
