/** The last words of a start: where everything is, and a first request to try. */

import { lookup } from 'node:dns/promises';
import type { Config } from '../../config.ts';
import type { Addresses } from './parts.ts';

/** In tenants/demo.yaml. */
const SAMPLE = { tenant: 'demo', credentials: 'api@demo:demo-secret' };

export async function welcome(config: Config, addresses: Addresses): Promise<string> {
  const lines = ['', `API              ${addresses.api}/rest`];
  if (addresses.temporalUi) lines.push(`Temporal Web UI  ${addresses.temporalUi}`);
  lines.push(`Data             ${config.dataDir}`, '');
  if (addresses.sampleFailure === undefined) {
    lines.push(`Tenant ${SAMPLE.tenant} is ready. Try:`, '', `  ${await curl(config, addresses)}`);
  } else {
    lines.push(`tenants/demo.yaml was not applied:`, addresses.sampleFailure);
  }
  return [...lines, '', 'Ctrl-C stops everything.'].join('\n');
}

/** As it works when pasted: not every system's resolver knows the names below localhost. */
async function curl(config: Config, { port }: Addresses): Promise<string> {
  const host = `${SAMPLE.tenant}.${config.baseDomain}`;
  const known = await lookup(host).then(
    () => true,
    () => false,
  );
  const listening = ['0.0.0.0', '::', 'localhost'].includes(config.host)
    ? '127.0.0.1'
    : config.host;
  const resolve = known ? '' : ` --resolve ${host}:${port}:${listening}`;
  const url = `${config.tls ? 'https' : 'http'}://${host}:${port}/rest/plans`;
  return `curl${resolve} -u ${SAMPLE.credentials} ${url}`;
}
