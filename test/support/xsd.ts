/** Validates documents against the published XML Schemas. */
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { publishSchemas, xsdOfSchema, type PublishedSchema } from '../../api/docs/schemas.ts';
import { xmlRoutesOf } from '../../api/calls/route-types.ts';
import { allRoutes } from '../../api/resources/routes.ts';
import type { RouteDependencies } from '../../api/calls/services.ts';

/** The documented routes, for reading only: none of their handlers can run. */
export const routes = xmlRoutesOf(allRoutes({} as RouteDependencies));
export const published: readonly PublishedSchema[] = publishSchemas(routes);

const validators = new Map<string, XsdValidator>();

function validatorOf(schema: PublishedSchema): XsdValidator {
  let validator = validators.get(schema.name);
  if (validator === undefined) {
    using document = XmlDocument.fromString(xsdOfSchema(schema));
    validator = XsdValidator.fromDoc(document);
    validators.set(schema.name, validator);
  }
  return validator;
}

/** The errors of a document by a schema; empty if it is valid. */
export function violations(schema: PublishedSchema, xml: string): string[] {
  using document = XmlDocument.fromString(xml);
  try {
    validatorOf(schema).validate(document);
    return [];
  } catch (error) {
    return String(error instanceof Error ? error.message : error)
      .trim()
      .split('\n');
  }
}

/**
 * The schema of an answer, found as a client would: by its root, and for a list by its items. An
 * invoice without an id is a preview, and that of a change has a hash.
 */
export function schemaOfAnswer(xml: string): PublishedSchema {
  const [, root = '', first, id] =
    /^(?:<\?[^>]*>)?\s*<(\w+)[^>]*>(?:\s*<(\w+)( id=)?)?/.exec(xml) ?? [];
  const item = first === 'invoice' && id === undefined ? 'invoice-preview' : first;
  const prefix = /<list quoteHash=/.test(xml) ? 'quoted-' : '';
  // Any schema is right for an empty list.
  const fits = ({ name, direction, root: own }: PublishedSchema) =>
    direction === 'response' &&
    own === root &&
    (root !== 'list' ||
      (item === undefined ? !name.startsWith('quoted-') : name === `${prefix}${item}-list`));
  const schema = published.find(fits);
  if (schema === undefined) throw new Error(`no schema describes ${root}`);
  return schema;
}
