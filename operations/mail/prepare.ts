/** Turns a claimed mail into the message to send, or says why there is none. */
import { invoicePage, type InvoicePage } from '../../domain/invoices/page.ts';
import { pdfNameOf, ublNameOf } from '../../domain/invoices/pdf-name.ts';
import { ublDocument } from '../../domain/invoices/ubl.ts';
import { noticeEvents, type NoticeKind } from '../../domain/events/notices.ts';
import {
  copiedMailKinds,
  copyAddresses,
  isMailAddress,
  type MailKind,
} from '../../domain/mail/kinds.ts';
import { mailPage } from '../../domain/mail/page.ts';
import type { MailSource } from '../../domain/mail/source.ts';
import { messages } from '../../messages/messages.ts';
import { ublXml } from '../../providers/invoice-documents/ubl.ts';
import { pictureOf } from '../../providers/invoice-documents/logo.ts';
import { LOGO_ADDRESS, type OutgoingMail } from '../../providers/mail/mailer.ts';
import type { RenderMail, Templates } from '../../providers/mail/templates.ts';
import type { ClaimedMail } from '../../db/queries/mail/mails.ts';
import { firstOf } from '../context/listing.ts';
import { readParties, readSender } from '../invoices/page-source.ts';
import { makeUbl, type MadeUbl } from '../invoices/ubl.ts';
import { actionLinkOf } from '../action-links/links.ts';
import { readPayment } from '../payments/read.ts';
import { readNoticeObject, type NoticeReading } from './notices.ts';
import { readMailObject, type MailObject, type MailSending } from './subject.ts';
import { customerName } from '../../domain/customers/name.ts';
import { newPageToken } from '../hosted-pages/tokens.ts';
import { renewConfirmation } from '../signups/ask-to-confirm.ts';
import { resetAskedAfter, resetEnd } from '../../domain/self-service/reset.ts';
import { renewReset } from '../../db/queries/hosted-pages/password-resets.ts';

/** The rows of a mail. */
export interface MailRows {
  readonly to: string;
  /** Who gets a copy. */
  readonly copies: readonly string[];
  readonly from: string;
  readonly source: MailSource;
  readonly invoice: MailObject['invoice'];
  /** The electronic invoice, or what it lacks; null where none is asked for. */
  readonly ubl: MadeUbl | null;
}

type NoticeSending = MailSending & NoticeReading;

/** Why a mail is never sent. */
export type Unsendable =
  | 'address.none'
  | 'address.invalid'
  | 'object.gone'
  | 'notice.outdated'
  | 'overdue.settled'
  | 'sender.none';

/** Runs in the transaction of the claim, as does what a reset makes; the rest runs outside of it. */
export async function readMailRows(
  sending: NoticeSending,
  mail: ClaimedMail,
): Promise<MailRows | Unsendable> {
  const { tx } = sending;
  const { customerId } = mail;
  if (customerId === null) return readConfirmRows(sending, mail);
  const isReset = mail.kind === 'passwordReset';
  const row = await firstOf(
    tx.query<{ to: string | null; copies: string | null; from: string | null }>(
      `select coalesce($3, ${isReset ? resetAddress : 'b.email_primary'}) as to, b.email_cc as copies,
         t.file->'notifications'->>'from' as from
       from tenant t left join contact b
         on b.tenant_id = t.id and b.customer_id = $2 and ${isReset ? resetContact : `b.kind = 'billing'`}
       where t.id = $1`,
      [tx.tenantId, customerId, mail.address, ...(isReset ? [mail.objectId] : [])],
      isReset ? 'mail-addresses-of-reset' : 'mail-addresses',
    ),
  );
  const { to = null, copies = null, from = null } = row ?? {};
  if (to === null) return 'address.none';
  if (!isMailAddress(to)) return 'address.invalid';
  // The tenant has removed the notifications from its file.
  if (from === null) return 'sender.none';
  const parties = await readParties(tx, customerId);
  const object = await objectOf(sending, { ...mail, customerId });
  if (parties === undefined || object === undefined) return 'object.gone';
  if (object === 'notice.outdated') return object;
  const { subject, invoice } = object;
  if (subject.kind === 'customerOverdue' && subject.invoices.length === 0) return 'overdue.settled';
  const named = mail.kind === 'contactChanged' ? ofNobody(parties) : speakingTo(object, parties);
  const ubl = invoice === null ? null : await ublOf(sending, mail, invoice);
  return {
    to,
    copies: copiedMailKinds.has(mail.kind) ? copiesBeside(to, copies) : [],
    from,
    source: { ...named, subject },
    invoice,
    ubl,
  };
}

