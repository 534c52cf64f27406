/** What marks an address that a page asks by itself, which is no click of a person. */

export const RELOAD_MARK = 'reload';
