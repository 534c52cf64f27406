/** Checks a tenant's templates: their names, and that each renders a mail of every kind it is for. */
import type { MailKind } from '../../domain/mail/kinds.ts';
import { mailPage } from '../../domain/mail/page.ts';
import type { MailInvoice, MailNotice, MailSource, MailSubject } from '../../domain/mail/source.ts';
import { messages } from '../../messages/messages.ts';
import { renderApart } from './render-apart.ts';
import {
  languageOfTemplate,
  SUFFIX,
  TemplateError,
  type MailContent,
  type TemplateFault,
  type TemplateMistake,
  type Templates,
} from './templates.ts';

/**
 * Renders samples of every kind, with and without optional values, as mails are rendered; empty if all
 * of them work.
 */
export async function checkTemplates(own: Templates): Promise<TemplateMistake[]> {
  const mistakes = new Map<string, string>();
  for (const [name, text] of own) {
    if (text.includes('\u0000')) mistakes.set(name, 'is no text');
  }
  if (mistakes.size > 0) return listOf(mistakes);
  const languages = [...own.keys()].flatMap((name) => languageOfTemplate(name) ?? []);
  checks += 1;
  const lane = `check ${checks}`;
  for (const language of new Set(['en', ...languages])) {
    for (const source of samplesFor(language)) {
      for (const logo of ['cid:logo', null]) {
        const fault = await faultOf(own, { page: mailPage(source, messages), logo }, lane);
        if (fault === null) continue;
        const { name, message } = mistakeOf(fault, own);
        if (!mistakes.has(name)) mistakes.set(name, message);
        // Each further sample could take as long.
        if (fault.limit !== null) return listOf(mistakes);
      }
    }
  }
  return listOf(mistakes);
}

/** Each check takes turns with the others. */
let checks = 0;

async function faultOf(
  own: Templates,
  content: MailContent,
  lane: string,
): Promise<TemplateFault | null> {
  try {
    await renderApart(own, content, lane);
    return null;
  } catch (error) {
    if (error instanceof TemplateError) return error.fault;
    throw error;
  }
}

function listOf(mistakes: ReadonlyMap<string, string>): TemplateMistake[] {
  return [...mistakes].map(([name, message]) => ({ name, message }));
}

