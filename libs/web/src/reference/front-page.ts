import type { FastifyInstance } from 'fastify';

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Annals</title>
<h1>Annals</h1>
<p>This is a team-chat server. It speaks the Zulip REST API: connect a Zulip client, bot or library to this address.</p>
<p><a href="/login">Log in</a> to see where your account is logged in.</p>
<p>The reference of the API is at <a href="/api/docs">/api/docs</a>.</p>
</html>
`;

/** Describes this server to people who open its URL in a browser. Programs get the answer for an unknown path. */
export function serveFrontPage(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const isAsked = request.method === 'GET' && /^\/(?:\?|$)/.test(request.url);
    if (isAsked && (request.headers.accept ?? '').includes('text/html')) {
      void reply.header('Vary', 'Accept').type('text/html; charset=utf-8').send(PAGE);
    } else done();
  });
}
