import type { FastifyReply } from 'fastify';
import type { ErrorAnswer } from './answer';
import type { Protocol } from './protocol';

/** Sends a failure in the form of another standard. */
export function sendFailure(reply: FastifyReply, protocol: Protocol, { status, body, headers }: ErrorAnswer): void {
  if (status === 401) reply.header('WWW-Authenticate', protocol.challenge);
  const answer = protocol.failure(status, body.code, body.msg);
  // Bytes, because Fastify would add a charset to the type of a text.
  reply
    .code(status)
    .headers(headers)
    .header('Content-Type', protocol.mediaType)
    .send(Buffer.from(JSON.stringify(answer)));
}
