import { InlineMarkdown, fenceFor } from './inline-markdown';

/** Quotes and lists within each other. Deeper ones are written like the last of these. */
const DEEPEST = 6;
const LINE = 1;
const PARAGRAPH = 2;

type Container =
  | { readonly kind: 'quote' }
  /** `number` of the next item; null for a list of bullets. */
  | { readonly kind: 'list'; number: number | null; width: number; isFresh: boolean };

/** Writes Markdown, block by block. */
export class MarkdownWriter {
  private readonly inline = new InlineMarkdown();
  private readonly lines: string[] = [];
  private readonly containers: Container[] = [];
  /** Containers that are open beyond the deepest. */
  private beyond = 0;
  /** What is between the last block and the next. */
  private gap = 0;
  private level = 0;
  /** The beginning of an item whose first line is not written yet. */
  private marker: string | null = null;
  private block: string | null = null;
  private quotesBefore = 0;

  text(text: string): void {
    if (this.block === null) this.inline.text(text);
    else this.block += text;
  }

  openMark(sign: string): void {
    if (this.block === null) this.inline.open(sign);
  }

  closeMark(sign: string): void {
    if (this.block === null) this.inline.close(sign);
  }

  openLink(url: string): void {
    if (this.block === null) this.inline.openLink(url);
  }

  closeLink(): void {
    if (this.block === null) this.inline.closeLink();
  }

  openCode(): void {
    if (this.block === null) this.inline.openCode();
  }

  closeCode(): void {
    if (this.block === null) this.inline.closeCode();
  }

  lineBreak(): void {
    if (this.block !== null) this.block += '\n';
    else if (this.inline.isEmpty) this.gap = PARAGRAPH;
    else this.inline.lineBreak();
  }

  /** Ends the block: the next one is on a line of its own. */
  line(): void {
    this.flush(LINE);
  }

  /** Ends the block: an empty line is before the next one. */
  paragraph(): void {
    this.flush(PARAGRAPH);
  }

  heading(level: number): void {
    this.flush(PARAGRAPH);
    this.level = level;
  }

  rule(): void {
    this.flush(PARAGRAPH);
    if (this.block === null) this.write(['* * *']);
    this.gap = PARAGRAPH;
  }

  openBlock(): void {
    this.flush(PARAGRAPH);
    this.block ??= '';
  }

  closeBlock(): void {
    const code = this.block?.replace(/^\n+/, '').trimEnd() ?? '';
    this.block = null;
    if (code === '') return;
    const fence = fenceFor(code, 3);
    this.write([fence, ...code.split(/\r\n|[\r\n]/), fence]);
    this.gap = PARAGRAPH;
  }

  openQuote(): void {
    this.flush(PARAGRAPH);
    this.open({ kind: 'quote' });
  }

  closeQuote(): void {
    this.flush(PARAGRAPH);
    this.leave('quote');
  }

  /** @param start number of the first item; null for a list of bullets */
  openList(start: number | null): void {
    this.flush(this.containers.some(({ kind }) => kind === 'list') ? LINE : PARAGRAPH);
    this.open({ kind: 'list', number: start, width: 0, isFresh: true });
  }

  closeList(): void {
    this.flush(LINE);
    this.leave('list');
    if (!this.containers.some(({ kind }) => kind === 'list')) this.gap = PARAGRAPH;
  }

  item(): void {
    this.flush(LINE);
    const list = this.containers.findLast((one) => one.kind === 'list');
    if (list?.kind !== 'list') return;
    if (!list.isFresh) this.gap = LINE;
    list.isFresh = false;
    this.marker = list.number === null ? '- ' : `${list.number}. `;
    list.width = this.marker.length;
    if (list.number !== null) list.number += 1;
  }

  end(): string {
    this.closeBlock();
    this.flush(LINE);
    return this.lines.join('\n').trim();
  }

  private flush(gap: number): void {
    if (this.block !== null) return;
    const text = this.inline.end();
    if (text !== '') {
      const lines = text.split('\n');
      this.write(this.level > 0 ? [`${'#'.repeat(this.level)} ${lines.map((line) => line.trim()).join(' ')}`] : lines);
    }
    this.level = 0;
    this.gap = Math.max(this.gap, gap);
  }

  private open(container: Container): void {
    if (this.containers.length < DEEPEST) this.containers.push(container);
    else this.beyond += 1;
  }

  private leave(kind: Container['kind']): void {
    if (this.beyond > 0) this.beyond -= 1;
    else {
      const at = this.containers.findLastIndex((one) => one.kind === kind);
      if (at >= 0) this.containers.splice(at);
      if (kind === 'list') this.marker = null;
    }
  }

  private write(lines: readonly string[]): void {
    const quotes = this.containers.filter(({ kind }) => kind === 'quote').length;
    if (this.lines.length > 0 && this.gap === PARAGRAPH) {
      this.lines.push('> '.repeat(Math.min(quotes, this.quotesBefore)).trimEnd());
    }
    const indented = this.prefix(null);
    lines.forEach((line, n) => {
      this.lines.push(`${n === 0 ? this.prefix(this.marker) : indented}${line}`.trimEnd());
    });
    this.marker = null;
    this.gap = LINE;
    this.quotesBefore = quotes;
  }

  /** What is before a line. @param marker replaces the indentation of the innermost list */
  private prefix(marker: string | null): string {
    const inner = this.containers.findLastIndex(({ kind }) => kind === 'list');
    return this.containers
      .map((one, n) => (one.kind === 'quote' ? '> ' : n === inner && marker !== null ? marker : ' '.repeat(one.width)))
      .join('');
  }
}
