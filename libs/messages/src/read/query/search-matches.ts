import { longWork } from '@annals/kernel';
import type { MessageId } from '@annals/kernel/domain';
import { escapeHtml } from '@annals/markdown';
import type { Pool } from 'pg';
import type { LoadedMessages } from '../content/message-row';
import type { IsHighlighted } from '../search/highlight';
import { addWordsIn, highlighted } from '../search/highlight';
import { readHighlighted } from '../search/highlighter';
import type { TextQuery } from '../search/text-queries';
import { wordsIn } from '../search/words';

/** Texts and topics of an answer with the words of its search highlighted. */
export class SearchMatches {
  private readonly html = new Map<MessageId, string>();
  private readonly words = new Set<string>();
  private isHighlighted: IsHighlighted = () => false;

  constructor(
    private readonly loaded: LoadedMessages,
    private readonly query: TextQuery,
    /** Key of the user: work on texts is shared fairly between users. */
    private readonly asker: string,
  ) {}

  /** Renders the text of a message. @returns bytes of the HTML */
  async prepare(id: MessageId): Promise<number> {
    const row = this.loaded.rows.get(id);
    if (!row) return 0;
    const html = await this.loaded.rendered.ahead(row.text, this.asker);
    await longWork.run(this.asker, () => addWordsIn(html, this.words));
    for (const word of wordsIn(row.topic ?? '')) this.words.add(word);
    this.html.set(id, html);
    return Buffer.byteLength(html);
  }

  /** Highlights the words in all texts that were prepared. */
  async highlight(pool: Pool): Promise<void> {
    const isHighlighted = (this.isHighlighted = await readHighlighted(pool, this.query, this.words));
    for (const [id, html] of this.html) {
      this.html.set(id, (await longWork.run(this.asker, () => highlighted(html, isHighlighted))).result);
    }
  }

  /** The match of a message that was prepared (contract/messages.md section 2). @param topic as it is shown; empty for a direct message */
  of(id: MessageId, topic: string) {
    return {
      match_content: this.html.get(id) ?? '',
      match_subject: highlighted(escapeHtml(topic), this.isHighlighted),
    };
  }
}
