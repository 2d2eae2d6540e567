/** Names and addresses of this machine. No name server decides about them. */
const LOOPBACK = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Whether a host name means this machine for whoever uses it. */
export const isThisMachine = (host: string): boolean => LOOPBACK.test(host);
