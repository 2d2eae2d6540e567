import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

/** The ids of a process and of all that it and its children have started, as far as their parents still live. */
export function familyOf(pid: number): number[] {
  const parents = parentsOfAll();
  const family = [pid];
  for (const member of family) {
    for (const [child, parent] of parents) if (parent === member) family.push(child);
  }
  return family;
}

/** The parent of every process of this machine, by its id. */
export function parentsOfAll(): Map<number, number> {
  if (process.platform === 'linux')
    return new Map(readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? parentOf(Number(name)) : [])));
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return new Map(lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]));
}

function parentOf(pid: number): [number, number][] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // the name in brackets may hold anything; behind it are the state and the parent
    return [[pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]];
  } catch {
    return []; // it has just ended
  }
}
