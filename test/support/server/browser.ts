import { parseSetCookie } from 'cookie';
import { load } from './page-content';
import type { PageText } from './page-content';

/** A page as a browser shows it. */
export interface Shown extends PageText {
  readonly status: number;
  readonly headers: Headers;
  /** Path and query, after redirects. */
  readonly path: string;
  readonly text: string;
}

interface VisitOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Redirects are not followed. */
  readonly staysHere?: boolean;
}

const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const MAX_REDIRECTS = 5;

/** A browser without script: it stores cookies, follows redirects to the same server, and sends forms as they were loaded. */
export class Browser {
  readonly cookies = new Map<string, string>();

  /** @param host the host name that the browser has in its address, as a proxy passes it on. Left out: that of the URL */
  constructor(
    private readonly url: string,
    private readonly host?: string,
  ) {}

  /** The same person at another process of the server. */
  at(url: string): Browser {
    return this.copied(new Browser(url, this.host));
  }

  /** The same cookies at another host name of the same server, to which no real browser would send them. */
  named(host: string): Browser {
    return this.copied(new Browser(this.url, host));
  }

  open(path: string, options: VisitOptions = {}): Promise<Shown> {
    return this.visit('GET', path, undefined, options);
  }

  /** Sends the form of a page that leads to `action`, the only one if left out, with these fields filled in. */
  submit(
    page: Shown,
    fields: Readonly<Record<string, string>>,
    action?: string,
    options: VisitOptions = {},
  ): Promise<Shown> {
    const form = page.forms.find((one) => action === undefined || one.action === action);
    if (!form) throw new Error(`${page.path} has no form that leads to ${action ?? 'anywhere'}: ${page.text}`);
    return this.visit('POST', form.action, new URLSearchParams({ ...form.fields, ...fields }), options);
  }

  /** Opens a page and sends its form. */
  async fill(path: string, fields: Readonly<Record<string, string>>, action?: string): Promise<Shown> {
    return this.submit(await this.open(path), fields, action);
  }

  private copied(other: Browser): Browser {
    for (const [name, value] of this.cookies) other.cookies.set(name, value);
    return other;
  }

  private async visit(
    method: string,
    path: string,
    body: URLSearchParams | undefined,
    { headers = {}, staysHere = false }: VisitOptions,
  ): Promise<Shown> {
    const sent = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(new URL(path, this.url), {
      method,
      redirect: 'manual',
      headers: {
        accept: ACCEPT,
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        ...(sent !== '' && { cookie: sent }),
        ...(method === 'POST' && { origin: this.host === undefined ? this.url : `http://${this.host}` }),
        ...(this.host !== undefined && { 'x-forwarded-host': this.host }),
        ...headers,
      },
      ...(body && { body }),
    });
    for (const line of answer.headers.getSetCookie()) this.store(line);
    const to = answer.headers.get('location');
    if (to !== null && !staysHere) return this.follow(path, to, { headers });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, path, text, ...load(text) };
  }

  private follow(from: string, to: string, options: VisitOptions, left = MAX_REDIRECTS): Promise<Shown> {
    const target = new URL(to, new URL(from, this.url));
    if (target.origin !== new URL(this.url).origin || left === 0) throw new Error(`redirected to ${to}`);
    return this.visit('GET', `${target.pathname}${target.search}`, undefined, options);
  }

  private store(line: string): void {
    const { name, value = '', maxAge } = parseSetCookie(line);
    if (maxAge === 0) this.cookies.delete(name);
    else this.cookies.set(name, encodeURIComponent(value));
  }
}
