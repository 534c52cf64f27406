/** Makes the routes that take and give documents: those that read, and those that write. */
import { z } from 'zod';
import type { AuditedType } from '../../domain/access/audit-log.ts';
import type { NeededRight } from '../../domain/access/rights.ts';
import type { DomainErrorCode } from '../../domain/errors.ts';
import type { KeyedRequest } from '../../operations/context/idempotency.ts';
import { asksProvider } from '../../operations/customers/addresses.ts';
import type { Versioned } from '../../operations/context/versions.ts';
import { type Answer, type StreamedAnswer, xmlAnswer } from './answer.ts';
import type { Call, Method, RawCall, Write, WriteCall } from './call.ts';
import { type Continuing, continuingAnswers } from './continuing.ts';
import { type Deprecation, checkedDeprecation } from './deprecation.ts';
import { type Selecting, formatOf, queryDecoder, selectionOf } from './parameters.ts';
import type { RouteDependencies } from './services.ts';
import { type ShownSpec, shownAnswers } from './shown-answers.ts';
import {
  type Keeping,
  type Performed,
  keepRefusal,
  keyedRequest,
  onceKeyOf,
  refuseStale,
  replayed,
  sealingFor,
  writeOnce,
} from './write.ts';
import type { Decoder, Encoder } from '../xml/codec.ts';
import type { RequiredWith } from '../xml/query.ts';
import { type XmlRoute, pathParametersOf } from './route-types.ts';
export type { Route, XmlRoute } from './route-types.ts';

interface SharedSpec<QuerySchema extends z.ZodObject, Result> extends Selecting {
  /** Below the prefix: `/customer/:id`. */
  readonly path: string;
  /** One line for the documentation. */
  readonly summary: string;
  /** What a user needs to call it. */
  readonly right: NeededRight;
  /** Another call does it better: each answer says so. */
  readonly deprecation?: Deprecation;
  /** The errors of fields that name parameters of the call. */
  readonly parameterErrors?: readonly DomainErrorCode[];
  readonly query?: QuerySchema;
  /** The parameters that the given ones require. */
  readonly requires?: RequiredWith;
  readonly response: Encoder<Result>;
  /** The status of success; 200 by default. */
  readonly status?: number;
}

export interface ReadSpec<QuerySchema extends z.ZodObject, Body, Result> extends SharedSpec<
  QuerySchema,
  Result
> {
  /** POST for a call that computes from a document, and stores nothing. */
  readonly method: 'GET' | 'POST';
  readonly request?: Decoder<Body>;
  /** It may throw a `HeavyCall` before it computes for long. */
  readonly handler: (call: Call<z.output<QuerySchema>, Body>) => Promise<Result>;
  /** However short its answer, it computes for long: it runs beside the light calls. */
  readonly isHeavy?: boolean;
  /** It shows what would be billed. */
  readonly isPreview?: boolean;
  /** The audit log has it in each of its formats. */
  readonly isExport?: boolean;
  /** The answers for other values of `format`. */
  readonly formats?: Readonly<
    Record<string, (call: Call<z.output<QuerySchema>, Body>) => Promise<Answer>>
  >;
  /** The same, for answers that are streams. */
  readonly streams?: Readonly<
    Record<string, (call: Call<z.output<QuerySchema>, Body>) => Promise<StreamedAnswer>>
  >;
}

interface Asking {
  /** A tenant may have the addresses validated that it sends: `resources/customers/validated.ts`. */
  readonly validatesAddresses?: boolean;
  /** It calls other systems before its write, so the stored answer is looked up first. */
  readonly asksElsewhere?: boolean;
}

export interface WriteSpec<QuerySchema extends z.ZodObject, Body, Result>
  extends SharedSpec<QuerySchema, Result>, ShownSpec<Result>, Asking {
  /** HEAD of a GET that writes is refused. */
  readonly method: Method;
  /**
   * The object in the audit log: that of the id in the path, or the first one of this type that the
   * write locks or makes; null for a write of no one object.
   */
  readonly audited: AuditedType | null;
  readonly request?: Decoder<Body>;
  /** The object whose version If-Match names; a route without it ignores the header. */
  readonly changes?: (call: Call<z.output<QuerySchema>, Body>) => Versioned;
  /** For an answer that shows what continues after the commit: a payment, a job. */
  readonly continues?: Continuing<Result>;
  /** Its handler waits for a workflow after the write. */
  readonly waits?: boolean;
  /** The status of another success. */
  readonly otherStatus?: number;
  readonly handler: (call: WriteCall<z.output<QuerySchema>, Body, Result>) => Promise<Answer>;
}

const noQuery = z.object({});

/** Makes a route that reads. */
export function route<Result, QuerySchema extends z.ZodObject = typeof noQuery, Body = undefined>(
  spec: ReadSpec<QuerySchema, Body, Result>,
): XmlRoute {
  const schema = (spec.query ?? noQuery) as QuerySchema;
  const decode = queryDecoder(schema, selectionOf(spec.method, spec), spec.requires);
  const { request, response, handler, status = 200, streams = {} } = spec;
  const others: Readonly<Record<string, Give<z.output<QuerySchema>, Body>>> = {
    ...spec.formats,
    ...streams,
  };
  const formats = ['xml', ...Object.keys(others)];
  return {
    ...shared(spec, schema),
    otherStatus: undefined,
    formats,
    streamedFormats: Object.keys(streams),
    givesText: false,
    isWrite: false,
    isConditional: false,
    waitsForOthers: false,
    isHeavy: spec.isHeavy ?? false,
    isPreview: spec.isPreview ?? false,
    isExport: spec.isExport ?? false,
    async respond({ parameters, ...raw }) {
      const query = decode(parameters);
      const body = (request === undefined ? undefined : request.decode(raw.bytes)) as Body;
      const call = { ...raw, body, query };
      const format = formatOf(parameters, formats);
      const other = Object.hasOwn(others, format) ? others[format] : undefined;
      if (other !== undefined) return other(call);
      const result = await handler(call);
      return xmlAnswer(status, await response.encodeInSlices(result), result);
    },
  };
}

