/** Longer addresses are left out: a link of a mail has some hundred characters. */
const LONGEST_LINK = 2_000;
const LINK = /^(?:https?:\/\/|mailto:)[^\s\p{C}]+$/iu;

/** What is left of an address without the text of its link, if the text says where the link leads. */
const SHOWN_WHOLE = ['', 'http://', 'https://', 'mailto:'];

/** A mark around text, such as `**`. It is written with the first character of the text. */
interface Mark {
  readonly sign: string;
  isWritten: boolean;
}

/** The text of one paragraph as Markdown, with its marks, links and code. */
export class InlineMarkdown {
  private parts: string[] = [];
  private hasSpace = false;
  private marks: Mark[] = [];
  /** How often a mark is open: within itself it means nothing more. */
  private readonly depths = new Map<string, number>();
  private link: { readonly url: string; readonly from: number; text: string } | null = null;
  private code: string | null = null;

  get isEmpty(): boolean {
    return this.parts.length === 0 && this.code === null;
  }

  text(raw: string): void {
    if (this.code !== null) this.code += raw;
    else {
      const words = raw.replace(/[ \t\r\n\f]+/g, ' ');
      const core = words.slice(words.startsWith(' ') ? 1 : 0, words.endsWith(' ') && words !== ' ' ? -1 : undefined);
      if (words.startsWith(' ')) this.hasSpace = true;
      if (core === '') return;
      this.write(core);
      this.hasSpace = words.endsWith(' ');
    }
  }

  lineBreak(): void {
    if (this.code !== null) this.code += ' ';
    this.hasSpace = false;
    this.parts.push('\n');
  }

  open(sign: string): void {
    const depth = (this.depths.get(sign) ?? 0) + 1;
    this.depths.set(sign, depth);
    if (depth === 1) this.marks.push({ sign, isWritten: false });
  }

  /** Marks that were opened within this one are closed and opened again. */
  close(sign: string): void {
    const depth = this.depths.get(sign) ?? 0;
    if (depth > 0) this.depths.set(sign, depth - 1);
    if (depth !== 1) return;
    const at = this.marks.findIndex((mark) => mark.sign === sign);
    const inner = this.marks.splice(at);
    this.sign(inner);
    this.marks.push(...inner.slice(1));
  }

  openLink(url: string): void {
    const trimmed = url.trim();
    if (this.link !== null || this.code !== null || trimmed.length > LONGEST_LINK || !LINK.test(trimmed)) return;
    this.sign(this.marks);
    if (this.hasSpace && !this.isAtStart()) this.parts.push(' ');
    this.hasSpace = false;
    this.link = { url: trimmed.replace(/[()<>]/g, percentEncoded), from: this.parts.length, text: '' };
  }

  closeLink(): void {
    const { link } = this;
    if (link === null) return;
    this.sign(this.marks);
    this.link = null;
    if (link.text === '') return;
    const shown = this.parts.splice(link.from).join('');
    this.parts.push(SHOWN_WHOLE.includes(link.url.replace(link.text, '')) ? link.text : `[${shown}](${link.url})`);
  }

  openCode(): void {
    this.code ??= '';
  }

  closeCode(): void {
    const code = this.code?.replace(/\s+/g, ' ').trim() ?? '';
    this.code = null;
    if (code === '') return;
    const ticks = fenceFor(code, 1);
    const space = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
    this.write(`${ticks}${space}${code}${space}${ticks}`);
  }

  /** Ends the paragraph. Marks go on in the next one, links do not. */
  end(): string {
    this.closeCode();
    this.closeLink();
    this.sign(this.marks);
    const text = this.parts.join('');
    this.parts = [];
    this.hasSpace = false;
    return text.replace(/ +\n/g, '\n').replace(/^\n+/, '').trimEnd();
  }

  private write(text: string): void {
    if (this.hasSpace && !this.isAtStart()) this.parts.push(' ');
    this.hasSpace = false;
    for (const mark of this.marks) {
      if (!mark.isWritten) this.parts.push(mark.sign);
      mark.isWritten = true;
    }
    this.parts.push(text);
    if (this.link !== null) this.link.text += text;
  }

  private isAtStart(): boolean {
    return this.parts.length === 0 || this.parts.at(-1) === '\n';
  }

  /** Closes marks that are written, the last one first. */
  private sign(marks: readonly Mark[]): void {
    for (const mark of [...marks].reverse()) {
      if (mark.isWritten) this.parts.push(mark.sign);
      mark.isWritten = false;
    }
  }
}

/** Backticks that nothing in a text can end. */
export function fenceFor(text: string, least: number): string {
  let longest = least - 1;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}

const percentEncoded = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