/** Nobody gets a mail twice. */
function copiesBeside(to: string, list: string | null): readonly string[] {
  const addresses = new Map<string, string>();
  for (const address of (list === null ? null : copyAddresses(list)) ?? []) {
    addresses.set(address.toLowerCase(), address);
  }
  addresses.delete(to.toLowerCase());
  return [...addresses.values()];
}

/** Names may be what somebody typed who does not own the address: it gets none of them. */
function ofNobody({ customer: { locale }, sender }: Parties): Parties {
  return { customer: { locale, name: '', extCustomerRef: null, billingContact: null }, sender };
}

/** To an address that is no customer's yet. */
async function readConfirmRows(
  sending: MailSending,
  { objectId }: ClaimedMail,
): Promise<MailRows | Unsendable> {
  const { tx } = sending;
  const [tenant] = await tx.query<{ from: string | null }>(
    `select file->'notifications'->>'from' as from from tenant where id = $1`,
    [tx.tenantId],
    'mail-sender',
  );
  if (tenant?.from == null) return 'sender.none';
  const made = await makeConfirmation(sending, objectId);
  if (made === undefined) return 'object.gone';
  const { to, source } = made;
  if (to === null) return 'address.none';
  return isMailAddress(to)
    ? { to, copies: [], from: tenant.from, source, invoice: null, ubl: null }
    : 'address.invalid';
}

/** The electronic form of the mail's document, if the tenant's mails bring one. */
async function ublOf(
  { tx, tenant }: MailSending,
  { objectId: id }: ClaimedMail,
  { cancels }: NonNullable<MailObject['invoice']>,
): Promise<MadeUbl | null> {
  const row = await firstOf(
    tx.query<{ wanted: boolean }>(
      `select coalesce((file->'notifications'->>'ubl')::boolean, false) as wanted
       from tenant where id = $1`,
      [tx.tenantId],
      'mail-wants-ubl',
    ),
  );
  if (row?.wanted !== true) return null;
  const document = cancels === undefined ? undefined : 'cancellation';
  return (await makeUbl(tx, tenant, { address: { id }, document })) ?? null;
}

type Parties = Pick<MailSource, 'customer' | 'sender'>;

function speakingTo({ person }: MailObject, { customer, sender }: Parties): Parties {
  if (person === undefined) return { customer, sender };
  const billingContact = { companyName: null, address: {}, ...person };
  return { customer: { ...customer, billingContact }, sender };
}

/** The secret of a password goes to nobody but the contact whose it is. */
const resetContact = `b.id =
  (select r.contact_id from password_reset r where r.tenant_id = $1 and r.id = $4)`;
const resetAddress = `nullif(coalesce(b.reset_address, b.email_primary), '')`;

function objectOf(
  sending: NoticeSending,
  { kind, ...mail }: ClaimedMail & { readonly customerId: number },
): Promise<MailObject | 'notice.outdated' | undefined> {
  if (kind === 'signupConfirm') return Promise.resolve(undefined);
  if (kind === 'passwordReset') return makeReset(sending, mail.objectId);
  if (kind === 'paymentAction') return makeAction(sending, mail.objectId);
  if (kind === 'contactChanged') return Promise.resolve({ subject: { kind }, invoice: null });
  if (isNotice(kind)) return readNoticeObject(sending, { ...mail, kind });
  return readMailObject(sending, { ...mail, kind });
}

const isNotice = (kind: MailKind): kind is NoticeKind => Object.hasOwn(noticeEvents, kind);

/** Draws an invoice as PDF; tenants take turns by their lanes. */
export type DrawInvoice = (page: InvoicePage, lane: string) => Promise<Buffer>;

/** How mails are made. */
export interface MailMaking {
  readonly render: RenderMail;
  readonly drawInvoice: DrawInvoice;
}

interface Message extends MailMaking {
  readonly templates: Templates;
  /** Of the tenant: tenants take turns for rendering and drawing. */
  readonly lane: string;
}

