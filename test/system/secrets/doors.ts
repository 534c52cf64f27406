/** A customer that logs in, changes its password, forgets it and resets it, with mistakes. */
import type { Inbox } from '../../providers/mail/inbox.ts';
import { keyIn, submit, visit } from '../../api/signups/page-calls.ts';
import type { Received } from '../../api/support.ts';
import { until } from '../../support/until.ts';
import { passwords } from './calls.ts';
import type { Visited } from './pages.ts';
import type { Place } from './places.ts';

interface Host {
  readonly port: number;
  readonly label: string;
  readonly call: (method: string, path: string, body?: string) => Promise<Received>;
}

const [first, second, weak] = passwords;
const username = 'door.keeper';

/** @param inbox where the mails of the host's tenant go */
export async function throughDoors(host: Host, inbox: Pick<Inbox, 'mails'>): Promise<Visited> {
  const answers: Place[] = [];
  const statuses = new Set<number>();
  const tokens: string[] = [];
  const headers = { origin: `http://${host.label}.localhost` };

  async function send(path: string, fields: Readonly<Record<string, string>>): Promise<Received> {
    const page = await visit(host, path);
    // Of several forms of a page, the last is its own.
    const formKey = keyIn({ ...page, body: page.body.slice(page.body.lastIndexOf('<form')) });
    const answer = await submit(host, path, { formKey, ...fields }, headers);
    statuses.add(answer.status);
    const text = page.body + JSON.stringify(answer.headers) + answer.body;
    answers.push([`door ${path} ${answer.status}`, text]);
    return answer;
  }

  const contact = `<username>${username}</username><passwd>${first}</passwd>
    <firstName>Ada</firstName><emailPrimary>door@field.example</emailPrimary>`;
  const customer = `<customer><billingContact>${contact}</billingContact></customer>`;
  await host.call('POST', '/customers', customer);
  await send('/widget/login', { username, password: weak });
  await send('/widget/login', { username: first, password: first });
  // Who types a password into the field of the user name sees it again, and nobody else does.
  answers.pop();
  const { headers: led } = await send('/widget/login', { username, password: first });
  const home = led.location ?? '';
  tokens.push(home.split('/').at(-1) ?? home);
  const names = { firstName: 'Ada', lastName: 'Field', email: 'door@field.example' };
  const profile = `${home}/profile`;
  await send(profile, { ...names, city: 'Rome', oldPassword: weak, newPassword: second });
  await send(profile, { ...names, oldPassword: first, newPassword: second });
  await send('/widget/login/reset', { name: username });
  await until('the mail is there', () => Promise.resolve(inbox.mails.length > 0));
  const [, token = ''] = /\/widget\/reset\/([\w-]+)/.exec(inbox.mails[0]?.text ?? '') ?? [];
  tokens.push(token);
  await send(`/widget/reset/${token}`, { newPassword: weak });
  await send(`/widget/reset/${token}`, { newPassword: first });
  await send(`/widget/reset/${token}`, { newPassword: second });
  await send('/widget/login', { username, password: first });
  return { answers, statuses, tokens };
}
