export type Say = (line: string) => void;

/** A service the children use, and where it is, in words. */
export interface Service<Url> {
  readonly url: Url;
  readonly where: string;
  readonly stop: () => Promise<void>;
}

/** How to stop what somebody else runs. */
export const notOurs = async () => undefined;

/** Host, port and name of a connection string; never the password. */
export function place(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
