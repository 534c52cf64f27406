/** Starts Swagger UI on the page that shows all calls, in the colours of the reader's choice. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const colour = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', colour);
colour();

/** What it draws without a name, out of order, or as a link inside of a button. */
function mend() {
  for (const select of document.querySelectorAll('#reference select:not([aria-label])')) {
    const name = select.id === 'servers' ? 'Server' : (select.dataset.name ?? 'Choice');
    select.setAttribute('aria-label', name);
  }
  for (const field of document.querySelectorAll('#reference textarea:not([aria-label])')) {
    field.setAttribute('aria-label', 'Request body');
  }
  for (const link of document.querySelectorAll('.opblock-summary-control a[href]')) {
    link.removeAttribute('href');
  }
  for (const heading of document.querySelectorAll('#reference :is(h3, h4, h5):not([aria-level])')) {
    heading.setAttribute('aria-level', String(Number(heading.tagName.at(1)) - 1));
  }
  const wide = '#reference :is(pre.microlight, .table-container, .responses-inner):not([tabindex])';
  for (const area of document.querySelectorAll(wide)) area.setAttribute('tabindex', '0');
}

new MutationObserver(mend).observe(document.querySelector('#reference'), {
  childList: true,
  subtree: true,
});

/** As its BaseLayout, but without a second main element. */
function withoutMain({ React: { createElement } }) {
  const PARTS = ['SvgAssets', 'errors', 'InfoContainer', 'ServersContainer'];
  const FURTHER = ['AuthorizeBtnContainer', 'FilterContainer', 'operations', 'Models'];
  const wrapped = { className: 'wrapper' };
  function Layout({ getComponent, specSelectors }) {
    const isLoaded = specSelectors.loadingStatus() === 'success';
    const part = (name) =>
      createElement('div', { ...wrapped, key: name }, createElement(getComponent(name, true)));
    return createElement(
      'div',
      { className: 'swagger-ui' },
      isLoaded ? [...PARTS, ...FURTHER].map(part) : 'Loading all calls',
    );
  }
  return { components: { SundialLayout: Layout } };
}

/** A call goes to the host of its page, which answers it only if it is a tenant's. */
const elsewhere = document.querySelector('#elsewhere');
const atTenant = elsewhere.querySelector('a');
elsewhere.hidden = atTenant.host === location.host;
// The call that is open here is open there.
atTenant.addEventListener('click', () => (atTenant.hash = location.hash));

globalThis.SwaggerUIBundle({
  plugins: [withoutMain],
  layout: 'SundialLayout',
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 4,
  displayRequestDuration: true,
  docExpansion: 'list',
  filter: true,
  // The user is the one that was entered here. A browser would ask for another one after a 401, before
  // it shows the answer.
  requestInterceptor: (request) => Object.assign(request, { credentials: 'omit' }),
  ...(elsewhere.hidden ? {} : { supportedSubmitMethods: [] }),
  // It makes large answers slow, and its colours are too pale.
  syntaxHighlight: false,
  // Its own would ask a server elsewhere.
  validatorUrl: null,
});
