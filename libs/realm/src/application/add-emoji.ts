import { randomUUID } from 'node:crypto';
import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { EXTRA_EMOJI, unicodeEmojiCode } from '@annals/markdown';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { EmojiRules, NewEmoji } from '../domain/emoji';
import { addEmoji, emojiAggregate, emojiName } from '../domain/emoji';
import { CustomEmojiFacts } from '../read/custom-emoji-facts';
import type { ProcessedEmoji } from './image-processing';
import { ImageProcessor } from './image-processing';
import { emojiNameFree } from './guards';
import { EmojiStore } from './emoji-store';
import { organization } from './organization';

/** Adds a custom emoji (contract/messages.md section 7). */
export class AddEmoji extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly name: string,
    /** Bytes of its image as they were sent. */
    readonly picture: Uint8Array,
  ) {
    super();
  }
}

@CommandHandler(AddEmoji)
export class AddEmojiHandler implements ICommandHandler<AddEmoji> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly images: ImageProcessor,
    private readonly bytes: EmojiStore,
    private readonly emoji: CustomEmojiFacts,
  ) {}

  async execute({ by, name: written, picture }: AddEmoji): Promise<void> {
    const name = emojiName(written);
    const { files, named } = filesOf(await this.images.emoji(by, picture));
    await this.bytes.keptFor(by.realmId, files, () => this.add(by, { name, ...named }));
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
      isBuiltIn: name === EXTRA_EMOJI.name || unicodeEmojiCode(name) !== undefined,
    };
  }
}

/** The stored files of an image, with random names, and the fields of the event about them. */
function filesOf({ still, animation }: ProcessedEmoji) {
  const stem = randomUUID().replaceAll('-', '');
  if (!animation) {
    const file = `${stem}.png`;
    return { files: new Map([[file, still]]), named: { file, size: still.length } };
  }
  const [file, stillFile] = [`${stem}.${animation.kind}`, `${stem}-still.png`];
  return {
    files: new Map([
      [file, animation.bytes],
      [stillFile, still],
    ]),
    named: { file, size: animation.bytes.length, stillFile, stillSize: still.length },
  };
}
