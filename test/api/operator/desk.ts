/** A browser without a browser: somebody at the operator's page, with the cookies and forms of its answers. */
import { openEngine } from '../../../operations/outbox/engine.ts';
import { openOperatorSettings, type Opening } from '../../../api/operator/settings.ts';
import type { Dependencies } from '../../../operations/context/context.ts';
import { OPERATOR_PASSWORD, PASSWORD, SECRET_KEY } from '../../support/tenants.ts';
import { send, type Received } from '../support.ts';

export const WEB_UI = { url: 'http://temporal.example:8233', namespace: 'default' } as const;

/** Of a port where nobody listens: a Temporal that is down. */
const engine = openEngine({ address: '127.0.0.1:9', namespace: 'default', identity: 'test' });

/** The settings of an API whose Temporal is down, unless the test has another one. */
export const operatorSettings = (
  dependencies: Dependencies,
  databaseUrl: string,
  given: Partial<Opening> = {},
) =>
  openOperatorSettings({
    dependencies,
    databaseUrl,
    password: OPERATOR_PASSWORD,
    header: undefined,
    webUi: WEB_UI,
    secretKeys: SECRET_KEY,
    engine,
    dispatch: () => undefined,
    ...given,
  });

export interface At {
  readonly port: number;
  /** `localhost` of all tenants, `demo.localhost` of one. */
  readonly host: string;
  readonly from?: string;
}

type Fields = Readonly<Record<string, string>>;
type Headers = Readonly<Record<string, string>>;

export type Desk = ReturnType<typeof openDesk>;

export function openDesk({ port, host, from }: At, always: Headers = {}) {
  const cookies = new Map<string, string>();
  const call = async (
    method: string,
    path: string,
    { headers = {}, body }: { readonly headers?: Headers; readonly body?: string } = {},
  ): Promise<Received> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const own = { ...always, ...(cookie && { cookie }), ...headers };
    const answer = await send(port, {
      method,
      path,
      host,
      from,
      auth: null,
      headers: own,
      ...(body !== undefined && { body }),
    });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  const get = (path: string, headers: Headers = {}): Promise<Received> =>
    call('GET', path, { headers });
  const post = (path: string, fields: Fields, headers: Headers = {}): Promise<Received> =>
    call('POST', path, {
      body: new URLSearchParams(fields).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: `http://${host}`,
        ...headers,
      },
    });
  /** Fills in the form that the page at the address has for itself. */
  const submit = async (path: string, fields: Fields, page = path): Promise<Received> =>
    post(path, { formKey: keyIn(await get(page), path), ...fields });
  return {
    cookies,
    call,
    get,
    post,
    submit,
    logIn: (name = 'Anna', password = OPERATOR_PASSWORD) =>
      submit('/ops/login', { name, password }),
    /** As a user of the tenant. */
    logInAs: (username: string, password = PASSWORD) =>
      submit('/ops/login', { username, password }),
    logOut: () => submit('/ops/logout', {}, '/ops'),
  };
}

/** The key of the form that is posted to the address. */
export function keyIn({ body }: Received, action: string): string {
  const [, key = ''] =
    new RegExp(
      `action="${action}"[^>]*>\\s*<input type="hidden" name="formKey" value="([^"]*)"`,
    ).exec(body) ?? [];
  return key;
}

export const titleOf = ({ body }: Received): string => /<h1>([^<]*)<\/h1>/.exec(body)?.[1] ?? '';

/** What a page says at the top: that something was done, or why not. */
export function saidIn({ body }: Received): string {
  const done = /<p class="ops-done" role="status">([^<]*)</.exec(body)?.[1];
  return (
    done ??
    [
      ...(/<div class="problems"[^]*?<\/div>/
        .exec(body)?.[0]
        .matchAll(/<li>(?:<a[^>]*>)?([^<]*)/g) ?? []),
    ]
      .map(([, text]) => text)
      .join(', ')
  );
}

/** The addresses of a page's links, but those of other sites. */
export const linksIn = ({ body }: Received): string[] =>
  [...body.matchAll(/href="(\/[^"]*)"/g)].map(([, address = '']) => address);
