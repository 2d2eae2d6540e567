import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { invite } from '../support/invitations/invitations';
import { outboxOf } from '../support/mail/outbox';
import { granted } from '../support/server/caller';
import type { TestServer } from '../support/server/server';

const PICTURE = join(__dirname, '..', '..', 'docs', 'images', 'pages.png');
const SCREEN = { width: 390, height: 720 };
const SCALE = 2;
const GAP = 40;

/** Writes a picture of pages on phones, side by side: of a person who joins, of a login at night, and of an account. */
export async function photographPages(server: TestServer, browser: Browser): Promise<void> {
  granted(await server.owner.patch('/realm', { name: 'Garden club' }));
  granted(await invite(server.owner, 'grace@example.com'));
  const person = await server.person({ name: 'Ada Lovelace' });
  const link = (await outboxOf(server)).flatMap(({ links }) => links).find((one) => one.includes('/join/')) ?? '';
  const shots = [
    await shot(browser, server.url, {}, (page) => page.goto(link)),
    await shot(browser, server.url, { locale: 'ar', colorScheme: 'dark' }, (page) => page.goto('/login')),
    await shot(browser, server.url, {}, async (page) => {
      await page.goto('/login');
      await page.getByLabel('Email address').fill(person.email);
      await page.getByLabel('Password').fill(person.password);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.waitForURL('**/account');
    }),
  ];
  await sideBySide(shots);
}

async function shot(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions,
  visit: (page: Page) => Promise<unknown>,
): Promise<Buffer> {
  const phone = { baseURL, viewport: SCREEN, deviceScaleFactor: SCALE, javaScriptEnabled: false };
  const context = await browser.newContext({ locale: 'en', ...phone, ...options });
  try {
    const page = await context.newPage();
    await visit(page);
    return await page.screenshot();
  } finally {
    await context.close();
  }
}

async function sideBySide(shots: readonly Buffer[]): Promise<void> {
  const [width, height] = [SCREEN.width * SCALE, SCREEN.height * SCALE];
  const parts = shots.map((input, n) => ({ input, top: GAP, left: GAP + n * (width + GAP) }));
  const whole = { width: GAP + shots.length * (width + GAP), height: height + 2 * GAP };
  const paper = { create: { ...whole, channels: 3, background: '#dde2e7' } } as const;
  const composed = await sharp(paper).composite(parts).png().toBuffer();
  await sharp(composed).resize({ width: 1_600 }).png({ palette: true }).toFile(PICTURE);
}
