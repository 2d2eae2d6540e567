/** What no key name may contain (C2SP signed-note). */
const FORBIDDEN = /[\s+\p{Cc}]/gu;

/**
 * The name of a log, which is the origin of its checkpoints and the name of its key: the address of its tiles without a
 * scheme (C2SP tlog-tiles). A restored log is another log, and has the id of its installation at the end.
 *
 * @param url base URL of the organization
 */
export function logOriginOf(url: string, installation: string, isRestored: boolean): string {
  const { host } = new URL(url);
  const log = `${host}/api/v1/audit`.replace(FORBIDDEN, '');
  return isRestored ? `${log}/${installation.slice(0, 8)}` : log;
}
