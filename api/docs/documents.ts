/** All documents about the interface by address; each is rendered when it is asked for. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { strToU8, zipSync } from 'fflate';
import type { XmlRoute } from '../calls/route-types.ts';
import { openApiOf } from './openapi/openapi.ts';
import { texts } from './pages/guides.ts';
import { pagesOf } from './pages/pages.ts';
import { languageModelIndex, plainGuide } from './pages/plain.ts';
import { type PublishedSchema, publishSchemas, xsdOfSchema } from './schemas.ts';
import { searchIndex } from './pages/search.ts';
import { bundledXsd } from './typed/bundled-xsd.ts';
import { sharedTypesOf } from './typed/shared-types.ts';

export interface Content {
  readonly type: string;
  readonly text: () => string | Buffer;
}

const swagger = fileURLToPath(new URL('.', import.meta.resolve('swagger-ui-dist')));
const miniSearch = fileURLToPath(import.meta.resolve('minisearch'));
const own = join(import.meta.dirname, 'assets');

const file = (type: string, ...path: readonly string[]): Content => ({
  type,
  text: () => readFileSync(join(...path)),
});

/** Pictures in the texts. */
const pictures = join(import.meta.dirname, '../../docs');
const pictureTypes = { '.png': 'image/png', '.svg': 'image/svg+xml' } as const;
const pictureFiles = Object.entries(pictureTypes).flatMap(([ending, type]) =>
  ['', 'drawings/'].flatMap((folder) =>
    readdirSync(join(pictures, folder))
      .filter((name) => name.endsWith(ending))
      .map((name) => ({ name: folder + name, type })),
  ),
);

const html = 'text/html; charset=utf-8';
const xml = 'application/xml; charset=utf-8';
const javascript = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';

export function documentsOf(routes: readonly XmlRoute[]): ReadonlyMap<string, Content> {
  const schemas = publishSchemas(routes);
  const reference = { routes, schemas };
  const json = (made: () => string): Content => ({ type: 'application/json', text: made });
  const plain = (made: () => string): Content => ({
    type: 'text/plain; charset=utf-8',
    text: made,
  });
  return new Map<string, Content>([
    ...[...pagesOf(reference)].map(([path, text]) => [path, { type: html, text }] as const),
    ['/docs/search.json', json(() => searchIndex(reference))],
    ['/docs/assets/docs.css', file(css, own, 'docs.css')],
    ['/docs/assets/docs.js', file(javascript, own, 'docs.js')],
    ['/docs/assets/search.js', file(javascript, own, 'search.js')],
    ['/docs/assets/ranking.js', file(javascript, own, 'ranking.js')],
    ['/docs/assets/try.js', file(javascript, own, 'try.js')],
    ['/docs/assets/minisearch.js', file(javascript, miniSearch)],
    ['/docs/assets/reference.js', file(javascript, own, 'reference.js')],
    ['/docs/assets/icon.svg', file('image/svg+xml', own, 'icon.svg')],
    ['/docs/assets/swagger-ui.css', file(css, swagger, 'swagger-ui.css')],
    ['/docs/assets/swagger-ui-bundle.js', file(javascript, swagger, 'swagger-ui-bundle.js')],
    ...pictureFiles.map(({ name, type }) => [`/docs/${name}`, file(type, pictures, name)] as const),
    ...schemas.map(
      (schema) =>
        [`/schema/${schema.name}.xsd`, { type: xml, text: () => xsdOfSchema(schema) }] as const,
    ),
    ...texts.map(
      ({ name, href }) =>
        [`${href === '/docs' ? '/docs/index' : href}.md`, plain(() => plainGuide(name))] as const,
    ),
    ['/llms.txt', plain(() => languageModelIndex(routes))],
    ['/schema/sundial.xsd', { type: xml, text: () => bundledXsd(sharedTypesOf(schemas)) }],
    ['/schema/sundial.zip', { type: 'application/zip', text: () => zipped(schemas) }],
    ['/openapi.json', json(() => JSON.stringify(openApiOf(routes, schemas), null, 1))],
  ]);
}

/** The earliest that the format knows: the same schemas are the same bytes. */
const ZIPPED_AT = '1980-01-01T00:00:00';

/** All schemas in one file. */
function zipped(schemas: readonly PublishedSchema[]): Buffer {
  const files = [
    ...schemas.map((schema) => [`${schema.name}.xsd`, xsdOfSchema(schema)] as const),
    ['sundial.xsd', bundledXsd(sharedTypesOf(schemas))] as const,
  ];
  const content = Object.fromEntries(files.map(([name, text]) => [name, strToU8(text)]));
  return Buffer.from(zipSync(content, { mtime: ZIPPED_AT }));
}
