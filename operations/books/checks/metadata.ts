/** Invariants of metadata: what lists are filtered by, and what invoices take of others. */
import { METADATA_ENTRIES_MAX, metadataKinds } from '../../../domain/text/metadata.ts';
import { kinds } from '../../context/kinds.ts';
import { type Check, invoiceOf } from './check.ts';

const noted = metadataKinds
  .map(
    (kind) => `select '${kind}' as kind, id, metadata from ${kinds[kind].table}
        where tenant_id = $1 and metadata is not null`,
  )
  .join(' union all ');

/** Of a key that several orders have, the value of the lowest; in the order of keys as in code. */
const ofOrders = `(
  select jsonb_object_agg(u.key, u.value) from (
    select distinct on (e.key collate "C") e.key, e.value
    from (select distinct n.order_id from invoice_line n
          where n.tenant_id = $1 and n.invoice_id = i.id) n
    join subscription_order o on o.tenant_id = $1 and o.id = n.order_id
    cross join jsonb_each_text(o.metadata) e
    order by e.key collate "C", o.id limit ${METADATA_ENTRIES_MAX}) u)`;

/** Calls have replaced neither it nor what it was taken of. */
const isAsMade = `not i.has_own_metadata and not exists (
  select from invoice_line n join subscription_order o on o.tenant_id = $1 and o.id = n.order_id
  where n.tenant_id = $1 and n.invoice_id = i.id and o.has_new_metadata)`;

export const metadataChecks: readonly Check[] = [
  {
    name: 'metadata.copy',
    rule: 'The entries by which lists are filtered are those of the objects; an invoice has the metadata of its orders, a credit note that of its original, until a call replaces it.',
    sql: `
      with noted as (${noted}),
      entries as (
        select coalesce(n.kind, m.kind) as kind, coalesce(n.id, m.object_id) as id
        from (select n.kind, n.id, e.key, e.value from noted n
              cross join jsonb_each_text(n.metadata) e) n
        full join (select * from metadata_entry where tenant_id = $1) m
          on m.kind = n.kind and m.object_id = n.id and m.key = n.key and m.value = n.value
        where n.id is null or m.object_id is null)
      select kind || ' ' || id as object, 'is not found by its metadata as it is' as detail
      from (select distinct kind, id from entries) e
      union all
      select ${invoiceOf('i')}, 'does not have the metadata of its orders'
      from invoice i
      where i.tenant_id = $1 and i.credit_note_of is null and not i.is_imported
        and (i.metadata is not null or exists (
          select from invoice_line n join subscription_order o
            on o.tenant_id = $1 and o.id = n.order_id and o.metadata is not null
          where n.tenant_id = $1 and n.invoice_id = i.id))
        and ${isAsMade} and i.metadata is distinct from ${ofOrders}
      union all
      select ${invoiceOf('i')}, 'does not have the metadata of the invoice of which it gives back'
      from invoice i
      join invoice o on o.tenant_id = $1 and o.id = i.credit_note_of and not o.has_own_metadata
      where i.tenant_id = $1 and not i.has_own_metadata
        and i.metadata is distinct from o.metadata
      order by 1, 2`,
  },
];
