const HERE = 'http://here.invalid';
const UNSAFE = /[\\\p{Cc}\p{Z}]/u;

/**
 * A path of this server that a request names as the place to go on to, for example after a login. Anything that a browser could take
 * for another server is not one.
 *
 * @returns undefined for what is no such path
 */
export function localPath(requested: string | undefined): string | undefined {
  if (requested === undefined || !/^\/(?!\/)/.test(requested) || UNSAFE.test(requested)) return undefined;
  if (!URL.canParse(requested, HERE)) return undefined;
  const { origin, pathname, search } = new URL(requested, HERE);
  return origin === HERE && !pathname.startsWith('//') ? `${pathname}${search}` : undefined;
}
