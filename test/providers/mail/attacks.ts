/** Templates of a tenant that would stop the process that renders them, or fill its memory. */

/** A filter over 16,384 parts, into which no limit of Liquid reaches: minutes. */
export const endlessFilter = `{% assign s = "a," %}{% for i in (1..14) %}{% assign s = s | append: s %}{% endfor %}{% assign parts = s | split: "," %}{{ parts | where_exp: "part", "parts contains 'b'" | size }}`;

/** 335 million characters. */
export const doubling =
  '{% capture s %}0123456789{% endcapture %}{% for i in (1..25) %}{% capture s %}{{ s }}{{ s }}{% endcapture %}{% endfor %}{{ s }}';

/** 1,048,576 characters, which take neither long nor much memory. */
export const doublingOnce =
  '{% assign s = "a" %}{% for i in (1..20) %}{% capture s %}{{ s }}{{ s }}{% endcapture %}{% endfor %}{{ s }}';

/** A template that no sample of the check shows, because the samples have the number 1001. */
export const onlyFor = (invoiceNumber: string, template: string): string =>
  `{% if values.invoiceNumber == "${invoiceNumber}" %}${template}{% else %}An invoice.{% endif %}`;
