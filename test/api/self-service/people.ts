/** Contacts that log in: making them, logging them in, and the mails that they get. */
import type { ExecutionContext } from 'ava';
import { createLateAnswers } from '../../../operations/mail/late-answers.ts';
import { sendMails } from '../../../operations/mail/send.ts';
import { drawInvoice } from '../../../providers/invoice-documents/pdf/drawing.ts';
import { renderApart } from '../../../providers/mail/render-apart.ts';
import { openSmtp } from '../../../providers/mail/smtp.ts';
import { openInbox, type InboxOptions } from '../../providers/mail/inbox.ts';
import type { Received } from '../support.ts';
import { keyIn, submit } from '../signups/page-calls.ts';
import { valueOf, type ApiTenantOptions, type TenantApi } from '../tenant-api.ts';
import { visit, withProfiles } from './calls.ts';

export const LOGIN = '/widget/login';
export const RESET = '/widget/login/reset';
export const PASSWORD = 'Secret-one-1';

/** A tenant that sends mails. */
export const withMails: ApiTenantOptions = {
  file: { ...withProfiles.file, notifications: { from: 'billing@demo.example', enabled: [] } },
};

/** Makes a customer whose billing contact has a user name, and returns its id. */
export async function personOf(own: TenantApi, username: string, more = ''): Promise<string> {
  const { body } = await own.post(
    '/customers',
    `<customer><billingContact><username>${username}</username><passwd>${PASSWORD}</passwd>
     <firstName>Ada</firstName><lastName>Field</lastName>
     <emailPrimary>${username}@field.example</emailPrimary>${more}</billingContact></customer>`,
  );
  return valueOf(body, 'customer@id') ?? body;
}

type Fields = Readonly<Record<string, string>>;

const ownOrigin = ({ label }: TenantApi): Fields => ({ origin: `http://${label}.localhost` });

/** Opens the page and sends its form, as a browser would. */
export async function send(
  own: TenantApi,
  path: string,
  fields: Fields,
  headers: Fields = ownOrigin(own),
): Promise<Received> {
  const formKey = keyIn(await visit(own, path));
  return submit(own, path, { formKey, ...fields }, headers);
}

export const logIn = (
  own: TenantApi,
  username: string,
  password: string = PASSWORD,
  headers: Fields = ownOrigin(own),
): Promise<Received> => send(own, LOGIN, { username, password }, headers);

export const locationOf = ({ headers }: Received): string => headers.location ?? '';

/** What a page says, without the keys of its forms. */
export const without = ({ status, body }: Received): string =>
  `${status} ${body.replaceAll(/name="formKey" value="[^"]*"/g, '')}`;

/** The mails of the tenant, sent to a real SMTP server. */
export async function postOf(t: ExecutionContext, own: TenantApi, options: InboxOptions = {}) {
  const inbox = await openInbox(options);
  const mailer = openSmtp(inbox.url);
  t.teardown(async () => {
    mailer.close();
    await inbox.close();
  });
  return {
    inbox,
    send: () =>
      sendMails({ db: own.db, realNow: Date.now }, own.tenantId, {
        mailer,
        host: 'billing.example',
        originOf: (label) => `http://${label}.localhost`,
        render: renderApart,
        drawInvoice,
        late: createLateAnswers(),
        onProgress: () => undefined,
        signal: new AbortController().signal,
      }),
  };
}

/** The paths of the pages that a mail leads to. */
export const pathsIn = (text = ''): string[] =>
  [...text.matchAll(/http:\/\/[\w-]+\.localhost(\/widget\/reset\/[\w-]+)/g)].map(
    ([, path = '']) => path,
  );

export const resetRows = (own: TenantApi) =>
  own.asOwner<Record<string, unknown>>(
    `select * from password_reset where tenant_id = ${own.tenantId} order by id`,
  );
