/**
 * Validates electronic invoices: by the XML Schema of UBL 2.1, and by the official rules of EN 16931
 * and of Peppol BIS Billing 3.0. `README.md` beside this file says where they come from.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  XmlBufferInputProvider,
  XmlDocument,
  XsdValidator,
  xmlRegisterInputProvider,
} from 'libxml2-wasm';
import SaxonJS from 'saxon-js';

const unpacked = (file: string): string =>
  gunzipSync(readFileSync(join(import.meta.dirname, file))).toString();

/** The compiled rules, in the order in which they are asked. */
const rules: readonly object[] = [
  'EN16931-UBL-1.3.16.sef.json.gz',
  'PEPPOL-EN16931-UBL-2026.5.sef.json.gz',
].map((file) => JSON.parse(unpacked(file)));

const schemas: Readonly<Record<string, string>> = JSON.parse(unpacked('ubl-2.1-xsd.json.gz'));
const AT = 'ubl/';
xmlRegisterInputProvider(
  new XmlBufferInputProvider(
    Object.fromEntries(
      Object.entries(schemas).map(([path, text]) => [`${AT}${path}`, Buffer.from(text)]),
    ),
  ),
);

const validators = new Map<string, XsdValidator>();

function validatorOf(root: string): XsdValidator {
  let validator = validators.get(root);
  if (validator === undefined) {
    const path = `maindoc/UBL-${root}-2.1.xsd`;
    using document = XmlDocument.fromString(schemas[path] ?? '', { url: `${AT}${path}` });
    validator = XsdValidator.fromDoc(document);
    validators.set(root, validator);
  }
  return validator;
}

/** What is wrong with a document: `BR-CO-15 at /Invoice[1]: …`; nothing if it is valid. */
export function faultsOfUbl(xml: string): string[] {
  return [...faultsOfForm(xml), ...rules.flatMap((sheet) => faultsOfRules(xml, sheet))];
}

function faultsOfForm(xml: string): string[] {
  using document = XmlDocument.fromString(xml);
  try {
    validatorOf(document.root.name).validate(document);
    return [];
  } catch (error) {
    return [String(error)];
  }
}

const failure = /<svrl:(?:failed-assert|successful-report)([^>]*)>([\s\S]*?)<\/svrl:/g;

function faultsOfRules(xml: string, sheet: object): string[] {
  const { principalResult } = SaxonJS.transform(
    { stylesheetInternal: sheet, sourceText: xml, destination: 'serialized' },
    'sync',
  );
  return [...principalResult.matchAll(failure)].map(([, attributes = '', body = '']) => {
    const [, id = '?'] = /\bid="([^"]*)"/.exec(attributes) ?? [];
    const [, location = '?'] = /\blocation="([^"]*)"/.exec(attributes) ?? [];
    const place = location.replaceAll(/Q\{[^}]*\}|\*:|\[namespace-uri\(\)='[^']*'\]/g, '');
    return `${id} at ${place}: ${body.replaceAll(/<[^>]*>/g, '').trim()}`;
  });
}
