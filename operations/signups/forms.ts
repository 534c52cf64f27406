/** Keys of forms: each form stores something once. */
import type { OperationContext } from '../context/context.ts';

/** A form is taken within an hour of its page; a key that is older is refused by its signature. */
const KEPT_HOURS = 2;
/** For each form that stores something. */
const PRUNED_MAX = 10;

/** False if the form has stored something before. */
export async function useForm(
  { tx, realNow }: Pick<OperationContext, 'tx' | 'realNow'>,
  key: string,
): Promise<boolean> {
  tx.send(
    `delete from used_form where tenant_id = $1 and key = any(array(
       select key from used_form where tenant_id = $1 and used_at < $2
       order by used_at limit ${PRUNED_MAX} for update skip locked))`,
    [tx.tenantId, new Date(realNow.getTime() - KEPT_HOURS * 3_600_000)],
    'prune-forms',
  );
  const used = await tx.query(
    `insert into used_form (tenant_id, key, used_at) values ($1, $2, $3)
     on conflict do nothing returning 1`,
    [tx.tenantId, key, realNow],
    'use-form',
  );
  return used.length > 0;
}
