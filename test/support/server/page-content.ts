import { Parser } from 'htmlparser2';

/** A form as it was loaded: where it leads, and the values that its fields have. */
export interface LoadedForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The parts of a page that specs look at. */
export interface PageText {
  readonly title: string;
  /** The text that people read, with single spaces. */
  readonly words: string;
  readonly links: readonly string[];
  readonly forms: readonly LoadedForm[];
}

interface OpenForm {
  readonly action: string;
  readonly fields: Record<string, string>;
}

/** Reads the markup of a page. */
export function load(text: string): PageText {
  const forms: OpenForm[] = [];
  const links: string[] = [];
  const words: string[] = [];
  let title = '';
  let inside = '';
  const parser = new Parser({
    onopentag(name, { action = '', name: fieldName, value = '', type, href }) {
      inside = name;
      words.push(' ');
      if (name === 'form') forms.push({ action, fields: {} });
      if (name === 'a' && href !== undefined) links.push(href);
      const form = forms.at(-1);
      if (name === 'input' && form && fieldName !== undefined && type !== 'checkbox') form.fields[fieldName] = value;
    },
    ontext(data) {
      if (inside === 'title') title += data;
      else if (inside !== 'style') words.push(data);
    },
    onclosetag(name) {
      words.push(' ');
      if (name === inside) inside = '';
    },
  });
  parser.end(text);
  return { title, links, forms, words: words.join('').replace(/\s+/g, ' ').trim() };
}
