/**
 * Serves `/ops`, the operator's page: of a tenant on its own host, for its admins; of all tenants on the
 * host of the installation. What is read there changes nothing; each act is a form.
 */
import type { TenantInfo } from '../../operations/context/context.ts';
import { isActName } from '../../operations/operator/acts.ts';
import { STATUS_CODES } from 'node:http';
import { maskCardNumbers } from '../../domain/payments/card-masking.ts';
import { RequestError } from '../calls/errors.ts';
import type { ApiContext, Next } from '../http/context.ts';
import { labelOf, requireSecureTransport } from '../http/middleware.ts';
import { leadToAct, refuseUnlessMayAct, showAct, takeAct } from './act-page.ts';
import { LOGIN_PATH, LOGOUT_PATH, showLogin, takeLogin, takeLogout } from './login.ts';
import { OPS, type OperatorPlace, type Subject } from './place.ts';
import {
  answerPage,
  answerVisitor,
  leadTo,
  notAllowed,
  type OperatorRequest,
  type VisitedRequest,
} from './request.ts';
import { installationSections } from './show-installation.ts';
import { tenantSections } from './show-tenant.ts';
import { keepSession, visitorOf } from './who.ts';

type Middleware = (ctx: ApiContext, next: Next) => Promise<void>;

export function operatorPages(place: OperatorPlace): Middleware {
  const secure = requireSecureTransport(place.transport);
  return async (ctx, next) => {
    if (ctx.path !== OPS && !ctx.path.startsWith(`${OPS}/`)) {
      await next();
      return;
    }
    ctx.state.ownRefusal = (refusal) => showRefusal(ctx, refusal);
    await secure(ctx, () => respond(place, ctx));
  };
}

async function respond(place: OperatorPlace, ctx: ApiContext): Promise<void> {
  const tenant = await tenantOfHost(place, ctx);
  // Refusals of access are in the audit log of the host's tenant.
  if (tenant !== null) ctx.state.tenant = tenant;
  const request: OperatorRequest = { place, ctx, host: { tenant, base: OPS } };
  if (ctx.path === LOGIN_PATH && place.header !== undefined && tenant === null) throw unknown();
  if (ctx.path === LOGIN_PATH) {
    return byMethod(ctx, {
      get: () => Promise.resolve(showLogin(request)),
      post: () => takeLogin(request),
    });
  }
  const visitor = await visitorOf(place, ctx, tenant);
  if (visitor === undefined) return leadTo(ctx, LOGIN_PATH);
  ctx.state.operator = visitor.by;
  if (visitor.session !== null) keepSession(place, ctx, visitor.session);
  const visited: VisitedRequest = { ...request, visitor };
  if (ctx.path === LOGOUT_PATH) return byMethod(ctx, { post: () => takeLogout(visited) });
  return respondTo(visited);
}

/** Null for the host of the installation, if anybody may log in there. Throws 404. */
async function tenantOfHost(
  { baseDomain, findTenant, password, header }: OperatorPlace,
  ctx: ApiContext,
): Promise<TenantInfo | null> {
  const name = ctx.hostname.toLowerCase().replace(/\.$/, '');
  if (name === baseDomain && (password !== undefined || header !== undefined)) return null;
  const label = labelOf(name, baseDomain);
  const tenant = label === undefined ? undefined : await findTenant(label);
  if (tenant === undefined) throw unknown();
  return tenant;
}

const tenantForm = /^\/tenants\/([a-z0-9-]{1,63})(\/.*)?$/;

/** Of all tenants, or of one: the host's, or the one that the path names. */
async function respondTo(request: VisitedRequest): Promise<void> {
  const { place, ctx, host, visitor } = request;
  const path = ctx.path.slice(OPS.length);
  if (host.tenant !== null) {
    return respondAbout(request, { tenant: host.tenant, base: OPS }, path);
  }
  if (path === '' || path === '/') {
    return byMethod(ctx, {
      async get() {
        const sections = await installationSections(place);
        answerVisitor(request, 200, { title: 'All tenants', trail: [], sections });
      },
    });
  }
  const [, label = '', rest = ''] = tenantForm.exec(path) ?? [];
  const tenant = label === '' ? undefined : await place.findTenant(label);
  if (tenant === undefined || !visitor.isOperator) throw unknown();
  return respondAbout(request, { tenant, base: `${OPS}/tenants/${label}` }, rest);
}

type OfTenant = Subject & { readonly tenant: TenantInfo };

const actForm = /^\/acts\/([a-z-]{1,20})(?:\/([1-9]\d{0,14}))?$/;

function respondAbout(request: VisitedRequest, subject: OfTenant, path: string): Promise<void> {
  const { ctx, host, visitor, place } = request;
  const trail = host.tenant === null ? [{ text: 'All tenants', address: OPS }] : [];
  if (path === '' || path === '/') {
    return byMethod(ctx, {
      async get() {
        const { tenant, base } = subject;
        const sections = await tenantSections(place, { tenant, base, actor: visitor });
        answerVisitor(request, 200, { title: tenant.label, trail, sections });
      },
    });
  }
  if (path === '/acts') {
    return byMethod(ctx, {
      get() {
        const { act, id } = ctx.query;
        leadToAct(request, subject.base, String(act ?? ''), String(id ?? ''));
        return Promise.resolve();
      },
    });
  }
  const [, name = '', id = '0'] = actForm.exec(path) ?? [];
  if (!isActName(name)) throw unknown();
  refuseUnlessMayAct(request, name);
  const page = { subject, trail, name, id: Number(id) };
  return byMethod(ctx, {
    get: () => Promise.resolve(showAct(request, page)),
    post: () => takeAct(request, page),
  });
}

interface Methods {
  readonly get?: () => Promise<void>;
  readonly post?: () => Promise<void>;
}

function byMethod(ctx: ApiContext, { get, post }: Methods): Promise<void> {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  const handler = isRead ? get : ctx.method === 'POST' ? post : undefined;
  if (handler !== undefined) return handler();
  const allowed = [...(get ? ['GET', 'HEAD'] : []), ...(post ? ['POST'] : [])].join(', ');
  throw notAllowed(ctx.method, allowed);
}

const unknown = (): RequestError =>
  new RequestError(404, { code: 'page.unknown', message: 'There is no such page' });

function showRefusal(ctx: ApiContext, { status, headers, errors }: RequestError): void {
  answerPage(ctx, status, {
    title: STATUS_CODES[status] ?? String(status),
    lead: errors.map(({ message }) => maskCardNumbers(`${message}.`)).join(' '),
    trail: [{ text: 'Sundial operations', address: OPS }],
    visitor: null,
  });
  ctx.set({ ...headers });
}
