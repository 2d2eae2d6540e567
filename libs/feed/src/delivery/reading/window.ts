import type { Position } from '@annals/kernel/domain';
import type { ReadClientEvent } from './client-event-rows';
import type { ClientEventPage } from './client-events';

/** Most client events of a realm that are kept in memory. */
const MAX_EVENTS = 1_000;
/** Most bytes of them as JSON, whatever their number. In memory they take a few times as much. */
const MAX_BYTES = 16_000_000;

/** The latest client events of a realm, those after `from` up to `position`; both are ends of appends. */
export class Window {
  private kept: ReadClientEvent[] = [];
  private begin: Position;

  constructor(private end: Position) {
    this.begin = end;
  }

  get events(): readonly ReadClientEvent[] {
    return this.kept;
  }

  get from(): Position {
    return this.begin;
  }

  get position(): Position {
    return this.end;
  }

  /** Moves forward. The oldest are dropped if there are too many. */
  add({ events, through, isGone }: ClientEventPage): void {
    this.end = through;
    if (isGone) this.clear();
    else this.kept.push(...events);
    let bytes = 0;
    const isTooMuch = ({ size }: ReadClientEvent, n: number) => {
      bytes += size;
      return bytes > MAX_BYTES || this.kept.length - n > MAX_EVENTS;
    };
    const last = this.kept.findLast(isTooMuch)?.position;
    if (last === undefined) return;
    this.kept = this.kept.filter((event) => event.position > last);
    this.begin = last;
  }

  /** Drops what is after a position. */
  goBackTo(position: Position): void {
    if (position >= this.end) return;
    this.end = position;
    this.begin = Math.min(this.begin, position) as Position;
    this.kept = this.kept.filter((event) => event.position <= position);
  }

  private clear(): void {
    this.kept = [];
    this.begin = this.end;
  }
}
