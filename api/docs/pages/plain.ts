/** The texts as Markdown, and their index `llms.txt`, for programs that read documentation. */
import type { XmlRoute } from '../../calls/route-types.ts';
import { addressOf, callsIn, titleOf } from '../calls.ts';
import { EXAMPLE_LINE, exampleOn, referenceOn, stepNamed } from '../examples/examples.ts';
import { SAMPLE_ADDRESS, scriptOf } from '../examples/shell.ts';
import { chapters, errorsText, guideText, guideTitle, summaryOf } from './guides.ts';

/** A text with its examples written out. */
export const plainGuide = (name: string): string =>
  guideText(name)
    .replaceAll(EXAMPLE_LINE, (_, step: string) => plainExample(name, step))
    .replace('{{guides}}', guideIndex);

function plainExample(name: string, step: string): string {
  const { answer, status, page } = exampleOn(`guides/${name}`, stepNamed(step));
  const { preparation, call } = scriptOf(stepNamed(step), referenceOn(page));
  const { summary } = stepNamed(step);
  return `${summary}:

\`\`\`bash
${preparation}

${call}
\`\`\`

The answer, ${status}:

\`\`\`xml
${answer}
\`\`\``;
}

const guideIndex = (): string =>
  chapters
    .map(({ title, texts }) => {
      const lines = texts
        .filter(({ href }) => href !== '/docs')
        .map(
          ({ name, href }) =>
            `- [${guideTitle(name)}](${SAMPLE_ADDRESS}${href}.md): ${summaryOf(name)}`,
        );
      return `## ${title}\n\n${lines.join('\n')}\n`;
    })
    .join('\n');

/** By https://llmstxt.org: a title, a summary, lists of links. */
export function languageModelIndex(routes: readonly XmlRoute[]): string {
  const calls = callsIn(routes);
  const lines = calls.map((call) => {
    const [first] = call.forms;
    const title = titleOf(call, calls);
    return `- [${first.method} ${addressOf(first)}](${SAMPLE_ADDRESS}${call.href}): ${title}`;
  });
  return `# Sundial

> Multi-tenant subscription billing: customers, orders, invoices, payments, dunning, tax and a ledger, by a REST interface in XML with HTTP Basic credentials below ${SAMPLE_ADDRESS}/rest.

Each guide is Markdown at its address with the ending \`.md\`. Every example is a complete curl; a test runs all of them.

${guideIndex()}
## Reference

- [OpenAPI 3.1](${SAMPLE_ADDRESS}/openapi.json): every call, document and error code
- [XML Schemas](${SAMPLE_ADDRESS}/schema/): one for each document
- [Errors](${SAMPLE_ADDRESS}${errorsText.href}.md): what an answer with an error has, and when to send the call again

## Calls

${lines.join('\n')}
`;
}
