/**
 * The `avatax` package over our own fetch. The package drops the HTTP status of errors, limits
 * neither the time nor the size of an answer's body, and cannot be told to stop.
 */
import avatax from 'avatax/lib/AvaTaxClient.js';
import { TaxProviderError } from '../tax-provider.ts';
import { z } from 'zod';

const ANSWER_BYTES_MAX = 4 * 1024 * 1024;

export interface AvataxAccount {
  /** With its scheme, without a path: `https://rest.avatax.com`. */
  readonly url: string;
  readonly accountId: string;
  /** It leaves this process only in the authorization header. */
  readonly licenseKey: string;
}

type RestCall = Parameters<InstanceType<typeof avatax.default>['restCall']>[0];

class Client extends avatax.default {
  readonly #signal: AbortSignal;

  constructor({ url, accountId, licenseKey }: AvataxAccount, signal: AbortSignal) {
    super({ appName: 'Sundial', appVersion: '1', machineName: 'sundial', environment: url });
    this.withSecurity({ username: accountId, password: licenseKey });
    this.#signal = signal;
  }

  /** Throws TaxProviderError. The answer is what the provider sent: nothing in it is checked. */
  override async restCall<Answer extends object>({
    url,
    verb,
    payload,
    clientId = '',
  }: RestCall): Promise<Answer> {
    const response = await fetch(String(url), {
      method: String(verb).toUpperCase(),
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        authorization: this.auth,
        'x-avalara-client': clientId,
      },
      body: payload === null || payload === undefined ? null : JSON.stringify(payload),
      signal: this.#signal,
      // Nothing follows with the credentials to an address that the file does not name.
      redirect: 'manual',
    }).catch((cause: unknown) => {
      throw new TaxProviderError('silent', 'unreachable', { cause });
    });
    const answer = jsonOf(await textOf(response));
    if (response.ok && answer !== null) return answer as Answer;
    throw failureOf(response.status, answer);
  }
}

/** The package's client for one call, which the signal stops. */
export function avataxClient(account: AvataxAccount, signal: AbortSignal): Client {
  return new Client(account, signal);
}

async function textOf({ body }: Response): Promise<string> {
  if (body === null) return '';
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > ANSWER_BYTES_MAX) throw new TaxProviderError('silent', 'answer_too_large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** Null for anything but an object. */
function jsonOf(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** Tells apart what AvaTax refuses of one document, and what concerns all calls. */
const TEXT_LENGTH_MAX = 300;
/** Answers about one document; every other status concerns all calls. */
const documentStatuses: ReadonlySet<number> = new Set([400, 409, 422]);
/**
 * Codes of such answers that concern all calls nevertheless: the account, its company, its rights,
 * the provider's own servers.
 */
const ofAllCalls =
  /^(Account|Authentication|Authorization|Bearer|Company|IdentityServer|Inactive|NoDefaultCompany|Permission|RemoteServer|Server|Subscription|Unhandled|UserNoAccess)/;

const failure = z.object({
  error: z.object({
    code: z.string(),
    message: z.string().optional(),
    details: z
      .array(
        z.object({
          code: z.string().optional(),
          message: z.string().optional(),
          description: z.string().optional(),
        }),
      )
      .optional(),
  }),
});

/** @example failureOf(400, { error: { code: 'InvalidAddress', message: '...' } }).kind // 'refused' */
function failureOf(status: number, answer: object | null): TaxProviderError {
  const { data } = failure.safeParse(answer);
  if (data === undefined) return new TaxProviderError('silent', `http_${status}`);
  const { code, message, details = [] } = data.error;
  const [detail] = details;
  const named = [code, detail?.code].filter((each) => each !== undefined);
  if (!documentStatuses.has(status) || named.some((each) => ofAllCalls.test(each))) {
    return new TaxProviderError('silent', code);
  }
  const words = [message ?? detail?.message, detail?.description].filter((each) => Boolean(each));
  const text = (words.length === 0 ? code : [...new Set(words)].join(' ')).slice(
    0,
    TEXT_LENGTH_MAX,
  );
  return new TaxProviderError('refused', detail?.code ?? code, { text });
}
