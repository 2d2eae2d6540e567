import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PIECE = Buffer.alloc(1 << 20);
const PAGE = Buffer.alloc(4_096);

/** A file system of its own, in memory, that can be filled. Only root may mount one. */
export class SmallDisk {
  private constructor(readonly path: string) {}

  /** Whether this process may mount one, which not every user and container may. */
  static readonly isAllowed = ((): boolean => {
    try {
      SmallDisk.mount(1).unmount();
      return true;
    } catch {
      return false;
    }
  })();

  /** @throws Error when it is not allowed */
  static mount(megabytes: number): SmallDisk {
    const path = mkdtempSync(join(tmpdir(), 'annals-disk-'));
    try {
      const options = `size=${megabytes}m,mode=0755`;
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path], { stdio: 'pipe' });
    } catch (error) {
      rmSync(path, { recursive: true });
      throw error;
    }
    return new SmallDisk(path);
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.path);
    return bavail * bsize;
  }

  /** Takes all room that is left. */
  fill(): void {
    for (const piece of [PIECE, PAGE]) {
      try {
        for (;;) appendFileSync(this.filler, piece);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  }

  /** Gives back what `fill` took. */
  free(): void {
    rmSync(this.filler, { force: true });
  }

  /** A process with an open file there keeps it until it closes it. */
  unmount(): void {
    execFileSync('umount', ['--lazy', this.path], { stdio: 'pipe' });
    rmSync(this.path, { recursive: true });
  }

  private get filler(): string {
    return join(this.path, 'filler');
  }
}