type Give<Query, Body> = (call: Call<Query, Body>) => Promise<Answer | StreamedAnswer>;

interface Attempt {
  readonly raw: RawCall;
  readonly performed: Performed;
  readonly keyed: KeyedRequest | undefined;
  readonly keeping: Keeping;
}

/**
 * Makes a route that writes. Only its one transaction can build the answer, and it also stores the
 * answer under the caller's Idempotency-Key, so no route can forget to.
 */
export function writeRoute<
  Result,
  QuerySchema extends z.ZodObject = typeof noQuery,
  Body = undefined,
>(dependencies: RouteDependencies, spec: WriteSpec<QuerySchema, Body, Result>): XmlRoute {
  const query = (spec.query ?? noQuery) as QuerySchema;
  const decode = queryDecoder(query, selectionOf(spec.method, spec), spec.requires);
  const { request, changes, status = 200, waits = false } = spec;
  const { asDocument, asAsked } = shownAnswers(spec);
  const audited = { type: spec.audited, isAddressed: 'id' in pathParametersOf(spec.path) };
  const continuing = spec.continues && continuingAnswers(dependencies, spec.continues, asDocument);
  /** Returns an answer, or throws a refusal that is not stored yet. */
  async function perform(attempt: Attempt): Promise<Answer> {
    const { raw, keyed, keeping } = attempt;
    const parameters = decode(raw.parameters);
    formatOf(raw.parameters, ['xml']);
    if (keyed !== undefined && asksBefore(spec, raw.tenant)) {
      const before = await replayed(dependencies, raw.tenant, keyed, keeping);
      if (before !== undefined) return before;
    }
    const body = (request === undefined ? undefined : request.decode(raw.bytes)) as Body;
    const call = { ...raw, query: parameters, body };
    if (asksBefore(spec, raw.tenant)) await refuseStale(dependencies, raw, changes?.(call));
    const write: Write<Result> = async (operation, options = {}) => {
      const { clock = 'share', status: code = status } = options;
      let made: Result | undefined;
      const answer = await writeOnce({
        dependencies,
        ...attempt,
        target: changes?.(call),
        audited,
        clock,
        status: code,
        async operation(context) {
          made = await operation(context);
          if (continuing !== undefined) return continuing.made(made);
          return { answer: asAsked(raw.parameters, made, code), continuingId: null };
        },
      });
      if (made === undefined || continuing === undefined) return answer;
      return continuing.afterWait(raw.tenant, made, answer);
    };
    return spec.handler({ ...call, write, onceKey: () => onceKeyOf(keyed) });
  }

  return {
    ...shared(spec, query),
    otherStatus: otherStatusOf(spec.continues?.pendingStatus ?? spec.otherStatus, status),
    formats: ['xml'],
    streamedFormats: [],
    givesText: spec.textOf !== undefined,
    isWrite: true,
    isConditional: changes !== undefined,
    waitsForOthers: spec.continues !== undefined || spec.asksElsewhere === true || waits,
    isHeavy: false,
    isPreview: false,
    async respond(raw) {
      const keyed = keyedRequest(raw, raw.bytes, dependencies.fingerprintKey);
      const performed: Performed = { isKept: false };
      const sealing = spec.keepsSealed ? sealingFor(dependencies, raw.tenant, keyed) : undefined;
      const keeping = { presentOf: continuing?.presentOf(raw.tenant), sealing };
      try {
        return await perform({ raw, performed, keyed, keeping });
      } catch (error) {
        if (keyed === undefined || performed.isKept) throw error;
        return keepRefusal(dependencies, raw.tenant, keyed, { error, keeping });
      }
    },
  };
}

const otherStatusOf = (other: number | undefined, status: number): number | undefined =>
  other === status ? undefined : other;

/** Whether a call asks other systems before its write. */
function asksBefore(
  { asksElsewhere = false, validatesAddresses = false }: Asking,
  tenant: RawCall['tenant'],
): boolean {
  return asksElsewhere || (validatesAddresses && asksProvider(tenant));
}

function shared<QuerySchema extends z.ZodObject, Body, Result>(
  spec: SharedSpec<QuerySchema, Result> &
    Asking & { readonly method: Method; readonly request?: Decoder<Body> },
  query: QuerySchema,
) {
  const { method, path, summary, right, request, response, status = 200 } = spec;
  const { deprecation, parameterErrors = [], validatesAddresses = false } = spec;
  return {
    deprecation: deprecation && checkedDeprecation(deprecation),
    parameterErrors,
    validatesAddresses,
    method,
    path,
    summary,
    right,
    request,
    response,
    status,
    query,
    under: 'rest',
    pathParameters: pathParametersOf(path),
    selection: selectionOf(method, spec),
    credentials: 'basic',
    body: request === undefined ? 'none' : 'xml',
    answer: 'xml',
  } as const;
}
