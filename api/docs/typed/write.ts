/**
 * Entry: writes what the clients have of the interface, from the schemas of its documentation. With
 * `--check` it only says which files were written from others.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { xmlRoutesOf } from '../../calls/route-types.ts';
import type { RouteDependencies } from '../../calls/services.ts';
import { allRoutes } from '../../resources/routes.ts';
import { publishSchemas } from '../schemas.ts';
import { clientCallsOf } from './client-calls.ts';
import { pythonFiles } from './python.ts';
import { sharedTypesOf } from './shared-types.ts';
import { typescriptFiles } from './typescript.ts';

const clients = join(import.meta.dirname, '../../../clients');

/** None of their handlers runs. */
const routes = xmlRoutesOf(allRoutes({} as RouteDependencies));
const published = publishSchemas(routes);
const source = {
  published,
  shared: sharedTypesOf(published),
  calls: clientCallsOf(routes, published),
};

const files = [
  ...[...typescriptFiles(source)].map(
    ([name, text]) => [join(clients, 'typescript/src/generated', name), text] as const,
  ),
  ...[...pythonFiles(source)].map(
    ([name, text]) => [join(clients, 'python/sundial_client/generated', name), text] as const,
  ),
];

for (const [file, text] of files) {
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } else if (written(file) !== text) {
    const name = relative(process.cwd(), file);
    process.stderr.write(`${name} is older than the interface: npm run format writes it anew.\n`);
    process.exitCode = 1;
  }
}

function written(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
