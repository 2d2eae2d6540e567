import type { FastifyInstance } from 'fastify';
import { html } from '../pages/html';
import { pageDocument, pageHeaders } from '../pages/page-shell';
import { SERVER_FRONT } from '../pages/page-visit';

const BODY = html`<p>It speaks the Zulip REST API: connect a Zulip client, bot or library to this address.</p>
  <p><a href="/login">Log in</a> to see where your account is logged in.</p>
  <p>The reference of the API is at <a href="/api/docs">/api/docs</a>.</p>`;
const PAGE = pageDocument({ title: 'A team-chat server', body: BODY }, SERVER_FRONT.name, SERVER_FRONT.language);

/** Describes this server to people who open its URL in a browser. Programs get the answer for an unknown path. */
export function serveFrontPage(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const isAsked = request.method === 'GET' && /^\/(?:\?|$)/.test(request.url);
    if (isAsked && (request.headers.accept ?? '').includes('text/html')) {
      void reply.headers({ ...pageHeaders(), Vary: 'Accept' }).send(PAGE);
    } else done();
  });
}
