import { FileImageFacts } from '@annals/files';
import { longWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { RealmFacts } from '@annals/realm';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { WrittenNames } from '../../domain/events';
import { previewedContent } from '../../domain/message/text';
import type { RenderingOptions } from '../../read/content/rendering';
import { renderText } from '../../read/content/rendering';
import { imageLookup } from '../../read/content/shown-images';
import { askerOf } from '../../read/query/get-messages';
import { ContentAnalysis } from './content-analysis';

/** The HTML of a text as a message of the author shows it; nothing is stored. A text that is too long is cut as in a message. */
export class RenderText extends Query<string> {
  constructor(
    readonly by: Actor,
    readonly content: string,
  ) {
    super();
  }
}

@QueryHandler(RenderText)
export class RenderTextHandler implements IQueryHandler<RenderText> {
  constructor(
    private readonly analysis: ContentAnalysis,
    private readonly realms: RealmFacts,
    private readonly imageFacts: FileImageFacts,
  ) {}

  async execute({ by, content: written }: RenderText): Promise<string> {
    const content = previewedContent(written);
    const names = await this.analysis.namesIn(content, by);
    const imagePreviews = (await this.realms.of(by.realmId)).settings.inline_image_preview;
    const text = { content, names };
    const options = { imagePreviews, ...(await this.images(by, text)) };
    const { result } = await longWork.run(askerOf(by), () => renderText(by.realmId, text, options));
    return result;
  }

  /** The uploaded images in it that the author has access to. */
  private async images(
    by: Actor,
    words: { content: string; names: WrittenNames | null },
  ): Promise<Pick<RenderingOptions, 'image'>> {
    const files = await this.analysis.filesIn(words, by);
    return imageLookup(by.realmId, { files }, await this.imageFacts.byIds(by.realmId, files));
  }
}
