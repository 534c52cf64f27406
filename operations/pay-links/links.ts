/** The links by which an invoice is paid without a login: their secrets, and the invoices behind them. */
import type { Tx } from '../../db/connection/tenancy.ts';
import { PayLink } from '../../db/entities/hosted-pages.ts';
import type { Invoice } from '../../db/entities/invoices.ts';
import type { RowOf } from '../../db/entities/rows.ts';
import { insertingOne } from '../../db/queries/context/insertion.ts';
import { pruneOldest } from '../../db/queries/context/prune.ts';
import { DomainError } from '../../domain/errors.ts';
import {
  hasPayLinks,
  payLinkEnd,
  payLinksGoneBefore,
  showsPayLink,
} from '../../domain/hosted-pages/pay-link.ts';
import type { OperationContext } from '../context/context.ts';
import { type InvoiceAddress, refuseErased, unknown } from '../context/locks.ts';
import { type MadeLink, newPageToken, pageTokenHash } from '../hosted-pages/tokens.ts';

/** With each making of links; more than the invoices that one mail names. */
const PRUNED_MAX = 200;

const insertLink = insertingOne('add-pay-link', {
  into: PayLink,
  columns: ['tokenHash', 'invoiceId', 'expiresAt'],
});

type Making = Pick<OperationContext, 'tx' | 'realNow'>;

/** The paths of new links by the invoices' ids; of each only the hash of its secret is stored. */
export function makePayLinks(
  { tx, realNow }: Making,
  invoiceIds: readonly number[],
): ReadonlyMap<number, string> {
  if (invoiceIds.length === 0) return new Map();
  const until = payLinksGoneBefore(realNow);
  pruneOldest(tx, { table: 'pay_link', key: 'id', at: 'expires_at', until, max: PRUNED_MAX });
  const expiresAt = payLinkEnd(realNow);
  return new Map(
    invoiceIds.map((invoiceId) => {
      const { token, hash } = newPageToken();
      insertLink(tx, { tokenHash: hash, invoiceId, expiresAt });
      return [invoiceId, `/pay/${token}`];
    }),
  );
}

/** Throws invoice.unknown, invoice.notPayable, customer.erased. */
export async function makePayLink(context: Making, address: InvoiceAddress): Promise<MadeLink> {
  const { id, invoiceNumber, status, customerId, isErased } = await addressedInvoice(
    context.tx,
    address,
  );
  refuseErased({ id: customerId, isErased });
  if (!hasPayLinks(status)) {
    const message = `invoice ${invoiceNumber} is ${status}, so nobody pays it`;
    throw new DomainError('invoice.notPayable', message);
  }
  const path = makePayLinks(context, [id]).get(id);
  if (path === undefined) throw new Error(`invoice ${id} has no pay link`);
  return { path, validUntil: payLinkEnd(context.realNow) };
}

interface AddressedInvoice extends RowOf<
  typeof Invoice,
  'id' | 'invoiceNumber' | 'status' | 'customerId'
> {
  readonly isErased: boolean;
}

async function addressedInvoice(tx: Tx, address: InvoiceAddress): Promise<AddressedInvoice> {
  const [column, value] = 'id' in address ? ['id', address.id] : ['invoice_number', address.number];
  const [invoice] = await tx.query<AddressedInvoice & Record<string, unknown>>(
    `select i.id, i.invoice_number, i.status, i.customer_id, c.erased_on is not null as is_erased
     from invoice i join customer c on c.tenant_id = i.tenant_id and c.id = i.customer_id
     where i.tenant_id = $1 and i.${column} = $2`,
    [tx.tenantId, value],
    `invoice-to-pay-by-${column}`,
  );
  if (invoice === undefined) throw unknown('invoice', address);
  return invoice;
}

/** What a link leads to. */
export interface LinkedInvoice extends RowOf<typeof Invoice, 'status' | 'customerId' | 'currency'> {
  readonly invoiceId: number;
  readonly expiresAt: Date;
  /** Its customer is. */
  readonly isErased: boolean;
}

/** Undefined: there is no such link, or it ended long ago. Null: it is over. */
export async function findPayLink(
  tx: Tx,
  { token, now }: { readonly token: string; readonly now: Date },
): Promise<LinkedInvoice | null | undefined> {
  const [linked] = await tx.query<LinkedInvoice & Record<string, unknown>>(
    `select i.id as invoice_id, i.status, i.customer_id, i.currency, l.expires_at,
       c.erased_on is not null as is_erased
     from pay_link l join invoice i on i.tenant_id = l.tenant_id and i.id = l.invoice_id
     join customer c on c.tenant_id = i.tenant_id and c.id = i.customer_id
     where l.tenant_id = $1 and l.token_hash = $2`,
    [tx.tenantId, pageTokenHash(token)],
    'pay-link-by-token',
  );
  if (linked === undefined) return undefined;
  const isOver = linked.isErased || now >= linked.expiresAt || !showsPayLink(linked.status);
  return isOver ? null : linked;
}
