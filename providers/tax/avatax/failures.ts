/** Tells apart what AvaTax refuses of one document, and what concerns all calls. */
import { z } from 'zod';
import { TaxProviderError } from '../tax-provider.ts';

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
export function failureOf(status: number, answer: object | null): TaxProviderError {
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
