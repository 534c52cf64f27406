/** Converts an XML tree by a plan to a JavaScript value for zod, and collects errors. */
import { maskCardNumbers } from '../../domain/payments/card-masking.ts';
import { shortName, type ErrorList } from './explain.ts';
import type { XmlNode } from './parse.ts';
import type { Field, ListPlan, ObjectPlan, Plan, ScalarPlan } from './plan.ts';

type Tree = Exclude<XmlNode, string>;
type Children = XmlNode | readonly XmlNode[];

/** Shapes the tree for the schema; a scalar that does not convert stays text, which zod refuses. */
export function shape(plan: Plan, node: XmlNode, path: string, errors: ErrorList): unknown {
  switch (plan.kind) {
    case 'scalar':
      return shapeScalar(plan, node, path, errors);
    case 'object':
      return shapeObject(plan, node, path, errors);
    case 'list':
      return shapeList(plan, node, path, errors);
  }
}

/** Attributes that tools add to a root element; they are not part of the document. */
const forTools = /^@(xmlns:.+|xsi:(schemaLocation|noNamespaceSchemaLocation))$/;

const attributesOf = (node: XmlNode): string[] =>
  typeof node === 'string'
    ? []
    : Object.keys(node).filter((key) => key.startsWith('@') && !forTools.test(key));

const elementsOf = (node: XmlNode): string[] =>
  typeof node === 'string'
    ? []
    : Object.keys(node).filter((key) => !key.startsWith('@') && key !== '#text');

function textOf(node: XmlNode): string {
  if (typeof node === 'string') return node;
  const text = node['#text'];
  return typeof text === 'string' ? text : '';
}

function refuseAttributes(node: XmlNode, path: string, errors: ErrorList): void {
  for (const key of attributesOf(node)) {
    const inner = `${path}/${key}`;
    errors.add('attribute.unknown', inner, `Attribute "${shortName(inner)}" is not known`);
  }
}

function refuseElements(node: XmlNode, path: string, errors: ErrorList): void {
  for (const key of elementsOf(node)) {
    errors.add('field.unknown', `${path}/${key}`, `Element "${key}" is not known here`);
  }
}

function shapeScalar(plan: ScalarPlan, node: XmlNode, path: string, errors: ErrorList): unknown {
  refuseAttributes(node, path, errors);
  refuseElements(node, path, errors);
  return convert(plan, textOf(node));
}

/** Text → value. Empty is null, which clears; absent (undefined) keeps the stored value. */
export function convert(plan: ScalarPlan, raw: string): unknown {
  const text = plan.verbatim ? raw : raw.trim();
  if (text === '') return null;
  switch (plan.type) {
    case 'integer':
      // JavaScript would round a larger one.
      return /^[+-]?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text))
        ? Number(text)
        : text;
    case 'boolean':
      if (text === 'true' || text === '1') return true;
      return text === 'false' || text === '0' ? false : text;
    case 'decimal':
      return canonicalDecimal(text);
    default:
      return plan.masksCards ? maskCardNumbers(text) : text;
  }
}

/**
 * `+07.50` → `7.50`, `.5` → `0.5`, `7.500000000` → `7.500000`: zeros beyond what a decimal may have
 * say nothing. Text that is not a decimal stays for zod to refuse.
 */
function canonicalDecimal(text: string): string {
  const [, sign, whole = '', fraction = ''] =
    /^([+-]?)(\d*)(?:\.(\d{0,6}(?:\d*[1-9])?)0*)?$/.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '') return text;
  const units = whole.replace(/^0+(?=\d)/, '') || '0';
  const value = fraction === '' ? units : `${units}.${fraction}`;
  return sign === '-' && /[1-9]/.test(value) ? `-${value}` : value;
}

function shapeList(plan: ListPlan, node: XmlNode, path: string, errors: ErrorList): unknown[] {
  refuseAttributes(node, path, errors);
  refuseText(node, path, errors);
  if (typeof node === 'string') return [];
  for (const key of elementsOf(node)) {
    if (key !== plan.itemName) {
      const message = `Element "${key}" is not known here; the list holds "${plan.itemName}"`;
      errors.add('field.unknown', `${path}/${key}`, message);
    }
  }
  const items = Object.hasOwn(node, plan.itemName) ? node[plan.itemName] : undefined;
  const list = items === undefined ? [] : Array.isArray(items) ? items : [items];
  return list.map((item: XmlNode, index) =>
    shape(plan.item, item, `${path}/${plan.itemName}[${index + 1}]`, errors),
  );
}

function refuseText(node: XmlNode, path: string, errors: ErrorList): void {
  if (textOf(node).trim() !== '') {
    errors.add('field.text', path, 'Text is not allowed here, only elements');
  }
}

function shapeObject(plan: ObjectPlan, node: XmlNode, path: string, errors: ErrorList): unknown {
  if (typeof node === 'string' && node.trim() === '') return null;
  const value: Record<string, unknown> = {};
  if (plan.text === undefined) refuseText(node, path, errors);
  else value[plan.text.key] = shape(plan.text.plan, textOf(node), path, errors);
  if (typeof node === 'string') return value;
  let isEmpty = plan.text === undefined;
  for (const key of attributesOf(node)) {
    const field = plan.attributes.get(key.slice(1));
    if (field === undefined) refuseAttributes({ [key]: node[key] ?? '' }, path, errors);
    else if (!field.readOnly) {
      value[field.key] = shape(field.plan, firstOf(node[key]), `${path}/${key}`, errors);
    }
    isEmpty = false;
  }
  for (const key of elementsOf(node)) {
    const field = plan.elements.get(key);
    if (field === undefined) refuseElements({ [key]: '' }, path, errors);
    else if (!field.readOnly) shapeElement(field, node, path, value, errors);
    isEmpty = false;
  }
  return isEmpty ? null : value;
}

function shapeElement(
  field: Field,
  node: Tree,
  parent: string,
  value: Record<string, unknown>,
  errors: ErrorList,
): void {
  const path = `${parent}/${field.key}`;
  const children = node[field.key];
  if (field.plan.kind === 'list' && !field.plan.wrapped) {
    const { item } = field.plan;
    const items = (Array.isArray(children) ? children : [children]) as readonly XmlNode[];
    value[field.key] = items.map((each, index) =>
      shape(item, each, `${path}[${index + 1}]`, errors),
    );
    return;
  }
  if (Array.isArray(children)) {
    const message = `Element "${field.key}" is given ${children.length} times; once is allowed`;
    errors.add('field.repeated', path, message);
  }
  value[field.key] = shape(field.plan, firstOf(children), path, errors);
}

function firstOf(children: Children | undefined): XmlNode {
  const first: unknown = Array.isArray(children) ? children[0] : children;
  return (first ?? '') as XmlNode;
}