/** Liquid names the file of a mistake, but not of an undefined variable: its text is searched. */
function mistakeOf(
  { message, file, template, variable }: TemplateFault,
  own: Templates,
): TemplateMistake {
  const using = [...own].filter(([, text]) => variable !== null && text.includes(variable));
  const found = file === null ? using.map(([name]) => name) : [file + SUFFIX];
  const rendered = own.has(template) ? [template] : [...own.keys()];
  return {
    name: (found.length > 0 ? found : rendered).join(', '),
    message: message
      .replace(/, file:[^,]+/, '')
      .replace(/^ENOENT: Failed to lookup ("[^"]*") in "."/, 'there is no template $1'),
  };
}

const invoice: MailInvoice = {
  invoiceNumber: '1001',
  invoiceDate: '2027-01-01',
  dueDate: '2027-01-31',
  currency: 'EUR',
  currentAmountDue: '100',
  outstandingBalance: '100',
  payAddress: 'https://demo.example.com/pay/q3V0bmkgZm9yIGFuIGV4YW1wbGUgb2YgYSByZXNldA',
};
const payment = {
  amount: '100',
  currency: 'EUR',
  effectiveDate: '2027-01-31',
  method: 'Visa - *****1111',
  invoices: [{ invoiceNumber: '1001', amount: '100' }],
  payAddress: invoice.payAddress,
};
const action = {
  amount: '100',
  currency: 'EUR',
  method: 'Visa - *****1111',
  waitsUntil: new Date('2027-01-18T05:00:00Z'),
  timezone: 'America/New_York',
  actionAddress: 'https://demo.example.com/action/q3V0bmkgZm9yIGFuIGV4YW1wbGUgb2YgYSByZXNldA',
};
const order = {
  orderNumber: '1001',
  planName: 'A plan',
  startDate: '2027-01-01',
  endDate: '2027-12-31',
  nextBillableDate: '2027-02-01',
};

const notice: MailNotice = {
  orderNumber: '1001',
  planName: 'A plan',
  date: '2027-12-31',
  nextInvoice: { invoiceDate: '2027-12-31', amount: '100', currency: 'EUR' },
  isAutoPay: true,
  method: 'Visa - *****1111',
};
const card = { method: 'Visa - *****1111', lastDay: '2027-12-31' };

const debit = {
  amount: '30',
  currency: 'EUR',
  debitDate: '2027-03-03',
  method: 'SEPA - DE**...3000',
  mandate: 'SBX4D2A9C',
  invoiceNumber: '1001',
};

const reset = {
  username: 'ada',
  resetAddress: 'https://demo.example.com/widget/reset/q3V0bmkgZm9yIGFuIGV4YW1wbGUgb2YgYSByZXNldA',
};

const confirm = {
  confirmAddress:
    'https://demo.example.com/signup/confirm/q3V0bmkgZm9yIGFuIGV4YW1wbGUgb2YgYSByZXNldA',
};

/** With all values, then with as few as possible. */
const samples: Readonly<Record<MailKind, readonly MailSubject[]>> = {
  newInvoice: [
    {
      kind: 'newInvoice',
      invoice: { ...invoice, autopayOn: '2027-01-31', isPaidByPlan: false, creditLeft: null },
    },
    {
      kind: 'newInvoice',
      invoice: {
        ...invoice,
        currentAmountDue: '-1',
        outstandingBalance: '0',
        autopayOn: null,
        isPaidByPlan: true,
        creditLeft: '1',
        payAddress: null,
      },
    },
  ],
  newCreditNote: [
    {
      kind: 'newCreditNote',
      invoice: {
        ...invoice,
        currentAmountDue: '-1',
        outstandingBalance: '0',
        autopayOn: null,
        isPaidByPlan: false,
        creditLeft: '1',
      },
    },
    {
      kind: 'newCreditNote',
      invoice: {
        ...invoice,
        invoiceNumber: '1002',
        currentAmountDue: '-100',
        outstandingBalance: '0',
        autopayOn: null,
        isPaidByPlan: false,
        creditLeft: null,
        cancels: invoice,
      },
    },
  ],
  newOrder: [
    { kind: 'newOrder', order },
    { kind: 'newOrder', order: { ...order, endDate: null, nextBillableDate: null } },
  ],
  paymentReceived: [
    { kind: 'paymentReceived', payment },
    { kind: 'paymentReceived', payment: { ...payment, method: null, invoices: [] } },
  ],
  paymentFailed: [
    { kind: 'paymentFailed', payment: { ...payment, invoices: [] } },
    {
      kind: 'paymentFailed',
      payment: { ...payment, method: null, invoices: [], payAddress: null },
    },
  ],
  paymentAction: [
    { kind: 'paymentAction', action },
    { kind: 'paymentAction', action: { ...action, method: null } },
  ],
  customerOverdue: [
    { kind: 'customerOverdue', status: 'Suspended1', invoices: [invoice] },
    { kind: 'customerOverdue', status: 'Overdue1', invoices: [] },
  ],
  trialEnding: [
    { kind: 'trialEnding', notice },
    {
      kind: 'trialEnding',
      notice: { ...notice, isAutoPay: false, method: null, nextInvoice: null },
    },
  ],
  renewalNotice: [
    { kind: 'renewalNotice', notice },
    {
      kind: 'renewalNotice',
      notice: { ...notice, isAutoPay: false, method: null, nextInvoice: null },
    },
  ],
  priceChange: [
    { kind: 'priceChange', notice, prices: { before: '100', after: '110', currency: 'EUR' } },
    {
      kind: 'priceChange',
      notice: { ...notice, isAutoPay: false, method: null, nextInvoice: null },
      prices: null,
    },
  ],
  cardExpiring: [
    { kind: 'cardExpiring', card },
    { kind: 'cardExpiring', card: { ...card, method: 'Card - *****1111' } },
  ],
  debitNotice: [
    { kind: 'debitNotice', debit },
    { kind: 'debitNotice', debit: { ...debit, mandate: null } },
  ],
  passwordReset: [
    { kind: 'passwordReset', ...reset },
    { kind: 'passwordReset', ...reset },
  ],
  contactChanged: [{ kind: 'contactChanged' }, { kind: 'contactChanged' }],
  signupConfirm: [
    { kind: 'signupConfirm', ...confirm },
    { kind: 'signupConfirm', ...confirm },
  ],
};

function samplesFor(language: string): MailSource[] {
  const region = new Intl.Locale(language).maximize().region ?? 'US';
  const customer = { extCustomerRef: 'C-1', locale: `${language}_${region}`, name: 'A customer' };
  const sender = {
    name: 'A tenant',
    address: { city: 'Berlin' },
    taxId: 'DE123456789',
    logo: null,
  };
  return Object.values(samples).flatMap(([full, sparse]) => [
    ...(full
      ? [
          {
            customer: {
              ...customer,
              billingContact: {
                firstName: 'Ada',
                lastName: 'Lovelace',
                companyName: null,
                address: {},
              },
            },
            sender,
            subject: full,
          },
        ]
      : []),
    ...(sparse
      ? [
          {
            customer: { ...customer, extCustomerRef: null, billingContact: null },
            sender: { ...sender, address: null, taxId: null },
            subject: sparse,
          },
        ]
      : []),
  ]);
}
