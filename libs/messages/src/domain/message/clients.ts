/** Clients that people read with. */
const INTERACTIVE: ReadonlySet<string> = new Set([
  'website',
  'ZulipMobile',
  'ZulipFlutter',
  'ZulipDesktop',
  'ZulipElectron',
  'ZulipTerminal',
  'snipe',
  'zephyr_mirror',
  'jabber_mirror',
  'irc_mirror',
]);

/** Whether somebody who sends with this client has read what they sent (contract/boot.md section 1.5). */
export const readsWith = (client: string): boolean => INTERACTIVE.has(client);
