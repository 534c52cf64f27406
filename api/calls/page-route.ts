/** Makes the routes of pages: those that show something, and those that take a form. */
import type { PageAnswer } from './answer.ts';
import { RequestError } from './errors.ts';
import type { FormKeys, ReadKey } from './form-keys.ts';
import {
  type FormFields,
  type PageCall,
  type PageRoute,
  type ShowRefusal,
  pathParametersOf,
} from './route-types.ts';
import { unselected } from './parameters.ts';

/** The name of the hidden field that has a form's key. */
export const FORM_KEY_FIELD = 'formKey';

interface SharedSpec {
  /**
   * From the root of the host; its parameter `token` is the secret: `/signup/:token`. A login has
   * none, and its forms are not counted for a token.
   */
  readonly path: string;
  readonly showRefusal?: ShowRefusal;
}

export interface PageSpec extends SharedSpec {
  /** Changes nothing but the end of a session. */
  readonly handler: (call: PageCall<undefined>) => Promise<PageAnswer>;
}

const shared = ({ path, showRefusal }: SharedSpec) =>
  ({
    under: 'host',
    path,
    pathParameters: pathParametersOf(path),
    selection: unselected,
    credentials: 'token',
    right: null,
    answer: 'page',
    showRefusal,
  }) as const;

export function pageRoute(spec: PageSpec): PageRoute {
  return {
    ...shared(spec),
    method: 'GET',
    body: 'none',
    isWrite: false,
    waitsForOthers: false,
    needsOrigin: false,
    respond: spec.handler,
  };
}

/** A form whose key is of this page. */
export interface SubmittedForm extends ReadKey {
  readonly fields: FormFields;
}

export interface FormCall extends Omit<PageCall<undefined>, 'body'> {
  /**
   * The only way to the fields, so that no route forgets the key. A route looks its token up first:
   * an unknown one is 404, and one that is over 410, whatever was sent. Throws 403 `page.formKey`.
   */
  readonly form: () => Promise<SubmittedForm>;
}

export interface FormSpec extends SharedSpec {
  /** The forms that are posted to the address. */
  readonly forms: readonly string[];
  readonly waitsForOthers?: boolean;
  readonly needsOrigin?: boolean;
  readonly handler: (call: FormCall) => Promise<PageAnswer>;
}

export function formRoute(formKeys: FormKeys, spec: FormSpec): PageRoute {
  return {
    ...shared(spec),
    method: 'POST',
    body: 'form',
    isWrite: true,
    waitsForOthers: spec.waitsForOthers ?? false,
    needsOrigin: spec.needsOrigin ?? false,
    respond({ body, ...call }) {
      const page = { tenantId: call.tenant.id, token: tokenOf(call) };
      async function form(): Promise<SubmittedForm> {
        const fields = await body();
        const key = formKeys.read(page, fields.get(FORM_KEY_FIELD) ?? '');
        if (key === undefined || !spec.forms.includes(key.form)) throw wrongKey();
        return { ...key, fields };
      }
      return spec.handler({ ...call, form });
    },
  };
}

export const tokenOf = ({ pathTexts }: Pick<PageCall<unknown>, 'pathTexts'>): string =>
  pathTexts['token'] ?? '';

export function wrongKey(): RequestError {
  const message = 'The form is not one of this page, or older than an hour';
  return new RequestError(403, { code: 'page.formKey', message });
}

export function tooManyPosts(waitSeconds: number): RequestError {
  const message = `Too many forms were sent; wait ${waitSeconds} s`;
  const headers = { 'Retry-After': String(waitSeconds) };
  return new RequestError(429, { code: 'page.tooManyPosts', message }, headers);
}

/** What a link has led to is erased. */
export function gonePage(): RequestError {
  return new RequestError(410, { code: 'page.gone', message: 'What the page showed is erased' });
}

export function unknownPage(): RequestError {
  return new RequestError(404, { code: 'page.unknown', message: 'There is no such page' });
}
