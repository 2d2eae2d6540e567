import type { TileCoordinates } from '@annals/kernel';

/** What the path of a tile names (C2SP tlog-tiles). */
export interface NamedTile {
  /** `entries` for the events themselves. */
  readonly tile: TileCoordinates | { readonly level: 'entries'; readonly index: number };
  /** Of a partial tile. Null for a full one. */
  readonly width: number | null;
}

/** Levels and indexes of trees that a log can have. */
const PATH = /^(entries|0|[1-9]|[1-5]\d|6[0-3])\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** The tile that a path such as `0/x001/234` or `entries/000.p/17` names. Null for any other text. */
export function parseTilePath(path: string): NamedTile | null {
  const [, level, number, width] = PATH.exec(path) ?? [];
  if (level === undefined || number === undefined) return null;
  const index = Number(number.replace(/[x/]/g, ''));
  if (indexPath(index) !== number || Number(width ?? 1) > 255) return null;
  const tile = level === 'entries' ? ({ level, index } as const) : { level: Number(level), index };
  return { tile, width: width === undefined ? null : Number(width) };
}

/** An index in groups of three digits. All but the last begin with an x. */
export function indexPath(index: number): string {
  const last = String(index % 1000).padStart(3, '0');
  const rest = Math.floor(index / 1000);
  return rest === 0 ? last : `${indexPath(rest).replace(/(\d{3})$/, 'x$1')}/${last}`;
}
