import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';

/** Chromium of Debian, unless `CHROMIUM` names another one. */
const PROGRAM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Starts Chromium without a window. */
export const startChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox'] });

/** `describe` for specs that need a real browser. They are skipped without Chromium, and their title says so. */
export function describeInChromium(title: string, specs: () => void): void {
  if (existsSync(PROGRAM)) describe(title, specs);
  else describe.skip(`${title} (skipped: this machine has no ${PROGRAM})`, specs);
}
