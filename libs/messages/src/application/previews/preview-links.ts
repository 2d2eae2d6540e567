import type { OutgoingAnswer, OutgoingLimits } from '@annals/kernel';
import { Kernel, OutgoingRefused, OutgoingRequests, UnitOfWork, systemActor } from '@annals/kernel';
import type { MessageId, Position, RealmId } from '@annals/kernel/domain';
import { linkedPages } from '@annals/markdown';
import { RealmFacts, ServerAddress } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { WrittenNames } from '../../domain/events';
import type { NotedPreview } from '../../domain/previews/preview';
import { notePreviews, previewAggregate } from '../../domain/previews/preview';
import { readMessageRows } from '../../read/content/message-row';
import { WITHOUT_NAMES, lookupOf } from '../../read/content/rendering';
import type { Text } from '../../read/content/texts';
import { messageKey, messageThere } from '../access/guards';
import { pageFacts } from './page-facts';

/** Links of one text that are fetched. */
const MAX_LINKS = 5;
/** The head of a page is in its first bytes. */
const LIMITS: OutgoingLimits = { maxBytes: 512 * 1024, ms: 8_000, redirects: 3 };
const HEADERS = { accept: 'text/html, application/xhtml+xml', 'user-agent': 'Annals (link preview)' };
const HTML = /^(?:text\/html|application\/xhtml\+xml)\s*(?:;.*?charset="?([\w.:-]{1,40}))?/is;

/** A text whose links get previews. */
export interface PreviewedText {
  readonly realmId: RealmId;
  readonly messageId: MessageId;
  /** Of the event with the text. */
  readonly contentPosition: Position;
}

/**
 * Looks at the pages that a message links to and notes what they say about themselves. May be repeated and interrupted
 * at any moment. What was found is noted once.
 */
@Injectable()
export class PreviewLinks {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
    private readonly outgoing: OutgoingRequests,
  ) {}

  async of({ realmId, messageId, contentPosition }: PreviewedText): Promise<void> {
    const [row] = await readMessageRows(this.kernel.database.pool, realmId, [messageId], 'now');
    // It was deleted or edited meanwhile.
    if (row?.text.position !== contentPosition) return;
    const urls = await this.linksIn(realmId, row.text);
    const found = await Promise.all(urls.map((url) => this.preview(url)));
    const previews = found.flatMap((one) => one ?? []);
    if (previews.length === 0) return;
    await this.work.run(systemActor(realmId), async (work) => {
      await work.decide(previewAggregate, messageId, (state) =>
        notePreviews(state, messageId, contentPosition, previews),
      );
      work.guard(messageThere, messageKey(messageId));
    });
  }

  private async linksIn(realmId: RealmId, { content, names }: Text): Promise<string[]> {
    if (content === null) return [];
    const { subdomain, settings } = await this.realms.of(realmId);
    // It may have been turned off since the message was sent.
    if (!settings.inline_url_embed_preview) return [];
    const lookup = names === null ? WITHOUT_NAMES : lookupOf(JSON.parse(names) as WrittenNames, realmId);
    return linkedPages(content, lookup, { realmUrl: this.address.urlOf(subdomain) }, MAX_LINKS);
  }

  /** @returns null for a page that cannot be fetched, or has no title */
  private async preview(url: string): Promise<NotedPreview | null> {
    try {
      const html = htmlOf(await this.outgoing.send(url, { headers: HEADERS }, LIMITS));
      const facts = html === null ? null : pageFacts(html);
      return facts && { url, ...facts };
    } catch (error) {
      if (error instanceof OutgoingRefused) return null;
      throw error;
    }
  }
}

/** The text of an answer that is a page. */
function htmlOf({ status, headers, body }: OutgoingAnswer): string | null {
  const type = HTML.exec(headers['content-type'] ?? '');
  const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity';
  return status === 200 && type && isPlain ? decoded(body, type[1] ?? 'utf-8') : null;
}

function decoded(body: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
