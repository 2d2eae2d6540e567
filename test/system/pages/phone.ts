import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Inspector } from './inspector';

/** A small phone, held upright. */
export const SCREEN = { width: 390, height: 844 };

/** Where pictures of the pages are stored, for people who look at them. Nowhere if unset. */
const PICTURES = process.env['ANNALS_TEST_PICTURES'];

/** A person with a phone that runs no script. Every page that they come to is inspected. */
export class Phone {
  /** What the browser complained about: parts of a page that its headers forbid, and failed requests. */
  readonly complaints: string[] = [];
  /** What was wrong with the pages that they saw, by the names of the pages. */
  readonly findings: Record<string, readonly string[]> = {};

  private constructor(
    private readonly context: BrowserContext,
    private readonly inspector: Inspector,
    readonly page: Page,
  ) {
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !isStatus(message.text()))
        this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('requestfailed', (request) => this.complaints.push(`${request.method()} ${request.url()}`));
  }

  /** @param language of the phone */
  static async of(browser: Browser, baseURL: string, language = 'en'): Promise<Phone> {
    const context = await browser.newContext({
      ...{ baseURL, viewport: SCREEN, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
      ...{ javaScriptEnabled: false, locale: language },
    });
    return new Phone(context, await Inspector.start(browser), await context.newPage());
  }

  get path(): string {
    return new URL(this.page.url()).pathname;
  }

  /** The text that the page shows. */
  text(): Promise<string> {
    return this.page.locator('body').innerText();
  }

  /** Opens an address, and looks at the page. @param name of the page in what is found */
  async open(address: string, name: string): Promise<void> {
    await this.page.goto(address);
    await this.look(name);
  }

  /** Fills in fields by their labels, and sends the form with a button. Then it looks at the page that follows. */
  async fill(fields: Readonly<Record<string, string>>, button: string, name: string): Promise<void> {
    for (const [label, value] of Object.entries(fields)) await this.page.getByLabel(label, { exact: true }).fill(value);
    await this.press(button, name);
  }

  /** Presses a button, the first one of this name, and looks at the page that follows. */
  async press(button: string, name: string): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.page.getByRole('button', { name: button, exact: true }).first().click();
    await loaded;
    await this.look(name);
  }

  /** What the browser may fill in, by the names of the fields. */
  async filledIn(): Promise<Record<string, string | null>> {
    const fields = await this.page.locator('input:not([type=hidden])').all();
    const pairs = fields.map(async (one) => [await one.getAttribute('name'), await one.getAttribute('autocomplete')]);
    return Object.fromEntries((await Promise.all(pairs)) as [string, string | null][]);
  }

  /** The problem that is shown beside a field. */
  async problemOf(label: string): Promise<string | null> {
    const ids = await this.page.getByLabel(label, { exact: true }).getAttribute('aria-describedby');
    const id = ids?.split(' ').find((one) => one.endsWith('-problem'));
    return id === undefined ? null : this.page.locator(`#${id}`).innerText();
  }

  async close(): Promise<void> {
    await this.inspector.close();
    await this.context.close();
  }

  private async look(name: string): Promise<void> {
    this.findings[name] = await this.inspector.inspect(await this.page.content());
    if (PICTURES === undefined) return;
    for (const colorScheme of ['light', 'dark'] as const) {
      await this.page.emulateMedia({ colorScheme });
      await this.page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}.png`), fullPage: true });
    }
  }
}

/** Chromium writes down every answer of 400 and more, which pages with problems are. */
const isStatus = (text: string): boolean =>
  text.startsWith('Failed to load resource: the server responded with a status of');
