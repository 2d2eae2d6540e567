import { randomUUID } from 'node:crypto';
import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { unicodeEmojiCode } from '@annals/markdown';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { EmojiRules, NewEmoji } from '../domain/emoji';
import { addEmoji, emojiAggregate, emojiName } from '../domain/emoji';
import { pictureKind } from '../domain/picture';
import { reject } from '../domain/rejections';
import { OwnEmojiFacts } from '../read/own-emoji-facts';
import { emojiNameFree } from './guards';
import { KeptEmoji } from './kept-emoji';
import { organization } from './organization';

/** Adds an emoji of the organization's own (contract/messages.md section 7). */
export class AddEmoji extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly name: string,
    /** Bytes of its picture. */
    readonly picture: Uint8Array,
  ) {
    super();
  }
}

/** Names of what every server has beside Unicode. */
const EXTRA = 'zulip';

@CommandHandler(AddEmoji)
export class AddEmojiHandler implements ICommandHandler<AddEmoji> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly bytes: KeptEmoji,
    private readonly emoji: OwnEmojiFacts,
  ) {}

  /** The picture is kept before the fact that names it, and goes again when that is refused. */
  async execute({ by, name: written, picture }: AddEmoji): Promise<void> {
    const name = emojiName(written);
    const kind = pictureKind(picture);
    if (!kind) throw reject.noPicture();
    const file = `${randomUUID().replaceAll('-', '')}.${kind}`;
    await this.bytes.keep(by.realmId, file, once(picture));
    try {
      await this.add(by, { name, file, size: picture.length });
    } catch (error) {
      // Only after a refusal it is certain that no event names the picture; otherwise the sweep finds out.
      if (error instanceof Rejected) await this.bytes.discard(by.realmId, file);
      throw error;
    }
    // The emoji is there; where this fails, the sweep makes up for it.
    await this.bytes.settle(by.realmId, file).catch(() => undefined);
  }

  private async add(by: Actor, emoji: Omit<NewEmoji, 'emojiId'>): Promise<void> {
    const emojiId = await this.kernel.ids.next(by.realmId, 'emoji');
    await this.work.run(by, async (work) => {
      const added = addEmoji({ emojiId, ...emoji }, work.actor, await this.rules(work, emoji.name));
      work.guard(emojiNameFree, emoji.name);
      work.changesGuard(emojiNameFree, emoji.name);
      await work.decide(emojiAggregate, emojiId, () => added);
    });
  }

  private async rules(work: Work, name: string): Promise<EmojiRules> {
    const { settings } = await organization(work);
    return {
      canAdd: settings.can_add_custom_emoji_group,
      isTaken: (await this.emoji.active(work.realmId, name)) !== undefined,
      isBuiltIn: name === EXTRA || unicodeEmojiCode(name) !== undefined,
    };
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
