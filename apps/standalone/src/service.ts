export type Say = (line: string) => void;

/** A service the children use, and where it is, in words. */
export interface Service<Url> {
  readonly url: Url;
  readonly where: string;
  /** Settles when it has ended, as far as that is ours to know. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
}

/** What somebody else runs: we neither stop it nor watch it. */
export const notOurs = { ended: new Promise<never>(() => undefined), stop: async () => undefined };

/** Host, port and name of a connection string; never the password. */
export function place(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
