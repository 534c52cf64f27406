/** Days without a time or a zone. */

/** A calendar date `YYYY-MM-DD`. */
export type IsoDate = string;
