/** Checks a tenant's templates: their names, and that each renders a mail of every kind it is for. */
import { mailKinds } from '../../domain/mail/kinds.ts';
import type { MailKind } from '../../domain/mail/kinds.ts';
import { mailPage } from '../../domain/mail/page.ts';
import type { MailInvoice, MailSource, MailSubject } from '../../domain/mail/source.ts';
import { createRenderer, mailFormats, SUFFIX } from './render.ts';
import type { Templates } from './render.ts';

export const TEMPLATE_LENGTH_MAX = 100_000;
export const TEMPLATES_MAX = 100;

const nameForm = new RegExp(
  `^(?:(mail|${mailKinds.join('|')})(?:\\.([a-z]{2,3}))?\\.(?:${mailFormats.join('|')})` +
    `|frame\\.(?:html|text))\\${SUFFIX}$`,
);

/** Whether a file of the folder is a template: `newInvoice.de.html.liquid`. */
export function isTemplateName(name: string): boolean {
  return nameForm.test(name);
}

export const templateNames =
  `mail or ${mailKinds.join(', ')}, then perhaps a language such as .de, then ` +
  `${mailFormats.map((format) => `.${format}`).join(', ')}, then ${SUFFIX}; or frame.html${SUFFIX}, ` +
  `frame.text${SUFFIX}`;

export interface TemplateMistake {
  readonly name: string;
  readonly message: string;
}

/** Renders samples of every kind, with and without optional values; empty if all of them work. */
export function checkTemplates(own: Templates): TemplateMistake[] {
  const mistakes = new Map<string, string>();
  for (const [name, text] of own) {
    if (text.includes('\u0000')) mistakes.set(name, 'is no text');
  }
  if (mistakes.size > 0) return listOf(mistakes);
  const renderer = createRenderer(own);
  const languages = [...own.keys()].flatMap((name) => nameForm.exec(name)?.[2] ?? []);
  for (const language of new Set(['en', ...languages])) {
    for (const source of samplesFor(language)) {
      try {
        renderer.render(mailPage(source), 'cid:logo');
        renderer.render(mailPage(source), null);
      } catch (error) {
        const { name, message } = mistakeOf(error, own);
        if (!mistakes.has(name)) mistakes.set(name, message);
      }
    }
  }
  return listOf(mistakes);
}

function listOf(mistakes: ReadonlyMap<string, string>): TemplateMistake[] {
  return [...mistakes].map(([name, message]) => ({ name, message }));
}

interface LiquidFault {
  readonly message: string;
  readonly token?: { readonly file?: string };
  readonly originalError?: unknown;
}

/** Liquid names the file of a mistake, but not of an undefined variable: its text is searched. */
function mistakeOf(error: unknown, own: Templates): TemplateMistake {
  const { message, token } = error as LiquidFault;
  const { variableName } = ((error as LiquidFault).originalError ?? {}) as {
    readonly variableName?: string;
  };
  const using = [...own].filter(([, text]) => variableName && text.includes(variableName));
  const names = token?.file === undefined ? using.map(([name]) => name) : [token.file + SUFFIX];
  return {
    name: (names.length > 0 ? names : [...own.keys()]).join(', '),
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
};
const payment = {
  amount: '100',
  currency: 'EUR',
  effectiveDate: '2027-01-31',
  method: 'Visa - *****1111',
  invoices: [{ invoiceNumber: '1001', amount: '100' }],
};
const order = {
  orderNumber: '1001',
  planName: 'A plan',
  startDate: '2027-01-01',
  endDate: '2027-12-31',
  nextBillableDate: '2027-02-01',
};

/** With all values, then with as few as possible. */
const samples: Readonly<Record<MailKind, readonly MailSubject[]>> = {
  newInvoice: [
    {
      kind: 'newInvoice',
      invoice: { ...invoice, autopayOn: '2027-01-31', isPaidByPlan: false },
    },
    {
      kind: 'newInvoice',
      invoice: {
        ...invoice,
        currentAmountDue: '-1',
        outstandingBalance: '0',
        autopayOn: null,
        isPaidByPlan: true,
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
    { kind: 'paymentFailed', payment: { ...payment, method: null, invoices: [] } },
  ],
  customerOverdue: [
    { kind: 'customerOverdue', status: 'Suspended1', invoices: [invoice] },
    { kind: 'customerOverdue', status: 'Overdue1', invoices: [] },
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
