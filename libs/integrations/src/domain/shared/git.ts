import { asSentence, endsWithPunctuation, firstLine, link, quoted } from './markdown';

/** Commits of a push that are listed one by one. */
const MAX_LISTED_COMMITS = 20;
/** Authors of a push that are named. */
const MAX_NAMED_AUTHORS = 3;
const SHORT_SHA_LENGTH = 11;

/** The id that stands for no commit, before a branch is created and after it is deleted. */
export const NO_COMMIT = '0'.repeat(40);

export interface Commit {
  readonly author: string;
  readonly sha: string;
  readonly url: string;
  readonly message: string;
}

export interface Push {
  readonly user: string;
  readonly branch: string;
  /** A page that compares the branch with what it was. */
  readonly compareUrl: string;
  readonly commits: readonly Commit[];
  readonly isDeletion?: boolean;
  readonly isForced?: boolean;
  /** Named in the text if the URL asks for it. */
  readonly repository?: { readonly name: string; readonly url: string } | undefined;
}

/** An act on an issue, a pull request or the like. */
export interface Act {
  readonly user: string;
  /** For example `opened`, or `[commented](…) on`. */
  readonly action: string;
  readonly kind: string;
  readonly url: string;
  readonly number?: number | undefined;
  /** Only where the topic does not show it. */
  readonly title?: string | undefined;
  readonly branches?: { readonly from: string; readonly to: string } | undefined;
  readonly assignees?: readonly string[] | undefined;
  /** The text that was written, which is quoted. */
  readonly text?: string | null | undefined;
}

export const branchOf = (ref: string): string => ref.replace(/^refs\/heads\//, '');
export const tagOf = (ref: string): string => ref.replace(/^refs\/tags\//, '');
export const shortSha = (sha: string): string => sha.slice(0, SHORT_SHA_LENGTH);

/** Whether the option `branches`, names joined by commas, includes a branch. Without the option every branch is. */
export const isChosenBranch = (branch: string, branches: string | undefined): boolean =>
  branches === undefined || branches.split(',').some((name) => name.trim() === branch);

export function pushText({ user, branch, compareUrl, commits, isDeletion, isForced, repository }: Push): string {
  const pushed = isForced ? 'force pushed' : 'pushed';
  if (commits.length === 0) return `${user} ${link(isDeletion ? 'deleted' : pushed, compareUrl)} the branch ${branch}.`;
  const count = `${commits.length} commit${commits.length === 1 ? '' : 's'}`;
  const place = repository ? ` of ${link(repository.name, repository.url)}` : '';
  const authors = authorsOf(commits);
  const isOwnWork = authors.length === 1 && authors[0]?.name === user;
  const by = isOwnWork ? '' : ` Commits by ${joined(authors.map(({ name, count: n }) => `${name} (${n})`))}.`;
  return `${user} ${link(pushed, compareUrl)} ${count} to branch ${branch}${place}.${by}\n\n${commitList(commits)}`;
}

function commitList(commits: readonly Commit[]): string {
  const lines = commits
    .slice(0, MAX_LISTED_COMMITS)
    .map(({ message, sha, url }) => `* ${firstLine(message)} (${link(shortSha(sha), url)})`);
  const more = commits.length - MAX_LISTED_COMMITS;
  return [...lines, ...(more > 0 ? [`[and ${more} more commit(s)]`] : [])].join('\n');
}

/** Those with the most commits first, and the rest together. */
function authorsOf(commits: readonly Commit[]): { name: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { author } of commits) counts.set(author, (counts.get(author) ?? 0) + 1);
  const all = [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  const others = all.slice(MAX_NAMED_AUTHORS).reduce((sum, { count }) => sum + count, 0);
  return [...all.slice(0, MAX_NAMED_AUTHORS), ...(others > 0 ? [{ name: 'others', count: others }] : [])];
}

/** `a`, `a and b`, `a, b and c` */
export function joined(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

export function actText({ user, action, kind, url, number, title, branches, assignees = [], text }: Act): string {
  const name = [kind, ...(number === undefined ? [] : [`#${number}`]), ...(title ? [title] : [])].join(' ');
  const from = branches ? ` from \`${branches.from}\` to \`${branches.to}\`` : '';
  const assigned = assignees.length > 0 ? ` (assigned to ${joined(assignees)})` : '';
  const main = `${user} ${action} ${link(name, url)}${from}${assigned}`;
  // A title may end with its own punctuation.
  const endsWithTitle = from === '' && assigned === '' && title && endsWithPunctuation(title);
  const sentence = endsWithTitle ? main : `${main}${text ? ':' : '.'}`;
  return text ? `${sentence}\n\n${quoted(text)}` : sentence;
}

/** @param action `pushed` or `removed` */
export const tagText = (user: string, action: string, tag: string): string =>
  asSentence(`${user} ${action} tag ${tag}`);

export function commitCommentText(user: string, commentUrl: string, commit: Pick<Commit, 'sha' | 'url'>, text: string) {
  return `${user} ${link('commented', commentUrl)} on ${link(shortSha(commit.sha), commit.url)}:\n${quoted(text)}`;
}

/** The topic of an issue, a pull request or the like. */
export const topicOfThing = (repository: string, kind: string, number: number, title: string): string =>
  `${repository} / ${kind} #${number} ${title}`;
