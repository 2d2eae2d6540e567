import type { RealmId } from '@annals/kernel/domain';
import { longWork } from '@annals/kernel';
import type { NameLookup, UserReference } from '@annals/markdown';
import type { TextOptions } from '@annals/markdown';
import { NO_NAMES, RENDERER_VERSION, earlierEmojiCode, render, writtenLinks } from '@annals/markdown';
import { EMPTY_TOPIC_DISPLAY_NAME, emojiUrl } from '@annals/realm';
import { LRUCache } from 'lru-cache';
import type { WrittenNames } from '../../domain/events';
import type { KnownImages } from './shown-images';
import { NO_IMAGES, imageLookup, imageStates } from './shown-images';
import type { Text } from './texts';

/** Shown in place of a text that was erased. */
export const ERASED_CONTENT = '(erased)';

/** The lookup of a text without recorded names. */
export const WITHOUT_NAMES: NameLookup = { ...NO_NAMES, unicodeEmoji: earlierEmojiCode };

/** The meaning of the names in a text, as recorded when it was written. */
export function lookupOf(names: WrittenNames, realmId: RealmId): NameLookup {
  const { users, groups, channels, topics, emoji, emojiTable, emoticons, links, ownUrl, codeLanguage } = names;
  const refersTo = (reference: UserReference) => (user: WrittenNames['users'][number]) =>
    user.name === reference.name && user.id === reference.id;
  return {
    user: (reference) => {
      const user = users.find(refersTo(reference));
      return user && { id: user.userId, fullName: user.fullName };
    },
    group: (written) => {
      const group = groups.find((one) => one.written === written);
      return group && { id: group.groupId, name: group.name };
    },
    channel: (written) => {
      const channel = channels.find((one) => one.written === written);
      return channel && { id: channel.channelId, name: channel.name };
    },
    topicMessageId: (channelId, written) =>
      topics?.find((one) => one.channelId === channelId && one.written === written)?.messageId,
    emoji: (name) => {
      const own = emoji?.find((one) => one.name === name);
      return own && { src: emojiUrl(realmId, own.file) };
    },
    ...(emojiTable === undefined && { unicodeEmoji: earlierEmojiCode }),
    ...(emoticons && { emoticons }),
    ...(links && { linkedParts: writtenLinks(links) }),
    ...(ownUrl !== undefined && { ownUrl }),
    ...(codeLanguage !== undefined && { codeLanguage }),
  };
}

interface Cached {
  readonly content: string;
  readonly names: string | null;
  readonly html: string;
}

/** HTML by the position of its text; sizes in code units. */
const cache = new LRUCache<string, Cached>({
  maxSize: 64_000_000,
  sizeCalculation: ({ content, html }) => content.length + html.length + 1,
});

/** What was noted about a text. Previews are noted once. */
const variantOf = (text: Text, images: KnownImages): string =>
  `${imageStates(text, images)}:${text.previews ? 'previews' : ''}`;

/** In tests one process serves several databases, so the position alone does not identify a text. */
function known(key: string, { content, names }: Text): string | undefined {
  const cached = cache.get(key);
  return cached && cached.content === content && cached.names === names ? cached.html : undefined;
}

/**
 * The HTML of a text. It depends only on the text, its names and images, the renderer and the organization's setting for
 * previews. Answers with many texts render them with `Renderings.ahead`.
 */
export function htmlOf(realmId: RealmId, text: Text, imagePreviews: boolean, images: KnownImages = NO_IMAGES): string {
  const { position, content, names } = text;
  if (content === null) return `<p>${ERASED_CONTENT}</p>`;
  const key = `${realmId}:${position}:${RENDERER_VERSION}:${imagePreviews}:${variantOf(text, images)}`;
  const cached = known(key, text);
  if (cached !== undefined) return cached;
  const written = names === null ? null : (JSON.parse(names) as WrittenNames);
  const html = renderText(
    realmId,
    { content, names: written },
    {
      imagePreviews,
      ...imageLookup(realmId, text, images),
      ...(text.previews && { linkPreviews: text.previews }),
    },
  );
  cache.set(key, { content, names, html });
  return html;
}

/** The parts of `TextOptions` that differ between texts and organizations. */
export type RenderingOptions = Pick<TextOptions, 'image' | 'imagePreviews' | 'linkPreviews'>;

/** The HTML of a text and its names, which takes up to about 100 ms. */
export function renderText(
  realmId: RealmId,
  { content, names }: { readonly content: string; readonly names: WrittenNames | null },
  options: RenderingOptions,
): string {
  const lookup = names === null ? WITHOUT_NAMES : lookupOf(names, realmId);
  return render(content, lookup, { ...options, emptyTopicName: EMPTY_TOPIC_DISPLAY_NAME });
}

/** Maximum time of rendering for one answer, in ms. What was rendered is cached when the client asks for the rest. */
const MAX_RENDERING_MS = 3_000;

/** The HTML of the texts of one answer. */
export class Renderings {
  private readonly html = new Map<Text, string>();
  private worked = 0;

  constructor(
    private readonly realmId: RealmId,
    readonly imagePreviews: boolean,
    private readonly images: KnownImages = NO_IMAGES,
  ) {}

  /** Whether the answer has used up its rendering time. */
  get isSpent(): boolean {
    return this.worked >= MAX_RENDERING_MS;
  }

  /** What the HTML of a text depends on besides the text. */
  variantOf(text: Text): string {
    return `${this.imagePreviews}:${variantOf(text, this.images)}`;
  }

  /**
   * Renders a text, which takes up to about 100 ms, in its time slice. Then `of` returns it at once.
   *
   * @returns its HTML
   */
  async ahead(text: Text, asker: string): Promise<string> {
    const known = this.html.get(text);
    if (known !== undefined) return known;
    const html = await this.work(asker, () => htmlOf(this.realmId, text, this.imagePreviews, this.images));
    this.html.set(text, html);
    return html;
  }

  /** Runs long work on the texts in time slices. */
  async work<Result>(asker: string, piece: () => Result): Promise<Result> {
    const { result, took } = await longWork.run(asker, piece);
    this.worked += took;
    return result;
  }

  of(text: Text): string {
    return this.html.get(text) ?? htmlOf(this.realmId, text, this.imagePreviews, this.images);
  }
}
