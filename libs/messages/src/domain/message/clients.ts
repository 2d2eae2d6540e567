/** Clients with which users read. */
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

/** Whether users of this client have read the messages that they send (contract/boot.md section 1.5). */
export const readsWith = (client: string): boolean => INTERACTIVE.has(client);
