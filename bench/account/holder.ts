/** A customer at its account, as a browser without script is there, each from an address of its own. */
import {
  actionOf,
  ask,
  hiddenFields,
  postOf,
  SERVER,
  SITE,
  type PageAnswer,
  type PagesTarget,
} from '../pages/browser.ts';

export interface Account {
  /** The path of its first page. */
  readonly home: string;
  readonly visitor: number;
}

let count = 0;

/** The tenant's server starts the session. */
export async function openAccount(target: PagesTarget, customerId: number): Promise<Account> {
  count += 1;
  const parameters = new URLSearchParams({
    customerId: String(customerId),
    cssURL: '/css/signup.css',
    loginUrl: `${SITE}/login`,
  });
  const path = `/rest/widget/start?${parameters.toString()}`;
  const { authorization } = target;
  const headers = { authorization };
  const { body } = await ask(target, { method: 'GET', path, headers, visitor: SERVER });
  return { home: new URL(body).pathname, visitor: count };
}

const read = (target: PagesTarget, { visitor }: Account, path: string): Promise<PageAnswer> =>
  ask(target, { method: 'GET', path, headers: {}, visitor });

export const visitHome = (target: PagesTarget, account: Account): Promise<PageAnswer> =>
  read(target, account, account.home);

export const statements = (target: PagesTarget, account: Account): Promise<PageAnswer> =>
  read(target, account, `${account.home}/statements`);

/** Pays all that is open by a card that is approved; the time is that of the form. */
export async function pay(target: PagesTarget, account: Account): Promise<PageAnswer> {
  const path = `${account.home}/pay`;
  const { body } = await read(target, account, path);
  const [form = ''] =
    /<form[^>]*method="post"[^>]*action="[^"]*\/pay[^]*?<\/form>/.exec(body) ?? [];
  const fields = new URLSearchParams({
    ...hiddenFields(form),
    cardNumber: '4111111111111111',
    expiryMonth: '12',
    expiryYear: '2035',
    cvv: '123',
    cardholderName: 'Ada Field',
  });
  const { visitor } = account;
  return ask(target, { ...postOf(target, actionOf(form, path), fields), visitor });
}
