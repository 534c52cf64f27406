/** Tenants with admins, and what an operator finds there. */
import { PASSWORD } from '../../support/tenants.ts';
import type { TenantApi } from '../tenant-api.ts';

const user = { password: PASSWORD, roles: ['ROLE_API'] };

/** `admin@test` has the right admin alone, `money@test` also finance, `api@test` none of its own. */
export const withAdmins = {
  file: {
    users: [
      { username: 'api@test', ...user },
      { username: 'admin@test', ...user, rights: ['admin'] },
      { username: 'money@test', ...user, rights: ['admin', 'finance'] },
    ],
  },
};

export function openCallsOf({ asOwner, tenantId }: TenantApi) {
  const one = async <Row extends object>(sql: string): Promise<Row> => {
    const [row] = await asOwner<Row & Record<string, unknown>>(sql);
    if (row === undefined) throw new Error('no row');
    return row;
  };
  const customer = async (ref: string): Promise<number> => {
    const { id } = await one<{ id: string }>(
      `insert into customer (tenant_id, name, status, currency, ext_customer_ref, created_at,
         updated_at) values (${tenantId}, 'A customer', 'Active', 'USD', '${ref}', now(), now())
       returning id`,
    );
    return Number(id);
  };
  const held = async (ref: string): Promise<number> => {
    const id = await customer(ref);
    await asOwner(
      `update customer set billing_held_at = now(), billing_held_code = 'quantity.outOfRange'
       where id = ${id}`,
    );
    return id;
  };
  const statusOf = async (id: number): Promise<{ readonly isHeld: boolean }> => {
    const row = await one<{ held: boolean }>(
      `select billing_held_at is not null as held from customer where id = ${id}`,
    );
    return { isHeld: row.held };
  };
  const finding = async (): Promise<number> => {
    const of = await customer('FINDING');
    const { id } = await one<{ id: string }>(
      `insert into payment (tenant_id, id, customer_id, payment_type, status, currency, amount,
         effective_date, cascade_id, created_at, updated_at)
       select ${tenantId}, n, ${of}, 'Payment', 'Declined', 'USD', 20, current_date, n, now(), now()
       from nextval('id_seq') n returning id`,
    );
    await asOwner(
      `insert into gateway_finding (tenant_id, payment_id, gateway_key, kind, detail, found_at)
       values (${tenantId}, ${id}, 'key', 'lateApproval', 'it was approved later', now())`,
    );
    return Number(id);
  };
  const logOf = async (path: string) => {
    const rows = await asOwner<Record<string, unknown>>(
      `select action, username, object_type, object_id, changes from audit_log
       where tenant_id = ${tenantId} and path = '${path}' order by id`,
    );
    return rows.map((row) => ({
      action: row['action'],
      username: row['username'],
      objectType: row['object_type'],
      objectId: Number(row['object_id']),
      changes: row['changes'],
    }));
  };
  return {
    customer,
    /** A customer that a billing run holds. */
    held,
    statusOf,
    /** A declined payment, of which a gateway says that it was approved. */
    finding,
    logOf,
  };
}
