/** Reads what the page of a pay link shows: one invoice, and nothing else of its customer. */
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Payment } from '../../db/entities/payments.ts';
import type { RowOf } from '../../db/entities/rows.ts';
import type { InvoiceSource } from '../../domain/invoices/page.ts';
import { DEFAULT_PROFILE, type Switches, switchesOf } from '../../domain/self-service/switches.ts';
import type { OperationContext, TenantInfo } from '../context/context.ts';
import { refuseTooManyDeclines, TooManyDeclines } from '../hosted-pages/declines.ts';
import { readInvoiceSource } from '../invoices/page-source.ts';
import type { LinkPayer } from '../self-service/card-limits.ts';
import { type NamedOpen, pendingNaming, readNamedOpen } from '../self-service/payable.ts';
import { readProfile } from '../self-service/start.ts';
import type { LinkedInvoice } from './links.ts';

export interface LinkedPage {
  readonly source: InvoiceSource;
  /** What can be paid now; null if nothing can. */
  readonly open: NamedOpen | null;
  /** A payment of the invoice is under way, by whoever it is: at its gateway, or for days. */
  readonly underWay: 'soon' | 'days' | null;
  /** A payment of the invoice waits for its payer, whoever that is; another one ends it. */
  readonly isWaiting: boolean;
  /** Too many cards were declined. */
  readonly isLimited: boolean;
  /** What became of the payment that the address names, if a link of the invoice has made it. */
  readonly made: MadeByLink | null;
}

export interface MadeByLink extends RowOf<typeof Payment, 'status'> {
  /** It waits for its payer, who is led on from the page. */
  readonly isAsked: boolean;
}

type Reading = Pick<OperationContext, 'tx' | 'realNow'>;

interface Asked {
  readonly tenant: TenantInfo;
  readonly linked: LinkedInvoice;
  readonly payer: LinkPayer;
  /** Of the address; null without one. */
  readonly paymentId: number | null;
}

/** Undefined once the invoice is gone. */
export async function readLinkedPage(
  context: Reading,
  { tenant, linked, payer, paymentId }: Asked,
): Promise<LinkedPage | undefined> {
  const { tx } = context;
  const { invoiceId, customerId } = linked;
  const source = await readLinkedDocument(tx, tenant, invoiceId);
  if (source === undefined) return undefined;
  const [open] = await readNamedOpen(tx, customerId, [invoiceId]);
  const payingId = await pendingNaming(tx, customerId, [invoiceId]);
  const made = paymentId === null ? null : await madeBy(tx, { invoiceId, paymentId });
  return {
    source,
    open: open ?? null,
    underWay: payingId === undefined ? null : await paceOf(tx, payingId),
    isWaiting: await isWaiting(tx, linked),
    isLimited: await isLimited(context, payer),
    made,
  };
}

/**
 * The document without what it says of payments beyond their dates and amounts: whoever has the link need
 * not be the customer.
 */
export async function readLinkedDocument(
  tx: Tx,
  tenant: TenantInfo,
  invoiceId: number,
): Promise<InvoiceSource | undefined> {
  const source = await readInvoiceSource(tx, tenant, { id: invoiceId });
  if (source === undefined) return undefined;
  const settlements = source.settlements.map(({ date, kind, amount }) => ({
    date,
    kind,
    amount,
    method: null,
    invoiceNumber: null,
  }));
  return { ...source, settlements };
}

async function paceOf(tx: Tx, id: number): Promise<'soon' | 'days'> {
  const [payment] = await tx.query<RowOf<typeof Payment, 'phase'>>(
    'select phase from payment where tenant_id = $1 and id = $2',
    [tx.tenantId, id],
    'phase-of-payment-under-way',
  );
  return payment?.phase === 'Processing' ? 'days' : 'soon';
}

async function isWaiting(tx: Tx, { customerId, invoiceId }: LinkedInvoice): Promise<boolean> {
  const waiting = await tx.query(
    `select from payment where tenant_id = $1 and customer_id = $2 and status = 'ActionRequired'
       and $3 = any(named_invoice_ids) limit 1`,
    [tx.tenantId, customerId, invoiceId],
    'waiting-for-payer-of-invoice',
  );
  return waiting.length > 0;
}

async function isLimited(context: Reading, payer: LinkPayer): Promise<boolean> {
  try {
    await refuseTooManyDeclines(context, payer);
    return false;
  } catch (error) {
    if (error instanceof TooManyDeclines) return true;
    throw error;
  }
}

interface MadePayment {
  readonly invoiceId: number;
  readonly paymentId: number;
}

/** Null if no link of the invoice has made it. */
async function madeBy(tx: Tx, { invoiceId, paymentId }: MadePayment): Promise<MadeByLink | null> {
  const [payment] = await tx.query<MadeByLink & Record<string, unknown>>(
    `select p.status, p.status = 'ActionRequired' and p.return_sealed is not null as is_asked
     from self_service_payment made
     join payment p on p.tenant_id = made.tenant_id and p.id = made.payment_id
     where made.tenant_id = $1 and made.payment_id = $2 and made.invoice_id = $3`,
    [tx.tenantId, paymentId, invoiceId],
    'payment-of-pay-link',
  );
  return payment ?? null;
}

/** Of those that the links of an invoice have made. */
export const isOfLink = async (tx: Tx, made: MadePayment): Promise<boolean> =>
  (await madeBy(tx, made)) !== null;

/** What the pages without a session of their own allow: the tenant's file says it for logins, too. */
export async function switchesOfLinks(tx: Tx): Promise<Switches> {
  return switchesOf({}, await readProfile(tx, DEFAULT_PROFILE));
}
