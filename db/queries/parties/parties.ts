/**
 * The parties of documents: what these say of a customer and of its tenant. Each is a version that
 * never changes, so a document that names it says the same for ever.
 */
import type { Pool } from 'pg';
import type { SourceCustomer } from '../../../domain/invoices/page-parties.ts';
import { keptLocale, usualLocale } from '../../../domain/invoices/formats.ts';
import { rowTypes } from '../../connection/database.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { keyed } from '../context/keyed.ts';

/** What documents say of the customer `c` with the billing contact `b`. */
export const customerContent = `jsonb_build_object('name', c.name, 'extCustomerRef', c.ext_customer_ref,
  'locale', c.locale, 'documentLocale', c.document_locale, 'taxId', c.tax_id, 'electronicAddress', c.electronic_address,
  'buyerReference', c.buyer_reference, 'billingContact', case when b.id is not null then jsonb_build_object(
    'firstName', b.first_name, 'lastName', b.last_name, 'companyName', b.company_name,
    'address', jsonb_build_object('street1', b.street1, 'street2', b.street2, 'city', b.city,
      'state', b.state, 'zip', b.zip, 'country', b.country, 'countryCode', b.country_code)) end)`;

/** The customers `c` with their billing contacts `b`. */
export const customersWithContact = `customer c left join contact b
  on b.tenant_id = c.tenant_id and b.customer_id = c.id and b.kind = 'billing'`;

/** What the invoice `i` says of its customer: as it was, or as it is while the invoice has no version. */
export const customerOfInvoice = `coalesce(
  (select p.content from party p where p.tenant_id = i.tenant_id and p.id = i.customer_party_id),
  (select ${customerContent} from ${customersWithContact}
   where c.tenant_id = i.tenant_id and c.id = i.customer_id))`;

/** What documents say of the tenant `t`, without its logo. */
const tenantContent = `jsonb_build_object('name', t.name, 'address', t.file->'address',
  'taxId', t.file->>'taxId', 'contact', t.file->'contact', 'bankAccount', t.file->'bankAccount',
  'electronicAddress', t.file->>'electronicAddress', 'untaxed', t.file->'tax'->'untaxed')`;

/** As it is today. */
export const livingTenant = `${tenantContent} || jsonb_build_object('logo', t.file->>'logo')`;

/** The frozen tenant that the row `s` of `party` has, with its logo. */
export const frozenTenant = `s.content || jsonb_build_object('logo', (select l.picture from logo l
  where l.tenant_id = s.tenant_id and l.digest = s.logo_digest))`;

const freezingBy = keyed(
  'freeze-customers',
  (are) => `with stale as materialized (
    select c.id, ${customerContent} as content from ${customersWithContact}
    where c.tenant_id = $1 and c.id ${are('$2')} and c.party_id is null),
  digested as (
    select id, content, sha256(convert_to(content::text, 'UTF8')) as digest from stale),
  made as (
    insert into party (tenant_id, customer_id, content, digest)
    select $1, id, content, digest from digested
    on conflict (tenant_id, customer_id, digest) do nothing
    returning id, customer_id),
  known as (
    select p.id, p.customer_id from digested d
    join party p on p.tenant_id = $1 and p.customer_id = d.id and p.digest = d.digest)
  update customer c set party_id = f.id from (select * from made union all select * from known) f
  where c.tenant_id = $1 and c.id = f.customer_id`,
);

/** Called before documents of these customers are inserted; they are locked. */
export function freezeCustomers(tx: Tx, customerIds: readonly number[]): void {
  if (customerIds.length === 0) return;
  const { text, key, name } = freezingBy([...new Set(customerIds)]);
  tx.send(text, [tx.tenantId, key], name);
}

/** Called when the tenant's file has changed. */
export async function freezeTenant(tx: Tx): Promise<void> {
  const [row] = await tx.query<{ countryCode: string | null }>(
    `select file->'address'->>'countryCode' as country_code from tenant where id = $1`,
    [tx.tenantId],
    'country-of-tenant',
  );
  await tx.query(
    `with picture as (
       select t.file->>'logo' as picture, sha256(convert_to(t.file->>'logo', 'UTF8')) as digest
       from tenant t where t.id = $1),
     kept as (
       insert into logo (tenant_id, digest, picture)
       select $1, digest, picture from picture where picture is not null
       on conflict do nothing),
     digested as (
       select content, logo_digest,
         sha256(convert_to(content::text, 'UTF8') || coalesce(logo_digest, '')) as digest
       from (
         select ${tenantContent} || jsonb_build_object('documentLocale', $2::text) as content,
           p.digest as logo_digest
         from tenant t cross join picture p where t.id = $1) said),
     made as (
       insert into party (tenant_id, content, logo_digest, digest)
       select $1, content, logo_digest, digest from digested
       on conflict (tenant_id, customer_id, digest) do nothing
       returning id),
     known as (
       select p.id from digested d
       join party p on p.tenant_id = $1 and p.customer_id is null and p.digest = d.digest)
     update tenant set party_id = f.id from (select * from made union all select * from known) f
     where tenant.id = $1`,
    [tx.tenantId, usualLocale(row?.countryCode ?? null) ?? null],
    'freeze-tenant',
  );
}

