import { escapeHtml } from '../html';

/**
 * Code in spans as Pygments writes them: neighbours of one class share a span, no span has another one in it or goes
 * beyond its line, and text without a class is in none.
 */
export class HighlightedCode {
  private html = '';
  private open = '';
  private lineIsEmpty = true;

  /** Whether the line has nothing but spaces so far. */
  get beginsLine(): boolean {
    return this.lineIsEmpty;
  }

  /** @param name class, or `''` for none */
  add(text: string, name: string): void {
    let isFirst = true;
    for (const line of text.split('\n')) {
      if (!isFirst) this.newline();
      isFirst = false;
      if (line !== '') this.addInLine(line, name);
    }
  }

  /** Spaces around a word are not part of it. */
  addTrimmed(text: string, name: string): void {
    const word = text.trim();
    const begin = word === '' ? 0 : text.indexOf(word);
    this.add(text.slice(0, begin), '');
    this.add(word, name);
    this.add(text.slice(begin + word.length), '');
  }

  toHtml(): string {
    this.switchTo('');
    return this.html;
  }

  private newline(): void {
    this.switchTo('');
    this.html += '\n';
    this.lineIsEmpty = true;
  }

  private addInLine(text: string, name: string): void {
    this.switchTo(name);
    this.html += escapeCode(text);
    if (text.trim() !== '') this.lineIsEmpty = false;
  }

  private switchTo(name: string): void {
    if (name === this.open) return;
    if (this.open !== '') this.html += '</span>';
    if (name !== '') this.html += `<span class="${name}">`;
    this.open = name;
  }
}

/** Escapes as Pygments writes them. */
export const escapeCode = (text: string): string => escapeHtml(text).replaceAll("'", '&#39;');

/** Quotation marks are as in other texts: Zulip writes them so where a language is named. */
export const withPlainQuotes = (html: string): string => html.replaceAll('&quot;', '"').replaceAll('&#39;', "'");
