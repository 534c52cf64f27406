/** Starts Swagger UI on the page that shows all calls. */
globalThis.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 4,
  displayRequestDuration: true,
  docExpansion: 'list',
  filter: true,
  // Its own would ask a server elsewhere.
  validatorUrl: null,
});
