/** Elements of a UBL document: none of them is empty. */

export interface Branch {
  readonly name: string;
  readonly children: readonly (Branch | Leaf)[];
}

export interface Leaf {
  readonly name: string;
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Null: it has nothing to say, and is left out. */
export type UblNode = Branch | Leaf | null;

/** @example node('cac:Country', [value('cbc:IdentificationCode', 'DE')]) */
export function node(name: string, children: readonly UblNode[]): Branch {
  const kept = children.filter(
    (child) => child !== null && ('text' in child || child.children.length > 0),
  );
  return { name, children: kept as Branch['children'] };
}

/** Null without a text. @example value('cbc:ID', '1001') */
export function value(
  name: string,
  text: string | null | undefined,
  attributes: Leaf['attributes'] = {},
): Leaf | null {
  const trimmed = (text ?? '').trim();
  return trimmed === '' ? null : { name, text: trimmed, attributes };
}
