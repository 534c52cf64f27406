/** All documents about the interface by address; each is rendered on its first request. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Route } from '../calls/route.ts';
import { openApiOf } from './openapi.ts';
import { errorsPage, examplesPage, guidePage, guides, indexPage } from './pages.ts';
import { referencePage, schemasPage } from './pages.ts';
import { publishSchemas, xsdOfSchema } from './schemas.ts';

export interface Content {
  readonly type: string;
  readonly text: () => string | Buffer;
}

const html = (text: () => string): Content => ({ type: 'text/html; charset=utf-8', text });

const swagger = fileURLToPath(new URL('.', import.meta.resolve('swagger-ui-dist')));
const own = join(import.meta.dirname, 'assets');

const file = (type: string, ...path: readonly string[]): Content => ({
  type,
  text: () => readFileSync(join(...path)),
});

const javascript = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';

export function documentsOf(routes: readonly Route[]): ReadonlyMap<string, Content> {
  const schemas = publishSchemas(routes);
  return new Map<string, Content>([
    ['/docs', html(indexPage)],
    ['/docs/reference', html(referencePage)],
    ['/docs/examples', html(() => examplesPage())],
    ['/docs/errors', html(errorsPage)],
    ...guides.map((name) => [`/docs/guides/${name}`, html(() => guidePage(name))] as const),
    ['/docs/assets/docs.css', file(css, own, 'docs.css')],
    ['/docs/assets/reference.js', file(javascript, own, 'reference.js')],
    ['/docs/assets/icon.svg', file('image/svg+xml', own, 'icon.svg')],
    ['/docs/assets/swagger-ui.css', file(css, swagger, 'swagger-ui.css')],
    ['/docs/assets/swagger-ui-bundle.js', file(javascript, swagger, 'swagger-ui-bundle.js')],
    ['/schema', html(() => schemasPage(schemas))],
    ...schemas.map(
      (schema) =>
        [
          `/schema/${schema.name}.xsd`,
          { type: 'application/xml; charset=utf-8', text: () => xsdOfSchema(schema) },
        ] as const,
    ),
    [
      '/openapi.json',
      { type: 'application/json', text: () => JSON.stringify(openApiOf(routes, schemas), null, 1) },
    ],
  ]);
}
