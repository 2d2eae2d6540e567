import { Readable } from 'node:stream';
import { FileStore } from '@annals/kernel';
import type { Actor, RealmId } from '@annals/kernel/domain';
import { nullable, t, userId } from '@annals/kernel/domain';
import { AtRealm, By, Bytes, Endpoint, Info, Params, PathId, PathText, RequestInfo, pictureHeaders } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { AddEmoji } from '../application/add-emoji';
import { DeactivateEmoji } from '../application/deactivate-emoji';
import { CONTENT_TYPES } from '../domain/picture';
import type { PictureKind } from '../domain/picture';
import { reject } from '../domain/rejections';
import { ListEmoji } from '../read/list-emoji';
import { emojiKey, presentCustomEmoji, emojiFileSize } from '../read/custom-emoji';
import { CustomEmojiFacts } from '../read/custom-emoji-facts';

const MAX_MIB = 5;
const LIMIT = { maxBytes: MAX_MIB * 1024 * 1024, tooLarge: () => reject.emojiTooLarge({ mib: MAX_MIB }) };

export class EmojiParams {
  @PathText() emoji_name: string;
}

export class EmojiFileParams {
  @PathId() realm_id: RealmId;
  @PathText() file: string;
}

const emoji = t.Object(
  {
    id: t.String(),
    name: t.String(),
    source_url: t.String(),
    still_url: nullable(t.String()),
    deactivated: t.Boolean(),
    author_id: nullable(userId),
  },
  { $id: 'CustomEmoji' },
);

@Controller()
export class EmojiController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly emoji: CustomEmojiFacts,
    private readonly store: FileStore,
  ) {}

  /** contract/messages.md section 7 */
  @Endpoint('GET', 'realm/emoji', {
    audience: 'anyone',
    section: 'messages 7',
    summary: 'Custom emoji of the organization',
    returns: t.Object({ emoji: t.Record(t.String(), emoji) }),
  })
  async list(@By() by: Actor) {
    return { emoji: presentCustomEmoji(by.realmId, await this.queries.execute(new ListEmoji(by))) };
  }

  /** contract/messages.md section 7 */
  @Endpoint('POST', 'realm/emoji/:emoji_name', {
    audience: 'members',
    section: 'messages 7',
    summary: 'Add a custom emoji',
    command: 'AddEmoji',
    files: true,
    returns: null,
  })
  async add(@By() by: Actor, @Params(EmojiParams) p: EmojiParams, @Info() info: RequestInfo) {
    const { content } = await info.file(LIMIT);
    await this.commands.execute(new AddEmoji(by, p.emoji_name, await wholeOf(content)));
  }

  /** contract/messages.md section 7 */
  @Endpoint('DELETE', 'realm/emoji/:emoji_name', {
    audience: 'members',
    section: 'messages 7',
    summary: 'Deactivate a custom emoji',
    command: 'DeactivateEmoji',
    returns: null,
  })
  async deactivate(@By() by: Actor, @Params(EmojiParams) p: EmojiParams) {
    await this.commands.execute(new DeactivateEmoji(by, p.emoji_name));
  }

  /** contract/boot.md section 3 */
  @Endpoint('GET', 'user_avatars/:realm_id/emoji/images/:file', {
    audience: 'public',
    section: 'boot 3',
    summary: 'The picture of a custom emoji',
    addressQuota: 'files',
    root: true,
    returns: null,
  })
  async picture(@AtRealm() realmId: RealmId, @Params(EmojiFileParams) p: EmojiFileParams, @Info() info: RequestInfo) {
    const size = p.realm_id === realmId ? emojiFileSize(await this.emoji.of(realmId), p.file) : undefined;
    if (size === undefined) throw reject.noSuchPicture();
    const content = info.wantsHeadersOnly ? Readable.from([]) : await this.store.open(emojiKey(realmId, p.file));
    if (!content) throw reject.noSuchPicture();
    return new Bytes(200, pictureHeaders(contentTypeOf(p.file), size), content);
  }
}

async function wholeOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const contentTypeOf = (file: string): string => CONTENT_TYPES[file.slice(file.indexOf('.') + 1) as PictureKind];