/** Renders the mail and draws its invoice. */
export async function messageOf(
  { to, copies, from, source, invoice, ubl }: MailRows,
  { messageId }: Pick<ClaimedMail, 'messageId'>,
  { templates, lane, render, drawInvoice }: Message,
): Promise<OutgoingMail> {
  const { customer, sender } = source;
  const page = mailPage(source, messages);
  const logo = (sender.logo === null ? undefined : pictureOf(sender.logo)) ?? null;
  const content = { page, logo: logo === null ? null : LOGO_ADDRESS };
  const rendered = await render(templates, content, lane);
  const attachments =
    invoice === null
      ? []
      : [await invoiceFile(invoice, (page) => drawInvoice(page, lane)), ...ublFiles(ubl)];
  return {
    messageId,
    from: { name: sender.name, address: from },
    to: { name: customer.name, address: to },
    copies,
    language: page.language,
    logo,
    attachments,
    ...rendered,
  };
}

/** Beside the PDF, where it can be made. */
function ublFiles(ubl: MadeUbl | null): OutgoingMail['attachments'] {
  if (ubl === null || 'missing' in ubl) return [];
  const { source } = ubl;
  const content = Buffer.from(ublXml(ublDocument(source)));
  return [{ filename: ublNameOf(source.invoice), type: 'application/xml', content }];
}

async function invoiceFile(
  invoice: NonNullable<MailObject['invoice']>,
  draw: (page: InvoicePage) => Promise<Buffer>,
) {
  const page = invoicePage(invoice, messages);
  const content = await draw(page);
  return { filename: pdfNameOf(page), type: 'application/pdf', content };
}

/*
 * Makes what the mail says by which a visitor confirms an order: the token of its page is made when
 * the mail is, so that no queue, log or history has it.
 */

interface ConfirmMail {
  readonly to: string | null;
  readonly source: MailSource;
}

/** Undefined once the payment no longer waits for its payer. */
async function makeAction(
  sending: MailSending,
  paymentId: number,
): Promise<MailObject | undefined> {
  const { tx, tenant, origin } = sending;
  const link = await actionLinkOf(sending, paymentId);
  const payment = await readPayment(tx, tenant, { id: paymentId, type: 'Payment' });
  if (link === undefined || payment === undefined) return undefined;
  const { amount, currency } = payment;
  const method = payment.paymentMethodContext ?? payment.paymentMethodType;
  const { path, validUntil: waitsUntil } = link;
  const { timezone } = tenant;
  const action = { amount, currency, method, waitsUntil, timezone, actionAddress: origin + path };
  return { subject: { kind: 'paymentAction', action }, invoice: null };
}

/** A further attempt makes another token, which ends the one before. Undefined if it is over. */
export async function makeConfirmation(
  { tx, realNow, origin }: Pick<MailSending, 'tx' | 'realNow' | 'origin'>,
  tryId: number,
): Promise<ConfirmMail | undefined> {
  const { token, hash } = newPageToken();
  const [renewed, sender] = await Promise.all([
    renewConfirmation(tx, { tryId, hash, realNow }),
    readSender(tx),
  ]);
  if (renewed === undefined || sender === undefined) return undefined;
  const { email, locale, ...person } = renewed;
  return {
    to: email,
    source: {
      customer: {
        name: customerName(person),
        extCustomerRef: null,
        locale,
        billingContact: { ...person, address: {} },
      },
      sender,
      subject: { kind: 'signupConfirm', confirmAddress: `${origin}/signup/confirm/${token}` },
    },
  };
}

/*
 * Makes what the mail of a password reset says: its token is made when the mail is, so that no
 * queue, log or history has it.
 */

/** A further attempt makes another token, which ends the one before. Undefined if it is over. */
async function makeReset(
  { tx, realNow, origin }: Pick<MailSending, 'tx' | 'realNow' | 'origin'>,
  id: number,
): Promise<MailObject | undefined> {
  const { token, hash } = newPageToken();
  const expiresAt = resetEnd(realNow);
  const renewed = await renewReset(tx, id, {
    hash,
    expiresAt,
    requestedAfter: resetAskedAfter(realNow),
  });
  if (renewed === undefined) return undefined;
  const { username, person } = renewed;
  const resetAddress = `${origin}/widget/reset/${token}`;
  return { subject: { kind: 'passwordReset', username, resetAddress }, invoice: null, person };
}
