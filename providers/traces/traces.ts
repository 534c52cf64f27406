/**
 * Traces for an OpenTelemetry collector: requests, the signals that follow from them, activities,
 * transactions and calls of gateways. No span has an amount, a name, a text of an error or a secret.
 */
import { context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { Resource } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import {
  OpenTelemetryActivityInboundInterceptor,
  OpenTelemetryWorkflowClientInterceptor,
} from '@temporalio/interceptors-opentelemetry';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { transactionsChannel, type TransactionNews } from '../../db/connection/tenancy.ts';
import { gatewayChannel, type GatewayNews } from '../gateway/adapters.ts';
import { listenTo } from '../listening.ts';

/** What is known of a request once it is answered. */
export interface AnsweredRequest {
  /** Of the route table: `GET /customer/:id`. */
  readonly route: string | undefined;
  readonly status: number;
  readonly tenant: string | undefined;
}

export interface Traces {
  /** Runs a request in a span of its own; `within` runs later work as a part of it. */
  readonly request: <Result>(
    requestId: string,
    work: (within: <Later>(later: () => Later) => Later) => Promise<Result>,
    answered: () => AnsweredRequest,
  ) => Promise<Result>;
  readonly client: WorkflowClientInterceptor;
  readonly activity: ActivityInterceptorsFactory;
  /** Sends what is left. */
  readonly close: () => Promise<void>;
}

export interface TracesSettings {
  readonly endpoint: string;
  readonly process: 'api' | 'worker';
  readonly version: string;
  /** Tests keep the spans. */
  readonly exporter?: SpanExporter;
}

export function startTraces({
  endpoint,
  process: name,
  version,
  exporter,
}: TracesSettings): Traces {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const provider = new BasicTracerProvider({
    resource: new Resource({ 'service.name': `sundial-${name}`, 'service.version': version }),
  });
  const processor = new BatchSpanProcessor(exporter ?? new OTLPTraceExporter({ url }));
  provider.addSpanProcessor(telling(processor));
  // The interceptors of Temporal take the context from there.
  provider.register({ contextManager: new AsyncLocalStorageContextManager().enable() });
  const tracer = provider.getTracer('sundial');
  const note = (
    what: string,
    milliseconds: number,
    attributes: Readonly<Record<string, string | number>>,
  ): void => {
    // Without a parent it would be a trace of its own for each look of a loop.
    if (trace.getActiveSpan() === undefined) return;
    const endTime = Date.now();
    tracer
      .startSpan(what, { startTime: endTime - milliseconds, attributes, kind: SpanKind.CLIENT })
      .end(endTime);
  };
  const quiet = [
    listenTo(transactionsChannel, (news) => {
      const { tenantId, milliseconds } = news as TransactionNews;
      note('transaction', milliseconds, { 'sundial.tenant_id': tenantId });
    }),
    listenTo(gatewayChannel, (news) => {
      const { gateway, call, outcome, milliseconds } = news as GatewayNews;
      note(`${gateway} ${call}`, milliseconds, { 'sundial.outcome': outcome });
    }),
  ];
  return {
    request: (requestId, work, answered) =>
      tracer.startActiveSpan('request', { kind: SpanKind.SERVER, root: true }, async (span) => {
        span.setAttribute('sundial.request_id', requestId);
        const own = context.active();
        try {
          return await work((later) => context.with(own, later));
        } finally {
          end(span, answered());
        }
      }),
    client: new OpenTelemetryWorkflowClientInterceptor({ tracer }),
    activity: (its) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(its, { tracer }) }),
    async close() {
      for (const each of quiet) each();
      await provider.shutdown();
      trace.disable();
      context.disable();
    },
  };
}

function end(span: Span, { route, status, tenant }: AnsweredRequest): void {
  span.updateName(route ?? 'no route');
  span.setAttribute('http.response.status_code', status);
  if (tenant !== undefined) span.setAttribute('sundial.tenant', tenant);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Everything else, such as the words of an error or of a person's reason, stays here. */
const told: ReadonlySet<string> = new Set([
  'http.response.status_code',
  'run_id',
  'sundial.outcome',
  'sundial.request_id',
  'sundial.tenant',
  'sundial.tenant_id',
  'temporalActivityId',
  'temporalWorkflowId',
]);

function telling(processor: SpanProcessor): SpanProcessor {
  return {
    onStart: (span, parent) => processor.onStart(span, parent),
    onEnd: (span) => processor.onEnd(whatIsTold(span)),
    forceFlush: () => processor.forceFlush(),
    shutdown: () => processor.shutdown(),
  };
}

const whatIsTold = (span: ReadableSpan): ReadableSpan =>
  Object.create(span, {
    attributes: {
      value: Object.fromEntries(Object.entries(span.attributes).filter(([key]) => told.has(key))),
    },
    events: { value: [] },
    status: { value: { code: span.status.code } },
  });