/** What documents would say of the customer today. */
export async function readCustomerContent(
  tx: Pick<Tx, 'query'>,
  customerId: number,
): Promise<SourceCustomer> {
  const [row] = await tx.query<{ customer: SourceCustomer }>(
    `select ${customerContent} as customer from ${customersWithContact} where c.id = $1`,
    [customerId],
    'read-customer-content',
  );
  if (row === undefined) throw new Error(`there is no customer ${customerId}`);
  return row.customer;
}

/** The values with which a document of the row `r` is inserted; $1 is the tenant. */
export const frozenParties = {
  customerPartyId: `(select c.party_id from customer c where c.tenant_id = $1 and c.id = r."customerId")`,
  tenantPartyId: '(select t.party_id from tenant t where t.id = $1)',
} as const;

/** What names its parties. */
const documents = ['invoice', 'payment'] as const;

const ofBefore = (table: (typeof documents)[number]): string =>
  `select tenant_id, customer_id, id from ${table} where customer_party_id is null`;

/** Those with documents of before, or customers whose locales are not resolved; runs as the relay's role, which sees all tenants. */
export async function tenantsWithoutParties(relay: Pool): Promise<number[]> {
  const { rows } = await relay.query<{ id: number }>({
    text: `select t.id from tenant t where ${documents
      .map(
        (table) => `exists (select from ${table} d
          where d.tenant_id = t.id and d.customer_party_id is null)`,
      )
      .join(' or ')}
      or exists (select from customer c where c.tenant_id = t.id and c.locale is not null
        and c.document_locale is null) order by t.id`,
    types: rowTypes,
  });
  return rows.map(({ id }) => id);
}

/** The customers of the oldest documents of before: some, each once. */
export async function customersWithoutParties(tx: Tx, max: number): Promise<number[]> {
  const oldest = documents.map(
    (table) => `(${ofBefore(table)} and tenant_id = $1 order by id limit $2)`,
  );
  const rows = await tx.query<{ customerId: number }>(
    `select distinct customer_id from (
       select * from (${oldest.join(' union all ')}) each order by id limit $2) oldest`,
    [tx.tenantId, max],
    'customers-without-parties',
  );
  return rows.map((row) => row.customerId);
}

/** Resolves the locales of customers of before, some at a time; returns how many. */
export async function keepOldLocales(tx: Tx, max: number): Promise<number> {
  const rows = await tx.query<{ id: number; locale: string }>(
    `select id, locale from customer where tenant_id = $1 and locale is not null
       and document_locale is null order by id limit $2 for no key update`,
    [tx.tenantId, max],
    'customers-without-locales',
  );
  if (rows.length === 0) return 0;
  const kept = rows.map(({ id, locale }) => ({ id, locale: keptLocale(locale) }));
  tx.send(
    `update customer c set document_locale = r.locale
     from jsonb_to_recordset($2) as r (id bigint, locale text)
     where c.tenant_id = $1 and c.id = r.id`,
    [tx.tenantId, JSON.stringify(kept)],
    'keep-old-locales',
  );
  return rows.length;
}

/** How the rows of before are written. */
const writes: Readonly<Record<(typeof documents)[number], string>> = {
  invoice: 'update invoice d',
  payment: 'update payment d',
};

/** Whether the customer has documents of before without parties. */
export async function hasOldDocuments(tx: Tx, customerId: number): Promise<boolean> {
  const found = await tx.query(
    `select from (${documents.map(ofBefore).join(' union all ')}) d
     where d.tenant_id = $1 and d.customer_id = $2 limit 1`,
    [tx.tenantId, customerId],
    'has-old-documents',
  );
  return found.length > 0;
}

/** Gives the documents of before, up to some of these locked customers, today's parties. */
export async function freezeOldDocuments(
  tx: Tx,
  customerIds: readonly number[],
  max: number,
): Promise<number> {
  freezeCustomers(tx, customerIds);
  let frozen = 0;
  for (const table of documents) {
    const rows = await tx.query(
      `${writes[table]} set customer_party_id = c.party_id, tenant_party_id = t.party_id
       from customer c, tenant t
       where t.id = $1 and c.tenant_id = $1 and c.id = d.customer_id and d.tenant_id = $1
         and d.id in (select o.id from ${table} o where o.tenant_id = $1
           and o.customer_party_id is null and o.customer_id = any($2) order by o.id limit $3)
       returning d.id`,
      [tx.tenantId, customerIds, max],
      `freeze-old-${table}s`,
    );
    frozen += rows.length;
  }
  return frozen;
}
