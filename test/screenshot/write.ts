import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { Browser, Route } from 'playwright-core';
import sharp from 'sharp';
import type { Message } from '../support/requests/messages';
import globalSetup from '../support/global-setup';
import globalTeardown from '../support/global-teardown';
import type { Person } from '../support/server/organization';
import { startChromium } from '../support/server/chromium';
import { startTestServer } from '../support/server/server';
import { conversation } from './conversation';
import { pageOf } from './page';
import { photographPages } from './pages-on-phones';

/**
 * `npm run screenshot`: writes the pictures of the README. It sends a conversation to a server, reads it as a client does,
 * and lets Chromium show the HTML. `CHROMIUM` names the program; it is `/usr/bin/chromium` if left out.
 */
const PICTURE = join(__dirname, '..', '..', 'docs', 'images', 'conversation.png');
const ORIGIN = 'http://annals.example';
const KATEX = dirname(require.resolve('katex/dist/katex.min.css'));
const TYPES: Readonly<Record<string, string>> = { '.css': 'text/css', '.woff2': 'font/woff2' };

/** Three orbits around a planet, as a PNG. */
const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360"><rect width="640" height="360" fill="#0d1b2a"/>
  <circle cx="320" cy="180" r="46" fill="#3a86ff"/>
  ${[70, 120, 165].map((r) => `<circle cx="320" cy="180" r="${r}" fill="none" stroke="#e0e1dd" stroke-dasharray="6 6"/>`).join('')}
  <circle cx="390" cy="180" r="7" fill="#ffbe0b"/><circle cx="235" cy="95" r="7" fill="#fb5607"/>
  <circle cx="437" cy="297" r="7" fill="#8ac926"/></svg>`;

async function main(): Promise<void> {
  await globalSetup();
  try {
    const server = await startTestServer();
    try {
      const png = await sharp(Buffer.from(DRAWING)).png().toBuffer();
      const messages = await conversation(server, new Uint8Array(png));
      const browser = await startChromium();
      try {
        await photograph(browser, server.owner, messages);
        await photographPages(server, browser);
      } finally {
        await browser.close();
      }
    } finally {
      await server.end();
    }
  } finally {
    await globalTeardown();
  }
}

async function photograph(browser: Browser, reader: Person, messages: readonly Message[]): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 808, height: 600 }, deviceScaleFactor: 2 });
  await page.route('**/*', (route) => answer(route, reader, messages));
  await page.goto(ORIGIN, { waitUntil: 'networkidle' });
  await page.screenshot({ path: PICTURE, fullPage: true });
}

/** The page comes from here, the style sheet from its package, and everything else from the server. */
async function answer(route: Route, { url, email, key }: Person, messages: readonly Message[]): Promise<void> {
  const { pathname, search } = new URL(route.request().url());
  if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: pageOf(messages) });
  if (pathname.startsWith('/katex/')) {
    const contentType = TYPES[extname(pathname)] ?? 'application/octet-stream';
    return route.fulfill({ contentType, body: readFileSync(join(KATEX, pathname.slice('/katex/'.length))) });
  }
  const headers = { authorization: `Basic ${btoa(`${email}:${key}`)}` };
  const response = await fetch(`${url}${pathname}${search}`, { headers });
  const body = Buffer.from(await response.arrayBuffer());
  return route.fulfill({ status: response.status, contentType: response.headers.get('content-type') ?? '', body });
}

void main();
