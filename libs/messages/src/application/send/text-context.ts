import { longWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import type { WrittenLink } from '@annals/markdown';
import { linkedTexts, mayNeedCodeLanguage } from '@annals/markdown';
import { LinkifierFacts, RealmFacts, ServerAddress } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { WrittenNames } from '../../domain/events';
import { WITHOUT_NAMES, lookupOf } from '../../read/content/rendering';
import { askerOf } from '../../read/query/get-messages';

/** Longer texts are matched in time slices. Matching a shorter one takes a few milliseconds at most. */
const LONG = 1_000;

/** What the HTML of a text depends on beside its names: settings of the organization, as they are when it is written. */
export type TextSettings = Pick<WrittenNames, 'links' | 'ownUrl' | 'codeLanguage'>;

/** Finds out which settings of the organization concern a text. */
@Injectable()
export class TextContext {
  constructor(
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
    private readonly linkifiers: LinkifierFacts,
  ) {}

  /**
   * The links that linkifiers make, the address of the organization if the text has it, and the language of its code.
   *
   * @returns null if nothing of this concerns the text
   */
  async of(content: string, names: WrittenNames | null, author: Actor): Promise<TextSettings | null> {
    const { subdomain, settings } = await this.realms.of(author.realmId);
    const ownUrl = this.address.urlOf(subdomain);
    const codeLanguage = settings.default_code_block_language;
    const links = await this.linksIn(content, names, ownUrl, author);
    const found = {
      ...(links.length > 0 && { links }),
      ...(content.includes(`${ownUrl}/#`) && { ownUrl }),
      ...(codeLanguage !== '' && mayNeedCodeLanguage(content) && { codeLanguage }),
    };
    return Object.keys(found).length > 0 ? found : null;
  }

  private async linksIn(
    content: string,
    names: WrittenNames | null,
    ownUrl: string,
    author: Actor,
  ): Promise<WrittenLink[]> {
    const linkifiers = await this.linkifiers.of(author.realmId);
    if (linkifiers.isEmpty) return [];
    const known = names === null ? WITHOUT_NAMES : lookupOf(names, author.realmId);
    const lookup = { ...known, ownUrl };
    const find = () => linkedTexts(content, lookup, linkifiers);
    return content.length <= LONG ? find() : (await longWork.run(askerOf(author), find)).result;
  }
}
