import { source as axe } from 'axe-core';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** Widths of phones, in pixels of CSS. The smaller one is that of WCAG 2.2, 1.4.10. */
const WIDTHS = [390, 320];
const HEIGHT = 844;
const SCHEMES = ['light', 'dark'] as const;
/** The rules of WCAG 2.2 and what the makers of axe recommend beside them. */
const RULES: RunOptions = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
/** Phones enlarge a page at an input with smaller letters. */
const MIN_LETTERS = 16;
const MIN_BUTTON = 40;

/** What leaves the screen at the side, small letters and small buttons. A text, because scripts of a page know no types here. */
const LAYOUT = `(() => {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) found.push('the page scrolls to the side');
  for (const one of document.querySelectorAll('input:not([type=hidden]), select, textarea, button, .button')) {
    const { height, left, right } = one.getBoundingClientRect();
    const name = one.name || one.textContent.trim();
    if (left < 0 || right > root.clientWidth) found.push(name + ' leaves the screen');
    if (one.type !== 'checkbox' && height < ${MIN_BUTTON}) found.push(name + ' is too low for a finger');
    const letters = parseFloat(getComputedStyle(one).fontSize);
    if (one.matches('input, select, textarea') && letters < ${MIN_LETTERS}) found.push(name + ' has small letters');
  }
  return found;
})()`;

/** Looks at the markup of pages in a browser that runs the scripts of axe, with nothing of the server but the markup. */
export class Inspector {
  private constructor(
    private readonly context: BrowserContext,
    private readonly page: Page,
  ) {}

  static async start(browser: Browser): Promise<Inspector> {
    const context = await browser.newContext({
      isMobile: true,
      hasTouch: true,
      viewport: { width: 390, height: HEIGHT },
    });
    return new Inspector(context, await context.newPage());
  }

  /** What is wrong with a page, in light and dark and on phones of both widths. Nothing if all is well. */
  async inspect(markup: string): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const width of WIDTHS) {
      await this.page.setViewportSize({ width, height: HEIGHT });
      await this.page.setContent(markup);
      for (const one of await this.layout()) found.add(`${one} at a width of ${width}`);
    }
    await this.page.evaluate(axe);
    for (const colorScheme of SCHEMES) {
      await this.page.emulateMedia({ colorScheme });
      for (const one of await this.violations()) found.add(`${one} in ${colorScheme}`);
    }
    return [...found];
  }

  async close(): Promise<void> {
    await this.context.close();
  }

  private async violations(): Promise<readonly string[]> {
    const { violations } = await this.page.evaluate(
      (rules) => (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run(rules),
      RULES,
    );
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }

  private layout(): Promise<string[]> {
    return this.page.evaluate<string[]>(LAYOUT);
  }
}
