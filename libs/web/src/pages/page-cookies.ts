import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply } from 'fastify';
import type { WebRequest } from '../request';

/** The cookie of a person who has logged in with a browser. */
export const SESSION_COOKIE = 'annals_session';

interface CookieOptions {
  /** Seconds that the browser stores it. Left out: until the browser is closed. */
  readonly maxAge?: number;
}

/**
 * The cookies of pages. No script and no other site can read them, and other sites do not send them with a POST. With https the
 * browser accepts them from this very host only, so a server of a sibling name cannot plant one.
 */
export class PageCookies {
  private readonly changed = new Map<string, string | undefined>();
  private sent: Readonly<Record<string, string | undefined>> | undefined;

  constructor(
    private readonly request: WebRequest,
    private readonly reply: FastifyReply,
  ) {}

  /** The value that the browser sent, or that this request has set. */
  get(name: string): string | undefined {
    if (this.changed.has(name)) return this.changed.get(name);
    this.sent ??= parseCookie(this.request.headers.cookie ?? '');
    return this.sent[this.named(name)];
  }

  set(name: string, value: string, { maxAge }: CookieOptions = {}): void {
    this.changed.set(name, value);
    this.write(name, value, maxAge);
  }

  remove(name: string): void {
    this.changed.set(name, undefined);
    this.write(name, '', 0);
  }

  private write(name: string, value: string, maxAge: number | undefined): void {
    const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: this.isSecure } as const;
    const cookie = stringifySetCookie(this.named(name), value, { ...options, ...(maxAge !== undefined && { maxAge }) });
    void this.reply.header('Set-Cookie', cookie);
  }

  private named(name: string): string {
    return this.isSecure ? `__Host-${name}` : name;
  }

  private get isSecure(): boolean {
    return this.request.protocol === 'https';
  }
}
