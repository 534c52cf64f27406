/** What the generated tables consist of. */

/** How one part of an element is read and written. */
export interface Form {
  /** Of `shapes`, or a kind of value: text, integer, boolean, decimal, date, instant. */
  readonly type: string;
  readonly place?: 'attribute' | 'text';
  /** Of a list in an element of its own: the element of an item. */
  readonly item?: string;
  /** Its items stand in place. */
  readonly isRepeated?: true;
  /** Of text: an empty element means none. */
  readonly isNullable?: true;
}

/** The parts of an element by name, in their order. */
export type Shape = Readonly<Record<string, Form>>;

export interface Call {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/rest`, without an id. */
  readonly path?: string;
  readonly pathById?: string;
  /** The parameter that selects the action. */
  readonly selection?: readonly [string, string];
  /** It takes an Idempotency-Key. */
  readonly isWrite: boolean;
  /** The root element for each parameter that is a document. */
  readonly bodies?: Readonly<Record<string, string>>;
  /** The element of a list whose items it returns. */
  readonly items?: string;
  readonly paging?: 'link' | 'offset' | { readonly after: string };
  /** Other than XML. */
  readonly formats?: readonly string[];
  /** The root elements of its answers. */
  readonly answers: readonly string[];
}
