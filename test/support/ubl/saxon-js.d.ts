/** The part of SaxonJS that the tests use; the package has no types. */
declare module 'saxon-js' {
  interface Transform {
    readonly stylesheetInternal: object;
    readonly sourceText: string;
    readonly destination: 'serialized';
  }
  const saxon: {
    transform(options: Transform, how: 'sync'): { readonly principalResult: string };
  };
  export default saxon;
}
