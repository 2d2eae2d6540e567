import { createHash } from 'node:crypto';
import { UNICODE_EMOJI } from '@annals/markdown';
import { Controller, Get, Header, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { EMOJI_DATA_PATH } from '../read/server-properties';

const DATA = JSON.stringify({ code_to_names: Object.fromEntries(UNICODE_EMOJI) });
const TAG = `"${createHash('sha256').update(DATA).digest('base64url')}"`;

/**
 * The emoji that the server knows, by code. Clients fetch it right after they register (contract/boot.md section 3).
 */
@Controller()
export class EmojiDataController {
  @Get(EMOJI_DATA_PATH)
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('cache-control', 'public, max-age=3600')
  @Header('etag', TAG)
  read(@Headers('if-none-match') known: string | undefined, @Res({ passthrough: true }) reply: FastifyReply) {
    if (!known?.includes(TAG)) return DATA;
    void reply.status(304);
    return '';
  }
}
