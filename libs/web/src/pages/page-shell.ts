import { createHash } from 'node:crypto';
import type { Language } from '@annals/kernel/domain';
import { directionOf } from '@annals/languages';
import type { Html } from './html';
import { html, markup } from './html';
import { PAGE_STYLE } from './page-style';

/** One page, without its shell. */
export interface PageContent {
  /** The heading, and the first part of the title of the browser's tab. */
  readonly title: string;
  readonly body: Html;
  /** 200 when left out. */
  readonly status?: number;
  /** Origins beside this one that a form of the page may lead to, for example `https://login.example.com` or `zulip:`. */
  readonly formTargets?: readonly string[];
}

/** As one piece: the browser compares all of it with the hash in the headers, spaces too. */
const STYLE = markup(`<style>${PAGE_STYLE}</style>`);
const GRAPHEMES = new Intl.Segmenter();
const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64');

/**
 * The headers of every page: it runs nothing, fetches nothing, is shown in no frame and is stored nowhere. Its address, which may
 * contain a token, is sent to no other site.
 */
export const pageHeaders = (formTargets: readonly string[] = []): Readonly<Record<string, string>> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src 'self'; base-uri 'none'; ` +
    `form-action ${["'self'", ...formTargets].join(' ')}; frame-ancestors 'none'`,
  ...SAFE_HEADERS,
});

/** The headers of every answer to a browser, redirects included. */
export const SAFE_HEADERS = {
  'Cache-Control': 'no-store',
  // Not `no-referrer`: with it, browsers send the origin of a form as `null`, and forms from elsewhere look the same.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  Vary: 'Accept-Language, Cookie',
} as const;

/** A whole document. @param organization its name, above the heading */
export function pageDocument({ title, body }: PageContent, organization: string, language: Language): string {
  const document = html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · ${organization}</title>
        ${STYLE}
      </head>
      <body>
        <header><span class="mark" aria-hidden="true">${initialOf(organization)}</span>${organization}</header>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`;
  return document.toString();
}

/** The first letter of a name as people see it, which may be several characters of a computer. */
const initialOf = (name: string): string => [...GRAPHEMES.segment(name.trim())][0]?.segment.toUpperCase() ?? '';
