import { reject } from './rejections';

/** The versions of a resource that a request names in `If-Match` or `If-None-Match`. */
export type Versions = '*' | readonly string[];

const TAG = /^(?:W\/)?"?([^"]*)"?$/;

/** The version as a tag. */
export const tagOf = (version: number): string => `W/"${version}"`;

/** Null if the header is not there. Tags need no quotes, since some programs leave them out. */
export function versionsIn(header: string | undefined): Versions | null {
  if (header === undefined) return null;
  const tags = header.split(',').map((tag) => tag.trim());
  return tags.includes('*') ? '*' : tags.map((tag) => TAG.exec(tag)?.[1] ?? tag);
}

export const hasVersion = (versions: Versions, version: number): boolean =>
  versions === '*' || versions.includes(String(version));

/** @param versions null if the request requires none @throws Rejected PRECONDITION_FAILED for a resource with another version */
export function ensureVersion(versions: Versions | null, version: number): void {
  if (versions !== null && !hasVersion(versions, version)) throw reject.changed();
}
