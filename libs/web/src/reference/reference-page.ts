import { createReadStream } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { openApi } from './reference';
import type { Routes } from './routes';

const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));
const SCRIPT = 'text/javascript; charset=utf-8';

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Annals API</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
<div id="reference"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</html>
`;

/** Without a validator, which is a server of a third party. */
const START = `SwaggerUIBundle({ url: '/api/docs.json', dom_id: '#reference', validatorUrl: null });
`;

/**
 * Serves the OpenAPI document at `/api/docs.json` and a browsable reference at `/api/docs`: unmodified Swagger UI.
 * Nest's package for it would be a sixth of the code that an api process loads, and needs decorators that this code
 * does not use.
 */
export function serveReference(fastify: FastifyInstance, routes: Routes): void {
  let document: string | undefined;
  fastify.get('/api/docs.json', (_, reply) =>
    reply.type('application/json; charset=utf-8').send((document ??= JSON.stringify(openApi(routes.documented())))),
  );
  fastify.get('/api/docs', (_, reply) => reply.type('text/html; charset=utf-8').send(PAGE));
  fastify.get('/api/docs/start.js', (_, reply) => reply.type(SCRIPT).send(START));
  for (const [file, type] of [
    ['swagger-ui.css', 'text/css; charset=utf-8'],
    ['swagger-ui-bundle.js', SCRIPT],
  ] as const) {
    fastify.get(`/api/docs/${file}`, (_, reply) => reply.type(type).send(createReadStream(join(SWAGGER_UI, file))));
  }
}
