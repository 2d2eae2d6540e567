export type Say = (line: string) => void;

/** A service for the children, and its place, in words. */
export interface UsedService<Url> {
  readonly url: Url;
  readonly where: string;
  readonly stop: () => Promise<void>;
}

/** How to stop a service that another program runs. */
export const notOurs = async () => undefined;

/** Host, port and name of a connection string; never the password. */
export function place(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
