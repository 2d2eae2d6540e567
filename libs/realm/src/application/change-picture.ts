import { randomBytes } from 'node:crypto';
import type { Work } from '@annals/kernel';
import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { isAdministrator } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { PICTURES, changePicture, picturesAggregate } from '../domain/pictures/realm-picture';
import type { PictureName } from '../domain/pictures/realm-picture-events';
import { reject } from '../domain/rejections';
import { ImageProcessor } from './image-processing';
import { PictureStore } from './picture-store';

/** Edge of an icon, in pixels. */
const ICON_EDGE = 100;
/** Most that a logo has, in pixels. */
const LOGO_SIZE = { width: 800, height: 100 };

/** Replaces or removes a picture of the organization (contract/whole-interface.md section 1.1). */
export class ChangePicture extends Command<void> {
  /** @param bytes as they were sent. Null removes the picture */
  constructor(
    readonly by: Actor,
    readonly picture: PictureName,
    readonly bytes: Uint8Array | null,
  ) {
    super();
  }
}

@CommandHandler(ChangePicture)
export class ChangePictureHandler implements ICommandHandler<ChangePicture> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly images: ImageProcessor,
    private readonly bytes: PictureStore,
  ) {}

  async execute({ by, picture, bytes }: ChangePicture): Promise<void> {
    const { realmId } = by;
    const change = (file: string | null) => this.work.run(by, (work) => this.record(work, picture, file));
    const previous = bytes ? await this.replaced(by, picture, bytes, change) : await change(null);
    // If this fails, the sweep deletes the bytes.
    if (previous !== null) await this.bytes.discard(realmId, previous).catch(() => undefined);
  }

  private async replaced(
    by: Actor,
    picture: PictureName,
    sent: Uint8Array,
    change: (file: string) => Promise<string | null>,
  ): Promise<string | null> {
    // Nobody else may make the server decode images.
    if (!isAdministrator(by)) throw reject.administratorsOnly();
    const processed = await (picture === 'icon'
      ? this.images.square(by, sent, ICON_EDGE)
      : this.images.fitting(by, sent, LOGO_SIZE));
    const file = `${randomBytes(16).toString('hex')}.png`;
    return this.bytes.keptFor(by.realmId, new Map([[file, processed]]), () => change(file));
  }

  /** @returns the file that is replaced; null for none */
  private async record(work: Work, picture: PictureName, file: string | null): Promise<string | null> {
    const { [picture]: previous } = await work.read(picturesAggregate, PICTURES);
    await work.decide(picturesAggregate, PICTURES, (state) => changePicture(state, picture, file, work.actor));
    if (previous === undefined) return null;
    await this.bytes.unsettle(work.realmId, previous);
    return previous;
  }
}
