/** The names of a file. */
export interface FileName {
  /** The name that people see: one line, without folders. */
  readonly shown: string;
  /** The last part of its URL: letters, digits, `_`, `.` and `-`. */
  readonly inAddress: string;
}

/** Greatest length of either in bytes of UTF-8. */
const MAX_BYTES = 255;
const UNNAMED = 'uploaded-file';

/**
 * A safe file name from the one that the client sent, which may be anything: percent-encoded, a path, with control
 * characters or marks that reverse the direction of reading.
 */
export function fileName(given: string): FileName {
  const withoutFolders = decoded(given).replace(/^.*[/\\]/s, '');
  const shown = shortened(withoutFolders.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim(), MAX_BYTES).trim();
  const inAddress = shown
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N}_\s.-]/gu, '')
    .trim()
    .replace(/[-\s]+/g, '-');
  return { shown: named(shown), inAddress: named(shortened(inAddress, MAX_BYTES)) };
}

const named = (name: string): string => (/^\.{0,2}$/.test(name) ? UNNAMED : name);

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Shortens before the extension, so that the type remains visible. */
function shortened(name: string, maxBytes: number): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 ? name.slice(dot) : '';
  if (ending !== '' && Buffer.byteLength(ending) < maxBytes / 2) {
    return shortened(name.slice(0, dot), maxBytes - Buffer.byteLength(ending)) + ending;
  }
  let kept = '';
  let size = 0;
  for (const character of name) {
    size += Buffer.byteLength(character);
    if (size > maxBytes) break;
    kept += character;
  }
  return kept;
}
