import { Tokenizer } from 'htmlparser2';
import { MarkdownWriter } from './markdown-writer';

/** Their content is no text of the mail. */
const HIDDEN: ReadonlySet<string> = new Set(['script', 'style', 'title', 'template']);

type Attributes = ReadonlyMap<string, string>;

/**
 * The text of a mail in HTML, as Markdown. It reads tag by tag and builds no tree, so the time grows with the length alone, however the
 * tags are nested. No HTML and no picture gets into it: a picture of another server would tell it who reads the message.
 */
export function markdownOf(html: string): string {
  const writer = new MarkdownWriter();
  const tags = new Tags(html, writer);
  const tokenizer = new Tokenizer({}, tags);
  tokenizer.write(html);
  tokenizer.end();
  return writer.end();
}

/** What the tokenizer finds: parts of the text by their places. */
class Tags {
  private tag = '';
  private attribute = '';
  private value = '';
  private attributes = new Map<string, string>();
  /** The element whose content is left out. Empty outside such elements. */
  private hidden = '';

  constructor(
    private readonly html: string,
    private readonly writer: MarkdownWriter,
  ) {}

  ontext(start: number, end: number): void {
    if (this.hidden === '') this.writer.text(this.html.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    if (this.hidden === '') this.writer.text(String.fromCodePoint(codePoint));
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.nameAt(start, end);
    this.attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.nameAt(start, end);
    this.value = '';
  }

  onattribdata(start: number, end: number): void {
    this.value += this.html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    if (this.attribute === 'href' || this.attribute === 'start') this.attributes.set(this.attribute, this.value);
  }

  onopentagend(): void {
    if (this.hidden !== '') return;
    if (HIDDEN.has(this.tag)) this.hidden = this.tag;
    else open(this.writer, this.tag, this.attributes);
  }

  onselfclosingtag(): void {
    this.onopentagend();
    if (this.hidden === this.tag) this.hidden = '';
  }

  onclosetag(start: number, end: number): void {
    const name = this.nameAt(start, end);
    if (this.hidden === '') close(this.writer, name);
    else if (this.hidden === name) this.hidden = '';
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  private nameAt(start: number, end: number): string {
    return this.html.slice(start, end).toLowerCase();
  }
}

const MARKS = new Map([
  ...(['b', 'strong'] as const).map((name) => [name, '**'] as const),
  ...(['i', 'em'] as const).map((name) => [name, '*'] as const),
  ...(['s', 'del', 'strike'] as const).map((name) => [name, '~~'] as const),
] as readonly (readonly [string, string])[]);
const CODE: ReadonlySet<string> = new Set(['code', 'kbd', 'samp', 'tt']);
/** Elements with an empty line before and after them, and those on lines of their own. */
const PARAGRAPHS: ReadonlySet<string> = new Set(['p', 'table', 'section', 'article', 'header', 'footer', 'dl']);
const LINES: ReadonlySet<string> = new Set(['div', 'tr', 'td', 'th', 'center', 'address', 'dt', 'dd', 'body']);
const HEADING = /^h([1-6])$/;

function open(writer: MarkdownWriter, tag: string, attributes: Attributes): void {
  const mark = MARKS.get(tag);
  const [, level] = HEADING.exec(tag) ?? [];
  if (mark !== undefined) writer.openMark(mark);
  else if (level !== undefined) writer.heading(Number(level));
  else if (CODE.has(tag)) writer.openCode();
  else if (PARAGRAPHS.has(tag)) writer.paragraph();
  else if (LINES.has(tag)) writer.line();
  else if (tag === 'a') writer.openLink(attributes.get('href') ?? '');
  else if (tag === 'br') writer.lineBreak();
  else if (tag === 'hr') writer.rule();
  else if (tag === 'pre') writer.openBlock();
  else if (tag === 'blockquote') writer.openQuote();
  else if (tag === 'ul') writer.openList(null);
  else if (tag === 'ol') writer.openList(Number.parseInt(attributes.get('start') ?? '1', 10) || 1);
  else if (tag === 'li') writer.item();
}

function close(writer: MarkdownWriter, tag: string): void {
  const mark = MARKS.get(tag);
  if (mark !== undefined) writer.closeMark(mark);
  else if (CODE.has(tag)) writer.closeCode();
  else if (PARAGRAPHS.has(tag) || HEADING.test(tag)) writer.paragraph();
  else if (LINES.has(tag) || tag === 'li') writer.line();
  else if (tag === 'a') writer.closeLink();
  else if (tag === 'pre') writer.closeBlock();
  else if (tag === 'blockquote') writer.closeQuote();
  else if (tag === 'ul' || tag === 'ol') writer.closeList();
}
